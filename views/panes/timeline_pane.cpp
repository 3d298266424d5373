// The run as a row of bars: one for each operator that ended, its family's colour, as high as the logarithm of its time; bands of modules
// above, alerts below, the memory of live values as a curve. The marker is the time all panes show; dragging it travels in time.
#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/base/display.h"
#include "core/base/text.h"
#include "views/compat.h"
#include "views/panes/panes.h"
#include "views/widgets/check_box.h"
#include "views/widgets/copy_menu.h"
#include "views/widgets/draw.h"
#include "views/widgets/menu_key.h"
#include "views/widgets/tab_stops.h"
#include "views/workspace/debug_session.h"
#include "views/workspace/labels.h"
#include "views/workspace/op_family.h"
#include "views/workspace/run_facts.h"

namespace pt2::views {
namespace {

// "call 3"; of a call within another the path, as they all may be number 0.
std::string call_text(const interp::FrameTrace& frame) {
  const bool nested = std::count(frame.path.begin(), frame.path.end(), '/') > 1;
  return nested ? display(frame.path.substr(0, frame.path.size() - 1)) : "call " + std::to_string(frame.call_number);
}

using interp::Debugger;
using interp::StepTrace;

constexpr int kBands = 3;  // levels of modules that are drawn
constexpr const char* kMenu = "##timeline menu";
constexpr size_t kProbedBars = 4096;  // of more, tests reach those that have a pixel of their own
constexpr Role kAlerts[] = {Role::Breakpoint, Role::NonFinite, Role::Warning, Role::Mutated};  // failed, NaN or Inf, differs, writes; the first counts

class TimelinePane : public Pane {
 public:
  void draw(PaneContext& context) override;
  StringMap save() const override { return {{"by_time", by_time_ ? "1" : "0"}}; }
  void restore(const StringMap& saved) override {
    if (auto it = saved.find("by_time"); it != saved.end()) by_time_ = it->second == "1";
  }

 private:
  // An operator that ended. Units of begin and end: one for each operator, or microseconds.
  struct Bar { size_t step; double begin, end; OpFamily family; };

  void prepare(const Debugger& debugger, const Program& program);
  void header(PaneContext& context, const Debugger& debugger);
  void canvas(PaneContext& context, const Debugger& debugger);
  void bands(PaneContext& context, const Debugger& debugger, ImVec2 at, float width, float row);
  void bars(PaneContext& context, const Debugger& debugger, ImVec2 at, ImVec2 size);
  void memory(PaneContext& context, const Debugger& debugger, ImVec2 at, ImVec2 size);
  void mouse(PaneContext& context, const Debugger& debugger, ImVec2 at, ImVec2 size, bool hovered);
  void menu(PaneContext& context, const Debugger& debugger, ImVec2 at, ImVec2 size);
  double position_of(size_t time) const;
  size_t time_at(double position) const;
  NodeRef node_of(const Debugger& debugger, const Bar& bar) const;
  float x_of(double position, ImVec2 at, float width) const { return at.x + float((position - low_) / (high_ - low_)) * width; }
  double end() const { return bars_.empty() ? 1 : bars_.back().end; }

