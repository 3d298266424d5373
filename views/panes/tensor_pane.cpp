#include "views/panes/tensor_pane.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdio>

#include "core/archive/archive.h"
#include "core/base/display.h"
#include "core/base/json_tree.h"
#include "core/base/text.h"
#include "core/tensor/tensor_files.h"
#include "core/tensor/view.h"
#include "views/compat.h"
#include "views/panes/panes.h"
#include "views/widgets/histogram.h"
#include "views/workspace/labels.h"

namespace pt2::views {
namespace {

constexpr const char* kTabNames[kTensorTabs] = {"grid", "image", "histogram", "text"};
constexpr const char* kTabTitles[kTensorTabs] = {"Grid", "Image", "Histogram", "Text"};
constexpr int64_t kMaxTextElements = 10'000;

std::string json_number(double value) {
  if (!std::isfinite(value)) return std::isnan(value) ? "\"nan\"" : value < 0 ? "\"-inf\"" : "\"inf\"";
  char text[32];
  std::snprintf(text, sizeof text, "%.17g", value);
  return text;
}


// Looks for an element in a job; the grid goes there when it is found.
enum Jump : int { kJumpMin, kJumpMax, kJumpNonFinite };
struct FoundElement { int64_t flat = -1; };

}  // namespace

void TensorPane::restore(const StringMap& saved) {
  auto it = saved.find("tab");
  for (int i = 0; it != saved.end() && i < kTensorTabs; ++i)
    if (it->second == kTabNames[i]) tab_ = TensorTab(i);
}

StringMap TensorPane::save() const { return {{"tab", kTabNames[int(tab_)]}}; }

void TensorPane::change_value(const ShownValue& value) {
  if (value.key == key_ && tensor_.has_value() == value.tensor.has_value()) return;
  // Values of one shape keep the place one looks at: stepping through layers shows the same element of each.
  const bool same_shape = tensor_ && value.tensor && tensor_->sizes == value.tensor->sizes;
  key_ = value.key;
  tensor_ = value.tensor;
  stats_ = nullptr;
  slice_.reset();
  jump_key_.clear();
  exported_.clear();
  if (same_shape) return;
  slice_text_.clear();
  slice_problem_.clear();
  grid_.clear_selection();
  rows_dim_ = columns_dim_ = -1;
  fixed_.clear();
}

TensorGrid::Source TensorPane::grid_source() const {
  TensorGrid::Source source;
  source.view = &slice_->view;
  source.slice = &*slice_;
  source.rows_dim = rows_dim_;
  source.columns_dim = columns_dim_;
  source.fixed = fixed_;
  source.stats = stats_ ? &stats_->stats : nullptr;
  return source;
}

void TensorPane::header(PaneContext& context, const ShownValue& value, const std::string& name) {
  const Theme& theme = context.theme;
  compat::push_font(theme.fonts.heading);
  ImGui::PushTextWrapPos(0);
  ImGui::TextUnformatted(display_cut(name, 200).c_str());
  ImGui::PopTextWrapPos();
  ImGui::PopFont();
  context.probe.item("tensor/title", name);
  if (value.tensor) {
    const Tensor& t = *value.tensor;
    const std::string shape = std::string(dtype_name(t.dtype)) + shape_text(t.sizes) + "   " + (is_contiguous(t) ? "contiguous" : "strides " + shape_text(t.strides)) + "   " +
                              bytes_text(uint64_t(t.numel()) * uint64_t(item_size(t.dtype)));
    ImGui::PushTextWrapPos(0);
    ImGui::TextColored(theme.color4(Role::Text2), "%s", shape.c_str());
    ImGui::PopTextWrapPos();
  }
  if (!value.origin.empty()) {
    ImGui::PushTextWrapPos(0);
    ImGui::TextColored(theme.color4(Role::Text2), "%s", value.origin.c_str());
    ImGui::PopTextWrapPos();
  }
  if (!value.tensor) return;
  if (ImGui::SmallButton(locked_ ? "Unlock" : "Lock")) {
    locked_ = !locked_;
    locked_node_ = context.document->selection.current().shown();
  }
  if (ImGui::IsItemHovered()) ImGui::SetTooltip("%s", locked_ ? "Follow the selection again" : "Stay on this value");
  context.probe.item("tensor/lock", locked_ ? "Unlock" : "Lock");
  ImGui::SameLine();
  if (ImGui::SmallButton("Export .npy")) {
    std::string path = "value.npy";
    std::string plain;
    for (const char c : name) plain += std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.' || c == '-' ? c : '_';
    if (!plain.empty() && plain.front() != '.') path = plain.substr(0, 100) + ".npy";
    context.jobs.submit(
        "", "Writing " + path,
        [path, tensor = *value.tensor](Job&) -> std::string {
          TensorFile file;
          file.tensors.emplace_back("tensor", tensor);
          auto written = write_tensor_file(path, file);
          return written ? "Written to " + path : display(written.error().message);
        },
        [this, alive = std::weak_ptr<bool>(alive_)](std::string message) {
          if (!alive.expired()) exported_ = std::move(message);
        });
  }
  if (ImGui::IsItemHovered()) ImGui::SetTooltip("Writes the whole tensor into the folder the program was started in");
  if (!exported_.empty()) {
    ImGui::SameLine();
    ImGui::TextColored(theme.color4(Role::Text2), "%s", exported_.c_str());
  }
}

void TensorPane::statistics(PaneContext& context) {
  const Tensor& tensor = *tensor_;
  if (tensor.numel() == 0) {
    ImGui::TextDisabled("No elements");
    return;
  }
  if (!stats_) {
    stats_ = context.derived.get<StatsResult>("stats:" + key_, "Statistics of " + display_cut(name_, 40), [tensor](Job& job) {
      StatsResult result;
      auto stats = tensor_stats(tensor, job.stop());
      if (stats) result.stats = std::move(*stats);
      else result.problem = display(stats.error().message);
      return result;
    });
  }
  if (!stats_) {
    ImGui::TextDisabled("Computing statistics…");
    return;
  }
  if (!stats_->problem.empty()) {
    ImGui::TextColored(context.theme.color4(Role::Warning), "%s", stats_->problem.c_str());
    return;
  }
  const TensorStats& s = stats_->stats;
  struct Entry { const char* name; std::string value; Role role; };
  std::vector<Entry> entries;
  auto add = [&](const char* name, std::string value, Role role = Role::Text) {
    if (!value.empty()) entries.push_back({name, std::move(value), role});
  };
  if (!std::holds_alternative<std::monostate>(s.min)) {
    add("min", element_text(tensor.dtype, s.min));
    add("max", element_text(tensor.dtype, s.max));
  }
  if (s.mean) add("mean", number_label(*s.mean, 6));
  if (s.complex_mean) add("mean", number_label(s.complex_mean->real(), 6) + (s.complex_mean->imag() < 0 ? "" : "+") + number_label(s.complex_mean->imag(), 6) + "j");
  if (s.std) add("std", number_label(*s.std, 6));
  add("|x|max", number_label(s.max_magnitude, 6));
  char percent[32];
  std::snprintf(percent, sizeof percent, "%.1f %%", s.count ? 100.0 * double(s.zeros) / double(s.count) : 0);
  add("zeros", percent);
  add("NaN", with_commas(s.nan), s.nan ? Role::NonFinite : Role::Text);
  add("+Inf", with_commas(s.positive_inf), s.positive_inf ? Role::Warning : Role::Text);
  add("−Inf", with_commas(s.negative_inf), s.negative_inf ? Role::Warning : Role::Text);
  add("elements", with_commas(s.count));
  const float right = ImGui::GetCursorScreenPos().x + ImGui::GetContentRegionAvail().x;
  bool first = true;
  for (const Entry& e : entries) {
    const float width = ImGui::CalcTextSize(e.name).x + ImGui::CalcTextSize(e.value.c_str()).x + context.theme.px(4);
    if (!first) {
      ImGui::SameLine(0, context.theme.px(12));
      if (ImGui::GetCursorScreenPos().x + width > right) ImGui::NewLine();
    }
    first = false;
    ImGui::TextColored(context.theme.color4(Role::Text2), "%s", e.name);
    ImGui::SameLine(0, context.theme.px(4));
    ImGui::TextColored(context.theme.color4(e.role), "%s", e.value.c_str());
    context.probe.item(std::string("tensor/stats/") + e.name, e.value);
  }
}

void TensorPane::tabs(PaneContext& context) {
  const Theme& theme = context.theme;
  for (int i = 0; i < kTensorTabs; ++i) {
    if (i) ImGui::SameLine(0, theme.px(2));
    const bool active = tab_ == TensorTab(i);
    ImGui::PushStyleColor(ImGuiCol_Button, active ? theme.color(Role::SelectionRow) : theme.color(Role::Raised));
    if (ImGui::Button(kTabTitles[i])) tab_ = TensorTab(i);
    ImGui::PopStyleColor();
    context.probe.item(std::string("tensor/tab/") + kTabNames[i], kTabTitles[i]);
  }
}

void TensorPane::slice_bar(PaneContext& context, const Tensor& tensor) {
  const Theme& theme = context.theme;
  if (!slice_ || applied_slice_ != slice_text_) {
    applied_slice_ = slice_text_;
    auto sliced = slice_tensor(tensor, slice_text_);
    if (sliced) {
      slice_problem_.clear();
      if (!slice_ || slice_->view.sizes != sliced->view.sizes || fixed_.size() != sliced->view.sizes.size()) {
        const int rank = int(sliced->view.sizes.size());
        rows_dim_ = rank >= 2 ? rank - 2 : -1;
        columns_dim_ = rank >= 1 ? rank - 1 : -1;
        // A vector is easier to read downwards.
        if (rank == 1) std::swap(rows_dim_, columns_dim_);
        fixed_.assign(size_t(rank), 0);
      }
      slice_ = std::move(*sliced);
    } else {
      slice_problem_ = sliced.error().message;
      if (!slice_) slice_ = std::move(*slice_tensor(tensor, ""));
    }
  }
  const int rank = int(slice_->view.sizes.size());
  if (tensor.sizes.empty()) return;
  ImGui::AlignTextToFramePadding();
  ImGui::TextColored(theme.color4(Role::Text2), "slice");
  ImGui::SameLine();
  ImGui::SetNextItemWidth(std::max(theme.px(90), ImGui::GetContentRegionAvail().x - (rank > 2 ? theme.px(170) : 0)));
  input_text("##slice", slice_text_, "0, :, 2:4");
  context.probe.item("tensor/slice", slice_text_);
  if (rank > 2) {
    auto chooser = [&](const char* title, int& dim, int other) {
      ImGui::SameLine();
      ImGui::TextColored(theme.color4(Role::Text2), "%s", title);
      ImGui::SameLine(0, theme.px(4));
      ImGui::SetNextItemWidth(theme.px(44));
      ImGui::PushID(title);
      if (ImGui::BeginCombo("##dim", std::to_string(dim).c_str(), ImGuiComboFlags_NoArrowButton)) {
        for (int d = 0; d < rank; ++d)
          if (d != other && ImGui::Selectable((std::to_string(d) + "  (" + std::to_string(slice_->view.sizes[size_t(d)]) + ")").c_str(), d == dim)) dim = d;
        ImGui::EndCombo();
      }
      ImGui::PopID();
    };
    chooser("rows", rows_dim_, columns_dim_);
    chooser("cols", columns_dim_, rows_dim_);
  }
  if (!slice_problem_.empty()) ImGui::TextColored(theme.color4(Role::Breakpoint), "%s", slice_problem_.c_str());
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

void TensorPane::jump(const char* title, int what) {
  if (!ImGui::SmallButton(title)) return;
  // The next NaN after the marked one; the first where none is marked.
  int64_t after = -1;
  if (what == kJumpNonFinite) {
    const auto index = grid_.selected_index(grid_source());
    if (!index.empty()) {
      after = 0;
      for (size_t d = 0; d < index.size(); ++d) after = after * tensor_->sizes[d] + index[d];
    }
  }
  jump_key_ = "jump:" + key_ + ":" + std::to_string(what) + ":" + std::to_string(after);
}

void TensorPane::take_jump(PaneContext& context) {
  if (jump_key_.empty()) return;
  const size_t after_at = jump_key_.rfind(':'), what_at = jump_key_.rfind(':', after_at - 1);
  const int what = jump_key_[what_at + 1] - '0';
  const int64_t after = std::stoll(jump_key_.substr(after_at + 1));
  auto found = context.derived.get<FoundElement>(jump_key_, "Searching", [tensor = *tensor_, what, after](Job& job) {
    FoundElement best;
    int64_t flat = 0;
    double best_value = 0;
    bool done = false;
    for_each_run(tensor, [&](const std::byte* bytes, int64_t count, int64_t step) {
      if (done || job.stopped()) return;
      for (int64_t i = 0; i < count; ++i, ++flat, bytes += step) {
        const Element element = read_element(tensor.dtype, bytes);
        const double value = std::holds_alternative<double>(element) ? std::get<double>(element) : as_double(element);
        if (what == kJumpNonFinite) {
          if (!std::isfinite(value) && flat > after) {
            best.flat = flat;
            done = true;
            return;
          }
        } else if (std::isfinite(value) && (best.flat < 0 || (what == kJumpMin ? value < best_value : value > best_value))) {
          best.flat = flat;
          best_value = value;
        }
      }
    });
    return best;
  });
  if (!found) return;
  jump_key_.clear();
  if (found->flat < 0) return;
  // Shown in the whole tensor: a slice might not hold it.
  slice_text_.clear();
  slice_.reset();
  auto whole = slice_tensor(*tensor_, "");
  slice_ = std::move(*whole);
  applied_slice_.clear();
  const int rank = int(tensor_->sizes.size());
  if (int(fixed_.size()) != rank) {
    fixed_.assign(size_t(rank), 0);
    rows_dim_ = rank >= 2 ? rank - 2 : rank == 1 ? 0 : -1;
    columns_dim_ = rank >= 2 ? rank - 1 : -1;
  }
  int64_t rest = found->flat;
  std::vector<int64_t> index(size_t(rank), 0);
  for (int d = rank; d-- > 0;) {
    index[size_t(d)] = rest % tensor_->sizes[size_t(d)];
    rest /= tensor_->sizes[size_t(d)];
  }
  fixed_ = index;
  grid_.go_to(rows_dim_ >= 0 ? index[size_t(rows_dim_)] : 0, columns_dim_ >= 0 ? index[size_t(columns_dim_)] : 0);
}

void TensorPane::grid(PaneContext& context) {
  slice_bar(context, *tensor_);
  if (tensor_->numel() == 0) return;
  const Theme& theme = context.theme;
  constexpr const char* kFormats[] = {"auto", "fixed", "sci", "exact", "hex"};
  ImGui::SetNextItemWidth(theme.px(64));
  if (ImGui::BeginCombo("##format", kFormats[int(grid_.format)], ImGuiComboFlags_NoArrowButton)) {
    for (int i = 0; i < 5; ++i)
      if (ImGui::Selectable(kFormats[i], int(grid_.format) == i)) grid_.format = NumberFormat(i);
    ImGui::EndCombo();
  }
  context.probe.item("tensor/format", kFormats[int(grid_.format)]);
  if (grid_.format <= NumberFormat::Scientific) {
    ImGui::SameLine();
    ImGui::SetNextItemWidth(theme.px(36));
    ImGui::DragInt("##digits", &grid_.digits, 0.05f, 1, 17, "%d", ImGuiSliderFlags_AlwaysClamp);
    if (ImGui::IsItemHovered()) ImGui::SetTooltip("Digits; drag or double click");
  }
  ImGui::SameLine();
  ImGui::Checkbox("heat", &grid_.heat);
  ImGui::SameLine();
  jump("min", kJumpMin);
  ImGui::SameLine();
  jump("max", kJumpMax);
  if (stats_ && stats_->stats.nan + stats_->stats.inf() > 0) {
    ImGui::SameLine();
    jump("next NaN/Inf", kJumpNonFinite);
  }
  take_jump(context);
  if (slice_->view.numel() == 0) {
    ImGui::TextDisabled("The slice is empty");
    return;
  }
  const TensorGrid::Source source = grid_source();
  const auto index = grid_.selected_index(source);
  std::string where = " ";
  if (!index.empty() || tensor_->sizes.empty()) {
    const std::byte* bytes = element_bytes(*tensor_, index);
    where = shape_text(index) + " = " + element_text(tensor_->dtype, read_element(tensor_->dtype, bytes)) + "   0x" + element_hex(tensor_->dtype, bytes);
  }
  ImGui::TextUnformatted(where.c_str());
  context.probe.item("tensor/index", where);
  grid_.draw(context, source);
}

void TensorPane::histogram(PaneContext& context) {
  if (!stats_ || tensor_->numel() == 0) return;
  ImGui::Checkbox("log counts", &log_scale_);
  const TensorStats& s = stats_->stats;
  if (s.nan || s.inf()) {
    ImGui::SameLine();
    ImGui::TextColored(context.theme.color4(Role::Warning), "%s NaN and %s infinities are left out", with_commas(s.nan).c_str(), with_commas(s.inf()).c_str());
  } else if (is_complex(tensor_->dtype)) {
    ImGui::SameLine();
    ImGui::TextDisabled("of magnitudes");
  }
  const ImVec2 room = ImGui::GetContentRegionAvail();
  draw_histogram(context, s.histogram, {room.x, std::min(std::max(room.y, context.theme.px(80)), context.theme.px(320))}, log_scale_, "tensor/histogram");
}

void TensorPane::text(PaneContext& context) {
  slice_bar(context, *tensor_);
  const Tensor& view = slice_->view;
  if (view.numel() > kMaxTextElements) {
    ImGui::TextDisabled("%s elements are too many to print; a slice of at most %s shows", with_commas(view.numel()).c_str(), with_commas(kMaxTextElements).c_str());
    return;
  }
  // Nested lists, as tolist() prints them.
  std::string out;
  const size_t rank = view.sizes.size();
  std::vector<int64_t> index(rank, 0);
  const int64_t count = view.numel();
  if (count == 0) out = "[]";
  for (int64_t n = 0; n < count; ++n) {
    size_t opened = 0;
    while (opened < rank && index[rank - 1 - opened] == 0) ++opened;
    if (n) out += opened ? ",\n" + std::string(rank - opened, ' ') : ", ";
    out.append(n || rank ? opened : 0, '[');
    out += element_text(view.dtype, element_at(view, index));
    size_t closed = 0;
    for (size_t d = rank; d-- > 0;) {
      if (++index[d] < view.sizes[d]) break;
      index[d] = 0;
      ++closed;
    }
    out.append(closed, ']');
  }
  if (ImGui::SmallButton("Copy")) ImGui::SetClipboardText(out.c_str());
  compat::push_font(context.theme.fonts.mono_small);
  if (compat::begin_child("##text", {0, 0}, false, ImGuiWindowFlags_HorizontalScrollbar)) ImGui::TextUnformatted(out.c_str(), out.c_str() + out.size());
  ImGui::EndChild();
  ImGui::PopFont();
}

StringMap TensorPane::dump(const PaneContext&) const {
  std::string text = "{\"value\": " + (name_.empty() ? "null" : json_quoted(name_)) + ", \"tab\": \"" + kTabNames[int(tab_)] + "\", \"slice\": " + json_quoted(slice_text_) + ", \"stats\": ";
  if (!stats_ || !stats_->problem.empty()) return {{"tensor", text + "null}"}};
  const TensorStats& s = stats_->stats;
  auto number = [](const Element& e) { return std::holds_alternative<std::monostate>(e) ? std::string("null") : json_number(as_double(e)); };
  text += "{\"min\": " + number(s.min) + ", \"max\": " + number(s.max) + ", \"mean\": " + (s.mean ? json_number(*s.mean) : "null") + ", \"std\": " + (s.std ? json_number(*s.std) : "null") +
          ", \"nan\": " + std::to_string(s.nan) + ", \"inf\": " + std::to_string(s.inf()) + ", \"zeros\": " + std::to_string(s.zeros) + "}}";
  return {{"tensor", text}};
}

void TensorPane::files_tensors(PaneContext& context) {
  const auto tensors = context.document->file()->archive->tensors("");
  static const std::vector<TextTable::Column> columns = {{"Tensor", 160}, {"dtype", 70}, {"Shape", 120}, {"Note", 120}};
  TextTable::Rows rows;
  rows.count = tensors.size();
  rows.revision = context.document->id.index + 1;
  rows.text = [&](size_t row, int column) -> std::string {
    const TensorInfo& t = tensors[row];
    return column == 0 ? display(t.name) : column == 1 ? std::string(dtype_name(t.dtype)) : column == 2 ? shape_text(t.sizes) : display(t.note);
  };
  rows.selected = [&](size_t row) { return tensors[row].name == file_tensor_; };
  rows.probe = [&](size_t row) { return "tensor/file/" + tensors[row].name; };
  file_table_.filter_box(context, "Filter tensors");
  const auto events = file_table_.draw(context, "##tensors", columns, rows, std::min(context.theme.px(22) * float(tensors.size() + 2), ImGui::GetContentRegionAvail().y * 0.4f));
  if (events.clicked != TextTable::Events::kNone) file_tensor_ = tensors[events.clicked].name;
}

void TensorPane::draw(PaneContext& context) {
  const Document* document = context.document;
  if (!document || !document->loaded()) {
    ImGui::TextDisabled("No file is open");
    return;
  }
  compat::push_font(context.theme.fonts.table);
  ShownValue value;
  if (!document->program()) {
    files_tensors(context);
    if (!file_tensor_.empty()) value = shown_tensor(*document, file_tensor_, context.derived);
    name_ = file_tensor_;
  } else {
    const NodeRef node = locked_ ? locked_node_ : document->selection.current().shown();
    if (node.node && document->program()->graphs.contains(node.graph) && document->program()->graphs[node.graph].nodes().contains(node.node)) {
      value = shown_value(*document, node, context.derived);
      name_ = node_path(*document->program(), node);
    } else {
      name_.clear();
    }
  }
  change_value(value);
  if (name_.empty()) {
    ImGui::TextDisabled(document->program() ? "Select a value: a node, an edge, or a parameter's chip" : "Select a tensor");
  } else {
    header(context, value, name_);
    if (value.state == ShownValue::State::Loading) {
      ImGui::TextDisabled("Reading…");
    } else if (value.tensor) {
      ImGui::Separator();
      statistics(context);
      ImGui::Separator();
      tabs(context);
      switch (tab_) {
        case TensorTab::Grid: grid(context); break;
        case TensorTab::Image: image(context); break;
        case TensorTab::Histogram: histogram(context); break;
        case TensorTab::Text: text(context); break;
      }
    } else if (!value.text.empty()) {
      ImGui::PushTextWrapPos(0);
      ImGui::TextUnformatted(value.text.c_str());
      ImGui::PopTextWrapPos();
    }
    if (value.dropped && ImGui::Button("Compute again")) context.push("debug.recompute", document->selection.current().shown(), "tensor");
    if (!value.note.empty()) {
      ImGui::PushTextWrapPos(0);
      ImGui::TextColored(context.theme.color4(Role::Text2), "%s", value.note.c_str());
      ImGui::PopTextWrapPos();
    }
  }
  ImGui::PopFont();
}

std::unique_ptr<Pane> make_tensor_pane() { return std::make_unique<TensorPane>(); }

}  // namespace pt2::views
