#include "core/graph/caller_paths.h"

#include "core/symbolic/guards.h"

namespace pt2 {

namespace {

// One for each spec; empty for what is not of the caller, and all of them where the file tells another number of paths.
template <class Spec>
std::vector<std::string> one_for_each(const std::vector<Spec>& specs, std::vector<std::string> paths) {
  std::vector<std::string> all(specs.size());
  if (paths.size() != count_of_caller(specs)) return all;
  auto next = paths.begin();
  for (size_t i = 0; i < specs.size(); ++i)
    if (is_of_caller(specs[i])) all[i] = std::move(*next++);
  return all;
}

bool are_places(const std::vector<std::string>& paths) {
  for (size_t i = 0; i < paths.size(); ++i)
    if (paths[i] != "[" + std::to_string(i) + "]") return false;
  return true;
}

}  // namespace

bool is_returned(const OutputSpec& spec) { return spec.kind == OutputKind::UserOutput || spec.kind == OutputKind::LossOutput; }
bool is_of_caller(const InputSpec& spec) { return spec.kind == InputKind::UserInput; }
bool is_mutation(OutputKind kind) {
  return kind == OutputKind::BufferMutation || kind == OutputKind::ParameterMutation || kind == OutputKind::UserInputMutation;
}

bool is_of_caller(const OutputSpec& spec) { return is_returned(spec); }

const ModuleCall* root_call(const Program& program) {
  const auto found = std::find_if(program.module_call_graph.begin(), program.module_call_graph.end(), [](const ModuleCall& call) { return call.fqn.empty() && call.has_signature; });
  return found == program.module_call_graph.end() ? nullptr : &*found;
}

bool has_keyword_arguments(const TreeSpec& in_spec) {
  const auto& nodes = in_spec.nodes;
  const auto& parts = nodes[0].children;
  return parts.size() == 2 && nodes[parts[0]].type == "builtins.tuple" && nodes[parts[1]].type == "builtins.dict";
}

std::vector<std::string> caller_input_paths(const Program& program) {
  const ModuleCall* call = root_call(program);
  if (!call) return {};
  const auto spec = parse_tree_spec(call->in_spec);
  if (!spec) return {};
  auto paths = leaf_paths(*spec, program.namedtuple_fields);
  if (paths.size() != count_of_caller(program.signature.inputs)) return {};
  if (!has_keyword_arguments(*spec))
    for (std::string& path : paths) path.insert(0, "[0]");
  return paths;
}

std::vector<std::string> caller_output_paths(const Program& program) {
  const ModuleCall* call = root_call(program);
  if (!call) return {};
  const auto spec = parse_tree_spec(call->out_spec);
  if (!spec) return {};
  auto paths = leaf_paths(*spec, program.namedtuple_fields);
  if (paths.size() != count_of_caller(program.signature.outputs)) return {};
  return paths;
}

std::vector<std::string> shown_input_paths(const Program& program) {
  auto paths = one_for_each(program.signature.inputs, user_input_paths(program));
  for (std::string& path : paths)
    if (path.find_first_of("[.") == path.npos) path.clear();
  return paths;
}

std::vector<std::string> shown_output_paths(const Program& program) {
  auto paths = caller_output_paths(program);
  if (are_places(paths)) paths.clear();
  return one_for_each(program.signature.outputs, std::move(paths));
}

}  // namespace pt2
