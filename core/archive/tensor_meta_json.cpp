#include "core/archive/tensor_meta_json.h"

#include "core/base/json_tree.h"

namespace pt2 {

namespace {

// {"as_int": 3}, or the bare number of older forms. A size of a weight is never symbolic.
int64_t plain_int(const JsonCursor& value) { return value.is_object() ? value.at("as_int").as_int() : value.as_int(); }

Shape plain_ints(const JsonCursor& list) {
  Shape numbers;
  numbers.reserve(list.size());
  for (const JsonCursor item : list.elements()) numbers.push_back(plain_int(item));
  return numbers;
}

}  // namespace

StoredTensorMeta tensor_meta_at(const JsonCursor& meta) {
  StoredTensorMeta result;
  const int64_t number = meta.at("dtype").as_int();
  const auto dtype = dtype_from_schema(number);
  if (!dtype) meta.at("dtype").fail("the dtype " + std::to_string(number) + " is not known");
  result.dtype = *dtype;
  result.sizes = plain_ints(meta.at("sizes"));
  result.strides = plain_ints(meta.at("strides"));
  if (const auto offset = meta.find("storage_offset")) result.offset = plain_int(*offset);
  if (const auto grad = meta.find("requires_grad")) result.requires_grad = grad->as_bool();
  if (const auto device = meta.find("device")) {
    result.device.type = device->at("type").as_string();
    if (const auto index = device->find("index")) result.device.index = static_cast<int>(index->as_int());
  }
  if (const auto layout = meta.find("layout")) {
    const int64_t value = layout->as_int();
    result.layout = value >= 0 && value <= static_cast<int64_t>(TensorLayout::Strided) ? static_cast<TensorLayout>(value) : TensorLayout::Unknown;
  }
  return result;
}

Result<StoredTensorMeta> parse_tensor_meta(std::string_view json) {
  try {
    JsonReader reader(json);
    JsonTree tree;
    return tensor_meta_at(tree.read(reader));
  } catch (const JsonError& error) {
    return Error{error.limit ? ErrorKind::Limit : ErrorKind::CannotOpen, error.message, error.path, ""};
  }
}

}  // namespace pt2
