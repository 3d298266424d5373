// What happened, line by line with its time.
#include <ctime>

#include "core/base/display.h"
#include "views/compat.h"
#include "views/panes/panes.h"
#include "views/widgets/text_table.h"

namespace pt2::views {
namespace {

std::string clock_text(std::time_t time) {
  std::tm local{};
  localtime_r(&time, &local);
  char text[16];
  std::strftime(text, sizeof text, "%H:%M:%S", &local);
  return text;
}

class LogPane : public Pane {
 public:
  void draw(PaneContext& context) override {
    const auto& messages = context.workspace.messages();
    if (messages.empty()) {
      ImGui::TextDisabled("Nothing has happened yet");
      return;
    }
    compat::push_font(context.theme.fonts.table);
    if (ImGui::Button("Report")) context.push("help.copy_facts", {}, "log");
    context.probe.item("log/report", "Report");
    if (ImGui::IsItemHovered()) ImGui::SetTooltip("Copies version, graphics, system and what the open files hold, to add to a report");
    ImGui::SameLine();
    table_.filter_box(context, "Filter the log");
    static const std::vector<TextTable::Column> columns = {{"Time", 64, false, true}, {"Level", 60}, {"Message", 1200}};
    TextTable::Rows rows;
    rows.count = messages.size();
    // Old lines leave at the front while new ones come, so the last text tells whether anything is new.
    if (last_ != messages.back().text || count_ != messages.size()) {
      last_ = messages.back().text;
      count_ = messages.size();
      ++revision_;
      stick_ = true;
    }
    rows.revision = revision_;
    rows.text = [&](size_t row, int column) -> std::string {
      const LogLine& line = messages[row];
      if (column == 0) return clock_text(line.time);
      if (column == 1) return line.level == LogLevel::Error ? "error" : line.level == LogLevel::Warning ? "warning" : "";
      return display(line.text);
    };
    rows.color = [&](size_t row, int column) -> ImU32 {
      if (column == 0) return context.theme.color(Role::Text2);
      const LogLevel level = messages[row].level;
      return level == LogLevel::Error ? context.theme.color(Role::Breakpoint) : level == LogLevel::Warning ? context.theme.color(Role::Warning) : 0;
    };
    rows.selected = [&](size_t row) { return stick_ && row + 1 == messages.size(); };
    rows.probe = [](size_t row) { return "log/row/" + std::to_string(row); };
    if (stick_) table_.reveal_selected();
    table_.draw(context, "##log", columns, rows);
    stick_ = false;
    ImGui::PopFont();
  }

 private:
  TextTable table_;
  std::string last_;
  size_t count_ = 0;
  uint64_t revision_ = 0;
  bool stick_ = false;  // new lines came: show the last
};

}  // namespace

std::unique_ptr<Pane> make_log_pane() { return std::make_unique<LogPane>(); }

}  // namespace pt2::views
