#pragma once
// One stored graph → the FX graph that torch.export.load makes of it. The file holds calls only; placeholders, get_attr nodes of
// sub-graphs, getitem nodes of several results and the output are added here, in the loader's order and with the loader's names.
#include <deque>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "core/decode/decode_context.h"
#include "core/decode/decode_meta.h"
#include "core/graph/fx_names.h"

namespace pt2::decode {

// A graph still to decode: sub-graphs are queued while the graph around them is read, so nesting costs no stack.
struct PendingGraph {
  GraphId id;
  size_t offset = 0;  // of its JSON object
  std::string where;  // "", or `nodes[3] "cond", sub-graph "true_graph_0": `
  int depth = 0;
};

class GraphDecoder {
 public:
  GraphDecoder(Context& context, MetaDecoder& metas, ModuleTreeBuilder& modules, std::deque<PendingGraph>& pending)
      : context_(context), metas_(metas), modules_(modules), pending_(pending), names_(context.program.strings) {}

  // Decodes into context.program.graphs[graph.id], whose name and parent are set already. A decoder is used once.
  // Throws DecodeError where the graph cannot be ordered or is no graph at all.
  void decode(const PendingGraph& graph);

 private:
  using Members = std::map<std::string, size_t, std::less<>>;  // key → offset of its value
  void read_members(const Members& members);
  void read_inputs();
  void add_placeholder(JsonCursor input, size_t index);
  void read_nodes();
  void read_outputs(bool single_return);

  // decode_node.cpp
  void read_node(JsonCursor node);
  void read_arguments(JsonCursor inputs, Node& call);
  void read_node_meta(JsonCursor node);
  std::string call_name(JsonCursor node, std::string_view target, const std::vector<UnionMember>& results) const;
  void read_results(JsonCursor node, NodeId call, const std::vector<UnionMember>& results);
  void read_result(const UnionMember& result, NodeId call, int64_t index);
  NodeId add_getitem(NodeId from, int64_t index, std::string_view candidate);

  // decode_argument.cpp
  Argument argument(JsonCursor value);
  Argument one_argument(const UnionMember& set);
  Argument sym_argument(JsonCursor value);
  Argument value_named(std::string_view name);
  Argument sub_graph(JsonCursor value);

  NodeId add(Node node);
  // Gives the value its stored name: other nodes find it, and FX shows it.
  void define(std::string_view stored_name, NodeId node);
  // A finding where the tables say nothing about a value that needs it.
  void expect_meta(NodeId node);
  void odd(std::string rule, std::string message, const std::string& path, std::string advice);
  // `nodes[12] "bmm_3", argument "mat2"`, or with the path inside the item.
  std::string here(const std::string& path = {}) const;

  Context& context_;
  MetaDecoder& metas_;
  ModuleTreeBuilder& modules_;
  std::deque<PendingGraph>& pending_;
  PendingGraph graph_;
  GraphBuilder builder_;
  FxNames names_;
  JsonTree tree_;
  MetaDecoder::Table table_;                                    // declared values, by stored name
  std::unordered_map<std::string_view, NodeId> values_;         // by stored name
  std::unordered_set<std::string_view> attribute_constants_;    // 2.1: tensors named without a placeholder
  std::unordered_set<std::string_view> node_names_;             // the `name` fields, which are unique in files that have them
  const NodeMeta* node_meta_ = nullptr;                         // of the stored node being read; its getitems share it
  ModuleId module_;
  std::string item_;                                            // `nodes[12] "bmm_3"`, "inputs[1]"
  std::string argument_;                                        // name of the argument being read
};

// "torch.ops.higher_order.cond", and 2.1's "torch.ops.map_impl".
bool is_higher_order(std::string_view target);
// Names in a union's value: {"name": "x"}, or up to 2.3 in places the text itself.
std::string_view name_in(JsonCursor value);

}  // namespace pt2::decode
