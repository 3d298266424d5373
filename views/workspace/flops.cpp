#include "views/workspace/flops.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <string_view>
#include <vector>

#include "views/workspace/op_family.h"

namespace pt2::views {
namespace {

using Sizes = std::vector<double>;

std::optional<Sizes> sizes_of(const ValueMeta& meta) {
  const TensorMeta* tensor = tensor_meta(meta);
  if (!tensor) return std::nullopt;
  Sizes sizes;
  for (const SymInt& size : tensor->sizes) {
    if (size.is_symbolic() && !size.has_hint) return std::nullopt;
    sizes.push_back(double(std::max<int64_t>(size.value, 0)));
  }
  return sizes;
}

double product(const Sizes& sizes, size_t from = 0) {
  double all = 1;
  for (size_t i = from; i < sizes.size(); ++i) all *= sizes[i];
  return all;
}

class Call {
 public:
  Call(const Graph& graph, const Node& node) : graph_(graph), node_(node) {}

  const Argument* argument(size_t index) const { return index < node_.inputs.size() ? &node_.inputs[index].value : nullptr; }
  const Argument* argument(std::string_view name) const {
    for (const NodeArgument& input : node_.inputs)
      if (input.name == name) return &input.value;
    return nullptr;
  }
  std::optional<Sizes> sizes_of_argument(const Argument* argument) const {
    const auto* id = argument ? argument->as<NodeId>() : nullptr;
    return id ? sizes_of(graph_.node(*id).val) : std::nullopt;
  }
  std::optional<Sizes> sizes(size_t index) const { return sizes_of_argument(argument(index)); }
  std::vector<Sizes> list(size_t index) const {
    std::vector<Sizes> all;
    const Argument* items = argument(index);
    const auto* list = items ? items->as<ListArg>() : nullptr;
    for (size_t i = 0; list && i < list->items.size(); ++i)
      if (auto one = sizes_of_argument(&list->items[i])) all.push_back(std::move(*one));
    return all;
  }
  std::optional<Sizes> result() const { return sizes_of(node_.val); }
  bool is_true(std::string_view name) const {
    const Argument* found = argument(name);
    const auto* value = found ? found->as<bool>() : nullptr;
    return value && *value;
  }