  std::vector<Bar> bars_;
  const Debugger* of_ = nullptr;
  uint64_t revision_ = 0;
  bool by_time_ = false, made_by_time_ = false, dragging_ = false;
  double low_ = 0, high_ = 1;     // what is in view
  bool whole_ = true;             // everything is in view, also what comes
  double max_us_ = 1;
  size_t max_live_ = 1;
  size_t menu_step_ = 0;          // the one whose menu is open
};

void TimelinePane::prepare(const Debugger& debugger, const Program& program) {
  if (of_ == &debugger && revision_ == debugger.revision() && made_by_time_ == by_time_) return;
  of_ = &debugger;
  revision_ = debugger.revision();
  made_by_time_ = by_time_;
  bars_.clear();
  max_us_ = 1;
  max_live_ = 1;
  const auto& steps = debugger.trace().steps();
  std::unordered_map<const char*, OpFamily> families;  // by target, of which there is one of each
  for (size_t i = 0; i < steps.size(); ++i) {
    max_live_ = std::max(max_live_, steps[i].live_bytes);
    if (!steps[i].operation) continue;
    max_us_ = std::max(max_us_, steps[i].run.elapsed_us);
    const std::string_view target = program.node({debugger.trace().frames()[steps[i].at.frame].graph, steps[i].at.node}).target;
    const auto [family, fresh] = families.try_emplace(target.data(), OpFamily::Other);
    if (fresh) family->second = op_family(target);
    if (by_time_) bars_.push_back({i, steps[i].begin_us, std::max(steps[i].begin_us + steps[i].run.elapsed_us, steps[i].begin_us + 0.01), family->second});
    else bars_.push_back({i, double(bars_.size()), double(bars_.size() + 1), family->second});
  }
  if (whole_) low_ = 0, high_ = end();
  high_ = std::max(high_, low_ + 1e-6);
}

NodeRef TimelinePane::node_of(const Debugger& debugger, const Bar& bar) const {
  const interp::TraceRef at = debugger.trace().steps()[bar.step].at;
  return {debugger.trace().frames()[at.frame].graph, at.node};
}

// Where the marker stands when `time` steps have ended: at the beginning of the first operator that has not.
double TimelinePane::position_of(size_t time) const {
  auto it = std::lower_bound(bars_.begin(), bars_.end(), time, [](const Bar& b, size_t t) { return b.step < t; });
  return it == bars_.end() ? end() : it->begin;
}

// How many steps have ended at a position: up to the operator whose bar is there.
size_t TimelinePane::time_at(double position) const {
  auto it = std::upper_bound(bars_.begin(), bars_.end(), position, [](double p, const Bar& b) { return p < (b.begin + b.end) / 2; });
  return it == bars_.end() ? (bars_.empty() ? 0 : bars_.back().step + 1) : it->step;
}

void TimelinePane::header(PaneContext& context, const Debugger& debugger) {
  const Theme& theme = context.theme;
  ImGui::AlignTextToFramePadding();
  std::string text = "step " + with_commas(uint64_t(debugger.executed())) + " of " + with_commas(uint64_t(debugger.total()));
  if (const std::string& position = context.document->debug->position; !position.empty()) text += "   " + display_cut(position, 80);
  ImGui::TextUnformatted(text.c_str());
  copied_probe(context, "timeline/position", text);
  if (ImGui::IsItemHovered()) ImGui::SetTooltip("Operators of the program's own graph: ended so far, of all.\nWhat a sub-graph does counts with the operator that runs it.");
  ImGui::SameLine(0, theme.px(24));
  ImGui::TextColored(theme.color4(Role::Text2), "%s", duration_label(debugger.trace().total_us()).c_str());
  ImGui::SameLine(0, theme.px(24));
  ImGui::TextColored(theme.color4(Role::Text2), "values kept: %s of", bytes_text(debugger.trace().kept_bytes()).c_str());
  ImGui::SameLine(0, theme.px(6));
  ImGui::SetNextItemWidth(theme.px(90));
  const size_t budget = debugger.trace().budget_bytes();
  const std::string limit = budget == SIZE_MAX ? "all" : bytes_text(budget);
  const bool choosing = ImGui::BeginCombo("##keep", limit.c_str(), ImGuiComboFlags_NoArrowButton);
  context.probe.item("timeline/keep", limit);
  if (choosing) {
    for (const char* choice : {"all", "256", "1024", "2048", "8192"}) {
      const std::string label = choice == std::string_view("all") ? "all" : "under " + std::string(choice) + " MB";
      if (ImGui::Selectable(label.c_str())) context.push("debug.keep_values", std::string(choice), "timeline");
      context.probe.item("timeline/keep/" + std::string(choice), label);
    }
    ImGui::EndCombo();
  }
  if (debugger.in_the_past()) {
    ImGui::SameLine(0, theme.px(24));
    ImGui::TextColored(theme.color4(Role::Current), "looking back");
  }
  ImGui::SameLine(0, theme.px(24));
  check_box("widths by time", &by_time_);
  tab_stops::add();
  ImGui::SameLine();
  if (ImGui::SmallButton("whole")) whole_ = true, low_ = 0, high_ = end();
  tab_stops::add();
  // Loops: which call of a sub-graph the other panes look at.
  const NodeRef shown = context.document->selection.current().shown();
  if (!shown.node || shown.graph == context.document->program()->root()) return;
  const auto calls = debugger.trace().calls_of(shown.graph);
  if (calls.empty()) return;
  const auto at = debugger.shown(shown);
  ImGui::SameLine();
  const std::string now = at ? call_text(debugger.trace().frames()[at->frame]) : "latest call";
  ImGui::SetNextItemWidth(std::max(theme.px(150), std::min(ImGui::CalcTextSize(now.c_str()).x + theme.px(40), ImGui::GetContentRegionAvail().x)));
  const bool open = ImGui::BeginCombo("##call", now.c_str());
  context.probe.item("timeline/call", now);
  if (open) {
    if (ImGui::Selectable("follow the run")) context.push("debug.choose_call", std::string("none"), "timeline");
    context.probe.item("timeline/call/follow", "follow the run");
    for (size_t i = 0; i < calls.size(); ++i) {
      const interp::FrameId call = calls[i];
      const interp::FrameTrace& frame = debugger.trace().frames()[call];
      if (ImGui::Selectable((display_cut(frame.path, 60) + "  call " + std::to_string(frame.call_number)).c_str(), at && at->frame == call))
        context.push("debug.choose_call", frame.path, "timeline");
      if (context.probe.on()) context.probe.item("timeline/call/" + std::to_string(i), frame.path);
    }
    ImGui::EndCombo();
  }
}

void TimelinePane::bands(PaneContext& context, const Debugger& debugger, ImVec2 at, float width, float row) {
  const Program& program = *context.document->program();
  const auto& modules = program.modules.modules;
  ImDrawList* list = ImGui::GetWindowDrawList();
  // The module of a bar at a level below the root; none: not that deep, or inside a sub-graph.
  auto module_at = [&](const Bar& bar, int level) {
    const NodeRef node = node_of(debugger, bar);
    if (node.graph != program.root()) return ModuleId();
    std::vector<ModuleId> chain;
    for (ModuleId m = program.node(node).module; m && modules.contains(m) && modules[m].parent; m = modules[m].parent) chain.push_back(m);
    return level < int(chain.size()) ? chain[chain.size() - 1 - size_t(level)] : ModuleId();
  };
  auto first = std::lower_bound(bars_.begin(), bars_.end(), low_, [](const Bar& b, double p) { return b.end < p; });
  for (int level = 0; level < kBands; ++level) {
    const float y = at.y + float(level) * row;
    for (auto it = first; it != bars_.end() && it->begin <= high_;) {
      const ModuleId module = module_at(*it, level);
      auto last = it;
      // Runs narrower than a pixel go together.
      while (last + 1 != bars_.end() && (last + 1)->begin <= high_ && (module_at(*(last + 1), level) == module || x_of((last + 1)->end, at, width) - x_of(it->begin, at, width) < 2)) ++last;
      if (module) {
        const float x0 = std::max(at.x, x_of(it->begin, at, width)), x1 = std::min(at.x + width, x_of(last->end, at, width));
        list->AddRectFilled({x0, y}, {std::max(x1 - 1, x0 + 1), y + row - 1}, context.theme.color(Role::Raised));
        const std::string name = display_cut(modules[module].name, 40);
        if (x1 - x0 > context.theme.px(24)) {
          const SizedFont font{ImGui::GetFont(), ImGui::GetFontSize()};
          draw::text(list, font, {x0 + 3, y}, context.theme.color(Role::Text2), name, x1 - x0 - 6);
        }
        const ImVec2 mouse = ImGui::GetIO().MousePos;
        if (ImGui::IsWindowHovered() && mouse.x >= x0 && mouse.x < x1 && mouse.y >= y && mouse.y < y + row) {
          ImGui::SetTooltip("%s : %s", display_cut(modules[module].path, 120).c_str(), display(class_label(modules[module].type)).c_str());
          if (ImGui::IsMouseClicked(ImGuiMouseButton_Left)) context.push("select.module", module, "timeline");
        }
      }
      it = last + 1;
    }
  }
}

void TimelinePane::bars(PaneContext& context, const Debugger& debugger, ImVec2 at, ImVec2 size) {
  const Theme& theme = context.theme;
  const Program& program = *context.document->program();
  const RunFacts* facts = context.document->debug->facts();
  ImDrawList* list = ImGui::GetWindowDrawList();
  const NodeRef selected = context.document->selection.current().shown();
  const float strip = theme.px(6), bottom = at.y + size.y - strip - 2;
  const auto& steps = debugger.trace().steps();
  auto first = std::lower_bound(bars_.begin(), bars_.end(), low_, [](const Bar& b, double p) { return b.end < p; });
  float covered = -1;  // bars that fall on a pixel already drawn are skipped, unless they tell something
  float tallest = 0;
  std::array<float, std::size(kAlerts)> alerted;  // so far to the right each kind of alert is drawn
  alerted.fill(-1);
  for (auto it = first; it != bars_.end() && it->begin <= high_; ++it) {
    const StepTrace& step = steps[it->step];
    const float x0 = x_of(it->begin, at, size.x), right_end = x_of(it->end, at, size.x), x1 = std::max(right_end, x0 + 1);
    const NodeRef node = node_of(debugger, *it);
    const bool is_selected = selected.node && node == selected;
    const float height = std::max(2.0f, float(std::log1p(step.run.elapsed_us) / std::log1p(max_us_)) * (bottom - at.y));
    const size_t number = size_t(it - bars_.begin());
    const bool hidden = right_end <= covered;
    if (context.probe.on() && (!hidden || number < kProbedBars)) context.probe.add("timeline/step/", std::to_string(number), {x0, at.y}, {std::max(x1, x0 + 2), at.y + size.y}, node_path(program, node));
    const bool bad = facts && facts->alarming(step.at);
    const auto* difference = debugger.difference(step.at);
    const bool mismatch = difference && !(*difference)->equal;
    const std::array<bool, std::size(kAlerts)> alerts = {!step.run.done(), bad, mismatch, step.wrote};
    const size_t alert = size_t(std::find(alerts.begin(), alerts.end(), true) - alerts.begin());
    if (const float right = std::max(x1 - 1, x0 + 2); alert < alerts.size() && right > alerted[alert]) {
      list->AddRectFilled({x0, bottom + 2}, {right, bottom + 2 + strip}, theme.color(kAlerts[alert]));
      alerted[alert] = std::floor(right) + 1;
    }
    if (hidden && height <= tallest && !is_selected) continue;
    if (x0 >= covered) tallest = 0;
    tallest = std::max(tallest, height);
    covered = std::max(covered, std::floor(x0) + 1);
    const bool ended = it->step < debugger.time();
    const float gap = x1 - x0 > 4 ? 1.0f : 0.0f;
    list->AddRectFilled({x0, bottom - height}, {x1 - gap, bottom}, theme.family(it->family, ended ? 1.0f : 0.35f));
    if (is_selected) compat::add_rect(list, {x0 - 1, bottom - height - 1}, {x1, bottom + 1}, theme.color(Role::SelectionRing), 0, 2);
  }
}

void TimelinePane::memory(PaneContext& context, const Debugger& debugger, ImVec2 at, ImVec2 size) {
  const Theme& theme = context.theme;
  const auto& steps = debugger.trace().steps();
  ImDrawList* list = ImGui::GetWindowDrawList();
  std::vector<ImVec2> points;
  auto first = std::lower_bound(bars_.begin(), bars_.end(), low_, [](const Bar& b, double p) { return b.end < p; });
  ImVec2 peak{-1, 0};
  for (auto it = first; it != bars_.end() && it->begin <= high_; ++it) {
    const size_t live = steps[it->step].live_bytes;
    const ImVec2 p{x_of((it->begin + it->end) / 2, at, size.x), at.y + size.y - theme.px(8) - float(double(live) / double(max_live_)) * (size.y - theme.px(12))};
    if (live == max_live_ && peak.x < 0) peak = p;
    if (!points.empty() && p.x - points.back().x < 1 && p.y >= points.back().y) continue;
    points.push_back(p);
  }
  if (points.size() > 1) compat::add_polyline(list, points.data(), int(points.size()), theme.color(Role::Text2, 0.8f), false, 1.0f);
  if (peak.x < 0) return;
  list->AddCircleFilled(peak, 3, theme.color(Role::Text));
  const std::string text = "peak of results " + bytes_text(max_live_);  // weights and inputs lie apart
  const float width = ImGui::CalcTextSize(text.c_str()).x;
  // To the left where the right end, with the marker of the time, is near.
  const float gap = theme.px(6), right = at.x + size.x - theme.px(12);
  const float x = peak.x + gap + width <= right ? peak.x + gap : std::max(at.x, std::min(peak.x - gap, right) - width);
  list->AddText({std::floor(x), peak.y - 2}, theme.color(Role::Text2), text.c_str());
  context.probe.add("timeline/peak", {x, peak.y - 2}, {x + width, peak.y - 2 + ImGui::GetTextLineHeight()}, text);
}

void TimelinePane::mouse(PaneContext& context, const Debugger& debugger, ImVec2 at, ImVec2 size, bool hovered) {
  const ImGuiIO& io = ImGui::GetIO();
  const double position = low_ + double(io.MousePos.x - at.x) / double(size.x) * (high_ - low_);
  auto hit = std::upper_bound(bars_.begin(), bars_.end(), position, [](double p, const Bar& b) { return p < b.end; });
  const bool on_bar = hit != bars_.end() && position >= hit->begin;
  const float marker = x_of(position_of(debugger.time()), at, size.x);
  if (hovered && io.MouseWheel != 0) {
    const double factor = std::pow(0.8, double(io.MouseWheel)), span = std::clamp((high_ - low_) * factor, by_time_ ? 1.0 : 2.0, std::max(end(), 2.0));
    const double part = (position - low_) / (high_ - low_);
    low_ = std::clamp(position - part * span, 0.0, std::max(0.0, end() - span));
    high_ = low_ + span;
    whole_ = span >= end();
  }
  if (hovered && ImGui::IsMouseDragging(ImGuiMouseButton_Middle, 2)) {
    const double moved = -double(io.MouseDelta.x) / double(size.x) * (high_ - low_), span = high_ - low_;
    low_ = std::clamp(low_ + moved, 0.0, std::max(0.0, end() - span));
    high_ = low_ + span;
    whole_ = false;
  }
  const bool running = debugger.state() == interp::RunState::Running;
  if (hovered && !running && std::abs(io.MousePos.x - marker) < 5) {
    ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeEW);
    if (ImGui::IsMouseClicked(ImGuiMouseButton_Left)) dragging_ = true;
  }
  if (dragging_) {
    if (!io.MouseDown[ImGuiMouseButton_Left]) dragging_ = false;
    else if (const size_t time = time_at(position); time != debugger.time() && io.MouseDelta.x != 0) context.push("debug.set_time", std::to_string(time), "timeline");
    return;
  }
  if (!hovered || !on_bar) return;
  const StepTrace& step = debugger.trace().steps()[hit->step];
  const NodeRef node = node_of(debugger, *hit);
  if (ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) {
    if (running) return;
    if (node.graph != context.document->program()->root()) context.push("debug.choose_call", std::string("none"), "timeline");
    context.push("debug.set_time", std::to_string(hit->step), "timeline");
  } else if (ImGui::IsMouseClicked(ImGuiMouseButton_Left) || ImGui::IsMouseClicked(ImGuiMouseButton_Right)) {
    context.push("select.node", node, "timeline");
    // Other panes look at the call that the bar is of.
    const std::string& call = debugger.trace().frames()[step.at.frame].path;
    if (!running && !call.empty()) context.push("debug.choose_call", call, "timeline");
  }
  if (ImGui::IsMouseClicked(ImGuiMouseButton_Right)) {
    menu_step_ = hit->step;
    ImGui::OpenPopup(kMenu);
  }
  const RunFacts* facts = context.document->debug->facts();
  std::string text = display_cut(debugger.trace().frames()[step.at.frame].path, 80) + display_cut(context.document->program()->node(node).name, 100) + "\n" +
                     "operator " + with_commas(uint64_t(hit - bars_.begin()) + 1) + " of " + with_commas(uint64_t(bars_.size())) + " with those in sub-graphs, step " + std::to_string(hit->step) + " of all values\n" +
                     duration_label(step.run.elapsed_us) + "   " + bytes_text(step.run.bytes) + "   live " + bytes_text(step.live_bytes);
  if (const ValueFact* fact = facts ? facts->find(step.at) : nullptr; fact && fact->nonfinite)
    text += "\n" + fact->nonfinite_text() + (fact->state == NonFiniteState::AskedInf ? ", asked for" : "");
  if (step.wrote) text += "\nwrote to a value that others see";
  ImGui::SetTooltip("%s", text.c_str());
  context.probe.add("timeline/tip", io.MousePos, {io.MousePos.x + 1, io.MousePos.y + 1}, text);
}

// Of a bar: by a right click, or of the selection's first bar by the Menu key.
void TimelinePane::menu(PaneContext& context, const Debugger& debugger, ImVec2 at, ImVec2 size) {
  const NodeRef selected = context.document->selection.current().shown();
  if (menu_key(context)) {
    const auto bar = std::find_if(bars_.begin(), bars_.end(), [&](const Bar& b) { return selected.node && node_of(debugger, b) == selected; });
    if (bar != bars_.end()) {
      menu_step_ = bar->step;
      ImGui::SetNextWindowPos({std::clamp(x_of(bar->begin, at, size.x), at.x, at.x + size.x), at.y + size.y / 2});
      ImGui::OpenPopup(kMenu);
    }
  }
  if (!ImGui::BeginPopup(kMenu)) return;
  auto item = [&](const char* title, const char* keys, const char* command, CommandArgument argument, bool enabled = true) {
    if (ImGui::MenuItem(title, keys, false, enabled)) context.push(command, std::move(argument), "timeline menu");
    context.probe.item(std::string("timeline/menu/") + command, title, enabled);
  };
  const bool running = debugger.state() == interp::RunState::Running;
  item("Look at this time", nullptr, "debug.set_time", std::to_string(menu_step_), !running);
  item("Show in the graph", nullptr, "go.node", selected, bool(selected.node));
  item("Show value", nullptr, "view.pane", std::string("tensor"));
  item("Toggle breakpoint", "F9", "debug.toggle_breakpoint", selected, bool(selected.node));
  ImGui::EndPopup();
}

void TimelinePane::canvas(PaneContext& context, const Debugger& debugger) {
  const Theme& theme = context.theme;
  compat::push_font(theme.fonts.caption);
  const ImVec2 at = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
  const ImVec2 size{std::max(room.x, 10.0f), std::max(room.y, theme.px(40))};
  ImDrawList* list = ImGui::GetWindowDrawList();
  const float row = ImGui::GetTextLineHeight() + 2;
  const int levels = context.document->program()->modules.modules.size() > 1 ? kBands : 0;
  const float top = float(levels) * row + theme.px(2);
  compat::invisible_button("##timeline", size, ImGuiButtonFlags_MouseButtonLeft | ImGuiButtonFlags_MouseButtonMiddle);
  const bool hovered = ImGui::IsItemHovered();
  list->PushClipRect(at, {at.x + size.x, at.y + size.y}, true);
  const ImVec2 bars_at{at.x, at.y + top}, bars_size{size.x, size.y - top};
  list->AddRectFilled(bars_at, {at.x + size.x, at.y + size.y}, theme.color(Role::Canvas));
  if (levels) bands(context, debugger, at, size.x, row);
  bars(context, debugger, bars_at, bars_size);
  memory(context, debugger, bars_at, bars_size);
  const float x = std::clamp(x_of(position_of(debugger.time()), at, size.x), at.x + 1, at.x + size.x - 2);
  if (theme.name == ThemeName::Light) list->AddRectFilled({x - 2, bars_at.y}, {x + 3, at.y + size.y}, theme.color(Role::CurrentOutline));
  list->AddRectFilled({x - 1, bars_at.y}, {x + 2, at.y + size.y}, theme.color(Role::Current));
  list->AddTriangleFilled({x - 5, bars_at.y}, {x + 6, bars_at.y}, {x + 0.5f, bars_at.y + 7}, theme.color(Role::Current));
  context.probe.add("timeline/marker", {x - 3, bars_at.y}, {x + 4, at.y + size.y});
  mouse(context, debugger, at, size, hovered && ImGui::GetIO().MousePos.y >= bars_at.y);
  menu(context, debugger, bars_at, bars_size);
  list->PopClipRect();
  ImGui::PopFont();
}

void TimelinePane::draw(PaneContext& context) {
  const Debugger* debugger = context.document && context.document->debug ? context.document->debug->debugger() : nullptr;
  if (!debugger || debugger->trace().steps().empty()) {
    ImGui::TextDisabled(context.document && context.document->program() ? "Nothing was run yet. F5 starts." : "No program is open");
    bars_.clear();
    of_ = nullptr;
    return;
  }
  compat::push_font(context.theme.fonts.table);
  prepare(*debugger, *context.document->program());
  header(context, *debugger);
  canvas(context, *debugger);
  ImGui::PopFont();
}

}  // namespace

std::unique_ptr<Pane> make_timeline_pane() { return std::make_unique<TimelinePane>(); }

}  // namespace pt2::views
