// Bookmarks and notes of the program, to go to, edit and remove.
#include <algorithm>

#include "core/base/display.h"
#include "views/compat.h"
#include "views/panes/panes.h"
#include "views/widgets/text_table.h"

namespace pt2::views {
namespace {

class MarksPane : public Pane {
 public:
  void draw(PaneContext& context) override {
    const Document* document = context.document;
    if (!document || !document->program()) {
      ImGui::TextDisabled("No program is open");
      return;
    }
    const auto& list = document->marks.list;
    const auto& waiting = document->marks.waiting;
    if (list.empty() && waiting.empty()) {
      ImGui::PushTextWrapPos(0);
      ImGui::TextDisabled("Ctrl+Shift+1…9 sets a bookmark on the selected node or module, Ctrl+1…9 goes there, F2 writes a note on it.");
      ImGui::PopTextWrapPos();
      return;
    }
    const Program& program = *document->program();
    std::string now = std::to_string(document->id.index);
    for (const Mark& mark : list) now += '\n' + std::to_string(mark.key) + name_of(program, mark) + '\t' + mark.note;
    for (const WaitingMark& mark : waiting) now += '\n' + mark.on + '\t' + note_of(mark);
    if (now != shown_) {
      shown_ = std::move(now);
      ++revision_;
    }
    compat::push_font(context.theme.fonts.table);
    table_.filter_box(context, "Filter bookmarks and notes");
    static const std::vector<TextTable::Column> columns = {{"Key", 32, true}, {"Node", 110}, {"Note", 0}};
    TextTable::Rows rows;
    rows.count = list.size() + waiting.size();  // those that wait come last
    rows.revision = revision_;
    rows.text = [&](size_t row, int column) -> std::string {
      if (row >= list.size()) return waiting_text(waiting[row - list.size()], column);
      const Mark& mark = list[row];
      if (column == 0) return mark.key ? std::to_string(mark.key) : "";
      return column == 1 ? display(name_of(program, mark)) : display(mark.note);
    };
    rows.selected = [&](size_t row) {
      const Selection& selection = document->selection.current();
      if (row >= list.size()) return false;
      return selection.module ? list[row].on(selection.module) : list[row].on(selection.shown());
    };
    rows.probe = [](size_t row) { return "marks/row/" + std::to_string(row); };
    rows.color = [&](size_t row, int) { return row < list.size() ? ImU32(0) : ImGui::GetColorU32(ImGuiCol_TextDisabled); };
    rows.menu = [&](size_t row) {
      if (row >= list.size()) return;
      for (const auto& [title, command] : {std::pair{"Edit note…", "edit.rename"}, {"Remove", "mark.remove"}})
        if (ImGui::MenuItem(title)) {
          go(context, list[row]);
          context.push(command, {}, "marks");
        }
    };
    const auto events = table_.draw(context, "##marks", columns, rows);
    if (events.clicked < list.size()) go(context, list[events.clicked]);
    if (events.double_clicked < list.size()) context.push("edit.rename", {}, "marks");
    if (context.focused && context.input.pressed(Key::Delete) && document->marks.find(document->selection.current())) context.push("mark.remove", {}, "marks");
    ImGui::PopFont();
  }

 private:
  static std::string name_of(const Program& program, const Mark& mark) {
    return mark.module ? "module " + program.modules.modules[mark.module].path : node_path(program, mark.node);
  }
  static std::string note_of(const WaitingMark& mark) {
    return mark.note + (mark.note.empty() ? "waits for " : " (waits for ") + mark.on + (mark.target.empty() ? "" : " of " + mark.target) + (mark.note.empty() ? "" : ")");
  }
  static std::string waiting_text(const WaitingMark& mark, int column) {
    if (column == 0) return mark.key ? std::to_string(mark.key) : "";
    return display(column == 1 ? mark.on : note_of(mark));
  }
  static void go(PaneContext& context, const Mark& mark) {
    if (mark.module) context.push("go.module", mark.module, "marks");
    else context.push("go.node", mark.node, "marks");
  }

  TextTable table_;
  std::string shown_;
  uint64_t revision_ = 0;
};

}  // namespace

std::unique_ptr<Pane> make_marks_pane() { return std::make_unique<MarksPane>(); }

int mark_count(const Workspace& workspace) { return workspace.active() ? int(workspace.active()->marks.list.size()) : 0; }

}  // namespace pt2::views
