// The Python code FX generates for a graph. Names come from a name space of their own, filled in the order in which nodes first appear in
// the code, so a node called like a Python builtin appears under another name. After the last use of a value the code sets it to None.
#include <map>
#include <optional>
#include <unordered_map>
#include <vector>

#include "core/graph/fx_names.h"
#include "core/text/print_program.h"
#include "core/text/python_text.h"

namespace pt2 {

std::string type_annotation(const ValueMeta& val) {
  if (const TensorMeta* tensor = tensor_meta(val)) {
    if (tensor->layout == TensorLayout::SparseCsc || tensor->layout == TensorLayout::SparseCsr) return "";
    std::string text = std::string(dtype_short_name(tensor->dtype)) + "[";
    for (size_t i = 0; i < tensor->sizes.size(); ++i) text += (i > 0 ? ", " : "") + tensor->sizes[i].text();
    return text + "]";
  }
  if (const SymMeta* symbol = sym_meta(val); symbol && symbol->expr) return "Sym(" + symbol->expr->text + ")";
  return "";
}

namespace {

constexpr std::pair<std::string_view, std::string_view> kOperators[] = {
    {"eq", "=="}, {"ne", "!="}, {"lt", "<"}, {"gt", ">"}, {"le", "<="}, {"ge", ">="}, {"add", "+"}, {"sub", "-"}, {"mul", "*"},
    {"floordiv", "//"}, {"truediv", "/"}, {"div", "/"}, {"mod", "%"}, {"pow", "**"}, {"lshift", "<<"}, {"rshift", ">>"},
    {"and_", "&"}, {"or_", "|"}, {"xor", "^"}, {"matmul", "@"}};
constexpr std::pair<std::string_view, std::string_view> kUnaryOperators[] = {{"pos", "+"}, {"neg", "-"}, {"invert", "~"}};

std::string_view trimmed(std::string_view s) {
  constexpr std::string_view kSpaces = " \t\n\r\f\v";
  const size_t begin = s.find_first_not_of(kSpaces);
  return begin == std::string_view::npos ? std::string_view() : s.substr(begin, s.find_last_not_of(kSpaces) - begin + 1);
}

// `File "model.py", line 3, in forward` → "File: model.py:3 in forward"; nothing for other lines.
std::optional<std::string> frame_text(std::string_view line) {
  if (!line.starts_with("File \"")) return std::nullopt;
  constexpr std::string_view kLine = "\", line ", kIn = ", in ";
  for (size_t at = line.rfind(kLine); at != std::string_view::npos && at > 6; at = line.rfind(kLine, at - 1)) {
    const size_t digits = at + kLine.size(), end = line.find_first_not_of("0123456789", digits);
    if (end == digits || end == std::string_view::npos || !line.substr(end).starts_with(kIn) || end + kIn.size() == line.size()) continue;
    return "File: " + std::string(line.substr(6, at - 6)) + ":" + std::string(line.substr(digits, end - digits)) + " in " +
           std::string(line.substr(end + kIn.size()));
  }
  return std::nullopt;
}

// The innermost frame and its code, or that there is none.
std::string stack_summary(std::string_view trace) {
  trace = trimmed(trace);
  std::string_view code;
  bool last = true;
  while (!trace.empty() || !last) {
    const size_t newline = trace.rfind('\n');
    const std::string_view line = trimmed(newline == std::string_view::npos ? trace : trace.substr(newline + 1));
    if (!last)
      if (auto frame = frame_text(line)) return *frame + ", code: " + std::string(code);
    if (newline == std::string_view::npos) break;
    code = line;
    last = false;
    trace = trace.substr(0, newline);
  }
  return "No stacktrace found for following nodes";
}

class CodePrinter {
 public:
  CodePrinter(const Program& program, GraphId id) : id_(id), graph_(program.graphs[id]), names_(graph_.nodes().size()) {
    find_last_uses();
  }

