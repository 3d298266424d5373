#pragma once
// Shared by the encoders: small values as the schema writes them.
#include <nlohmann/json.hpp>
#include <string>

#include "core/graph/argument.h"
#include "core/symbolic/sym_expr.h"

namespace pt2::encode {

using Json = nlohmann::ordered_json;

// Thrown inside the encoder only: the program has no form in the schema.
struct EncodeError { std::string message, where; };

int64_t schema_number(DType dtype);
Json device_json(const Device& device);
Json float_json(double value);            // not-a-number and infinities are texts
Json sym_int_json(const SymInt& value);   // SymInt: {"as_int": 3} or {"as_expr": …}
std::string json_text(const Json& json);

}  // namespace pt2::encode
