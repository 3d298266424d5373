#include "views/workspace/overlay.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "core/base/text.h"
#include "views/workspace/labels.h"
#include "views/workspace/op_family.h"
#include "views/workspace/tensor_image.h"

namespace pt2::views {
namespace {

struct KindRow { std::string_view name, title; bool needs_run; };
constexpr std::array<KindRow, kOverlayKinds> kKinds{{{"family", "Operator family", false}, {"dtype", "dtype", false}, {"device", "Device", false}, {"bytes", "Output size", false},
                                                     {"flops", "FLOPs", false}, {"time", "Time", true}, {"max_abs", "Largest |x|", true}, {"nonfinite", "NaN and Inf", true},
                                                     {"mismatch", "Difference from reference", true}}};

// Told apart by all kinds of colour vision (Okabe and Ito), muted for white text.
constexpr std::array<uint32_t, 8> kClassColors{0x0072B2, 0xB0563B, 0x00775A, 0x8A3F75, 0x7A5C00, 0x3A6E86, 0x555B66, 0x9C2F45};
constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

std::optional<double> elements_of(const ValueMeta& meta) {
  const TensorMeta* tensor = tensor_meta(meta);
  if (!tensor) return std::nullopt;
  double count = 1;
  for (const SymInt& size : tensor->sizes) {
    if (size.is_symbolic() && !size.has_hint) return std::nullopt;
    count *= double(std::max<int64_t>(size.value, 0));
  }
  return count;
}

const TensorMeta* input_meta(const Graph& graph, const Node& node, size_t index) {
  if (index >= node.inputs.size()) return nullptr;
  auto* id = node.inputs[index].value.as<NodeId>();
  return id ? tensor_meta(graph.node(*id).val) : nullptr;
}

}  // namespace

std::string_view overlay_name(OverlayKind kind) { return kKinds[size_t(kind)].name; }
std::string_view overlay_title(OverlayKind kind) { return kKinds[size_t(kind)].title; }
bool overlay_needs_run(OverlayKind kind) { return kKinds[size_t(kind)].needs_run; }
std::optional<OverlayKind> overlay_from_name(std::string_view name) {
  for (int i = 0; i < kOverlayKinds; ++i)
    if (kKinds[size_t(i)].name == name) return OverlayKind(i);
  return std::nullopt;
}

double node_flops(const Graph& graph, const Node& node) {
  const auto out = elements_of(node.val);
  if (!out) return 0;
  const std::string_view base = target_base(node.target);
  auto size = [](const TensorMeta* meta, int64_t dim) {
    const int64_t rank = meta ? int64_t(meta->sizes.size()) : 0;
    if (dim < 0) dim += rank;
    return dim >= 0 && dim < rank ? double(std::max<int64_t>(meta->sizes[size_t(dim)].value, 0)) : 1.0;
  };
  if (base == "aten.mm" || base == "aten.bmm" || base == "aten.matmul" || base == "aten.linear") return 2 * *out * size(input_meta(graph, node, 0), -1);
  if (base == "aten.addmm" || base == "aten.baddbmm") return 2 * *out * size(input_meta(graph, node, 1), -1);
  if (base.starts_with("aten.conv")) {
    // The weight is [out, in / groups, kernel …], transposed [in, out / groups, kernel …].
    const TensorMeta* weight = input_meta(graph, node, 1);
    if (!weight) return *out;
    double per_output = 2 * size(weight, 1);
    for (size_t d = 2; d < weight->sizes.size(); ++d) per_output *= size(weight, int64_t(d));
    const bool transposed = base.find("transpose") != base.npos;
    return transposed ? per_output * elements_of(graph.node(*node.inputs[0].value.as<NodeId>()).val).value_or(0) : per_output * *out;
  }
  if (base == "aten.scaled_dot_product_attention") return 4 * *out * size(input_meta(graph, node, 1), -2);
  return op_family(node.target) == OpFamily::Shape ? 0 : *out;
}

double Overlay::value(NodeRef ref) const {
  if (!values.contains(ref.graph) || ref.node.index >= values[ref.graph].size()) return kNone;
  return values[ref.graph][ref.node.index];
}

double Overlay::part(double value) const {
  // Numbers reach over many sizes, so their logarithm counts; where some are zero it begins a little above.
  const double floor = high > 0 ? std::max(low, high * 1e-9) : 0;
  if (!(high > floor)) return 0.5;
  return std::clamp((std::log(std::max(value, floor)) - std::log(floor)) / (std::log(high) - std::log(floor)), 0.0, 1.0);
}

std::string Overlay::text(double value) const {
  if (std::isnan(value)) return "";
  if (!classes.empty()) return value >= 0 && size_t(value) < classes.size() ? classes[size_t(value)] : "";
  switch (kind) {
    case OverlayKind::OutputBytes: return bytes_text(uint64_t(value));
    case OverlayKind::Time: return duration_label(value);
    case OverlayKind::NonFinite: return with_commas(uint64_t(value));
    default: return number_label(value, 3);
  }
}

Overlay make_overlay(const Program& program, OverlayKind kind, const OverlayRunFacts& facts) {
  Overlay overlay;
  overlay.kind = kind;
  auto class_of = [&](std::string name) {
    auto it = std::find(overlay.classes.begin(), overlay.classes.end(), name);
    if (it == overlay.classes.end()) it = overlay.classes.insert(it, std::move(name));
    return double(it - overlay.classes.begin());
  };
  auto asked = [](const std::function<std::optional<double>(NodeRef)>& fact, NodeRef ref) { return fact ? fact(ref).value_or(kNone) : kNone; };
  bool any = false;
  for (size_t g = 0; g < program.graphs.size(); ++g) {
    const Graph& graph = program.graphs[GraphId(g)];
    std::vector<double> values(graph.nodes().size(), kNone);
    for (size_t n = 0; n < values.size(); ++n) {
      const NodeRef ref{GraphId(g), NodeId(n)};
      const Node& node = graph.node(ref.node);
      const TensorMeta* tensor = tensor_meta(node.val);
      double& v = values[n];
      switch (kind) {
        case OverlayKind::Family: break;
        case OverlayKind::DType:
          if (tensor) v = class_of(std::string(dtype_short_name(tensor->dtype)));
          break;
        case OverlayKind::Device:
          if (tensor) v = class_of(device_text(tensor->device));
          break;
        case OverlayKind::OutputBytes:
          if (const auto count = elements_of(node.val)) v = *count * item_size(tensor->dtype);
          break;
        case OverlayKind::Flops:
          if (node.kind == NodeKind::CallFunction && tensor) v = node_flops(graph, node);
          break;
        case OverlayKind::Time: v = asked(facts.time_us, ref); break;
        case OverlayKind::MaxAbs: v = asked(facts.max_abs, ref); break;
        case OverlayKind::NonFinite: v = asked(facts.nonfinite, ref); break;
        case OverlayKind::Mismatch: v = asked(facts.mismatch, ref); break;
      }
      if (std::isnan(v) || std::isinf(v)) continue;
      // A logarithmic scale begins at the smallest value that is not zero.
      if (v > 0 || !overlay.classes.empty()) {
        overlay.low = any ? std::min(overlay.low, v) : v;
        overlay.high = any ? std::max(overlay.high, v) : v;
        any = true;
      }
    }
    overlay.values.push_back(std::move(values));
  }
  return overlay;
}

uint32_t overlay_rgb(const Overlay& overlay, double value) {
  if (!overlay.classes.empty()) return kClassColors[size_t(std::max(value, 0.0)) % kClassColors.size()];
  const uint32_t rgba = palette_color(Palette::Viridis, overlay.part(value));
  return (rgba & 0xFF) << 16 | (rgba & 0xFF00) | ((rgba >> 16) & 0xFF);
}

}  // namespace pt2::views
