// `ops`: the operators this build can run, and what a program needs of them.
#include <CLI/CLI.hpp>
#include <map>

#include "app/cli/json_output.h"
#include "app/cli/subcommands.h"
#include "app/cli/words.h"
#include "core/base/display.h"
#include "core/base/text.h"
#include "core/load.h"
#include "interp/execution_plan.h"

namespace pt2::app {

namespace {

// (name, schema): Python functions and higher-order operators have no schema.
std::vector<std::pair<std::string, std::string>> known_ops() {
  std::vector<std::pair<std::string, std::string>> known;
  for (const interp::Op* op : interp::builtin_ops().all()) known.emplace_back(op->schema.target(), op->schema.source);
  for (std::string_view target : interp::higher_order_targets()) known.emplace_back(target, "");
  for (std::string_view target : interp::python_function_targets())
    known.emplace_back(target.starts_with("_operator.") ? target.substr(1) : target, "");
  return known;
}

int list_all(bool json) {
  Json list = Json::array();
  for (const auto& [name, schema] : known_ops()) {
    if (json) list.push_back({{"op", name}, {"schema", schema.empty() ? name : schema}});
    else std::printf("%s\n", schema.empty() ? name.c_str() : schema.c_str());
  }
  if (json) print_json({{"schema", "pt2scope/ops"}, {"version", 1}, {"ops", std::move(list)}});
  return kDone;
}

int list_needed(const std::string& argument, bool json) {
  const auto [path, name] = split_program_name(argument);
  auto opened = open_file(path);
  if (!opened) return report(path, opened.error());
  auto program = (*opened)->program(name);
  if (!program) return report(path, {ErrorKind::CannotOpen, "it holds no such program", "", "`pt2scope info` lists what it holds."});
  const auto plan = interp::make_execution_plan(program, interp::builtin_ops());
  std::map<std::string, size_t> needed;
  for (const Graph& graph : program->graphs)
    for (const Node& node : graph.nodes())
      if (node.kind == NodeKind::CallFunction) ++needed[interp::shown_target(node)];
  std::map<std::string, size_t> missing;
  for (NodeRef ref : plan.unsupported) {
    const Node& node = program->node(ref);
    std::string target = interp::shown_target(node);
    for (const NodeArgument& a : node.inputs)  // a higher-order operator that was given an unknown one
      if (const auto* given = a.value.as<OperatorArg>(); given && target.starts_with("higher_order.") && plan.node(ref).kind != interp::CalleeKind::Unknown)
        target = given->name.starts_with("torch.ops.") ? given->name.substr(10) : given->name;
    ++missing[target];
  }
  if (json) {
    Json ops = Json::array(), lacking = Json::array();
    for (const auto& [target, count] : needed) {
      const OpSchema* schema = find_op_schema(target);
      ops.push_back({{"op", target}, {"schema", schema ? schema->source : target}, {"count", count}, {"implemented", !missing.contains(target)}});
    }
    for (const auto& [target, count] : missing) lacking.push_back(target);
    print_json({{"schema", "pt2scope/ops"}, {"version", 1}, {"program", program->name}, {"ops", std::move(ops)}, {"missing", std::move(lacking)},
                {"blocked", plan.blocked.size()}});
  } else {
    for (const auto& [target, count] : needed) std::printf("%6zu  %s%s\n", count, display(target).c_str(), missing.contains(target) ? "  (missing)" : "");
    for (const auto& [target, count] : missing)
      if (!needed.contains(target)) std::printf("%6zu  %s  (missing)\n", count, display(target).c_str());
    if (!missing.empty()) std::printf("%s missing; %s more would get no value\n", counted(missing.size(), "operator").c_str(), counted(plan.blocked.size(), "node").c_str());
  }
  return missing.empty() ? kDone : kAnswerIsNo;
}

}  // namespace

std::function<int()> declare_ops(CLI::App& app) {
  struct Options { std::string file; bool json = false; };
  auto o = std::make_shared<Options>();
  app.add_option("FILE", o->file, "List the operators this program needs, and which are missing");
  app.add_flag("--json", o->json, "One JSON object on stdout");
  app.footer("Example: pt2scope ops model.pt2");
  return [o] { return o->file.empty() ? list_all(o->json) : list_needed(o->file, o->json); };
}

}  // namespace pt2::app