  // `def forward(…):` and the body, without indentation of its own.
  TextLines code() {
    for (size_t i = 0; i < graph_.nodes().size(); ++i) emit(NodeId(i));
    TextLines lines;
    append_lines(lines, "def forward(" + parameters_ + "):");
    for (size_t i = 0; i < body_.size(); ++i) {
      if (i == 0 && body_[i].text.empty()) continue;  // the code does not begin with an empty line
      lines.push_back({body_[i].text.empty() ? "" : "    " + body_[i].text, body_[i].node});
    }
    return lines;
  }

 private:
  // Going backwards, the first reader met is the last one; it lists what it frees in the order of its arguments.
  void find_last_uses() {
    freed_.resize(graph_.nodes().size());
    std::vector<bool> met(graph_.nodes().size());
    for (size_t i = graph_.nodes().size(); i-- > 0;) {
      auto use = [&](NodeId value) {
        if (met[value.index]) return;
        met[value.index] = true;
        freed_[i].push_back(value);
      };
      const Node& node = graph_.node(NodeId(i));
      for (const bool keyword : {false, true})
        for (const NodeArgument& input : node.inputs)
          if (input.keyword == keyword) for_each_node(input.value, use);
    }
  }

  std::string_view name(NodeId id) {
    std::string_view& name = names_[id.index];
    if (name.empty()) name = name_space_.create(graph_.node(id).name);
    return name;
  }

  std::string repr(const Argument& argument) { return argument_text(argument, ArgumentStyle::Code, node_name_); }

  void emit(NodeId id) {
    const Node& node = graph_.node(id);
    if (node.kind == NodeKind::Placeholder) return emit_placeholder(id);
    if (node.kind == NodeKind::Output) {
      append_lines(body_, "return " + repr(node.inputs.at(0).value), {id_, id});
      return;
    }
    emit_summary(id);
    const std::string annotation = type_annotation(node.val);
    std::string line = std::string(name(id)) + (annotation.empty() ? "" : ": \"" + annotation + "\"") + " = ";
    line += node.kind == NodeKind::GetAttr ? attribute(node.target) : call(node);
    std::string freed;
    for (const NodeId value : freed_[id.index]) freed += std::string(name(value)) + " = ";
    if (graph_.users(id).empty()) freed += std::string(name(id)) + " = ";
    if (!freed.empty()) line += ";  " + freed + "None";
    append_lines(body_, line, {id_, id});
  }

  void emit_placeholder(NodeId id) {
    const Node& node = graph_.node(id);
    const std::string target(node.target), annotation = type_annotation(node.val);
    parameters_ += ", " + target + (annotation.empty() ? "" : ": \"" + annotation + "\"");
    if (name(id) != target) append_lines(body_, std::string(name(id)) + " = " + target, {id_, id});
  }

  void emit_summary(NodeId id) {
    const NodeMeta* meta = graph_.node(id).meta;
    std::string annotation = meta ? python_annotation(meta->custom) : "";
    if (!annotation.empty()) annotation = " Annotation: " + annotation;
    std::string summary = "#" + annotation + " " + stack_summary(meta ? meta->stack_trace : std::string_view());
    if (summary == last_summary_) return;
    last_summary_ = summary;
    body_.push_back({"", {}});
    append_lines(body_, summary, {id_, id});
  }

  static std::string attribute(std::string_view target) {
    std::string text = "self";
    while (true) {
      const size_t dot = target.find('.');
      const std::string part(target.substr(0, dot));
      const bool identifier = !part.empty() && !(part[0] >= '0' && part[0] <= '9') &&
                              part.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_") == std::string::npos;
      text = identifier ? text + "." + part : "getattr(" + text + ", \"" + part + "\")";
      if (dot == std::string_view::npos) return text;
      target.remove_prefix(dot + 1);
    }
  }

