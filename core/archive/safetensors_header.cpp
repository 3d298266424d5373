#include "core/archive/safetensors_header.h"

#include <algorithm>
#include <unordered_set>

#include "core/base/checked.h"
#include "core/base/json_tree.h"
#include "core/base/limits.h"
#include "core/base/text.h"
#include "core/tensor/view.h"

namespace pt2 {

namespace {

constexpr std::pair<std::string_view, DType> kNames[] = {
    {"BOOL", DType::Bool}, {"U8", DType::UInt8}, {"I8", DType::Int8}, {"U16", DType::UInt16}, {"I16", DType::Int16}, {"U32", DType::UInt32}, {"I32", DType::Int32},
    {"U64", DType::UInt64}, {"I64", DType::Int64}, {"F16", DType::Float16}, {"BF16", DType::BFloat16}, {"F32", DType::Float32}, {"F64", DType::Float64},
    {"F8_E4M3", DType::Float8E4M3Fn}, {"F8_E5M2", DType::Float8E5M2}, {"F8_E4M3FNUZ", DType::Float8E4M3Fnuz}, {"F8_E5M2FNUZ", DType::Float8E5M2Fnuz},
    {"F8_E8M0", DType::Float8E8M0Fnu}, {"C64", DType::Complex64}, {"I8", DType::QInt8}, {"U8", DType::QUInt8}, {"I32", DType::QInt32}, {"U8", DType::QUInt4x2},
    {"U8", DType::QUInt2x4}, {"U8", DType::Float4E2M1FnX2}};

Error damaged(const std::string& name, std::string message) {
  return {ErrorKind::CannotOpen, "\"" + name + "\" " + std::move(message), "safetensors header", "The file is damaged or was made to mislead. Write it again."};
}

SafetensorsEntry entry_at(std::string_view name, const JsonCursor& value) {
  SafetensorsEntry entry;
  entry.name = name;
  entry.dtype_text = value.at("dtype").as_string();
  for (const auto& [text, dtype] : kNames)
    if (text == entry.dtype_text) {
      entry.dtype = dtype;
      break;
    }
  for (const JsonCursor size : value.at("shape").elements()) entry.sizes.push_back(size.as_int());
  const JsonCursor offsets = value.at("data_offsets");
  std::vector<int64_t> pair;
  for (const JsonCursor offset : offsets.elements()) pair.push_back(offset.as_int());
  if (pair.size() != 2 || pair[0] < 0 || pair[1] < pair[0]) offsets.fail("data_offsets are not two growing numbers");
  entry.begin = static_cast<uint64_t>(pair[0]);
  entry.end = static_cast<uint64_t>(pair[1]);
  return entry;
}

Result<void> check_entry(const SafetensorsEntry& entry, uint64_t data_bytes) {
  if (entry.end > data_bytes) return damaged(entry.name, "should end at offset " + with_commas(entry.end) + ", the data has " + with_commas(data_bytes) + " bytes");
  if (entry.sizes.size() > limits::kTensorRank) return damaged(entry.name, "has " + std::to_string(entry.sizes.size()) + " dimensions (limit " + std::to_string(limits::kTensorRank) + ")");
  const auto numel = checked_numel(entry.sizes);
  if (!numel) return damaged(entry.name, "has the shape " + shape_text(entry.sizes) + ", which is negative or beyond 64 bits");
  if (entry.dtype == DType::Unknown) return {};
  const auto bytes = checked_multiply(*numel, int64_t{item_size(entry.dtype)});
  if (!bytes || static_cast<uint64_t>(*bytes) != entry.end - entry.begin)
    return damaged(entry.name, "needs " + (bytes ? with_commas(*bytes) : "more than 2^63") + " bytes (" + entry.dtype_text + " " + shape_text(entry.sizes) + "), its offsets give " + with_commas(entry.end - entry.begin));
  return {};
}

Result<void> check_order(const std::vector<SafetensorsEntry>& entries, uint64_t data_bytes, std::vector<Finding>& findings) {
  std::vector<const SafetensorsEntry*> order;
  for (const SafetensorsEntry& entry : entries) order.push_back(&entry);
  std::stable_sort(order.begin(), order.end(), [](auto* a, auto* b) { return std::pair(a->begin, a->end) < std::pair(b->begin, b->end); });
  uint64_t at = 0;
  const auto hole = [&](const std::string& where, uint64_t next) {
    findings.push_back({Severity::Warning, "safetensors.hole", with_commas(next - at) + " bytes at offset " + with_commas(at) + " belong to no tensor", where, "The tensors are read; the safetensors library refuses such a file.", {}});
  };
  for (const SafetensorsEntry* entry : order) {
    if (entry->begin < at && entry->end > entry->begin) return damaged(entry->name, "begins at offset " + with_commas(entry->begin) + ", inside another tensor that ends at " + with_commas(at));
    if (entry->begin > at) hole("safetensors header: \"" + entry->name + "\"", entry->begin);
    at = std::max(at, entry->end);
  }
  if (at < data_bytes) hole("safetensors header", data_bytes);
  return {};
}

}  // namespace

Result<SafetensorsHeader> parse_safetensors_header(std::string_view json, uint64_t data_bytes) {
  SafetensorsHeader header;
  std::string name;
  try {
    JsonReader reader(json);
    JsonTree tree;
    std::string_view key;
    std::unordered_set<std::string> names;
    reader.begin_object();
    while (reader.next_member(key)) {
      name = key;
      const JsonCursor value = tree.read(reader);
      if (!names.insert(name).second) {
        if (name == "__metadata__") continue;
        return damaged(name, "is there twice");
      }
      if (name == "__metadata__") {
        for (const JsonCursor member : value.members()) header.metadata[std::string(member.key())] = member.is_string() ? std::string(member.as_string()) : member.dump();
        continue;
      }
      header.entries.push_back(entry_at(name, value));
      if (auto fits = check_entry(header.entries.back(), data_bytes); !fits) return fits.error();
    }
    reader.expect_end();
  } catch (const JsonError& error) {
    return Error{error.limit ? ErrorKind::Limit : ErrorKind::CannotOpen, (name.empty() ? "" : "\"" + name + "\": ") + (error.path.empty() ? "" : error.path + ": ") + error.message, "safetensors header",
                 "The file is damaged or no .safetensors file. Write it again."};
  }
  if (auto right = check_order(header.entries, data_bytes, header.findings); !right) return right.error();
  return header;
}

std::string_view safetensors_dtype(DType dtype) {
  for (const auto& [text, known] : kNames)
    if (known == dtype) return text;
  return "";
}

}  // namespace pt2
