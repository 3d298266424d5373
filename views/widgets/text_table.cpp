#include "views/widgets/text_field.h"
#include "views/widgets/text_table.h"

#include <algorithm>
#include <cstdlib>
#include <numeric>

#include <imgui_internal.h>

#include "views/compat.h"
#include "views/widgets/cell_text.h"
#include "views/widgets/menu_key.h"
#include "views/widgets/row_cursor.h"
#include "views/widgets/row_menu.h"
#include "views/widgets/tab_stops.h"
#include "views/widgets/table_heads.h"
#include "views/workspace/labels.h"

namespace pt2::views {
namespace {

std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  for (size_t begin = 0; begin < text.size();) {
    size_t end = std::min(text.find(' ', begin), text.size());
    if (end > begin) words.push_back(fold_case(text.substr(begin, end - begin)));
    begin = end + 1;
  }
  return words;
}

// Long names differ at their ends; prose is read from its beginning.
bool is_name(std::string_view text) { return text.find(' ') == text.npos; }

}  // namespace

void TextTable::filter_box(const PaneContext&, const char* hint) {
  ImGui::SetNextItemWidth(-1);
  if (input_text("##filter", filter, hint)) dirty_ = true;
}

void TextTable::arrange(const std::vector<Column>& columns, const Rows& rows) {
  dirty_ = false;
  arranged_filter_ = filter;
  arranged_revision_ = rows.revision;
  arranged_count_ = rows.count;
  order_.clear();
  const auto words = words_of(filter);
  for (size_t row = 0; row < rows.count; ++row) {
    bool shown = true;
    if (!words.empty()) {
      std::string line;
      for (int c = 0; c < int(columns.size()); ++c) line += fold_case(rows.text(row, c)) + '\t';
      if (rows.words) line += fold_case(rows.words(row));
      shown = std::all_of(words.begin(), words.end(), [&](const std::string& w) { return line.find(w) != line.npos; });
    }
    if (shown) order_.push_back(row);
  }
  if (sort_column_ < 0 || sort_column_ >= int(columns.size())) return;
  struct Key { double number; std::string text; size_t row; };
  std::vector<Key> keys;
  keys.reserve(order_.size());
  const bool numeric = columns[sort_column_].numeric;
  for (size_t row : order_) {
    std::string text = rows.text(row, sort_column_);
    if (numeric) {
      std::erase(text, ',');
      keys.push_back({std::strtod(text.c_str(), nullptr), {}, row});
    } else {
      keys.push_back({0, fold_case(text), row});
    }
  }
  std::stable_sort(keys.begin(), keys.end(), [&](const Key& a, const Key& b) {
    if (numeric) return sort_descending_ ? a.number > b.number : a.number < b.number;
    return sort_descending_ ? a.text > b.text : a.text < b.text;
  });
  for (size_t i = 0; i < keys.size(); ++i) order_[i] = keys[i].row;
}

std::string TextTable::as_tsv(const std::vector<Column>& columns, const Rows& rows) const {
  std::string text;
  for (size_t c = 0; c < columns.size(); ++c) (text += c ? "\t" : "") += columns[c].title;
  text += '\n';
  for (size_t row : order_) {
    for (int c = 0; c < int(columns.size()); ++c) (text += c ? "\t" : "") += rows.text(row, c);
    text += '\n';
  }
  return text;
}

