#include "views/widgets/tensor_grid.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <utility>

#include "core/base/text.h"
#include "views/compat.h"
#include "views/widgets/draw.h"
#include "views/widgets/menu_key.h"
#include "views/workspace/labels.h"

namespace pt2::views {
namespace {

// ImGui scrolls in float pixels: beyond this rows would jump.
constexpr int64_t kMaxRows = 400'000, kMaxColumns = 100'000;

// Between these PyTorch prints numbers without an exponent.
constexpr double kPlainFrom = 1e-4, kPlainTo = 1e8;

int64_t size_of(const TensorGrid::Source& source, int dim) { return dim < 0 ? 1 : source.view->sizes[size_t(dim)]; }

// Blue below, orange above zero; the stronger the farther away.
ImU32 heat_color(double value, double reach, ThemeName theme) {
  if (!(reach > 0)) return 0;
  const double part = std::clamp(value / reach, -1.0, 1.0);
  const int alpha = int(std::abs(part) * (theme == ThemeName::Dark ? 110 : 90));
  return part < 0 ? IM_COL32(79, 163, 227, alpha) : IM_COL32(255, 154, 77, alpha);
}

std::string auto_text(double value, int digits) {
  const double size = std::abs(value);
  if (!(size >= kPlainFrom && size <= kPlainTo)) return number_label(value, value == 0 ? digits : digits + 1);
  if (size < 1) return number_label(value, digits);
  char text[40];
  std::snprintf(text, sizeof text, "%.*f", digits, value);
  std::string_view shown(text);
  if (shown.find('.') != shown.npos) {
    shown = shown.substr(0, shown.find_last_not_of('0') + 1);
    if (shown.back() == '.') shown.remove_suffix(1);
  }
  return std::string(shown);
}

std::string formatted(double value, NumberFormat format, int digits) {
  if (format == NumberFormat::Auto) return auto_text(value, digits);
  char text[400];  // fixed numbers have up to 309 digits
  std::snprintf(text, sizeof text, format == NumberFormat::Fixed ? "%.*f" : "%.*e", digits, value);
  return text;
}

// The widest of `formatted` for numbers up to `reach`.
std::string widest_formatted(double reach, NumberFormat format, int digits) {
  const std::string decimals(size_t(digits), '0'), scientific = "-1." + decimals + "e-05";
  if (format == NumberFormat::Scientific) return scientific;
  const double most = format == NumberFormat::Fixed ? reach : std::min(reach, kPlainTo);
  const std::string fixed = "-" + std::string(size_t(std::clamp(std::log10(std::max(1.0, most)) + 1, 1.0, 40.0)), '0') + "." + decimals;
  return format == NumberFormat::Fixed || fixed.size() > scientific.size() ? fixed : scientific;
}

}  // namespace

std::string cell_text(DType dtype, const std::byte* bytes, NumberFormat format, int digits) {
  if (format == NumberFormat::Hex) return element_hex(dtype, bytes);
  if (format == NumberFormat::Bits) return element_bits(dtype, bytes);
  if (format == NumberFormat::Ulp)
    if (const double ulp = ulp_size(dtype, bytes); !std::isnan(ulp)) return number_label(ulp, digits);
  const Element element = read_element(dtype, bytes);
  if (format == NumberFormat::Exact || !std::holds_alternative<double>(element)) {
    if (auto* c = std::get_if<std::complex<double>>(&element); c && format != NumberFormat::Exact)
      return auto_text(c->real(), digits) + (std::signbit(c->imag()) ? "-" : "+") + auto_text(std::abs(c->imag()), digits) + "j";
    return element_text(dtype, element);
  }
  const double value = std::get<double>(element);
  return std::isfinite(value) ? formatted(value, format, digits) : element_text(dtype, element);
}

std::string error_text(DType dtype, const std::byte* actual, DType other, const std::byte* expected, NumberFormat format, int digits) {
  if (format == NumberFormat::Ulp && dtype == other)
    if (const auto distance = ulp_distance(dtype, actual, expected)) return with_commas(*distance);
  const double error = element_difference(read_element(dtype, actual), read_element(other, expected));
  if (std::isnan(error)) return "nan";
  if (std::isinf(error)) return error < 0 ? "-inf" : "inf";
  const bool whole = format == NumberFormat::Exact || format == NumberFormat::Hex || format == NumberFormat::Bits;
  return whole ? number_label(error, 17) : formatted(error, format == NumberFormat::Ulp ? NumberFormat::Auto : format, digits);
}

std::vector<int64_t> TensorGrid::view_index(const Source& source, Cell cell) const {
  std::vector<int64_t> index = source.fixed;
  if (source.rows_dim >= 0) index[size_t(source.rows_dim)] = cell.row;
  if (source.columns_dim >= 0) index[size_t(source.columns_dim)] = cell.column;
  return index;
}

const std::byte* TensorGrid::at(const Source& source, Cell cell) const { return element_bytes(*source.view, view_index(source, cell)); }
const std::byte* TensorGrid::other_at(const Source& source, Cell cell) const { return element_bytes(*source.other, view_index(source, cell)); }

std::vector<int64_t> TensorGrid::whole_index(const Source& source, Cell cell) const {
  std::vector<int64_t> index;
  const std::vector<int64_t> in_view = view_index(source, cell);
  size_t d = 0;
  for (const SlicedDim& dim : source.slice->dims) index.push_back(dim.dropped ? dim.start : dim.start + dim.step * in_view[d++]);
  return index;
}

std::vector<int64_t> TensorGrid::selected_index(const Source& source) const {
  if (!selected_ || selected_->row >= size_of(source, source.rows_dim) || selected_->column >= size_of(source, source.columns_dim)) return {};
  return whole_index(source, *selected_);
}

// Wide enough for the widest text that the format gives, judged by the extremes.
float TensorGrid::cell_width(const Source& source) const {
  const DType dtype = source.view->dtype;
  const double reach = source.stats ? source.stats->max_magnitude : 1;
  std::string widest;
  if (source.other) widest = widest_formatted(source.reach, format, digits);
  else if (format == NumberFormat::Hex) widest = std::string(size_t(std::max(2, 2 * item_size(dtype))), '0');
  else if (format == NumberFormat::Bits) widest = std::string(size_t(8 * item_size(dtype) + std::max(item_size(dtype) - 1, 2)), '0');
  else if (format == NumberFormat::Exact && is_floating(dtype)) widest = "-1.17549435e-38";
  else if (is_complex(dtype)) widest = widest_formatted(reach, NumberFormat::Auto, digits) + widest_formatted(reach, NumberFormat::Auto, digits) + "j";
  else if (is_floating(dtype)) widest = widest_formatted(reach, format, digits);
  else if (dtype == DType::Bool) widest = "False";
  else if (source.stats) {
    for (const Element* e : {&source.stats->min, &source.stats->max})
      if (const std::string text = element_text(dtype, *e); text.size() > widest.size()) widest = text;
  } else {
    widest = "-9223372036";
  }
  return std::max(ImGui::CalcTextSize(widest.c_str()).x, ImGui::CalcTextSize("0000").x) + ImGui::CalcTextSize("00").x;
}

void TensorGrid::keys(PaneContext& context, const Source& source) {
  if (!context.focused || ImGui::GetIO().WantTextInput || !selected_) return;
  const int64_t rows = size_of(source, source.rows_dim), columns = size_of(source, source.columns_dim);
  Cell cell = *selected_;
  if (context.input.pressed(Key::Down)) ++cell.row;
  if (context.input.pressed(Key::Up)) --cell.row;
  if (context.input.pressed(Key::Right)) ++cell.column;
  if (context.input.pressed(Key::Left)) --cell.column;
  if (context.input.pressed(Key::PageDown)) cell.row += 20;
  if (context.input.pressed(Key::PageUp)) cell.row -= 20;
  if (context.input.pressed(Key::Home)) cell.column = 0;
  if (context.input.pressed(Key::End)) cell.column = columns - 1;
  if (cell == *selected_) return;
  go_to(std::clamp<int64_t>(cell.row, 0, rows - 1), std::clamp<int64_t>(cell.column, 0, columns - 1));
}

// NaN magenta, infinities orange and blue by their sign, numbers smaller than normal ones underlined; of differences those beyond the tolerance in the colour of a
// warning.
void TensorGrid::draw_cell(PaneContext& context, const Source& source, Cell cell, ImVec2 min, ImVec2 max) {
  const Theme& theme = context.theme;
  ImDrawList* list = ImGui::GetWindowDrawList();
  const DType dtype = source.view->dtype;
  const std::byte *bytes = at(source, cell), *other = source.other ? other_at(source, cell) : nullptr;
  const Element element = read_element(dtype, bytes);
  double value = as_double(element), reach = source.stats ? source.stats->max_magnitude : 0;
  bool beyond = false;
  if (other) {
    const Element expected = read_element(source.other->dtype, other);
    value = element_difference(element, expected);
    reach = source.reach;
    const double size = as_double(expected);
    beyond = !(std::abs(value) <= source.atol + source.rtol * (std::isfinite(size) ? std::abs(size) : 0));
  } else if (auto* number = std::get_if<double>(&element)) {
    value = *number;
  }
  ImU32 color = theme.color(Role::Text), back = 0;
  if (!std::isfinite(value)) color = theme.nonfinite_text(), back = theme.color(nonfinite_role(value));
  else if (heat) back = heat_color(value, reach, theme.name);
  if (value == 0) color = theme.color(Role::Disabled);
  else if (beyond && std::isfinite(value)) color = theme.color(Role::Warning);
  if (back) list->AddRectFilled(min, {max.x - 1, max.y - 1}, back);
  const std::string text = other ? error_text(dtype, bytes, source.other->dtype, other, format, digits) : cell_text(dtype, bytes, format, digits);
  const ImVec2 at{std::floor(std::max(min.x + 2, max.x - ImGui::CalcTextSize(text.c_str()).x - theme.px(6))), std::floor(min.y + theme.px(3))};
  list->AddText(at, color, text.c_str(), text.c_str() + text.size());
  if (!other && is_denormal(dtype, bytes)) {
    const float y = at.y + ImGui::GetTextLineHeight();
    list->AddLine({at.x, y}, {max.x - theme.px(6), y}, theme.color(Role::Accent));
  }
  if (selected_ == cell) compat::add_rect(list, {min.x, min.y}, {max.x - 1, max.y - 1}, theme.color(Role::SelectionRing), 0, 2);
  if (context.probe.on()) context.probe.add("tensor/cell/", std::to_string(cell.row) + "/" + std::to_string(cell.column), min, max, text);
}

void TensorGrid::draw(PaneContext& context, const Source& source) {
  const Theme& theme = context.theme;
  const int64_t all_rows = size_of(source, source.rows_dim), all_columns = size_of(source, source.columns_dim);
  const int64_t rows = std::min(all_rows, kMaxRows), columns = std::min(all_columns, kMaxColumns);
  if (rows < all_rows || columns < all_columns)
    ImGui::TextColored(theme.color4(Role::Warning), "The first %s rows and %s columns are shown; a slice shows others.", with_commas(rows).c_str(), with_commas(columns).c_str());
  keys(context, source);
  compat::push_font(theme.fonts.mono_small);
  ImGui::PushStyleColor(ImGuiCol_ChildBg, theme.color(Role::Canvas));
  const float height = std::floor(ImGui::GetTextLineHeight() + theme.px(6)), width = std::floor(cell_width(source));
  if (compat::begin_child("##grid", {0, 0}, false, ImGuiWindowFlags_HorizontalScrollbar | ImGuiWindowFlags_NoNavInputs)) {
    auto label_of = [&](int dim, int64_t i) {
      if (dim < 0) return std::string("0");
      size_t d = 0;
      for (const SlicedDim& sliced : source.slice->dims)
        if (!sliced.dropped && d++ == size_t(dim)) return std::to_string(sliced.start + sliced.step * i);
      return std::to_string(i);
    };
    const float head = ImGui::CalcTextSize(label_of(source.rows_dim, rows - 1).c_str()).x + theme.px(12);
    const ImVec2 origin = ImGui::GetCursorScreenPos(), low = ImGui::GetWindowPos();
    const ImVec2 high = ImGui::GetWindowDrawList()->GetClipRectMax();
    const float view_w = ImGui::GetWindowWidth(), view_h = ImGui::GetWindowHeight();
    if (target_) {
      const float x = float(target_->column) * width, y = float(target_->row) * height;
      if (x < ImGui::GetScrollX() || x + width > ImGui::GetScrollX() + view_w - head) ImGui::SetScrollX(std::max(0.0f, x - (view_w - head) / 2));
      if (y < ImGui::GetScrollY() || y + height > ImGui::GetScrollY() + view_h - 2 * height) ImGui::SetScrollY(std::max(0.0f, y - view_h / 2));
      target_.reset();
    }
    ImDrawList* list = ImGui::GetWindowDrawList();
    const int64_t row0 = std::clamp<int64_t>(int64_t((low.y - origin.y) / height), 0, rows), row1 = std::min<int64_t>(rows, row0 + int64_t(view_h / height) + 2);
    const int64_t col0 = std::clamp<int64_t>(int64_t((low.x - origin.x) / width), 0, columns), col1 = std::min<int64_t>(columns, col0 + int64_t(view_w / width) + 2);
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    const bool hovered = ImGui::IsWindowHovered() && mouse.x > low.x + head && mouse.y > low.y + height;
    list->PushClipRect({low.x + head, low.y + height}, {high.x, high.y}, true);
    for (int64_t row = row0; row < row1; ++row)
      for (int64_t column = col0; column < col1; ++column) {
        const ImVec2 min{origin.x + head + float(column) * width, origin.y + float(row + 1) * height}, max{min.x + width, min.y + height};
        if (max.x < low.x + head || max.y < low.y + height) continue;
        draw_cell(context, source, {row, column}, min, max);
        if (hovered && mouse.x >= min.x && mouse.x < max.x && mouse.y >= min.y && mouse.y < max.y) {
          compat::add_rect(list, {min.x, min.y}, {max.x - 1, max.y - 1}, theme.color(Role::Accent), 0, 1);
          if (ImGui::IsMouseClicked(ImGuiMouseButton_Left) || ImGui::IsMouseClicked(ImGuiMouseButton_Right)) selected_ = Cell{row, column};
        }
      }
    list->PopClipRect();
    // Heads stay while the cells scroll.
    list->AddRectFilled(low, {high.x, low.y + height}, theme.color(Role::Raised));
    list->AddRectFilled(low, {low.x + head, high.y}, theme.color(Role::Raised));
    list->PushClipRect({low.x + head, low.y}, {high.x, low.y + height}, true);
    for (int64_t column = col0; column < col1; ++column) {
      const std::string text = label_of(source.columns_dim, column);
      const float x = origin.x + head + float(column + 1) * width - ImGui::CalcTextSize(text.c_str()).x - theme.px(6);
      list->AddText({std::floor(x), std::floor(low.y + theme.px(3))}, theme.color(Role::Text2), text.c_str());
    }
    list->PopClipRect();
    list->PushClipRect({low.x, low.y + height}, {low.x + head, high.y}, true);
    for (int64_t row = row0; row < row1; ++row) {
      const std::string text = label_of(source.rows_dim, row);
      list->AddText({std::floor(low.x + head - theme.px(6) - ImGui::CalcTextSize(text.c_str()).x), std::floor(origin.y + float(row + 1) * height + theme.px(3))}, theme.color(Role::Text2),
                    text.c_str());
    }
    list->PopClipRect();
    ImGui::Dummy({head + float(columns) * width, float(rows + 1) * height});
    if (menu_key(context)) {
      const Cell cell = selected_.value_or(Cell{});
      const ImVec2 below{origin.x + head + float(cell.column) * width + theme.px(8), origin.y + float(cell.row + 2) * height};
      ImGui::SetNextWindowPos({std::clamp(below.x, low.x, std::max(low.x, high.x)), std::clamp(below.y, low.y, std::max(low.y, high.y))});
      ImGui::OpenPopup("##grid menu");
    }
    if (ImGui::BeginPopupContextWindow("##grid menu")) {
      constexpr std::pair<const char*, const char*> kCopies[] = {{"Copy as TSV", "tsv"}, {"Copy as Python list", "list"}, {"Copy as torch.tensor(…)", "torch"}, {"Copy value", "value"}};
      for (const auto& [title, what] : kCopies) {
        if (ImGui::MenuItem(title, nullptr, false, selected_ || std::string_view(what) != "value")) context.push("tensor.copy", std::string(what), "tensor");
        context.probe.item(std::string("tensor/menu/") + what, title);
      }
      ImGui::EndPopup();
    }
  }
  ImGui::EndChild();
  ImGui::PopStyleColor();
  ImGui::PopFont();
}

}  // namespace pt2::views
