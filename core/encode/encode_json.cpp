#include "core/encode/encode_json.h"

#include <cmath>

namespace pt2::encode {

int64_t schema_number(DType dtype) {
  constexpr int64_t kNumbers = 64;  // the enumeration of the schema is far shorter
  for (int64_t number = 0; number < kNumbers; ++number)
    if (dtype_from_schema(number) == dtype) return number;
  throw EncodeError{"the element type " + std::string(dtype_name(dtype)) + " has no number in the schema", ""};
}

Json device_json(const Device& device) { return {{"type", device.type}, {"index", device.index < 0 ? Json(nullptr) : Json(device.index)}}; }

Json float_json(double value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value > 0 ? "Infinity" : "-Infinity";
  return value;
}

Json sym_int_json(const SymInt& value) {
  if (!value.is_symbolic()) return {{"as_int", value.value}};
  return {{"as_expr", {{"expr_str", value.expr->source}, {"hint", value.has_hint ? Json{{"as_int", value.value}} : Json(nullptr)}}}};
}

std::string json_text(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

}  // namespace pt2::encode
