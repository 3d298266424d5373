#pragma once
// The JSON of one exported program → Program. One tolerant decoder for schemas 1 to 8: where a field has an old spelling, the data
// tells, not the version number.
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/graph/program.h"

namespace pt2 {

// `place` is the archive member the text comes from, for messages: "models/model.json".
// Odd things become findings of the program; an Error means that there is no graph to show.
Result<std::shared_ptr<const Program>> decode_program(std::string name, std::string_view json, const std::string& place,
                                                      std::stop_token stop = {});

}  // namespace pt2
