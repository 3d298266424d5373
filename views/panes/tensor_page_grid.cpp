// A value's numbers: slices, which dimensions are rows and columns, how numbers are written, and the way to one element.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

#include "core/base/display.h"
#include "core/base/text.h"
#include "core/tensor/view.h"
#include "interp/bad_elements.h"
#include "views/compat.h"
#include "views/panes/tensor_page.h"
#include "views/widgets/check_box.h"
#include "views/widgets/copy_menu.h"
#include "views/widgets/line_break.h"
#include "views/widgets/text_field.h"
#include "views/workspace/debug_session.h"
#include "views/workspace/labels.h"

namespace pt2::views {
namespace {

// Found in a job; -1: there is none.
struct FoundElement { int64_t flat = -1; };

bool finite(const Element& element) {
  if (auto* value = std::get_if<double>(&element)) return std::isfinite(*value);
  return !std::holds_alternative<std::complex<double>>(element) || std::isfinite(as_double(element));
}

// Large integers differ where their nearest doubles do not.
bool less(const Element& a, const Element& b) {
  if (a.index() == b.index() && std::holds_alternative<int64_t>(a)) return std::get<int64_t>(a) < std::get<int64_t>(b);
  if (a.index() == b.index() && std::holds_alternative<uint64_t>(a)) return std::get<uint64_t>(a) < std::get<uint64_t>(b);
  return as_double(a) < as_double(b);
}

FoundElement extreme(const Tensor& tensor, bool largest, Job& job) {
  FoundElement found;
  Element best;
  int64_t flat = 0;
  for_each_run(tensor, [&](const std::byte* bytes, int64_t count, int64_t step) {
    if (job.stopped()) return;
    for (int64_t i = 0; i < count; ++i, ++flat, bytes += step) {
      const Element element = read_element(tensor.dtype, bytes);
      if (!finite(element) || (found.flat >= 0 && !(largest ? less(best, element) : less(element, best)))) continue;
      best = element;
      found.flat = flat;
    }
  });
  return found;
}

// The next one after an element; from the beginning again after the last.
// The next NaN, or the next infinity.
FoundElement next_nonfinite(const Tensor& tensor, bool nan, int64_t after, Job& job) {
  FoundElement first, next;
  int64_t flat = 0;
  for_each_run(tensor, [&](const std::byte* bytes, int64_t count, int64_t step) {
    if (job.stopped() || next.flat >= 0 || !interp::can_be_bad(tensor.dtype)) return;
    for (int64_t i = 0; i < count; ++i, ++flat, bytes += step) {
      if (const double bad = interp::badness(bytes, tensor.dtype); bad == 0 || std::isnan(bad) != nan) continue;
      if (first.flat < 0) first.flat = flat;
      if (flat > after && next.flat < 0) next.flat = flat;
    }
  });
  return next.flat >= 0 ? next : first;
}

}  // namespace

void TensorPage::apply_slice() {
  if (slice_ && applied_slice_ == slice_text_ && other_slice_.has_value() == (other_.tensor && other_.tensor->sizes == tensor_->sizes)) return;
  applied_slice_ = slice_text_;
  auto sliced = slice_tensor(*tensor_, slice_text_);
  slice_problem_ = sliced ? std::string() : sliced.error().message;
  // Of a text that is no slice what was shown before stays; at first all is shown.
  if (!sliced && !slice_) sliced = slice_tensor(*tensor_, "");
  if (sliced) {
    if (!slice_ || slice_->view.sizes != sliced->view.sizes || fixed_.size() != sliced->view.sizes.size()) {
      const int rank = int(sliced->view.sizes.size());
      const bool keeps = int(fixed_.size()) == rank && std::max(rows_dim_, columns_dim_) < rank;
      if (!keeps) {
        rows_dim_ = rank >= 2 ? rank - 2 : -1;
        columns_dim_ = rank >= 1 ? rank - 1 : -1;
        // A vector is easier to read downwards.
        if (rank == 1) std::swap(rows_dim_, columns_dim_);
        fixed_.assign(size_t(rank), 0);
      }
      for (size_t d = 0; d < fixed_.size(); ++d) fixed_[d] = std::clamp<int64_t>(fixed_[d], 0, std::max<int64_t>(sliced->view.sizes[d] - 1, 0));
    }
    slice_ = std::move(*sliced);
  }
  other_slice_.reset();
  if (other_.tensor && other_.tensor->sizes == tensor_->sizes)
    if (auto same = slice_tensor(*other_.tensor, slice_problem_.empty() ? slice_text_ : "")) other_slice_ = std::move(*same);
}

void TensorPage::set_slice(std::string text) {
  if (text != slice_text_) ++slice_field_;
  slice_text_ = std::move(text);
  apply_slice();
}

void TensorPage::slice_bar(PaneContext& context) {
  const Theme& theme = context.theme;
  const int rank = int(slice_->view.sizes.size());
  if (tensor_->sizes.empty()) return;
  ImGui::AlignTextToFramePadding();
  ImGui::TextColored(theme.color4(Role::Text2), "slice");
  ImGui::SameLine();
  ImGui::SetNextItemWidth(std::max(theme.px(90), ImGui::GetContentRegionAvail().x - (rank > 1 ? theme.px(170) : 0)));
  // A field that is being typed into keeps its own text: one that was set from outside is another field.
  ImGui::PushID(slice_field_);
  input_text("##slice", slice_text_, "0, :, 2:4");
  ImGui::PopID();
  context.probe.item("tensor/slice", slice_text_);
  if (ImGui::IsItemHovered() && slice_problem_.empty()) ImGui::SetTooltip("As Python writes it: 0, ..., ::2");
  if (rank > 1) {
    auto chooser = [&](const char* title, int& dim, int& other) {
      ImGui::SameLine();
      ImGui::TextColored(theme.color4(Role::Text2), "%s", title);
      ImGui::SameLine(0, theme.px(4));
      ImGui::SetNextItemWidth(theme.px(44));
      ImGui::PushID(title);
      if (ImGui::BeginCombo("##dim", std::to_string(dim).c_str(), ImGuiComboFlags_NoArrowButton)) {
        for (int d = 0; d < rank; ++d) {
          // The other's dimension: both change places.
          if (ImGui::Selectable((std::to_string(d) + "  (" + std::to_string(slice_->view.sizes[size_t(d)]) + ")").c_str(), d == dim)) {
            if (d == other) other = dim;
            dim = d;
          }
          context.probe.item(std::string("tensor/") + title + "/" + std::to_string(d), std::to_string(d));
        }
        ImGui::EndCombo();
      }
      context.probe.item(std::string("tensor/") + title, std::to_string(dim));
      ImGui::PopID();
    };
    chooser("rows", rows_dim_, columns_dim_);
    chooser("cols", columns_dim_, rows_dim_);
  }
  if (!slice_problem_.empty()) {
    ImGui::TextColored(theme.color4(Role::Breakpoint), "%s", slice_problem_.c_str());
    context.probe.item("tensor/slice/problem", slice_problem_);
  }
  for (int d = 0; d < rank; ++d) {
    const int64_t size = slice_->view.sizes[size_t(d)];
    if (d == rows_dim_ || d == columns_dim_ || size <= 1) continue;
    ImGui::PushID(d);
    const int64_t low = 0, high = size - 1;
    ImGui::AlignTextToFramePadding();
    ImGui::TextColored(theme.color4(Role::Text2), "dim %d", d);
    ImGui::SameLine();
    ImGui::SetNextItemWidth(-1);
    ImGui::SliderScalar("##index", ImGuiDataType_S64, &fixed_[size_t(d)], &low, &high, nullptr, ImGuiSliderFlags_AlwaysClamp);
    fixed_[size_t(d)] = std::clamp<int64_t>(fixed_[size_t(d)], 0, high);
    context.probe.item("tensor/index/" + std::to_string(d), std::to_string(fixed_[size_t(d)]));
    ImGui::PopID();
  }
}

void TensorPage::format_bar(PaneContext& context) {
  const Theme& theme = context.theme;
  ImGui::SetNextItemWidth(theme.px(64));
  const char* now = kNumberFormatNames[int(grid_.format)];
  if (ImGui::BeginCombo("##format", now, ImGuiComboFlags_NoArrowButton)) {
    for (int i = 0; i < kNumberFormats; ++i) {
      if (ImGui::Selectable(kNumberFormatNames[i], int(grid_.format) == i)) grid_.format = NumberFormat(i);
      context.probe.item(std::string("tensor/format/") + kNumberFormatNames[i], kNumberFormatNames[i]);
    }
    ImGui::EndCombo();
  }
  if (ImGui::IsItemHovered()) ImGui::SetTooltip("How numbers are written; ulp: the distance to the next number of the type");
  context.probe.item("tensor/format", now);
  if (grid_.format <= NumberFormat::Scientific || grid_.format == NumberFormat::Ulp) {
    ImGui::SameLine();
    ImGui::SetNextItemWidth(theme.px(36));
    ImGui::DragInt("##digits", &grid_.digits, 0.05f, 1, 17, "%d", ImGuiSliderFlags_AlwaysClamp);
    if (ImGui::IsItemHovered()) ImGui::SetTooltip("Digits; drag or double click");
    context.probe.item("tensor/digits", std::to_string(grid_.digits));
  }
  go_on(ImGui::CalcTextSize("heat").x + ImGui::GetFrameHeight() + ImGui::GetStyle().ItemInnerSpacing.x, ImGui::GetStyle().ItemSpacing.x);
  check_box("heat", &grid_.heat);
  context.probe.item("tensor/heat", grid_.heat ? "on" : "off");
  auto button = [&](const char* title, const char* what, bool enabled = true) {
    go_on(ImGui::CalcTextSize(title).x + 2 * ImGui::GetStyle().FramePadding.x, theme.px(4));
    ImGui::BeginDisabled(!enabled);
    if (ImGui::SmallButton(title)) context.push("tensor.jump", std::string(what), "tensor");
    ImGui::EndDisabled();
    context.probe.item(std::string("tensor/jump/") + what, title, enabled);
  };
  button("min", "min");
  button("max", "max");
  button("NaN", "nan", stats_ && stats_->stats.nan > 0);
  if (ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled)) ImGui::SetTooltip("The next NaN");
  button("Inf", "inf", stats_ && stats_->stats.inf() > 0);
  if (ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled)) ImGui::SetTooltip("The next infinity");
  if (compare_.kind != CompareWith::Kind::None) button("error", "error", errors_ && errors_->errors.max_abs_at >= 0);
}

