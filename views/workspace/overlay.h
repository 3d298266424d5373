#pragma once
// What the graph's boxes are coloured by, beside the operator's family: facts of the file, or of a run.
#include <array>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/graph/program.h"

namespace pt2::views {

struct GraphScene;
struct NodeData;

enum class OverlayKind : uint8_t { Family, DType, Device, OutputBytes, Flops, Quantization, Executed, Time, MaxAbs, NonFinite, Mismatch, Saturation, Data };
inline constexpr int kOverlayKinds = 13;
std::string_view overlay_name(OverlayKind kind);   // "family", "dtype" …: for scripts
std::string_view overlay_title(OverlayKind kind);  // "Operator family", "dtype" …
std::optional<OverlayKind> overlay_from_name(std::string_view name);
bool overlay_needs_run(OverlayKind kind);

// What became of a node in a run, as Overlay::classes has it: the worst of a group counts.
enum class NodeState : uint8_t { Executed, NotYet, Waits, NotImplemented, Failed };

// What is not finite in a value, as Overlay::classes has it: the worst of a group counts.
enum class NonFiniteState : uint8_t { None, AskedInf, Inf, InheritedNaN, NaN };

// Values that have no place on a scale of numbers, and colours of their own.
enum class Apart : uint8_t { Zero, NaN, Infinite };

// What only a run knows; none: not run, or not kept.
struct OverlayRunFacts {
  std::function<std::optional<double>(NodeRef)> time_us, max_abs, nonfinite, mismatch, saturated;  // saturated: a part, 0 … 1
  std::function<std::optional<NodeState>(NodeRef)> state;
  std::function<std::string(NodeRef)> nonfinite_text;  // "NaN 16 of 80, Inf 3"
};

struct Overlay {
  OverlayKind kind = OverlayKind::Family;
  std::string title;                              // what the scale is called
  std::array<size_t, 3> apart_nodes{};            // by Apart: how many nodes of a picture have it; box_values() counts
  std::vector<size_t> class_nodes;                // by class, likewise
  bool linear = false;                            // numbers of a linear scale; else of a logarithmic one
  IdVector<GraphId, std::vector<double>> values;  // by node; NaN: none. For classes their index
  double low = 0, high = 0;                       // the ends of the scale; values outside take the colour of the end
  double all_low = 0, all_high = 0;               // of the values, zeros apart
  std::vector<std::string> classes;               // empty: values are numbers, shown on a logarithmic scale
  std::map<NodeRef, std::string> notes;           // more than the value says: "zero point -10, -128 … 127"

  // In `values` what is NaN itself, as no number of a run is below zero.
  static constexpr double kNaN = -std::numeric_limits<double>::infinity();

  double value(NodeRef ref) const;
  std::optional<Apart> apart(double value) const;
  std::string apart_text(Apart apart) const;      // "no NaN or Inf", "NaN", "infinite"
  // 0 … 1 between low and high on the overlay's scale.
  double part(double value) const;
  double scale_low() const;                       // where the scale begins: above zero, if it is logarithmic
  bool empty() const;                             // no number to show; of classes that is for boxes to say
  std::string text(double value) const;           // "12.3 ms", "4.0 MiB", "f16"
  std::string node_text(NodeRef ref) const;       // with its note; "" where there is none
  // Another part of the scale; none: all of it.
  void set_range(const std::optional<std::pair<double, double>>& range);
};

Overlay make_overlay(const Program& program, OverlayKind kind, const OverlayRunFacts& facts = {});
// By a column of a table the user gave.
Overlay make_data_overlay(const Program& program, const NodeData& data, size_t column);
// 0xRRGGBB: viridis for numbers, well-told-apart colours for classes.
uint32_t overlay_rgb(const Overlay& overlay, double value);
uint32_t apart_rgb(Apart apart);
// Whether the scale has a strip of colours: of numbers, and of more than one.
bool has_strip(const Overlay& overlay);
// The squares of the scale: classes, a single number, and what has no place on a strip of numbers, where boxes have it.
struct OverlayRow { uint32_t rgb; std::string text; };
std::vector<OverlayRow> overlay_rows(const Overlay& overlay);
// A value for each box of a picture, NaN: none. Of a folded group the sum of what adds up, else the largest; the scale
// then reaches over these values.
std::vector<double> box_values(Overlay& overlay, const GraphScene& scene);

}  // namespace pt2::views
