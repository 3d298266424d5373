#pragma once
// Edits in the file of a session: [{"input": NAME, or "node": NODE with "index" or "argument" where there is one, "text": "relu * 2"}].
#include <nlohmann/json_fwd.hpp>

#include "views/workspace/document.h"

namespace pt2::app {

nlohmann::ordered_json write_edits(const views::Document& document);
// What is no edit of this program is dropped, which the log tells.
nlohmann::ordered_json read_edits(const nlohmann::ordered_json& value, views::Document& document);

}  // namespace pt2::app
