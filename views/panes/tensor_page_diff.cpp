// A value held against another: how far apart they are in numbers, where, and how the differences are spread.
#include <algorithm>
#include <cmath>

#include "core/base/display.h"
#include "core/base/text.h"
#include "core/tensor/view.h"
#include "views/compat.h"
#include "views/panes/tensor_page.h"
#include "views/widgets/copy_menu.h"
#include "views/widgets/histogram.h"
#include "views/widgets/text_field.h"
#include "views/widgets/wrapped_text.h"
#include "views/workspace/comparison.h"
#include "views/workspace/debug_session.h"
#include "views/workspace/labels.h"

namespace pt2::views {
namespace {

std::string at_text(int64_t flat, const Shape& sizes) { return flat < 0 ? "" : " at " + shape_text(index_from_flat(flat, sizes)); }

// Scripts write names without blanks.
std::string probe_name(std::string name) {
  std::replace(name.begin(), name.end(), ' ', '_');
  return name;
}

bool both_ran(const Comparison& pair) { return pair.asked && pair.result && pair.result->numbers(); }

// What both programs ran under, while it is the other one's value that is compared with.
interp::Tolerance tolerance_of_both(const Workspace& workspace, const CompareWith& with) {
  return with.kind == CompareWith::Kind::Other && both_ran(workspace.comparison) ? workspace.comparison.asked->tolerance : interp::Tolerance();
}

}  // namespace

void TensorPage::suggest_comparison(const Workspace& workspace, const Document& document) {
  if (compare_chosen_) return;
  const Comparison& pair = workspace.comparison;
  const interp::Debugger* debugger = document.debug ? document.debug->debugger() : nullptr;
  const bool side_of_both = (document.id == pair.left || document.id == pair.right) && both_ran(pair);
  compare_.kind = debugger && debugger->reference() ? CompareWith::Kind::Reference : side_of_both ? CompareWith::Kind::Other : CompareWith::Kind::None;
}

// What it is held against, and which value that is where the one does not say the other.
std::string TensorPage::compared_text() const {
  const std::string title = compare_title(compare_), &origin = other_.origin;
  if (origin.empty() || title.ends_with(origin)) return "with " + title;
  return "with " + (origin.starts_with(title) ? origin : title + " – " + origin);
}

// Finds the other value and, in a job, how far both are apart.
void TensorPage::compare(PaneContext& context, const Document& document) {
  errors_ = nullptr;
  other_state_.clear();
  other_ = {};
  if (compare_.kind == CompareWith::Kind::None) return;
  ShownValue own;
  own.tensor = tensor_;
  own.key = key_;
  if (compare_.kind == CompareWith::Kind::Kept) {
    if (kept_) other_.state = ShownValue::State::Ready, other_.tensor = kept_, other_.key = kept_key_, other_.origin = kept_name_;
    else other_state_ = "No value is kept: Compare with, Keep this value.";
  } else {
    other_ = compared_value(context.workspace, document, name_, own, compare_, context.derived);
  }
  if (other_.state == ShownValue::State::Loading) other_state_ = "Reading…";
  else if (!other_.note.empty()) other_state_ = other_.note;
  else if (other_state_.empty() && !other_.tensor) other_state_ = other_.text.empty() ? "There is no value to compare with." : "It is no tensor: " + other_.text;
  if (!other_.tensor || other_.state != ShownValue::State::Ready) return;
  const interp::Tolerance both = tolerance_of_both(context.workspace, compare_), tolerance{tolerance_.rtol ? tolerance_.rtol : both.rtol, tolerance_.atol ? tolerance_.atol : both.atol};
  const std::string key = "errors:" + key_ + "|" + other_.key + "|" + (tolerance.rtol ? number_label(*tolerance.rtol, 17) : "") + "|" + (tolerance.atol ? number_label(*tolerance.atol, 17) : "");
  errors_ = context.derived.get<ErrorsResult>(key, "Comparing " + display_cut(name_, 40), [actual = *tensor_, expected = *other_.tensor, tolerance](Job& job) {
    ErrorsResult result;
    auto errors = interp::value_errors(actual, expected, tolerance, job.stop());
    if (errors) result.errors = std::move(*errors);
    else result.problem = display(errors.error().message);
    return result;
  });
  if (!errors_) other_state_ = "Comparing…";
  else if (!errors_->problem.empty()) other_state_ = errors_->problem;
}

void TensorPage::tolerance_fields(PaneContext& context) {
  const interp::ValueErrors& e = errors_->errors;
  const interp::Tolerance both = tolerance_of_both(context.workspace, compare_);
  auto field = [&](const char* title, std::string& text, double used, bool of_both) {
    ImGui::AlignTextToFramePadding();
    ImGui::TextColored(context.theme.color4(Role::Text2), "%s", title);
    ImGui::SameLine(0, context.theme.px(4));
    ImGui::SetNextItemWidth(context.theme.px(72));
    ImGui::PushID(title);
    const bool entered = input_text("##value", text, number_label(used, 4).c_str(), ImGuiInputTextFlags_EnterReturnsTrue);
    const bool done = entered || ImGui::IsItemDeactivatedAfterEdit();
    ImGui::PopID();
    context.probe.item(std::string("tensor/diff/") + title, text.empty() ? number_label(used, 4) : text);
    if (ImGui::IsItemHovered()) ImGui::SetTooltip(of_both ? "Empty: as both ran" : "Empty: as torch.testing.assert_close for the dtype");
    ImGui::SameLine();
    return done;
  };
  const bool rtol = field("rtol", rtol_text_, e.rtol, both.rtol.has_value()), atol = field("atol", atol_text_, e.atol, both.atol.has_value());
  if ((both.rtol && !tolerance_.rtol) || (both.atol && !tolerance_.atol)) {
    ImGui::TextDisabled("as both ran");
    context.probe.item("tensor/diff/tolerance", "as both ran");
  } else {
    ImGui::NewLine();
  }
  if (rtol || atol) context.push("tensor.tolerance", (rtol_text_.empty() ? "-" : rtol_text_) + " " + (atol_text_.empty() ? "-" : atol_text_), "tensor");
}

void TensorPage::measures(PaneContext& context) {
  const Theme& theme = context.theme;
  const interp::ValueErrors& e = errors_->errors;
  struct Entry { const char* name; std::string value; bool warn = false; };
  std::vector<Entry> entries;
  char percent[48];
  const double part = e.elements ? 100.0 * double(e.within) / double(e.elements) : 100;
  // Never rounded up to all.
  std::snprintf(percent, sizeof percent, "%.4g %%", e.within == e.elements ? 100.0 : std::min(part, 99.99));
  entries.push_back({"within", percent, e.within != e.elements});
  entries.push_back({"max abs", number_label(e.max_abs, 6) + at_text(e.max_abs_at, tensor_->sizes), e.within != e.elements});
  // What is no number on either side counts in none of the means.
  const std::string pairs = e.finite == e.elements ? "" : " of " + with_commas(uint64_t(e.finite)) + (e.finite == 1 ? " finite pair" : " finite pairs");
  auto mean = [&](const std::string& number) { return (e.finite ? number : "–") + pairs; };
  entries.push_back({"mean abs", mean(number_label(e.mean_abs, 6))});
  entries.push_back({"max rel", number_label(e.max_rel, 6) + at_text(e.max_rel_at, tensor_->sizes)});
  entries.push_back({"RMSE", mean(number_label(e.rmse, 6))});
  entries.push_back({"cosine", mean(number_label(e.cosine, 9))});
  entries.push_back({"SNR", mean(std::isinf(e.snr_db) ? std::string(e.snr_db > 0 ? "∞" : "−∞") : number_label(e.snr_db, 4) + " dB")});
  if (e.max_ulp) {
    entries.push_back({"max ULP", with_commas(*e.max_ulp) + at_text(e.max_ulp_at, tensor_->sizes)});
    entries.push_back({"mean ULP", mean(number_label(e.mean_ulp, 4))});
  }
  entries.push_back({"identical", with_commas(uint64_t(e.identical)) + " of " + with_commas(uint64_t(e.elements))});
  // NaN against NaN is identical, and would be told of nowhere else.
  if (e.actual_nan || e.expected_nan) entries.push_back({"NaN", with_commas(uint64_t(e.actual_nan)) + " here, " + with_commas(uint64_t(e.expected_nan)) + " in the other", e.actual_nan != e.expected_nan});
  if (e.nonfinite_differ) entries.push_back({"NaN or Inf on one side", with_commas(uint64_t(e.nonfinite_differ)), true});
  const float right = ImGui::GetCursorScreenPos().x + ImGui::GetContentRegionAvail().x;
  bool first = true;
  for (const Entry& entry : entries) {
    const float width = ImGui::CalcTextSize(entry.name).x + ImGui::CalcTextSize(entry.value.c_str()).x + theme.px(4);
    if (!first) {
      ImGui::SameLine(0, theme.px(12));
      if (ImGui::GetCursorScreenPos().x + width > right) ImGui::NewLine();
    }
    first = false;
    ImGui::TextColored(theme.color4(Role::Text2), "%s", entry.name);
    ImGui::SameLine(0, theme.px(4));
    ImGui::TextColored(theme.color4(entry.warn ? Role::Warning : Role::Text), "%s", entry.value.c_str());
    copied_probe(context, "tensor/diff/" + probe_name(entry.name), entry.value);
  }
}

// A click marks the element, a double click shows it among its neighbours.
void TensorPage::worst_list(PaneContext& context) {
  const auto& worst = errors_->errors.worst;
  if (worst.empty()) {
    ImGui::TextDisabled("The values are identical");
    return;
  }
  if (worst_of_ != errors_) {
    worst_of_ = errors_;
    ++worst_revision_;
  }
  element_line(context);
  static const std::vector<TextTable::Column> columns = {{"Index", 96, false, true}, {"Value", 84, true, true}, {"Other", 84, true, true}, {"Difference", 84, true, true}, {"Relative", 74, true, true}, {"ULP", 64, true, true}};
  const auto selected = slice_ ? grid_.selected_index(grid_source()) : std::vector<int64_t>();
  TextTable::Rows rows;
  rows.count = worst.size();
  rows.revision = worst_revision_;
  rows.text = [&](size_t row, int column) -> std::string {
    const interp::WorstElement& w = worst[row];
    const auto index = index_from_flat(w.flat, tensor_->sizes);
    switch (column) {
      case 0: return shape_text(index);
      case 1: return element_text(tensor_->dtype, element_at(*tensor_, index));
      case 2: return element_text(other_.tensor->dtype, element_at(*other_.tensor, index));
      case 3: return number_label(element_difference(element_at(*tensor_, index), element_at(*other_.tensor, index)), 5);
      case 4: return number_label(w.rel_error, 4);
      default: return w.ulp ? std::to_string(*w.ulp) : "";
    }
  };
  rows.selected = [&](size_t row) { return !selected.empty() && index_from_flat(worst[row].flat, tensor_->sizes) == selected; };
  rows.probe = [&](size_t row) { return "tensor/worst/" + std::to_string(row); };
  const auto events = worst_.draw(context, "##worst", columns, rows);
  if (events.clicked != TextTable::Events::kNone) go_to(index_from_flat(worst[events.clicked].flat, tensor_->sizes));
  if (events.double_clicked != TextTable::Events::kNone) diff_part_ = DiffPart::Grid;
}

void TensorPage::diff(PaneContext& context) {
  const Theme& theme = context.theme;
  if (compare_.kind == CompareWith::Kind::None) {
    ImGui::PushTextWrapPos(0);
    ImGui::TextDisabled("Choose what to hold this value against: a recorded reference, another step, another value, the other program, a file.");
    ImGui::PopTextWrapPos();
    if (ImGui::Button("Compare with…")) ImGui::OpenPopup("##compare menu");
    context.probe.item("tensor/diff/choose", "Compare with…");
    return;
  }
  const std::string with = compared_text();
  ImGui::PushTextWrapPos(0);
  ImGui::TextColored(theme.color4(Role::Text2), "%s", with.c_str());
  copied_probe(context, "tensor/diff/with", with);
  if (!other_state_.empty()) {
    wrapped_text(other_state_);
    copied_probe(context, "tensor/diff/state", other_state_);
  }
  ImGui::PopTextWrapPos();
  if (!errors_ || !errors_->problem.empty()) return;
  if (tensor_->dtype != other_.tensor->dtype) ImGui::TextColored(theme.color4(Role::Warning), "%s against %s", std::string(dtype_name(tensor_->dtype)).c_str(), std::string(dtype_name(other_.tensor->dtype)).c_str());
  tolerance_fields(context);
  measures(context);
  if (tensor_->numel() == 0) return;
  constexpr const char* kTitles[kDiffParts] = {"Worst 100", "Histogram", "Grid", "Image"};
  for (int i = 0; i < kDiffParts; ++i) {
    if (i) ImGui::SameLine(0, theme.px(2));
    ImGui::PushStyleColor(ImGuiCol_Button, theme.color(diff_part_ == DiffPart(i) ? Role::SelectionRow : Role::Raised));
    if (ImGui::SmallButton((std::string(kTitles[i]) + "##diff").c_str())) diff_part_ = DiffPart(i);
    ImGui::PopStyleColor();
    context.probe.item(std::string("tensor/diff/part/") + kDiffPartNames[i], kTitles[i]);
  }
  switch (diff_part_) {
    case DiffPart::Worst: return worst_list(context);
    case DiffPart::Histogram: {
      if (const int64_t out = errors_->errors.elements - errors_->errors.finite) {
        const interp::ValueErrors& e = errors_->errors;
        std::string left_out = with_commas(uint64_t(out)) + (out == 1 ? " pair" : " pairs") + " with NaN or infinity left out";
        const std::string own = nonfinite_count_text(e.actual_nan, e.actual_infinite), other = nonfinite_count_text(e.expected_nan, e.expected_infinite);
        left_out += ": " + (own.empty() ? "none" : own) + " here, " + (other.empty() ? "none" : other) + " in what it is held against";
        ImGui::TextColored(theme.color4(Role::Warning), "%s", left_out.c_str());
        copied_probe(context, "tensor/diff/left_out", left_out);
      }
      const ImVec2 room = ImGui::GetContentRegionAvail();
      return draw_histogram(context, {.histogram = &errors_->errors.errors, .size = {room.x, std::min(std::max(room.y, theme.px(80)), theme.px(320))}, .log_counts = true, .name = "tensor/diff/histogram"});
    }
    case DiffPart::Grid: return grid(context, true);
    case DiffPart::Image: return image(context, true);
  }
}

}  // namespace pt2::views
