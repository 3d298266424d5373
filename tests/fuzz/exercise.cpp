#include "tests/fuzz/exercise.h"

#include "core/base/limits.h"
#include "core/decode/decode.h"
#include "core/graph/tree_spec.h"
#include "core/tensor/tensor_stats.h"
#include "core/tensor/tensor_text.h"
#include "core/tensor/view.h"

namespace pt2::test {

namespace {

constexpr int64_t kSmallTensor = 1 << 16;  // elements; larger ones are opened, not walked

}  // namespace

void exercise(const Program& program) {
  for (const Graph& graph : program.graphs)
    for (const Node& node : graph.nodes()) {
      (void)parse_stack_trace(node.meta->stack_trace);
      (void)parse_nn_module_stack(node.meta->nn_module_stack);
      (void)parse_source_fn_stack(node.meta->source_fn_stack);
      (void)parse_from_node(node.meta->from_node);
    }
  for (const ModuleCall& call : program.module_call_graph)
    for (const std::string_view spec : {call.in_spec, call.out_spec})
      if (const auto tree = parse_tree_spec(spec)) (void)leaf_paths(*tree, program.namedtuple_fields);
}

void exercise(const Archive& archive) {
  auto models = archive.models();
  for (const std::string& model : models)
    if (const auto json = archive.model_json(model))
      if (const auto program = decode_program(model, *json, "models/" + model + ".json")) exercise(**program);
  models.push_back("");
  for (const std::string& model : models) {
    (void)archive.sample_inputs(model);
    for (const TensorInfo& info : archive.tensors(model)) {
      const auto tensor = archive.read_tensor(model, info.role, info.name);
      if (!tensor || checked_numel(tensor->sizes).value_or(INT64_MAX) > kSmallTensor) continue;
      (void)tensor_stats(*tensor);
      (void)tensor_text(*tensor);
    }
  }
  for (const std::string& name : archive.extra_files()) (void)archive.extra_file(name);
  (void)archive.check();
}

}  // namespace pt2::test
