#pragma once
// What the graph's boxes are coloured by, beside the operator's family: facts of the file, or of a run.
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/graph/program.h"

namespace pt2::views {

enum class OverlayKind : uint8_t { Family, DType, Device, OutputBytes, Flops, Time, MaxAbs, NonFinite, Mismatch };
inline constexpr int kOverlayKinds = 9;
std::string_view overlay_name(OverlayKind kind);   // "family", "dtype" …: for scripts
std::string_view overlay_title(OverlayKind kind);  // "Operator family", "dtype" …
std::optional<OverlayKind> overlay_from_name(std::string_view name);
bool overlay_needs_run(OverlayKind kind);

// What only a run knows; none: not run, or not kept.
struct OverlayRunFacts {
  std::function<std::optional<double>(NodeRef)> time_us, max_abs, nonfinite, mismatch;
};

struct Overlay {
  OverlayKind kind = OverlayKind::Family;
  IdVector<GraphId, std::vector<double>> values;  // by node; NaN: none. For classes their index
  double low = 0, high = 0;                       // of the values
  std::vector<std::string> classes;               // empty: values are numbers, shown on a logarithmic scale

  double value(NodeRef ref) const;
  // 0 … 1 between low and high on the overlay's scale.
  double part(double value) const;
  std::string text(double value) const;           // "12.3 ms", "4.0 MiB", "f16"
};

Overlay make_overlay(const Program& program, OverlayKind kind, const OverlayRunFacts& facts = {});
// 0xRRGGBB: viridis for numbers, well-told-apart colours for classes.
uint32_t overlay_rgb(const Overlay& overlay, double value);
// Multiply-adds count as two; an estimate from declared shapes.
double node_flops(const Graph& graph, const Node& node);

}  // namespace pt2::views
