#include "views/workspace/overlay.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/base/display.h"
#include "core/base/text.h"
#include "core/graph/results.h"
#include "views/workspace/flops.h"
#include "views/workspace/graph_scene.h"
#include "views/workspace/labels.h"
#include "views/workspace/node_data.h"
#include "views/workspace/quantization.h"
#include "views/workspace/tensor_image.h"

namespace pt2::views {
namespace {

struct KindRow { std::string_view name, title; bool needs_run; };
constexpr std::array<KindRow, kOverlayKinds> kKinds{{{"family", "Operator family", false},
                                                     {"dtype", "dtype", false},
                                                     {"device", "Device", false},
                                                     {"bytes", "Output size", false},
                                                     {"flops", "FLOPs", false},
                                                     {"quantization", "Quantization scale", false},
                                                     {"executed", "Executed", true},
                                                     {"time", "Time", true},
                                                     {"max_abs", "Largest |x|", true},
                                                     {"nonfinite", "NaN and Inf", true},
                                                     {"mismatch", "Difference from reference", true},
                                                     {"saturation", "Saturated elements", true},
                                                     {"data", "Values from a file", false}}};
constexpr std::array<std::string_view, 5> kStates{"executed", "not yet", "waits for a node without value", "not implemented", "failed"};
constexpr std::array<std::string_view, 5> kNonFinite{"no NaN or Inf", "Inf asked for", "Inf", "NaN comes in", "NaN arises"};
constexpr std::array<uint32_t, 5> kNonFiniteColors{0x555B66, 0x7A6420, 0xB85400, 0x6A4A9C, 0xB0107E};
constexpr std::array<uint32_t, 5> kStateColors{0x00775A, 0x555B66, 0x7A5C00, 0x8A3F75, 0x9C2F45};

// Told apart by all kinds of colour vision (Okabe and Ito), muted for white text.
constexpr std::array<uint32_t, 8> kClassColors{0x0072B2, 0xB0563B, 0x00775A, 0x8A3F75, 0x7A5C00, 0x3A6E86, 0x555B66, 0x9C2F45};
constexpr double kLogarithmicFrom = 100;  // the largest value of a table so many times the smallest: their logarithm counts
constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

// Of a node with several results those that are used.
std::vector<const TensorMeta*> results_of(const Graph& graph, NodeId id) {
  const Node& node = graph.node(id);
  if (const TensorMeta* tensor = tensor_meta(node.val)) return {tensor};
  std::vector<const TensorMeta*> results;
  for (const NodeId user : graph.users(id))
    if (is_getitem(graph.node(user)))
      if (const TensorMeta* tensor = tensor_meta(graph.node(user).val)) results.push_back(tensor);
  return results;
}

// NaN where a size is not known.
double bytes_of(const TensorMeta& tensor) {
  double bytes = item_size(tensor.dtype);
  for (const SymInt& size : tensor.sizes) bytes *= size.is_symbolic() && !size.has_hint ? kNone : double(std::max<int64_t>(size.value, 0));
  return bytes;
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

double Overlay::value(NodeRef ref) const {
  if (!values.contains(ref.graph) || ref.node.index >= values[ref.graph].size()) return kNone;
  return values[ref.graph][ref.node.index];
}

// Numbers reach over many sizes, so their logarithm counts; where some are zero it begins a little above.
double Overlay::scale_low() const { return linear ? low : high > 0 ? std::max(low, high * 1e-9) : 0; }

std::optional<Apart> Overlay::apart(double value) const {
  if (!classes.empty()) return std::nullopt;
  if (std::isinf(value)) return value == kNaN && kind != OverlayKind::Data ? Apart::NaN : Apart::Infinite;
  return value == 0 && !linear ? std::optional(Apart::Zero) : std::nullopt;
}

std::string Overlay::apart_text(Apart apart) const {
  if (apart != Apart::Zero) return apart == Apart::NaN ? "NaN" : "infinite";
  switch (kind) {
    case OverlayKind::Mismatch: return "no difference";
    case OverlayKind::Saturation: return "none saturated";
    default: return "0";
  }
}

bool Overlay::empty() const { return linear ? std::isnan(all_low) : !(all_high > 0); }

double Overlay::part(double value) const {
  if (std::isinf(value)) return 1;
  const double floor = scale_low();
  if (linear) return high > low ? std::clamp((value - low) / (high - low), 0.0, 1.0) : 0.5;
  if (!(high > floor)) return 0.5;
  return std::clamp((std::log(std::max(value, floor)) - std::log(floor)) / (std::log(high) - std::log(floor)), 0.0, 1.0);
}

std::string Overlay::text(double value) const {
  if (std::isnan(value)) return "";
  if (apart(value) == Apart::NaN) return "NaN";
  if (!classes.empty()) return value >= 0 && size_t(value) < classes.size() ? classes[size_t(value)] : "";
  switch (kind) {
    case OverlayKind::OutputBytes: return bytes_text(uint64_t(value));
    case OverlayKind::Time: return duration_label(value);
    case OverlayKind::Saturation: return number_label(value * 100, 3) + " %";
    default: return number_label(value, 3);
  }
}

std::string Overlay::node_text(NodeRef ref) const {
  const auto note = notes.find(ref);
  const std::string number = text(value(ref));
  if (note == notes.end()) return number;
  return number.empty() ? note->second : number + ", " + note->second;
}

void Overlay::set_range(const std::optional<std::pair<double, double>>& range) {
  if (!classes.empty()) return;
  low = range ? range->first : all_low;
  high = range ? range->second : all_high;
}

Overlay make_overlay(const Program& program, OverlayKind kind, const OverlayRunFacts& facts) {
  Overlay overlay;
  overlay.kind = kind;
  overlay.title = overlay_title(kind);
  auto class_of = [&](std::string name) {
    auto it = std::find(overlay.classes.begin(), overlay.classes.end(), name);
    if (it == overlay.classes.end()) it = overlay.classes.insert(it, std::move(name));
    return double(it - overlay.classes.begin());
  };
  auto asked = [](const std::function<std::optional<double>(NodeRef)>& fact, NodeRef ref) {
    const auto known = fact ? fact(ref) : std::nullopt;
    return !known ? kNone : std::isnan(*known) ? Overlay::kNaN : *known;
  };
  if (kind == OverlayKind::Executed) overlay.classes.assign(kStates.begin(), kStates.end());
  if (kind == OverlayKind::NonFinite) overlay.classes.assign(kNonFinite.begin(), kNonFinite.end());
  bool any = false;
  for (size_t g = 0; g < program.graphs.size(); ++g) {
    const Graph& graph = program.graphs[GraphId(g)];
    std::vector<double> values(graph.nodes().size(), kNone);
    for (size_t n = 0; n < values.size(); ++n) {
      const NodeRef ref{GraphId(g), NodeId(n)};
      const Node& node = graph.node(ref.node);
      const std::vector<const TensorMeta*> results = results_of(graph, ref.node);
      double& v = values[n];
      switch (kind) {
        case OverlayKind::Family:
        case OverlayKind::Data: break;  // make_data_overlay
        case OverlayKind::DType:
          if (!results.empty()) v = class_of(std::string(dtype_short_name(results.front()->dtype)));
          break;
        case OverlayKind::Device:
          if (!results.empty()) v = class_of(device_text(results.front()->device));
          break;
        case OverlayKind::OutputBytes:
          if (!results.empty()) v = std::accumulate(results.begin(), results.end(), 0.0, [](double sum, const TensorMeta* tensor) { return sum + bytes_of(*tensor); });
          break;
        case OverlayKind::Flops:
          if (const auto flops = node_flops(graph, node)) v = *flops;
          break;
        case OverlayKind::Quantization:
          if (const auto q = node.kind == NodeKind::CallFunction ? quantization_of_call(graph, node) : quantization_of(graph, ref.node)) {
            // The largest of several scales, where a run has shown them.
            v = q->scale ? *q->scale : q->scale_node ? asked(facts.max_abs, {ref.graph, q->scale_node}) : kNone;
            overlay.notes[ref] = (q->scale ? "" : "scale " + q->scale_text + ", ") + "zero point " + (q->zero_point_text.empty() ? "0" : q->zero_point_text) + ", " + q->range_text();
          }
          break;
        case OverlayKind::Executed:
          if (const auto state = node.kind == NodeKind::CallFunction && facts.state ? facts.state(ref) : std::nullopt) v = double(*state);
          break;
        case OverlayKind::Time: v = asked(facts.time_us, ref); break;
        case OverlayKind::MaxAbs: v = asked(facts.max_abs, ref); break;
        case OverlayKind::NonFinite: v = asked(facts.nonfinite, ref); break;
        case OverlayKind::Mismatch: v = asked(facts.mismatch, ref); break;
        case OverlayKind::Saturation: v = asked(facts.saturated, ref); break;
      }
      if ((kind == OverlayKind::NonFinite || kind == OverlayKind::MaxAbs) && facts.nonfinite_text)
        if (std::string note = facts.nonfinite_text(ref); !note.empty()) overlay.notes[ref] = std::move(note);
      if (!std::isfinite(v)) continue;
      // A logarithmic scale begins at the smallest value that is not zero.
      if (v > 0 || !overlay.classes.empty()) {
        overlay.low = any ? std::min(overlay.low, v) : v;
        overlay.high = any ? std::max(overlay.high, v) : v;
        any = true;
      }
    }
    overlay.values.push_back(std::move(values));
  }
  overlay.all_low = overlay.low;
  overlay.all_high = overlay.high;
  return overlay;
}

Overlay make_data_overlay(const Program& program, const NodeData& data, size_t index) {
  const NodeData::Column& column = data.columns[index];
  Overlay overlay;
  overlay.kind = OverlayKind::Data;
  overlay.title = column.name;
  for (const Graph& graph : program.graphs) overlay.values.push_back(std::vector<double>(graph.nodes().size(), kNone));
  if (column.text) {
    for (const auto& [node, cell] : column.cells) {
      auto it = std::find(overlay.classes.begin(), overlay.classes.end(), cell);
      if (it == overlay.classes.end()) it = overlay.classes.insert(it, cell);
      overlay.values[node.graph][node.node.index] = double(it - overlay.classes.begin());
    }
    return overlay;
  }
  double low = kNone, high = kNone;
  for (const auto& [node, number] : column.numbers) {
    overlay.values[node.graph][node.node.index] = number;
    if (!std::isfinite(number)) continue;
    low = std::isnan(low) ? number : std::min(low, number);
    high = std::isnan(high) ? number : std::max(high, number);
  }
  overlay.linear = !(low > 0 && high > kLogarithmicFrom * low);
  overlay.low = overlay.all_low = low;
  overlay.high = overlay.all_high = high;
  return overlay;
}

uint32_t apart_rgb(Apart apart) {
  switch (apart) {
    case Apart::NaN: return 0xA6288F;
    case Apart::Infinite: return 0xB85400;
    case Apart::Zero: break;
  }
  return 0x555B66;
}

uint32_t overlay_rgb(const Overlay& overlay, double value) {
  if (overlay.kind == OverlayKind::Executed) return kStateColors[std::min(size_t(std::max(value, 0.0)), kStateColors.size() - 1)];
  if (overlay.kind == OverlayKind::NonFinite) return kNonFiniteColors[std::min(size_t(std::max(value, 0.0)), kNonFiniteColors.size() - 1)];
  if (!overlay.classes.empty()) return kClassColors[size_t(std::max(value, 0.0)) % kClassColors.size()];
  if (const auto apart = overlay.apart(value)) return apart_rgb(*apart);
  const uint32_t rgba = palette_color(Palette::Viridis, overlay.part(value));
  return (rgba & 0xFF) << 16 | (rgba & 0xFF00) | ((rgba >> 16) & 0xFF);
}

bool has_strip(const Overlay& overlay) { return overlay.classes.empty() && !overlay.empty() && overlay.all_low < overlay.all_high; }

std::vector<OverlayRow> overlay_rows(const Overlay& overlay) {
  const auto counted = [](std::string text, size_t nodes) { return std::move(text) + ": " + with_commas(uint64_t(nodes)) + (nodes == 1 ? " node" : " nodes"); };
  std::vector<OverlayRow> rows;
  const bool nonfinite = overlay.kind == OverlayKind::NonFinite;
  for (size_t i = 0; i < overlay.classes.size(); ++i) {
    const size_t nodes = i < overlay.class_nodes.size() ? overlay.class_nodes[i] : 0;
    if (nonfinite && !nodes) continue;
    std::string text = display_cut(overlay.classes[i], 30);
    rows.push_back({overlay_rgb(overlay, double(i)), nonfinite && i ? counted(std::move(text), nodes) : std::move(text)});
  }
  if (overlay.classes.empty() && !overlay.empty() && !has_strip(overlay)) rows.push_back({overlay_rgb(overlay, overlay.all_low), overlay.text(overlay.all_low)});
  for (const Apart apart : {Apart::Zero, Apart::NaN, Apart::Infinite})
    if (const size_t nodes = overlay.apart_nodes[size_t(apart)]) rows.push_back({apart_rgb(apart), apart == Apart::Zero ? overlay.apart_text(apart) : counted(overlay.apart_text(apart), nodes)});
  return rows;
}

namespace {

// Whether something outside of a folded group reads the value; of a call with several results its getitems tell.
bool leaves_group(const GraphScene& scene, NodeRef ref, BoxId group) {
  const Graph& graph = scene.program->graphs[ref.graph];
  if (graph.node(ref.node).kind == NodeKind::Placeholder) return false;
  const auto users = graph.users(ref.node);
  return std::any_of(users.begin(), users.end(), [&](NodeId user) {
    return scene.box_of({ref.graph, user}) != group || (graph.node(user).kind == NodeKind::Output && scene.boxes[group].kind == BoxKind::Subgraph);
  });
}

}  // namespace

std::vector<double> box_values(Overlay& overlay, const GraphScene& scene) {
  std::vector<double> values(scene.boxes.size(), kNone);
  // What a group gives tells its dtype, device and size: weights and what is worked out on the way do not.
  const bool of_outputs = overlay.kind == OverlayKind::DType || overlay.kind == OverlayKind::Device || overlay.kind == OverlayKind::OutputBytes;
  // Texts of a table, dtypes and devices that differ in a group are none of them.
  const bool texts = !overlay.classes.empty() && (of_outputs || overlay.kind == OverlayKind::Data);
  const double several = double(overlay.classes.size());
  overlay.apart_nodes = {};
  overlay.class_nodes.assign(overlay.classes.size(), 0);
  bool any_several = false;
  const bool adds_up = overlay.kind == OverlayKind::OutputBytes || overlay.kind == OverlayKind::Time || overlay.kind == OverlayKind::Flops;
  const bool of_values = overlay.kind == OverlayKind::NonFinite || overlay.kind == OverlayKind::MaxAbs;
  for (size_t g = 0; g < overlay.values.size(); ++g)
    for (size_t n = 0; n < overlay.values[GraphId(g)].size(); ++n) {
      const NodeRef ref{GraphId(g), NodeId(n)};
      const double v = overlay.value(ref);
      const BoxId box = std::isnan(v) ? BoxId() : scene.box_of(ref);
      if (!box) continue;
      const SceneBox& shown = scene.boxes[box];
      const bool group = shown.folded();
      const bool folded = !group && shown.node != ref;  // a getitem, in the box of its call
      if (folded && !of_values) continue;
      if (scene.program->node(ref).kind == NodeKind::Output) {}  // repeats what others gave
      else if (const auto apart = overlay.apart(v)) ++overlay.apart_nodes[size_t(*apart)];
      else if (!overlay.classes.empty()) ++overlay.class_nodes[size_t(v)];
      if (folded || (group && of_outputs && !leaves_group(scene, ref, box))) continue;
      double& into = values[box.index];
      if (texts && !std::isnan(into) && into != v) {
        into = several;
        any_several = true;
        continue;
      }
      // Of a group what is worst: NaN, then what is infinite, then the largest.
      const bool nan = overlay.apart(v) == Apart::NaN || (!std::isnan(into) && overlay.apart(into) == Apart::NaN);
      into = nan ? Overlay::kNaN : std::isnan(into) ? v : group && adds_up ? into + v : std::max(into, v);
    }
  if (any_several) overlay.classes.emplace_back("several");
  if (!overlay.classes.empty()) return values;
  // A logarithmic scale leaves zeros apart.
  bool any = false;
  overlay.all_low = overlay.all_high = overlay.linear ? kNone : 0;
  for (const double v : values) {
    if (!std::isfinite(v) || (!overlay.linear && !(v > 0))) continue;
    overlay.all_low = any ? std::min(overlay.all_low, v) : v;
    overlay.all_high = any ? std::max(overlay.all_high, v) : v;
    any = true;
  }
  overlay.low = overlay.all_low;
  overlay.high = overlay.all_high;
  return values;
}

}  // namespace pt2::views
