#include "interp/shape_forecast.h"

#include <cmath>

#include "core/symbolic/guards.h"
#include "interp/input_recipe.h"
#include "interp/program_inputs.h"
#include "interp/solve_symbols.h"

namespace pt2::interp {

namespace {

// "x.size()[0]" as the guards call it: the sizes of user inputs by their paths.
std::map<std::string, int64_t> sizes_by_path(const Program& program, const std::map<NodeId, const NodeForecast*>& inputs) {
  std::map<std::string, int64_t> sizes;
  const auto paths = user_input_paths(program);
  size_t user = 0;
  for (const InputSpec& spec : program.signature.inputs) {
    if (spec.kind != InputKind::UserInput) continue;
    const size_t i = user++;
    auto it = inputs.find(spec.node);
    if (i >= paths.size() || it == inputs.end()) continue;
    for (size_t d = 0; d < it->second->sizes.size(); ++d)
      if (it->second->sizes[d]) sizes[paths[i] + ".size()[" + std::to_string(d) + "]"] = *it->second->sizes[d];
  }
  return sizes;
}

}  // namespace

ShapeForecast forecast_shapes(const Program& program, const std::map<std::string, int64_t>& chosen, const std::vector<std::pair<std::string, std::string>>& given) {
  ShapeForecast forecast;
  SymbolSolver solver(program);
  for (const InputSpec& spec : program.signature.inputs)
    for (const auto& [name, text] : given) {
      if (spec.kind != InputKind::UserInput || !spec.node || program.root_graph().node(spec.node).name != name) continue;
      const TensorMeta* meta = tensor_meta(program.root_graph().node(spec.node).val);
      if (meta && (text == kSampleText || parse_recipe(meta->dtype, text))) continue;  // fills whatever the sizes are
      const auto value = read_given_input(program, spec, text);
      if (const auto bound = value ? solver.bind(spec, *value) : Result<void>(value.error()); !bound) forecast.violations.push_back(bound.error().message);
    }
  for (const auto& [symbol, size] : chosen)
    if (auto set = solver.set(symbol, size); !set) forecast.violations.push_back(set.error().message);
  if (auto solved = solver.finish(true); !solved) forecast.violations.push_back(solved.error().message);
  forecast.symbols = solver.symbols();
  for (const std::string& warning : solver.warnings()) forecast.violations.push_back(warning);

  const SymbolLookup lookup = [&](std::string_view name) { return solver.lookup(name); };
  std::map<NodeId, size_t> inputs;
  for (size_t g = 0; g < program.graphs.size(); ++g) {
    const Graph& graph = program.graphs[GraphId(g)];
    for (size_t n = 0; n < graph.nodes().size(); ++n) {
      const Node& node = graph.node(NodeId(n));
      const TensorMeta* meta = tensor_meta(node.val);
      if (!meta || node.kind == NodeKind::GetAttr || node.kind == NodeKind::Output) continue;
      NodeForecast one;
      one.node = {GraphId(g), NodeId(n)};
      one.dtype = std::string(dtype_short_name(meta->dtype));
      std::optional<uint64_t> bytes = uint64_t(item_size(meta->dtype));
      for (const SymInt& size : meta->sizes) {
        std::optional<int64_t> value = size.value;
        if (size.is_symbolic()) {
          one.symbolic = true;
          const auto number = evaluate(*size.expr, lookup);
          const auto* integer = number ? std::get_if<int64_t>(&*number) : nullptr;
          value = integer ? std::optional(*integer) : std::nullopt;
        }
        uint64_t product = 0;
        if (!value || *value < 0 || !bytes || __builtin_mul_overflow(*bytes, uint64_t(*value), &product)) bytes.reset();
        else bytes = product;
        one.sizes.push_back(value);
      }
      one.bytes = bytes;
      if (!bytes) ++forecast.unknown;
      if (g == program.root().index && node.kind == NodeKind::Placeholder) inputs.emplace(NodeId(n), forecast.nodes.size());
      else if (node.kind == NodeKind::CallFunction && bytes) forecast.value_bytes += *bytes;
      forecast.nodes.push_back(std::move(one));
    }
  }
  std::map<NodeId, const NodeForecast*> by_node;
  for (const auto& [node, index] : inputs) by_node[node] = &forecast.nodes[index];
  for (const InputSpec& spec : program.signature.inputs)
    if (auto it = by_node.find(spec.node); spec.kind == InputKind::UserInput && it != by_node.end()) forecast.input_bytes += it->second->bytes.value_or(0);
  const auto sizes = sizes_by_path(program, by_node);
  // Ranges were said above, by their symbols.
  for (const Guard& guard : program_guards(program)) {
    if (guard.origin == Guard::Origin::Range) continue;
    const auto held = holds(guard, [&](std::string_view path) -> std::optional<SymNumber> {
      auto it = sizes.find(std::string(path));
      return it == sizes.end() ? std::nullopt : std::optional<SymNumber>(it->second);
    });
    if (held && !*held) forecast.violations.push_back(guard.text + " does not hold (guard from export)");
  }
  return forecast;
}

std::string forecast_text(const NodeForecast& forecast) {
  std::string text = forecast.dtype + "[";
  for (size_t d = 0; d < forecast.sizes.size(); ++d) text += (d ? ", " : "") + (forecast.sizes[d] ? std::to_string(*forecast.sizes[d]) : std::string("?"));
  return text + "]";
}

}  // namespace pt2::interp
