// The place of what is selected, in the toolbar.
#include <algorithm>

#include "core/base/display.h"
#include "imgui_internal.h"
#include "views/compat.h"
#include "views/shell/shell.h"
#include "views/widgets/draw.h"
#include "views/workspace/titles.h"

namespace pt2::views {

namespace {

struct Crumb {
  std::string text;
  ModuleId module;
  NodeRef node;
};

// forward › layer1 › conv › conv2d
std::vector<Crumb> crumbs_of(const Document& document) {
  const Program& program = *document.program();
  const Selection& selection = document.selection.current();
  const NodeRef shown = selection.shown();
  std::vector<Crumb> crumbs;
  const ModuleId module = selection.module ? selection.module : shown.node ? program.node(shown).module : document.graph.root;
  for (ModuleId m = module; m && program.modules.modules.contains(m) && m != program.modules.root(); m = program.modules.modules[m].parent)
    crumbs.push_back({display(program.modules.modules[m].name), m, {}});
  crumbs.push_back({"forward", program.modules.modules.empty() ? ModuleId() : program.modules.root(), {}});
  std::reverse(crumbs.begin(), crumbs.end());
  if (const std::string name = shown_name(document, selection); !name.empty()) crumbs.push_back({display(name), {}, shown});
  return crumbs;
}

std::string path_text(const std::vector<Crumb>& crumbs) {
  std::string path;
  for (const Crumb& crumb : crumbs) path += (path.empty() ? "" : " › ") + crumb.text;
  return path;
}

}  // namespace

// Each part can be clicked; where some are left out or cut the tooltip has them all.
void Shell::draw_breadcrumb(ShellContext& c, float x, float y, float width) {
  const Document* document = c.workspace.active();
  const float least = c.px(24), height = c.px(28), gap = c.px(14), pad = c.px(4);
  if (!document || !document->program() || width < least) return;
  std::vector<Crumb> crumbs = crumbs_of(*document);
  const std::string path = path_text(crumbs);
  ImFont* font = c.theme.fonts.table;
  auto crumb_width = [&](const Crumb& crumb) { return std::min(ui::text_width(font, crumb.text), c.px(220)) + 2 * pad; };
  float total = -gap;
  for (const Crumb& crumb : crumbs) total += crumb_width(crumb) + gap;
  bool whole = total <= width;
  // Too long: what is left out stands as "…" after the first part.
  size_t skipped = 0;
  for (; total > width && crumbs.size() - skipped > 2; ++skipped) total -= crumb_width(crumbs[1 + skipped]) + (skipped == 0 ? 0 : gap);
  // Where not even two have room, the last one says most.
  if (crumbs.size() > 1 && width - crumb_width(crumbs.front()) - gap < std::min(crumb_width(crumbs.back()), c.px(100))) crumbs.erase(crumbs.begin(), crumbs.end() - 1), skipped = 0;
  for (const Crumb& crumb : crumbs) whole = whole && ui::text_width(font, crumb.text) + 2 * pad <= crumb_width(crumb);
  ImDrawList* draw = ImGui::GetWindowDrawList();
  const float text_y = IM_FLOOR(y + (height - font->FontSize) / 2), end = x + width;
  for (size_t i = 0; i < crumbs.size(); ++i) {
    if (i == 1 && skipped) {
      draw->AddText(font, font->FontSize, ImVec2(x, text_y), c.theme.color(Role::Text2), "…");
      x += c.px(12);
      i += skipped;
    }
    if (end - x < least) break;
    const Crumb& crumb = crumbs[i];
    const float w = std::min(crumb_width(crumb), end - x);
    ImGui::SetCursorScreenPos(ImVec2(x, y));
    ImGui::PushID(int(i) + 1000);
    const auto select = [&c, module = crumb.module, node = crumb.node] {
      if (node.node) c.commands.push("select.node", node);
      else if (module) c.commands.push("select.module", module);
    };
    if (compat::invisible_button("crumb", ImVec2(w, height))) select();
    add_bar_item("toolbar", ImGui::GetItemRectMin(), ImGui::GetItemRectMax(), select);
    const bool hovered = ImGui::IsItemHovered(), last = i + 1 == crumbs.size();
    if (c.probe.on()) c.probe.item("toolbar/breadcrumb/" + std::to_string(i), crumb.text);
    if (!whole) ui::tooltip(c, path);
    ImGui::PopID();
    const std::string text = draw::elided_middle({font, font->FontSize}, crumb.text, w - 2 * pad + 1);
    draw->AddText(font, font->FontSize, ImVec2(IM_FLOOR(x + pad), text_y), c.theme.color(hovered ? Role::Accent : last ? Role::Text : Role::Text2), text.c_str());
    x += w;
    if (last) break;
    draw->AddText(font, font->FontSize, ImVec2(IM_FLOOR(x + c.px(3)), text_y), c.theme.color(Role::Disabled), "›");
    x += gap;
  }
}

}  // namespace pt2::views