TextTable::Events TextTable::draw(PaneContext& context, const char* id, const std::vector<Column>& columns, const Rows& rows, float height) {
  Events events;
  const Theme& theme = context.theme;
  if (dirty_ || arranged_filter_ != filter || arranged_revision_ != rows.revision || arranged_count_ != rows.count) arrange(columns, rows);
  const float row_height = theme.px(22);
  const bool scroll_y = height != 0;
  if (!scroll_y) height = row_height * float(order_.size() + 1) + ImGui::GetStyle().ScrollbarSize + 2;
  ImGuiTableFlags flags = kTableLook | ImGuiTableFlags_Sortable | ImGuiTableFlags_SortTristate | ImGuiTableFlags_Hideable | ImGuiTableFlags_Reorderable | ImGuiTableFlags_ScrollX | ImGuiTableFlags_ScrollY;
  const bool stretches = std::any_of(columns.begin(), columns.end(), [](const Column& c) { return c.width == 0; });
  if (stretches) flags &= ~ImGuiTableFlags_ScrollX;
  if (!begin_list(id, int(columns.size()), flags, ImVec2(0, height))) return events;
  ImGui::TableSetupScrollFreeze(stretches ? 0 : 1, 1);
  for (const Column& column : columns)
    ImGui::TableSetupColumn(column.title, column.width == 0 ? ImGuiTableColumnFlags_WidthStretch : ImGuiTableColumnFlags_WidthFixed, theme.px(column.width));
  table_heads();
  if (ImGuiTableSortSpecs* specs = ImGui::TableGetSortSpecs(); specs && specs->SpecsDirty) {
    sort_column_ = specs->SpecsCount ? specs->Specs[0].ColumnIndex : -1;
    sort_descending_ = specs->SpecsCount && specs->Specs[0].SortDirection == ImGuiSortDirection_Descending;
    specs->SpecsDirty = false;
    arrange(columns, rows);
  }
  const ImVec2 view_min = ImGui::GetWindowPos(), view_max{view_min.x + ImGui::GetWindowSize().x, view_min.y + ImGui::GetWindowSize().y};
  const float pad = (row_height - ImGui::GetTextLineHeight()) / 2 - ImGui::GetStyle().CellPadding.y;
  ImGuiListClipper clipper;
  clipper.Begin(int(order_.size()), row_height);
  bool menu_wanted = menu_key_of_list(context);
  const bool any_selected = menu_wanted && rows.selected && std::any_of(order_.begin(), order_.end(), rows.selected);
  int revealed = -1;
  if (reveal_ && rows.selected) {
    auto it = std::find_if(order_.begin(), order_.end(), rows.selected);
    if (it != order_.end()) {
      revealed = int(it - order_.begin());
      float y = row_height * float(revealed + 1), top = ImGui::GetScrollY(), view = ImGui::GetWindowHeight() - row_height;
      if (y - row_height < top || y + row_height > top + view) ImGui::SetScrollY(std::max(0.0f, y - view / 2));
    }
    reveal_ = false;
  }
  while (clipper.Step())
    for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i) {
      const size_t row = order_[size_t(i)];
      ImGui::TableNextRow(0, row_height);
      ImGui::PushID(int(row));
      const bool selected = rows.selected && rows.selected(row);
      ImGui::TableSetColumnIndex(0);
      const ImVec2 start = ImGui::GetCursorPos();
      if (ImGui::Selectable("##row", selected, ImGuiSelectableFlags_SpanAllColumns | ImGuiSelectableFlags_AllowDoubleClick,
                            ImVec2(0, row_height - 2 * ImGui::GetStyle().CellPadding.y))) {
        events.clicked = row;
        if (ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) events.double_clicked = row;
      }
      offer_row(context, selected);
      tab_stops::add_row();
      // The menu is that of the row it opens on.
      if (rows.menu && !selected && ImGui::IsItemClicked(ImGuiMouseButton_Right)) events.clicked = row;
      ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
      if (menu_wanted && menu_of_row(context, selected, any_selected)) {
        if (rows.menu && !selected) events.clicked = row;
        open_menu_below_item("##menu");
        menu_wanted = false;
      }
      if (ImGui::BeginPopupContextItem("##menu")) {
        if (rows.menu) rows.menu(row);
        if (ImGui::MenuItem("Copy row")) {
          std::string line;
          for (int c = 0; c < int(columns.size()); ++c) (line += c ? "\t" : "") += rows.text(row, c);
          ImGui::SetClipboardText(line.c_str());
        }
        if (ImGui::MenuItem("Copy table")) ImGui::SetClipboardText(as_tsv(columns, rows).c_str());
        ImGui::EndPopup();
      }
      std::string line;
      for (int c = 0; c < int(columns.size()); ++c) {
        const bool visible = ImGui::TableSetColumnIndex(c);
        if (c == 0) ImGui::SetCursorPos(start);
        if (!visible && !context.probe.on()) continue;
        const std::string text = rows.text(row, c);
        (line += line.empty() ? "" : "  ") += text;
        if (!visible) continue;
        if (columns[c].mono) compat::push_font(theme.fonts.mono_small);
        ImGui::SetCursorPosY(ImGui::GetCursorPosY() + pad);
        cell_text(theme, text, rows.color ? rows.color(row, c) : 0, columns[c].numeric ? CellAlign::Right : !columns[c].mono && is_name(text) ? CellAlign::LeftWithEnd : CellAlign::Left);
        if (columns[c].mono) ImGui::PopFont();
      }
      if (rows.probe && context.probe.on())
        if (std::string name = rows.probe(row); !name.empty()) {
          // A row is more than the column that clips now.
          ImGui::PushClipRect({view_min.x, view_min.y + row_height}, view_max, false);
          context.probe.add(name, ImVec2(std::max(low.x, view_min.x), low.y), ImVec2(std::min(high.x, view_max.x), high.y), line);
          ImGui::PopClipRect();
        }
      ImGui::PopID();
    }
  if (order_.empty() && rows.count) {
    ImGui::TableNextRow(0, row_height);
    ImGui::TableSetColumnIndex(0);
    // Over the columns, however narrow the first one is.
    ImGui::PushClipRect({view_min.x, view_min.y + row_height}, view_max, false);
    ImGui::TextDisabled("No row matches");
    context.probe.item(std::string(id).substr(2) + "/none", "No row matches");
    ImGui::PopClipRect();
  }
  ImGui::EndTable();
  return events;
}

}  // namespace pt2::views