  std::string call(const Node& node) {
    if (node.target.starts_with("_operator."))
      if (auto text = operator_call(node.target.substr(10), node)) return *text;
    std::string arguments;
    for (const bool keyword : {false, true})
      for (const NodeArgument& input : node.inputs) {
        if (input.keyword != keyword) continue;
        if (!arguments.empty()) arguments += ", ";
        if (keyword) arguments += std::string(input.name) + " = ";
        arguments += repr(input.value);
      }
    return function(node.target) + "(" + arguments + ")";
  }

  std::optional<std::string> operator_call(std::string_view op, const Node& node) {
    const auto& inputs = node.inputs;
    if (op == "getitem" && inputs.size() == 2) {
      const std::string container = repr(inputs[0].value);
      return container + "[" + repr(inputs[1].value) + "]";
    }
    for (const auto& [name, sign] : kUnaryOperators)
      if (op == name && inputs.size() == 1) return std::string(sign) + repr(inputs[0].value);
    for (const auto& [name, sign] : kOperators)
      if (op == name && inputs.size() == 2) {
        const std::string left = repr(inputs[0].value);
        return left + " " + std::string(sign) + " " + repr(inputs[1].value);
      }
    return std::nullopt;
  }

  // Functions outside of torch get a name of their own in the name space.
  std::string function(std::string_view target) {
    if (target.starts_with("torch.")) return std::string(target);
    std::string_view& name = functions_[target];
    if (name.empty()) name = name_space_.create(target);
    return std::string(name);
  }

  GraphId id_;
  const Graph& graph_;
  std::vector<std::string_view> names_;  // as they appear in the code; empty until then
  StringPool strings_;
  FxNames name_space_{strings_};
  std::unordered_map<std::string_view, std::string_view> functions_;
  const NodeName node_name_ = [this](NodeId id) { return std::string(name(id)); };
  std::vector<std::vector<NodeId>> freed_;  // by node: what it frees
  std::string parameters_ = "self", last_summary_;
  TextLines body_;
};

// The sub-graphs a graph's code shows below it, by attribute; of two under one name the later one counts, as with Python attributes.
std::vector<std::pair<std::string_view, GraphId>> subgraphs(const Program& program, GraphId id) {
  std::vector<std::pair<std::string_view, GraphId>> found;
  std::unordered_map<std::string_view, size_t> place;
  for (const Node& node : program.graphs[id].nodes()) {
    if (node.kind != NodeKind::GetAttr || !node.subgraph) continue;
    const auto [it, is_new] = place.emplace(node.target, found.size());
    if (is_new) found.emplace_back(node.target, node.subgraph);
    else found[it->second].second = node.subgraph;
  }
  return found;
}

struct Pending { std::string class_name; GraphId graph; int depth; };

}  // namespace

TextLines readable_lines(const Program& program) {
  TextLines lines{{"ExportedProgram:", {}}};
  std::vector<Pending> pending{{"GraphModule", program.root(), 1}};
  while (!pending.empty()) {
    const Pending next = std::move(pending.back());
    pending.pop_back();
    const std::string indent(size_t(next.depth) * 4, ' '), inner = indent + "    ";
    lines.push_back({indent + "class " + next.class_name + "(torch.nn.Module):", {}});
    for (TextLine& line : CodePrinter(program, next.graph).code())
      lines.push_back({line.text.empty() ? "    " : inner + line.text, line.node});
    lines.push_back({"    ", {}});
    const auto children = subgraphs(program, next.graph);
    for (auto it = children.rbegin(); it != children.rend(); ++it) pending.push_back({std::string(it->first), it->second, next.depth + 1});
  }
  std::string signature = "Graph signature: ";
  for (const char c : signature_text(program)) {
    signature += c;
    if (c == '\n') signature += "    ";
  }
  append_lines(lines, signature);
  lines.push_back({"Range constraints: " + range_constraints_text(program), {}});
  return lines;
}

}  // namespace pt2
