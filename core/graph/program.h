#pragma once
// One ExportedProgram: immutable once loaded, shared as std::shared_ptr<const Program>. All texts point into its pool.
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/finding.h"
#include "core/base/string_pool.h"
#include "core/graph/graph.h"
#include "core/graph/module_tree.h"

namespace pt2 {

enum class InputKind : uint8_t { UserInput, Parameter, Buffer, TensorConstant, CustomObj, Token };
enum class OutputKind : uint8_t {
  UserOutput, LossOutput, BufferMutation, ParameterMutation, GradientToParameter, GradientToUserInput, UserInputMutation, Token
};
// "user_input", "buffer_mutation" …: the names of cli.md; upper-case forms are printed by the signature text.
std::string_view kind_name(InputKind kind);
std::string_view kind_name(OutputKind kind);

struct InputSpec {
  InputKind kind = InputKind::UserInput;
  std::string_view name;               // the argument's name (the placeholder's stored name)
  std::string_view target;             // fqn of parameter, buffer, constant, object; empty for user inputs
  std::optional<bool> persistent;      // buffers
  std::optional<Argument> constant;    // constant_input: its value
  NodeId node;                         // the placeholder in the root graph
};
struct OutputSpec {
  OutputKind kind = OutputKind::UserOutput;
  Argument value;                      // NodeId, or a constant
  std::string_view name;               // the argument's name in the file; empty for constants
  std::string_view target;             // fqn, or the user input's name
};
struct Signature { std::vector<InputSpec> inputs; std::vector<OutputSpec> outputs; };

struct Range {                         // of a symbol; nullopt = unbounded
  std::optional<double> min, max;
  bool is_float = false;
};

struct ModuleCall {                    // module_call_graph entry
  std::string_view fqn;
  bool has_signature = false;
  std::string_view in_spec, out_spec;  // pytree JSON texts
  std::vector<std::string_view> forward_arg_names;
};

struct SchemaVersion { int64_t major = 0, minor = 0; };

struct Program {
  std::string name;                                       // "model"; "two" in an archive of several
  IdVector<GraphId, Graph> graphs;                        // graphs[0] is the root; a graph's sub-graphs come after it
  Signature signature;
  std::vector<std::pair<std::string_view, Range>> range_constraints;  // in file order
  ModuleTree modules;
  std::vector<ModuleCall> module_call_graph;
  std::map<std::string, std::vector<std::string>> namedtuple_fields;  // treespec_namedtuple_fields
  SchemaVersion schema_version;
  std::string_view torch_version;                         // empty: the file has none
  std::string_view dialect;                               // "TRAINING", "ATEN", …
  std::vector<std::string_view> verifiers;
  std::vector<std::pair<std::string_view, int64_t>> opset_versions;
  std::vector<std::string_view> guards_code;
  std::string_view graph_metadata_custom;                 // graph_module.metadata["custom"], JSON text
  std::vector<Finding> findings;                          // met while decoding

  StringPool strings;
  std::deque<NodeMeta> node_metas;                        // what Node::meta points to

  GraphId root() const { return GraphId(0); }
  const Graph& root_graph() const { return graphs[GraphId(0)]; }
  const Node& node(NodeRef ref) const { return graphs[ref.graph].node(ref.node); }
};

}  // namespace pt2
