#include "views/panes/tensor_pane.h"

#include <algorithm>
#include <charconv>

#include "core/archive/archive.h"
#include "core/base/display.h"
#include "core/base/json_tree.h"
#include "core/tensor/view.h"
#include "views/compat.h"
#include "views/panes/panes.h"
#include "views/workspace/comparison.h"
#include "views/workspace/labels.h"

namespace pt2::views {
namespace {

std::optional<size_t> number_in(const std::string& text) {
  size_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

// In a comparison several values at once cannot be held against the other side: the one that is stands for the node.
NodeRef compared_instead(const PaneContext& context, const Document& document, NodeRef node) {
  const NodeRef part = compared_part(context.workspace.comparison, document.id, node);
  return part.node ? part : node;
}

}  // namespace

void TensorPane::restore(const StringMap& saved) {
  const auto it = saved.find("tab");
  for (int i = 0; it != saved.end() && i < kTensorTabs; ++i)
    if (it->second == kTensorTabNames[i]) main_.tab = TensorTab(i);
}

StringMap TensorPane::save() const { return {{"tab", kTensorTabNames[int(main_.tab)]}}; }

TensorPane::Shown TensorPane::shown(PaneContext& context) const {
  Shown now;
  if (active_) {
    const Locked& locked = locked_[active_ - 1];
    now.document = context.workspace.document(locked.document);
    now.name = locked.name;
  } else {
    now.document = context.document;
    if (now.document && now.document->program()) {
      const NodeRef node = now.document->selection.current().shown();
      const Program& program = *now.document->program();
      if (node.node && program.graphs.contains(node.graph) && program.graphs[node.graph].nodes().contains(node.node)) now.name = node_path(program, compared_instead(context, *now.document, node));
    } else {
      now.name = file_tensor_;
    }
  }
  if (now.document && now.document->loaded() && !now.name.empty()) now.value = named_value(*now.document, now.name, context.derived);
  return now;
}

void TensorPane::lock(const Shown& now) {
  for (size_t i = 0; i < locked_.size(); ++i)
    if (locked_[i].document == now.document->id && locked_[i].name == now.name) return void(active_ = i + 1);
  locked_.push_back({now.document->id, now.name, main_});
  active_ = locked_.size();
}

void TensorPane::unlock(size_t number) {
  if (number < 1 || number > locked_.size()) return;
  locked_.erase(locked_.begin() + ptrdiff_t(number - 1));
  if (active_ == number) active_ = 0;
  else if (active_ > number) --active_;
}

// A tab for the selection and one for each locked value; nothing where none is locked.
void TensorPane::strip(PaneContext& context) {
  if (locked_.empty()) return;
  const Theme& theme = context.theme;
  const float right = ImGui::GetCursorScreenPos().x + ImGui::GetContentRegionAvail().x;
  for (size_t i = 0; i <= locked_.size(); ++i) {
    const std::string title = i ? display_cut(locked_[i - 1].name, 24) : "Selection";
    const float width = ImGui::CalcTextSize(title.c_str()).x + theme.px(i ? 36 : 16);
    if (i) {
      ImGui::SameLine(0, theme.px(2));
      if (ImGui::GetCursorScreenPos().x + width > right) ImGui::NewLine();
    }
    ImGui::PushID(int(i));
    ImGui::PushStyleColor(ImGuiCol_Button, theme.color(active_ == i ? Role::SelectionRow : Role::Raised));
    if (ImGui::SmallButton(title.c_str())) context.push("tensor.page", std::to_string(i), "tensor");
    context.probe.item("tensor/page/" + std::to_string(i), title);
    if (i) {
      const Document* document = context.workspace.document(locked_[i - 1].document);
      if (ImGui::IsItemHovered() && document) ImGui::SetTooltip("%s of %s", display_cut(locked_[i - 1].name, 200).c_str(), display(document->title()).c_str());
      ImGui::SameLine(0, 0);
      if (ImGui::SmallButton("×")) context.push("tensor.unlock", std::to_string(i), "tensor");
      context.probe.item("tensor/page/" + std::to_string(i) + "/close", "×");
    }
    ImGui::PopStyleColor();
    ImGui::PopID();
  }
}

// What commands asked for since the last frame, in order.
void TensorPane::answer(PaneContext& context, Shown& now) {
  for (const TensorRequest& request : context.workspace.tensor_requests()) {
    if (request.serial <= answered_) continue;
    if (request.verb == "page" || request.verb == "unlock") {
      const size_t number = number_in(request.argument).value_or(active_);
      if (request.verb == "unlock") unlock(number);
      else if (number <= locked_.size()) active_ = number;
      now = shown(context);
      if (now.document) page().change_value(*now.document, now.value, now.name);
    } else if (request.verb == "show") {
      active_ = 0;
      file_tensor_ = request.argument;
      now = shown(context);
      if (now.document) page().change_value(*now.document, now.value, now.name);
    } else if (request.verb == "lock") {
      if (now.document && !now.name.empty() && !active_) lock(now);
    } else if (now.name.empty() && (request.verb == "ask_path" || request.verb.starts_with("export"))) {
      context.push("tensor.pick_path", std::string(), "tensor");
    } else if (!page().request(context, request)) {
      return;  // its value is still being read
    }
    answered_ = request.serial;
  }
}

void TensorPane::file_tensors(PaneContext& context) {
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
  std::erase_if(locked_, [&](const Locked& locked) { return !context.workspace.document(locked.document); });
  active_ = std::min(active_, locked_.size());
  if (!active_ && (!context.document || !context.document->loaded())) {
    ImGui::TextDisabled("No file is open");
    return;
  }
  compat::push_font(context.theme.fonts.table);
  strip(context);
  if (!active_ && !context.document->program()) file_tensors(context);
  Shown now = shown(context);
  if (now.document) page().change_value(*now.document, now.value, now.name);
  answer(context, now);
  if (now.name.empty()) ImGui::TextDisabled(now.document && now.document->program() ? "Select a value: a node, an edge, or a parameter's chip" : "Select a tensor");
  else if (now.document && now.document->loaded()) page().draw(context, *now.document, now.value, now.name, active_ > 0);
  ImGui::PopFont();
}

StringMap TensorPane::dump(const PaneContext&) const {
  const TensorPage& shown = active_ ? locked_[active_ - 1].page : main_;
  std::string text = "{" + shown.dump() + ", \"page\": " + std::to_string(active_) + ", \"locked\": [";
  for (size_t i = 0; i < locked_.size(); ++i) text += (i ? ", " : "") + json_quoted(locked_[i].name);
  return {{"tensor", text + "]}"}};
}

std::unique_ptr<Pane> make_tensor_pane() { return std::make_unique<TensorPane>(); }

}  // namespace pt2::views