// The marked element's index, which can be typed.
void TensorPage::index_field(PaneContext& context) {
  const auto index = grid_.selected_index(grid_source());
  if (!index_active_) {
    index_text_.clear();
    for (const int64_t i : index) index_text_ += (index_text_.empty() ? "" : ", ") + std::to_string(i);
  }
  ImGui::AlignTextToFramePadding();
  ImGui::TextColored(context.theme.color4(Role::Text2), "index");
  ImGui::SameLine();
  if (focus_index_) {
    ImGui::SetKeyboardFocusHere();
    focus_index_ = false;
    context.draw_again_in(0);
  }
  ImGui::SetNextItemWidth(context.theme.px(110));
  if (input_text("##index", index_text_, "0, 3, -1", ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_AutoSelectAll)) context.push("tensor.go_to", index_text_, "tensor");
  index_active_ = ImGui::IsItemActive();
  if (ImGui::IsItemHovered()) ImGui::SetTooltip("Type the index of an element (Ctrl+G)");
  context.probe.item("tensor/go_to", index_text_);
  if (!index_problem_.empty()) {
    ImGui::SameLine();
    ImGui::TextColored(context.theme.color4(Role::Breakpoint), "%s", index_problem_.c_str());
    context.probe.item("tensor/go_to/problem", index_problem_);
  }
}

