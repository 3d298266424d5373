#include "interp/fill_input.h"

#include <cmath>
#include <cstdlib>

#include "interp/allocation.h"
#include "interp/check.h"
#include "interp/item.h"
#include "interp/op_table.h"
#include "interp/shapes.h"
#include "interp/tensor_map.h"

namespace pt2::interp {

namespace {

std::optional<double> parse_double(const std::string& text) {
  if (text.empty()) return std::nullopt;
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  return *end == '\0' ? std::optional(value) : std::nullopt;
}

std::optional<int64_t> parse_int(const std::string& text) {
  if (text.empty()) return std::nullopt;
  char* end = nullptr;
  errno = 0;
  const long long value = std::strtoll(text.c_str(), &end, 10);
  return *end == '\0' && errno == 0 ? std::optional<int64_t>(value) : std::nullopt;
}

// "1+2j", "-0.5-1e-3j", "2j".
std::optional<std::complex<double>> parse_complex(const std::string& text) {
  if (text.empty() || (text.back() != 'j' && text.back() != 'J')) return std::nullopt;
  const std::string body = text.substr(0, text.size() - 1);
  char* end = nullptr;
  const double first = std::strtod(body.c_str(), &end);
  if (end == body.c_str()) return std::nullopt;
  if (*end == '\0') return std::complex<double>(0, first);
  if (*end != '+' && *end != '-') return std::nullopt;
  char* last = nullptr;
  const double second = std::strtod(end, &last);
  return last != end && *last == '\0' ? std::optional(std::complex<double>(first, second)) : std::nullopt;
}

enum class Wanted { Any, Int, Float, Bool, String, None, Tensor };

Wanted wanted(const ValueMeta& declared, const Argument* constant) {
  if (constant) {
    if (constant->is<int64_t>()) return Wanted::Int;
    if (constant->is<double>()) return Wanted::Float;
    if (constant->is<bool>()) return Wanted::Bool;
    if (constant->is<std::string_view>()) return Wanted::String;
    return Wanted::None;
  }
  if (tensor_meta(declared)) return Wanted::Tensor;
  if (const SymMeta* meta = sym_meta(declared))
    return meta->kind == SymKind::Int ? Wanted::Int : meta->kind == SymKind::Float ? Wanted::Float : Wanted::Bool;
  return Wanted::Any;
}

// The largest index that the embedding tables this input looks into take; 0: it looks into none. Views and casts in between are followed.
int64_t table_rows(const Graph& graph, NodeId input) {
  std::vector<NodeId> pending{input};
  for (size_t i = 0; i < pending.size() && i < 64; ++i)
    for (NodeId user : graph.users(pending[i])) {
      const Node& node = graph.node(user);
      if (node.target.starts_with("torch.ops.aten.embedding") && node.inputs.size() > 1) {
        const NodeId* table = node.inputs[0].value.as<NodeId>();
        const NodeId* index = node.inputs[1].value.as<NodeId>();
        const TensorMeta* meta = table && index && *index == pending[i] ? tensor_meta(graph.node(*table).val) : nullptr;
        if (meta && !meta->sizes.empty() && meta->sizes[0].value > 0) return meta->sizes[0].value;
      } else if (node.kind == NodeKind::CallFunction && tensor_meta(node.val) && is_integral(tensor_meta(node.val)->dtype)) {
        pending.push_back(user);
      }
    }
  return 0;
}

double uniform(Generator& generator) { return static_cast<double>(generator.random64() >> 11) * 0x1p-53; }

double normal(Generator& generator) {
  const double radius = std::sqrt(-2 * std::log(1 - uniform(generator)));
  return radius * std::cos(2 * M_PI * uniform(generator));
}

}  // namespace

std::optional<RuntimeValue> parse_fill_number(DType dtype, const std::string& text) {
  if (auto number = parse_int(text)) return RuntimeValue(*number);
  if (dtype == DType::Bool && (text == "true" || text == "false")) return RuntimeValue(text == "true");
  if (is_floating(dtype) || is_complex(dtype))
    if (auto number = parse_double(text)) return RuntimeValue(*number);
  if (is_complex(dtype))
    if (auto number = parse_complex(text)) return RuntimeValue(*number);
  return std::nullopt;
}

Tensor empty_input(const TensorMeta& meta, const SymbolSolver& symbols) {
  Shape sizes;
  for (const SymInt& size : meta.sizes) {
    const auto number = symbols.value_of(size);
    check(number && *number >= 0, "its size ", size.text(), " is unknown");
    sizes.push_back(*number);
  }
  return empty(sizes, meta.dtype);
}

std::optional<RuntimeValue> parse_number_input(const ValueMeta& declared, const Argument* constant, const std::string& text) {
  const Wanted want = wanted(declared, constant);
  std::string lower = text;
  for (char& c : lower) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  if (want == Wanted::String) return RuntimeValue(text);
  if (lower == "none" && want != Wanted::Tensor) return RuntimeValue();
  if (want == Wanted::None || want == Wanted::Tensor) return std::nullopt;
  if (want == Wanted::Bool || want == Wanted::Any) {
    if (lower == "true") return RuntimeValue(true);
    if (lower == "false") return RuntimeValue(false);
  }
  if (want == Wanted::Int || want == Wanted::Any)
    if (auto number = parse_int(text)) return RuntimeValue(*number);
  if (want == Wanted::Float || want == Wanted::Any) {
    if (auto number = parse_double(text)) return RuntimeValue(*number);
    if (auto number = parse_complex(text)) return RuntimeValue(*number);
  }
  return std::nullopt;
}

RuntimeValue number_like(const ValueMeta& declared, const Argument* constant, const Tensor& tensor) {
  const Scalar number = item(tensor);
  switch (wanted(declared, constant)) {
    case Wanted::Int: return number.to_int();
    case Wanted::Float: return number.is_complex() ? RuntimeValue(number) : RuntimeValue(number.to_double());
    case Wanted::Bool: return number.to_bool();
    case Wanted::Any: return RuntimeValue(number);
    default: return RuntimeValue(tensor);
  }
}

Tensor with_declared_strides(Tensor tensor, const TensorMeta& meta) {
  if (meta.strides.size() != tensor.sizes.size() || tensor.numel() <= 1) return tensor;
  Shape strides;
  for (size_t d = 0; d < meta.sizes.size(); ++d) {
    if (meta.sizes[d].is_symbolic() || meta.strides[d].is_symbolic()) return tensor;
    strides.push_back(meta.strides[d].value);
  }
  if (strides == tensor.strides) return tensor;
  Tensor shape = tensor;
  shape.strides = strides;
  const Op* copy = builtin_ops().find("aten.copy_.default");
  if (!copy || !is_non_overlapping_and_dense(shape)) return tensor;
  const RuntimeValue arguments[] = {empty_strided(tensor.sizes, strides, tensor.dtype), tensor, false};
  return *copy->call(current_context(), arguments)[0].as<Tensor>();
}

RuntimeValue fill_input(const Program& program, const InputSpec& spec, const SymbolSolver& symbols, Generator& generator) {
  const Graph& graph = program.root_graph();
  const ValueMeta& val = graph.node(spec.node).val;
  if (const SymMeta* meta = sym_meta(val)) {
    if (meta->expr)
      if (auto number = evaluate(*meta->expr, [&](std::string_view s) { return symbols.lookup(s); }))
        return std::visit([](auto n) { return RuntimeValue(n); }, *number);
    if (!meta->constant.is_none()) return constant_value(meta->constant);
    if (meta->hint.is_none()) return meta->kind == SymKind::Int ? RuntimeValue(2) : meta->kind == SymKind::Float ? RuntimeValue(1.0) : RuntimeValue(true);
    return constant_value(meta->hint);
  }
  const TensorMeta* meta = tensor_meta(val);
  check(meta, "the file does not say what it is");
  const Tensor tensor = empty_input(*meta, symbols);
  const int64_t count = tensor.numel();
  const bool complex = is_complex(meta->dtype), floating = is_floating(meta->dtype) || complex;
  const int64_t rows = floating ? 0 : table_rows(graph, spec.node);
  const int64_t high = rows > 0 ? rows : 2;
  const Compute compute = complex ? Compute::C128 : floating ? Compute::F64 : Compute::I64;
  const StoreFunction store = storer(compute, meta->dtype);
  const int64_t item = item_size(meta->dtype);
  for (int64_t i = 0; i < count; ++i) {
    if (i % 65536 == 0) throw_if_stopped();
    if (complex) {
      const std::complex<double> number(normal(generator), normal(generator));
      store(&number, tensor.bytes() + i * item, item, 1);
    } else if (floating) {
      const double number = normal(generator);
      store(&number, tensor.bytes() + i * item, item, 1);
    } else {
      const int64_t number = static_cast<int64_t>(generator.random() % static_cast<uint64_t>(high));
      store(&number, tensor.bytes() + i * item, item, 1);
    }
  }
  return with_declared_strides(tensor, *meta);
}

}  // namespace pt2::interp
