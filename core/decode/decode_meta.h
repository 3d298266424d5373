#pragma once
// tensor_values, sym_int_values …: what the file declares about values. Thousands of values share a few metas, and their JSON is then
// the same text, so each different text is decoded once.
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>

#include "core/decode/decode_context.h"

namespace pt2::decode {

class MetaDecoder {
 public:
  explicit MetaDecoder(Context& context) : context_(context) {}

  // The value metas of a graph's tables, by value name.
  using Table = std::unordered_map<std::string_view, ValueMeta>;
  // Reads the table at the reader's position into `table`; `key` is its name in the graph ("tensor_values"), `where` the graph's path.
  void read_table(std::string_view key, const std::string& where, Table& table);

  // A `metadata` object at the reader's position, interned; empty when absent.
  const NodeMeta* read_node_meta(std::string_view raw);
  const NodeMeta* no_node_meta();

  SymInt sym_int(JsonCursor value);
  // "as_scalar_type" and TensorMeta.dtype.
  DType dtype(JsonCursor value);
  Device device(JsonCursor value);

 private:
  ValueMeta tensor_meta(JsonCursor value);
  ValueMeta sym_meta(SymKind kind, JsonCursor value);
  ValueMeta custom_obj_meta(JsonCursor value);
  std::shared_ptr<const SymExpr> expression(std::string_view text, JsonCursor at);

  Context& context_;
  JsonTree tree_;
  std::unordered_map<std::string_view, ValueMeta> by_text_[5];
  std::unordered_map<std::string_view, std::shared_ptr<const SymExpr>> expressions_;
  std::unordered_map<std::string_view, const NodeMeta*> node_metas_;
};

}  // namespace pt2::decode
