#include "views/panes/tensor_page.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "core/base/display.h"
#include "core/base/json_tree.h"
#include "core/base/text.h"
#include "core/tensor/view.h"
#include "views/compat.h"
#include "views/widgets/copy_menu.h"
#include "views/widgets/tab_stops.h"
#include "views/widgets/text_field.h"
#include "views/widgets/wrapped_text.h"
#include "views/workspace/debug_session.h"
#include "views/workspace/labels.h"
#include "views/workspace/quantization.h"
#include "views/workspace/tensor_code.h"

namespace pt2::views {
namespace {

// With the digits of min and max where it is one of them.
std::string magnitude_text(DType dtype, const TensorStats& stats) {
  for (const Element& element : {stats.max, stats.min}) {
    const auto* real = std::get_if<double>(&element);
    const auto* whole = std::get_if<int64_t>(&element);
    if ((!real || std::abs(*real) != stats.max_magnitude) && (!whole || std::abs(double(*whole)) != stats.max_magnitude)) continue;
    const std::string text = element_text(dtype, element);
    return text.starts_with('-') ? text.substr(1) : text;
  }
  return number_label(stats.max_magnitude, 6);
}

constexpr const char* kTraceStepsHelp = "Counted from 0 over all values of the run: inputs, parameters and what sub-graphs do too";
constexpr const char* kTabTitles[kTensorTabs] = {"Grid", "Image", "Histogram", "Diff", "Text"};
constexpr int64_t kMaxTextElements = 10'000;

std::string json_number(double value) {
  if (!std::isfinite(value)) return std::isnan(value) ? "\"nan\"" : value < 0 ? "\"-inf\"" : "\"inf\"";
  char text[32];
  std::snprintf(text, sizeof text, "%.17g", value);
  return text;
}

void wrapped(const Theme& theme, Role role, const std::string& text) {
  ImGui::PushTextWrapPos(0);
  ImGui::PushStyleColor(ImGuiCol_Text, theme.color(role));
  wrapped_text(text);
  ImGui::PopStyleColor();
  ImGui::PopTextWrapPos();
}

// Elements at the ends of what a quantized type holds: those that may have been cut off.
struct Saturation { int64_t low = 0, high = 0; };

}  // namespace

void TensorPage::change_value(const Document&, const ShownValue& value, const std::string& name) {
  loading_ = value.state == ShownValue::State::Loading;
  name_ = name;
  if (value.key == key_ && tensor_.has_value() == value.tensor.has_value()) return;
  // Values of one shape keep the place one looks at: stepping through layers shows the same element of each.
  const bool same_shape = tensor_ && value.tensor && tensor_->sizes == value.tensor->sizes;
  key_ = value.key;
  tensor_ = value.tensor;
  stats_ = nullptr;
  slice_.reset();
  other_slice_.reset();
  jump_key_.clear();
  message_.clear();
  message_from_job_ = nullptr;
  if (same_shape) return;
  slice_text_.clear();
  slice_problem_.clear();
  grid_.clear_selection();
  rows_dim_ = columns_dim_ = -1;
  fixed_.clear();
}

void TensorPage::header(PaneContext& context, const ShownValue& value, bool locked) {
  const Theme& theme = context.theme;
  compat::push_font(theme.fonts.heading);
  wrapped(theme, Role::Text, display_cut(name_, 200));
  ImGui::PopFont();
  copied_probe(context, "tensor/title", name_);
  if (value.tensor) {
    const Tensor& t = *value.tensor;
    const std::string shape = std::string(dtype_name(t.dtype)) + shape_text(t.sizes) + "   " + (is_contiguous(t) ? "contiguous" : "strides " + shape_text(t.strides)) + "   " +
                              bytes_text(uint64_t(t.numel()) * uint64_t(item_size(t.dtype)));
    wrapped(theme, Role::Text2, shape);
    copied_probe(context, "tensor/type", shape);
  }
  if (!value.origin.empty()) {
    wrapped(theme, Role::Text2, value.origin);
    copied_probe(context, "tensor/origin", value.origin);
    if (value.origin.starts_with("step ") && ImGui::IsItemHovered()) ImGui::SetTooltip("%s", kTraceStepsHelp);
  }
  if (ImGui::SmallButton(locked ? "Unlock" : "Lock")) context.push(locked ? "tensor.unlock" : "tensor.lock", {}, "tensor");
  if (ImGui::IsItemHovered()) ImGui::SetTooltip("%s", locked ? "Close this tab and follow the selection again" : "A tab that stays on this value");
  context.probe.item("tensor/lock", locked ? "Unlock" : "Lock");
  if (!value.tensor) return;
  ImGui::SameLine();
  const std::string with = compare_.kind == CompareWith::Kind::None ? "Compare with ▾" : "Compared with " + compare_title(compare_) + " ▾";
  if (ImGui::SmallButton((with + "##compare").c_str())) ImGui::OpenPopup("##compare menu");
  context.probe.item("tensor/compare", with);
  ImGui::SameLine();
  if (ImGui::GetContentRegionAvail().x < theme.px(60)) ImGui::NewLine();
  if (ImGui::SmallButton("Export ▾")) ImGui::OpenPopup("##export menu");
  context.probe.item("tensor/export", "Export");
  if (message_from_job_ && !message_from_job_->empty()) {
    message_ = *message_from_job_;
    message_from_job_ = nullptr;
  }
  if (!message_.empty()) {
    wrapped(theme, Role::Text2, message_);
    copied_probe(context, "tensor/message", message_);
  }
}

void TensorPage::compare_menu(PaneContext& context, const Document& document) {
  if (!ImGui::BeginPopup("##compare menu")) return;
  auto entry = [&](const std::string& title, const std::string& argument, bool enabled = true) {
    if (ImGui::MenuItem((title + "##" + argument).c_str(), nullptr, compare_text(compare_) == argument, enabled)) context.push("tensor.compare_with", argument, "tensor");
    context.probe.item("tensor/compare/" + argument, title, enabled);
  };
  entry("Nothing", "none", compare_.kind != CompareWith::Kind::None);
  entry("Recorded reference", "reference");
  entry("Other program's value", "other", context.workspace.documents().size() > 1);
  if (document.debug && document.debug->debugger()->baseline()) entry("Run without edits", "original");
  if (kept_) entry("Kept: " + display_cut(kept_name_, 60), "kept");
  if (ImGui::MenuItem("Keep this value to compare with")) context.push("tensor.keep", {}, "tensor");
  context.probe.item("tensor/compare/keep", "Keep");
  entry("Tensor file…", "file");
  if (const auto steps = other_steps(document, name_); !steps.empty()) {
    ImGui::Separator();
    ImGui::TextDisabled("Another step of the run");
    if (ImGui::IsItemHovered()) ImGui::SetTooltip("%s", kTraceStepsHelp);
    for (const OtherStep& step : steps) entry(display_cut(step.title, 80), "step " + std::to_string(step.step));
  }
  if (document.program()) {
    ImGui::Separator();
    ImGui::TextDisabled("Another value");
    ImGui::SetNextItemWidth(context.theme.px(220));
    if (input_text("##value", compare_name_, "Name of a value, then Enter", ImGuiInputTextFlags_EnterReturnsTrue) && !compare_name_.empty()) {
      context.push("tensor.compare_with", "value " + compare_name_, "tensor");
      ImGui::CloseCurrentPopup();
    }
    context.probe.item("tensor/compare/name", compare_name_);
  }
  ImGui::EndPopup();
}

void TensorPage::export_menu(PaneContext& context) {
  if (!ImGui::BeginPopup("##export menu")) return;
  constexpr std::pair<const char*, const char*> kEntries[] = {{"Value…", "tensor.export"}, {"Slice…", "tensor.export_slice"}, {"Image…", "tensor.export_image"}};
  for (const auto& [title, command] : kEntries) {
    if (ImGui::MenuItem(title)) context.push(command, {}, "tensor");
    context.probe.item(std::string("tensor/menu/") + (command + 7), title);
  }
  ImGui::Separator();
  constexpr std::pair<const char*, const char*> kCopies[] = {{"Copy as torch.tensor(…)", "torch"}, {"Copy as Python list", "list"}, {"Copy as TSV", "tsv"}};
  for (const auto& [title, what] : kCopies) {
    if (ImGui::MenuItem(title)) context.push("tensor.copy", std::string(what), "tensor");
    context.probe.item(std::string("tensor/menu/copy_") + what, title);
  }
  ImGui::EndPopup();
}

void TensorPage::statistics(PaneContext& context) {
  const Theme& theme = context.theme;
  const Tensor& tensor = *tensor_;
  if (tensor.numel() == 0) {
    ImGui::TextDisabled("No elements");
    copied_probe(context, "tensor/stats/elements", "0");
    return;
  }
  if (!stats_) {
    ImGui::TextDisabled("Computing statistics…");
    return;
  }
  if (!stats_->problem.empty()) return wrapped(theme, Role::Warning, stats_->problem);
  const TensorStats& s = stats_->stats;
  struct Entry { const char* name; std::string value; Role role; };
  std::vector<Entry> entries;
  auto add = [&](const char* name, std::string value, Role role = Role::Text) {
    if (!value.empty()) entries.push_back({name, std::move(value), role});
  };
  const auto percent = [&](int64_t part) { return part_label(part, s.count); };
  if (!std::holds_alternative<std::monostate>(s.min)) {
    add("min", element_text(tensor.dtype, s.min));
    add("max", element_text(tensor.dtype, s.max));
  }
  if (s.mean) add("mean", number_label(*s.mean, 6));
  if (s.complex_mean) add("mean", number_label(s.complex_mean->real(), 6) + (s.complex_mean->imag() < 0 ? "" : "+") + number_label(s.complex_mean->imag(), 6) + "j");
  if (s.std) add("std", number_label(*s.std, 6));
  if (s.finite > 0) add("|x|max", magnitude_text(tensor.dtype, s));
  add("zeros", percent(s.zeros));
  add("NaN", with_commas(s.nan), s.nan ? Role::NonFinite : Role::Text);
  add("+Inf", with_commas(s.positive_inf), s.positive_inf ? Role::Warning : Role::Text);
  add("−Inf", with_commas(s.negative_inf), s.negative_inf ? Role::Warning : Role::Text);
  if (const auto quantization = quantization_) {
    add("scale", display_cut(quantization->scale_text, 60));
    add("zero-point", display_cut(quantization->zero_point_text, 60));
    const auto counted = context.derived.get<Saturation>("saturation:" + key_ + quantization->range_text(), "Counting saturated elements", [tensor, q = *quantization](Job&) {
      const auto [low, high] = count_saturated(tensor, q);
      return Saturation{low, high};
    });
    if (counted) add("saturated", percent(counted->low + counted->high), counted->low + counted->high ? Role::Warning : Role::Text);
  }
  add("elements", with_commas(s.count));
  const float right = ImGui::GetCursorScreenPos().x + ImGui::GetContentRegionAvail().x;
  bool first = true;
  for (const Entry& e : entries) {
    const float width = ImGui::CalcTextSize(e.name).x + ImGui::CalcTextSize(e.value.c_str()).x + theme.px(4);
    if (!first) {
      ImGui::SameLine(0, theme.px(12));
      if (ImGui::GetCursorScreenPos().x + width > right) ImGui::NewLine();
    }
    first = false;
    ImGui::TextColored(theme.color4(Role::Text2), "%s", e.name);
    ImGui::SameLine(0, theme.px(4));
    ImGui::TextColored(theme.color4(e.role), "%s", e.value.c_str());
    copied_probe(context, std::string("tensor/stats/") + e.name, e.value);
  }
}

void TensorPage::tabs(PaneContext& context) {
  const Theme& theme = context.theme;
  for (int i = 0; i < kTensorTabs; ++i) {
    if (i) ImGui::SameLine(0, theme.px(2));
    ImGui::PushStyleColor(ImGuiCol_Button, theme.color(tab == TensorTab(i) ? Role::SelectionRow : Role::Raised));
    if (ImGui::Button(kTabTitles[i])) tab = TensorTab(i);
    ImGui::PopStyleColor();
    context.probe.item(std::string("tensor/tab/") + kTensorTabNames[i], kTabTitles[i]);
  }
}

// Nested lists, as tolist() prints them.
void TensorPage::text(PaneContext& context) {
  slice_bar(context);
  const Tensor& view = slice_->view;
  if (view.numel() > kMaxTextElements) {
    ImGui::TextDisabled("%s elements are too many to print; a slice of at most %s shows", with_commas(view.numel()).c_str(), with_commas(kMaxTextElements).c_str());
    return;
  }
  const auto text = context.derived.get<std::string>("text:" + key_ + applied_slice_, "Printing", [view](Job&) {
    auto list = list_text(view);
    return list ? std::move(*list) : std::string();
  });
  if (!text) return;
  if (ImGui::SmallButton("Copy")) context.push("tensor.copy", std::string("list"), "tensor");
  tab_stops::add();
  ImGui::SameLine();
  if (ImGui::SmallButton("Copy as torch.tensor(…)")) context.push("tensor.copy", std::string("torch"), "tensor");
  tab_stops::add();
  compat::push_font(context.theme.fonts.mono_small);
  if (compat::begin_child("##text", {0, 0}, false, ImGuiWindowFlags_HorizontalScrollbar)) {
    ImGui::TextUnformatted(text->c_str(), text->c_str() + text->size());
    context.probe.item("tensor/text", *text);
  }
  ImGui::EndChild();
  ImGui::PopFont();
}

void TensorPage::draw(PaneContext& context, const Document& document, const ShownValue& value, const std::string& name, bool locked) {
  suggest_comparison(context.workspace, document);
  header(context, value, locked);
  compare_menu(context, document);
  export_menu(context);
  if (value.state == ShownValue::State::Loading) {
    ImGui::TextDisabled("Reading…");
  } else if (tensor_) {
    if (!stats_ && tensor_->numel() > 0)
      stats_ = context.derived.get<StatsResult>("stats:" + key_, "Statistics of " + display_cut(name_, 40), [tensor = *tensor_](Job& job) {
        StatsResult result;
        auto stats = tensor_stats(tensor, job.stop());
        if (stats) result.stats = std::move(*stats);
        else result.problem = display(stats.error().message);
        return result;
      });
    const Program* program = document.program();
    const NodeRef node = program ? find_node(*program, name) : NodeRef();
    quantization_ = node.node ? quantization_of(program->graphs[node.graph], node.node) : std::nullopt;
    compare(context, document);
    take_jump(context);
    ImGui::Separator();
    statistics(context);
    ImGui::Separator();
    tabs(context);
    apply_slice();
    switch (tab) {
      case TensorTab::Grid: grid(context, false); break;
      case TensorTab::Image: image(context, false); break;
      case TensorTab::Histogram: histogram(context); break;
      case TensorTab::Diff: diff(context); break;
      case TensorTab::Text: text(context); break;
    }
  } else if (!value.text.empty()) {
    wrapped(context.theme, Role::Text, value.text);
    copied_probe(context, "tensor/text", value.text);
  }
  const bool again = value.dropped && ImGui::Button("Compute again");
  if (value.dropped) tab_stops::add();
  if (again) {
    const NodeRef node = find_node(*document.program(), name);
    context.commands.push("debug.recompute", node, document.id, "tensor");
  }
  if (!value.note.empty()) {
    wrapped(context.theme, Role::Text2, value.note);
    copied_probe(context, "tensor/note", value.note);
  }
}

std::string TensorPage::dump() const {
  std::string text = "\"value\": " + (name_.empty() ? "null" : json_quoted(name_)) + ", \"tab\": \"" + kTensorTabNames[int(tab)] + "\", \"slice\": " + json_quoted(slice_text_) + ", \"stats\": ";
  if (!stats_ || !stats_->problem.empty()) {
    text += "null";
  } else {
    const TensorStats& s = stats_->stats;
    auto number = [](const Element& e) { return std::holds_alternative<std::monostate>(e) ? std::string("null") : json_number(as_double(e)); };
    text += "{\"min\": " + number(s.min) + ", \"max\": " + number(s.max) + ", \"mean\": " + (s.mean ? json_number(*s.mean) : "null") + ", \"std\": " + (s.std ? json_number(*s.std) : "null") +
            ", \"nan\": " + std::to_string(s.nan) + ", \"inf\": " + std::to_string(s.inf()) + ", \"zeros\": " + std::to_string(s.zeros) + "}";
  }
  text += ", \"message\": " + json_quoted(message_) + ", \"compare\": " + json_quoted(compare_text(compare_)) + ", \"diff\": ";
  if (!errors_ || !errors_->problem.empty()) return text + "null";
  const interp::ValueErrors& e = errors_->errors;
  text += "{\"max_abs\": " + json_number(e.max_abs) + ", \"mean_abs\": " + json_number(e.mean_abs) + ", \"max_rel\": " + json_number(e.max_rel) + ", \"rmse\": " + json_number(e.rmse) +
          ", \"cosine\": " + json_number(e.cosine) + ", \"snr_db\": " + json_number(e.snr_db) + ", \"max_ulp\": " + (e.max_ulp ? std::to_string(*e.max_ulp) : "null") +
          ", \"within\": " + std::to_string(e.within) + ", \"finite\": " + std::to_string(e.finite) + ", \"elements\": " + std::to_string(e.elements) + "}";
  return text;
}

}  // namespace pt2::views