void TensorPage::element_line(PaneContext& context) {
  std::string where = " ";
  const auto index = grid_.selected_index(grid_source());
  if (!index.empty() || tensor_->sizes.empty()) {
    const std::byte* bytes = element_bytes(*tensor_, index);
    const Element element = read_element(tensor_->dtype, bytes);
    where = shape_text(index) + " = " + element_text(tensor_->dtype, element) + "   0x" + element_hex(tensor_->dtype, bytes);
    if (other_slice_) {
      const std::byte* other = element_bytes(*other_.tensor, index);
      const Element expected = read_element(other_.tensor->dtype, other);
      where += "\n" + compare_title(compare_) + " " + element_text(other_.tensor->dtype, expected) + "   difference " + number_label(element_difference(element, expected), 4);
      if (const auto ulp = tensor_->dtype == other_.tensor->dtype ? ulp_distance(tensor_->dtype, bytes, other) : std::nullopt) where += "   " + with_commas(*ulp) + " ulp";
    }
  }
  ImGui::TextUnformatted(where.c_str());
  copied_probe(context, "tensor/index", where);
  if (!context.document->debug || context.document->debug->debugger()->trace().steps().empty() || marked_nonfinite().empty()) return;
  ImGui::SameLine();
  if (ImGui::SmallButton("Where it comes from")) context.push("debug.show_producer_of", name_ + marked_nonfinite(), "tensor");
  context.probe.item("tensor/show_producer", "Where it comes from");
}

std::string TensorPage::marked_nonfinite() const {
  if (!slice_) return {};
  const auto index = grid_.selected_index(grid_source());
  return index.size() == tensor_->sizes.size() && interp::badness_at(*tensor_, index) != 0 ? shape_text(index) : std::string();
}

