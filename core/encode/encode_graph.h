#pragma once
// One graph → the stored form, which has calls only: placeholders become inputs, getitems the results of their call, get_attrs of
// sub-graphs the argument they are read as.
#include <string>
#include <vector>

#include "core/encode/encode_json.h"
#include "core/graph/program.h"

namespace pt2::encode {

class GraphEncoder {
 public:
  // `done`: the stored forms of graphs that come after this one; those this graph calls are moved out.
  GraphEncoder(const Program& program, GraphId graph, IdVector<GraphId, Json>& done) : graph_(program.graphs[graph]), done_(done) {}
  Json encode();
  // An argument of a call, or what a graph returns. `type`: the parameter's, where there is a schema.
  Json argument(const Argument& argument, std::string_view parameter_type = {});
  // A value by its name, as its kind of value is written.
  Json value(NodeId id);

 private:
  Json call(NodeId id);
  Json results(NodeId id) const;
  Json list(const std::vector<Argument>& items, std::string_view parameter_type);
  void add_to_tables(const Node& node);
  NodeId getitem(NodeId from, int64_t index) const;

  const Graph& graph_;
  IdVector<GraphId, Json>& done_;
  Json tensors_ = Json::object(), ints_ = Json::object(), floats_ = Json::object(), bools_ = Json::object(), objects_ = Json::object();
};

}  // namespace pt2::encode