 private:
  const Graph& graph_;
  const Node& node_;
};

// [.., m, k] times [.., k, n]; vectors are matrices of one row or column.
std::optional<double> matrix_product(const Call& call, size_t left) {
  const auto a = call.sizes(left), out = call.result();
  if (!a || !out || a->empty()) return std::nullopt;
  return 2 * product(*out) * a->back();
}

// `out` is the input where the convolution is transposed. Without a batch dimension there is one.
double convolution(const Sizes& in, const Sizes& weight, const Sizes& out, bool transposed) {
  const size_t spatial = weight.size() - 2;
  const Sizes& moved_over = transposed ? in : out;
  const double batch = in.size() > weight.size() - 1 ? in.front() : 1;
  return 2 * batch * product(moved_over, moved_over.size() - spatial) * product(weight);
}

std::optional<double> convolution_of(const Call& call, bool transposed) {
  const auto in = call.sizes(0), weight = call.sizes(1), out = call.result();
  if (!in || !weight || !out || weight->size() < 3 || in->size() + 1 < weight->size() || out->size() + 1 < weight->size()) return std::nullopt;
  return convolution(*in, *weight, *out, transposed);
}

// Of the input and of the weight, where they are asked for.
std::optional<double> convolution_backward(const Call& call) {
  const auto grad = call.sizes(0), in = call.sizes(1), weight = call.sizes(2);
  const Argument* mask = call.argument("output_mask");
  const auto* wanted = mask ? mask->as<ListArg>() : nullptr;
  if (!grad || !in || !weight || !wanted || wanted->items.size() < 2 || weight->size() < 3 || grad->size() != weight->size() || in->size() != weight->size()) return std::nullopt;
  const bool transposed = call.is_true("transposed");
  auto asked = [&](size_t i) {
    const auto* value = wanted->items[i].as<bool>();
    return value && *value;
  };
  double flops = 0;
  if (asked(0)) flops += convolution(*grad, *weight, *in, !transposed);
  // The weight's gradient is a convolution of the input with the result's gradient, batch and channels changed over.
  const Sizes &moved = transposed ? *grad : *in, &filter = transposed ? *in : *grad;
  if (asked(1)) flops += 2 * moved[1] * product(*weight, 2) * product(filter);
  return flops;
}

// Scores and their product with the values; heads of keys and values may be shared.
std::optional<double> attention(const Call& call, size_t query_at, bool backward) {
  const auto query = call.sizes(query_at), key = call.sizes(query_at + 1), value = call.sizes(query_at + 2);
  if (!query || !key || !value || query->size() < 2 || key->size() < 2 || value->size() < 2) return std::nullopt;
  const double width = query->back(), value_width = value->back(), length = key->at(key->size() - 2);
  const double rows = product(*query) / std::max(width, 1.0);
  return 2 * rows * length * (backward ? 3 * width + 2 * value_width : width + value_width);
}

// Labels of an equation such as "bij,bjk->bik"; "..." stands for what is left of the dimensions.
std::optional<double> einsum(const Call& call) {
  const Argument* text = call.argument(0);
  const auto* equation = text ? text->as<std::string_view>() : nullptr;
  const std::vector<Sizes> operands = call.list(1);
  if (!equation || operands.size() != 2) return std::nullopt;
  std::map<int, double> sizes;   // of labels; dimensions under "..." are negative, from the right
  std::map<int, int> seen;       // in how many operands
  size_t operand = 0;
  std::vector<std::vector<int>> labels(2);
  std::string_view rest = equation->substr(0, equation->find("->"));
  std::vector<std::string_view> terms;
  for (size_t begin = 0; begin <= rest.size();) {
    const size_t end = std::min(rest.find(',', begin), rest.size());
    terms.push_back(rest.substr(begin, end - begin));
    begin = end + 1;
  }
  if (terms.size() != 2) return std::nullopt;
  for (const std::string_view term : terms) {
    size_t letters = 0;
    for (const char c : term) letters += c != ' ' && c != '.';
    const Sizes& dims = operands[operand];
    if (letters > dims.size()) return std::nullopt;
    size_t at = 0;
    for (size_t i = 0; i < term.size(); ++i) {
      if (term[i] == ' ') continue;
      if (term[i] == '.') {
        const size_t count = dims.size() - letters;
        for (size_t d = 0; d < count; ++d, ++at) labels[operand].push_back(-int(count - d)), sizes[-int(count - d)] = std::max(sizes[-int(count - d)], dims[at]);
        i += 2;
      } else {
        if (at >= dims.size()) return std::nullopt;
        labels[operand].push_back(term[i]);
        sizes[term[i]] = std::max(sizes[term[i]], dims[at++]);
      }
    }
    ++operand;
  }
  for (std::vector<int>& term : labels) {
    std::sort(term.begin(), term.end());
    term.erase(std::unique(term.begin(), term.end()), term.end());
    for (const int label : term) ++seen[label];
  }
  const std::string_view kept = equation->find("->") == equation->npos ? std::string_view() : equation->substr(equation->find("->") + 2);
  const bool explicit_output = equation->find("->") != equation->npos;
  auto in_output = [&](int label) { return label < 0 || (explicit_output ? kept.find(char(label)) != kept.npos : seen[label] == 1); };
  double flops = 2;
  bool sums = false;
  for (const auto& [label, size] : sizes) {
    const bool both = seen[label] == 2;
    sums |= both && !in_output(label);
    // What one operand alone has and the result has not is summed before.
    if (both || in_output(label)) flops *= size;
  }
  return sums ? std::optional(flops) : std::nullopt;
}

// LSTM, GRU and simple layers: each matrix times the state of each step.
std::optional<double> recurrent(const Call& call) {
  const auto in = call.sizes(0);
  if (!in || in->size() < 2) return std::nullopt;
  size_t params = 0;
  for (size_t i = 1; i < 4 && !params; ++i)
    if (call.list(i).size() > 2) params = i;
  const double steps = product(*in) / std::max(in->back(), 1.0);
  double flops = 0;
  for (const Sizes& weight : params ? call.list(params) : std::vector<Sizes>())
    if (weight.size() == 2) flops += 2 * steps * product(weight);
  return flops > 0 ? std::optional(flops) : std::nullopt;
}

}  // namespace

std::optional<double> node_flops(const Graph& graph, const Node& node) {
  if (node.kind != NodeKind::CallFunction) return std::nullopt;
  const std::string_view base = target_base(node.target);
  if (!base.starts_with("aten.")) return std::nullopt;
  const std::string_view op = base.substr(5);
  const Call call(graph, node);
  auto any = [op](std::initializer_list<std::string_view> names) { return std::find(names.begin(), names.end(), op) != names.end(); };
  if (any({"mm", "bmm", "_scaled_mm", "_int_mm", "linear", "matmul", "mv", "dot", "vdot", "inner"})) return matrix_product(call, 0);
  if (any({"addmm", "baddbmm", "addmv", "_addmm_activation", "addmm_", "baddbmm_"})) return matrix_product(call, 1);
  if (any({"conv1d", "conv2d", "conv3d"})) return convolution_of(call, false);
  if (any({"conv_transpose1d", "conv_transpose2d", "conv_transpose3d"})) return convolution_of(call, true);
  if (any({"convolution", "_convolution", "cudnn_convolution", "_slow_conv2d_forward", "convolution_overrideable"})) return convolution_of(call, call.is_true("transposed"));
  if (op == "convolution_backward") return convolution_backward(call);
  if (op.ends_with("attention_backward") || op == "_scaled_dot_product_flash_attention_for_cpu_backward") return op.starts_with("_scaled_dot_product") ? attention(call, 1, true) : std::nullopt;
  if (op == "scaled_dot_product_attention" || (op.starts_with("_scaled_dot_product") && op.find("attention") != op.npos)) return attention(call, 0, false);
  if (op == "einsum") return einsum(call);
  if (any({"lstm", "gru", "rnn_tanh", "rnn_relu"})) return recurrent(call);
  return std::nullopt;
}

}  // namespace pt2::views