TensorGrid::Source TensorPage::grid_source() const {
  TensorGrid::Source source;
  source.view = &slice_->view;
  source.slice = &*slice_;
  source.rows_dim = rows_dim_;
  source.columns_dim = columns_dim_;
  source.fixed = fixed_;
  source.stats = stats_ ? &stats_->stats : nullptr;
  return source;
}

void TensorPage::grid(PaneContext& context, bool difference) {
  slice_bar(context);
  if (tensor_->numel() == 0) return;
  format_bar(context);
  if (slice_->view.numel() == 0) {
    ImGui::TextDisabled("The slice is empty");
    return;
  }
  if (!tensor_->sizes.empty()) index_field(context);
  element_line(context);
  TensorGrid::Source source = grid_source();
  // The other grid is of another height: the marked element may lie outside.
  if (std::exchange(shows_difference_, difference) != difference) grid_.reveal_selected();
  if (difference) {
    source.other = &other_slice_->view;
    source.reach = std::isfinite(errors_->errors.max_abs) ? errors_->errors.max_abs : 0;
    source.rtol = errors_->errors.rtol;
    source.atol = errors_->errors.atol;
  }
  grid_.draw(context, source);
}

// Marks an element; the slice stays where it holds it.
void TensorPage::go_to(std::vector<int64_t> index) {
  index_problem_.clear();
  const Shape& sizes = tensor_->sizes;
  if (index.size() != sizes.size()) {
    index_problem_ = std::to_string(sizes.size()) + (sizes.size() == 1 ? " index" : " indices") + " are needed";
    return;
  }
  for (size_t d = 0; d < index.size(); ++d) {
    if (index[d] < 0) index[d] += sizes[d];
    if (index[d] < 0 || index[d] >= sizes[d]) {
      index_problem_ = "dim " + std::to_string(d) + " has " + with_commas(uint64_t(sizes[d])) + (sizes[d] == 1 ? " element" : " elements");
      return;
    }
  }
  apply_slice();
  auto in_slice = [&](const SlicedDim& dim, int64_t i) { return dim.dropped ? i == dim.start : i >= dim.start && (i - dim.start) % dim.step == 0 && (i - dim.start) / dim.step < dim.size; };
  bool inside = true;
  for (size_t d = 0; d < index.size(); ++d) inside &= in_slice(slice_->dims[d], index[d]);
  if (!inside) set_slice("");
  std::vector<int64_t> in_view;
  for (size_t d = 0; d < index.size(); ++d)
    if (const SlicedDim& dim = slice_->dims[d]; !dim.dropped) in_view.push_back((index[d] - dim.start) / dim.step);
  fixed_ = in_view;
  grid_.go_to(rows_dim_ >= 0 ? in_view[size_t(rows_dim_)] : 0, columns_dim_ >= 0 ? in_view[size_t(columns_dim_)] : 0);
}

void TensorPage::jump(const std::string& what) {
  if (tab != TensorTab::Grid && !(tab == TensorTab::Diff && diff_part_ == DiffPart::Grid)) tab = TensorTab::Grid;
  if (what == "error") {
    if (errors_ && errors_->errors.max_abs_at >= 0) go_to(index_from_flat(errors_->errors.max_abs_at, tensor_->sizes));
    return;
  }
  int64_t after = -1;
  if (what == "nan" || what == "inf") {
    apply_slice();
    if (const auto index = grid_.selected_index(grid_source()); !index.empty()) after = flat_from_index(index, tensor_->sizes);
  }
  jump_key_ = "jump:" + key_ + ":" + what + ":" + std::to_string(after);
}

void TensorPage::take_jump(PaneContext& context) {
  if (jump_key_.empty()) return;
  const size_t after_at = jump_key_.rfind(':'), what_at = jump_key_.rfind(':', after_at - 1);
  const std::string what = jump_key_.substr(what_at + 1, after_at - what_at - 1);
  const int64_t after = std::stoll(jump_key_.substr(after_at + 1));
  const auto found = context.derived.get<FoundElement>(jump_key_, "Searching", [tensor = *tensor_, what, after](Job& job) {
    return what == "nan" || what == "inf" ? next_nonfinite(tensor, what == "nan", after, job) : extreme(tensor, what == "max", job);
  });
  if (!found) return;
  jump_key_.clear();
  if (found->flat >= 0) go_to(index_from_flat(found->flat, tensor_->sizes));
}

}  // namespace pt2::views
