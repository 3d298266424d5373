#include "tests/support/program_maker.h"

namespace pt2::test {
namespace {

std::shared_ptr<const TensorMeta> small_tensor() {
  auto meta = std::make_shared<TensorMeta>();
  meta->dtype = DType::Float32;
  meta->sizes = {SymInt{.value = 2}, SymInt{.value = 8}};
  return meta;
}

NodeArgument argument(NodeId id) { return {"", Argument{id}, false}; }

}  // namespace

ProgramMaker::ProgramMaker() : program_(std::make_shared<Program>()) {
  program_->name = "model";
  program_->node_metas.emplace_back();
  program_->modules.modules.push_back({});
}

NodeId ProgramMaker::add(Node node) {
  node.name = node.stored_name = program_->strings.intern(node.name);
  node.target = program_->strings.intern(node.target);
  node.meta = &program_->node_metas.front();
  if (!std::holds_alternative<std::monostate>(node.val) || node.kind != NodeKind::CallFunction) return root_.add(std::move(node));
  node.val = small_tensor();
  return root_.add(std::move(node));
}

NodeId ProgramMaker::input(std::string_view name) {
  const NodeId id = add({.kind = NodeKind::Placeholder, .name = name, .target = name, .val = small_tensor(), .module = ModuleId(0)});
  program_->signature.inputs.push_back({.kind = InputKind::UserInput, .name = root_.node(id).name, .node = id});
  return id;
}

NodeId ProgramMaker::parameter(std::string_view name, std::string_view fqn, InputKind kind) {
  const NodeId id = add({.kind = NodeKind::Placeholder, .name = name, .target = name, .val = small_tensor(), .module = ModuleId(0)});
  program_->signature.inputs.push_back({.kind = kind, .name = root_.node(id).name, .target = program_->strings.intern(fqn), .node = id});
  return id;
}

NodeId ProgramMaker::call(std::string_view name, std::string_view target, const std::vector<NodeId>& inputs, std::string_view path) {
  Node node{.kind = NodeKind::CallFunction, .name = name, .target = target, .module = module(path)};
  for (NodeId input : inputs) node.inputs.push_back(argument(input));
  return add(std::move(node));
}

NodeId ProgramMaker::getitem(std::string_view name, NodeId of, int64_t index, std::string_view path) {
  Node node{.kind = NodeKind::CallFunction, .name = name, .target = "_operator.getitem", .module = module(path)};
  node.inputs = {argument(of), {"", Argument{index}, false}};
  ++root_.node(of).result_count;
  return add(std::move(node));
}

NodeId ProgramMaker::subgraph(std::string_view name) {
  GraphBuilder inner;
  const auto text = [&](std::string_view t) { return program_->strings.intern(t); };
  const NodeMeta* meta = &program_->node_metas.front();
  const NodeId in = inner.add({.kind = NodeKind::Placeholder, .name = text("arg0_1"), .target = text("arg0_1"), .val = small_tensor(), .meta = meta, .module = ModuleId(0)});
  Node relu{.kind = NodeKind::CallFunction, .name = text("relu"), .target = text("torch.ops.aten.relu.default"), .val = small_tensor(), .meta = meta, .module = ModuleId(0)};
  relu.inputs = {argument(in)};
  const NodeId result = inner.add(std::move(relu));
  Node output{.kind = NodeKind::Output, .name = text("output"), .target = text("output"), .meta = meta, .module = ModuleId(0)};
  output.inputs = {{"", Argument{TupleArg{{Argument{result}}}}, false}};
  inner.add(std::move(output));
  Graph graph = std::move(inner).finish();
  graph.name = text(name);
  graph.parent = GraphId(0);
  const GraphId id(subgraphs_.size() + 1);
  Node reference{.kind = NodeKind::GetAttr, .name = name, .target = name, .module = ModuleId(0), .subgraph = id};
  const NodeId node = add(std::move(reference));
  graph.parent_node = node;
  subgraphs_.push_back(std::move(graph));
  return node;
}

ModuleId ProgramMaker::module(std::string_view path) {
  if (path.empty()) return ModuleId(0);
  if (const ModuleId known = program_->modules.find(path)) return known;
  const size_t dot = path.rfind('.');
  const ModuleId parent = dot == path.npos ? ModuleId(0) : module(path.substr(0, dot));
  Module made;
  made.path = std::string(path);
  made.name = program_->strings.intern(dot == path.npos ? path : path.substr(dot + 1));
  made.type = program_->strings.intern("torch.nn.modules.Block");
  made.parent = parent;
  const ModuleId id = program_->modules.modules.push_back(std::move(made));
  program_->modules.modules[parent].children.push_back(id);
  return id;
}

std::shared_ptr<const Program> ProgramMaker::finish(const std::vector<NodeId>& outputs) {
  Node output{.kind = NodeKind::Output, .name = "output", .target = "output", .module = ModuleId(0)};
  TupleArg results;
  for (NodeId id : outputs) {
    results.items.push_back(Argument{id});
    program_->signature.outputs.push_back({.kind = OutputKind::UserOutput, .value = Argument{id}});
  }
  output.inputs.push_back({"", Argument{std::move(results)}, false});
  add(std::move(output));
  Graph root = std::move(root_).finish();
  for (size_t i = 0; i < root.nodes().size(); ++i) program_->modules.modules[root.node(NodeId(i)).module].nodes.emplace_back(i);
  program_->graphs.push_back(std::move(root));
  for (Graph& graph : subgraphs_) program_->graphs.push_back(std::move(graph));
  return program_;
}

}  // namespace pt2::test
