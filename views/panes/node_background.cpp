#include "views/panes/node_background.h"

#include "core/base/display.h"
#include "core/base/limits.h"
#include "core/graph/op_schema.h"
#include "views/compat.h"
#include "views/widgets/copy_menu.h"
#include "views/widgets/links.h"
#include "views/widgets/wrapped_text.h"

namespace pt2::views {

void draw_source(PaneContext& context, const std::vector<SourceFrame>& frames) {
  ImGui::PushTextWrapPos(0);
  for (size_t i = frames.size(); i-- > 0;) {
    const SourceFrame& frame = frames[i];
    ImGui::PushID(int(i));
    const std::string file = display_cut(frame.file.substr(frame.file.rfind('/') + 1), 120) + ":" + std::to_string(frame.line);
    if (link(context, file)) {
      context.push("view.pane", std::string("source"), "node");
    }
    if (ImGui::IsItemHovered()) ImGui::SetTooltip("%s", display_cut(frame.file, 400).c_str());
    copy_menu("##copy", std::string(frame.file) + ":" + std::to_string(frame.line));
    ImGui::SameLine();
    ImGui::TextColored(context.theme.color4(Role::Text2), "%s", display_cut(frame.function, 80).c_str());
    if (!frame.code.empty()) {
      compat::push_font(context.theme.fonts.mono_small);
      ImGui::TextUnformatted(display_cut(frame.code, 400).c_str());
      ImGui::PopFont();
      copy_menu("##copy code", std::string(frame.code));
    }
    ImGui::PopID();
  }
  ImGui::PopTextWrapPos();
}

void draw_schema(PaneContext& context, std::string_view target) {
  const OpSchema* schema = find_op_schema(target);
  ImGui::PushTextWrapPos(0);
  if (schema) {
    compat::push_font(context.theme.fonts.mono_small);
    ImGui::TextUnformatted(schema->source.c_str());
    ImGui::PopFont();
    copy_menu("##copy", schema->source);
    std::string written, tags;
    for (const SchemaParameter& parameter : schema->parameters)
      if (parameter.type.writes()) written += (written.empty() ? "" : ", ") + parameter.name;
    for (const std::string& tag : schema->tags) tags += (tags.empty() ? "" : ", ") + tag;
    if (!written.empty()) ImGui::TextColored(context.theme.color4(Role::Mutated), "writes %s", written.c_str()), copy_menu("##copy written", written);
    if (!tags.empty()) ImGui::TextColored(context.theme.color4(Role::Text2), "%s", tags.c_str()), copy_menu("##copy tags", tags);
  } else {
    ImGui::TextDisabled(is_known_op(target) ? "Takes what its caller gives: no schema" : "Not in the table of operators");
  }
  ImGui::PopTextWrapPos();
}

MetaEntries meta_entries(const NodeMeta& meta) {
  MetaEntries entries;
  for (const auto& [key, text] : {std::pair<std::string_view, std::string_view>{"torch_fn", meta.torch_fn}, {"source_fn_stack", meta.source_fn_stack},
                                  {"nn_module_stack", meta.nn_module_stack}, {"from_node", meta.from_node}, {"custom", meta.custom}})
    if (!text.empty()) entries.emplace_back(key, text);
  entries.insert(entries.end(), meta.other.begin(), meta.other.end());
  return entries;
}

void draw_meta(PaneContext& context, const MetaEntries& entries) {
  for (const auto& [key, text] : entries) {
    ImGui::PushID(key.data(), key.data() + key.size());
    const bool open = ImGui::TreeNode("##entry", "%s", display_cut(key, 120).c_str());
    const std::string name = "node/meta/" + display_cut(key, 120);
    context.probe.item(name, display_cut(key, 120));
    if (open) {
      compat::push_font(context.theme.fonts.mono_small);
      ImGui::PushTextWrapPos(0);
      if (const std::string cut = wrapped_text(display_lines(text.substr(0, limits::kPaneTextBytes)), text.size()); !cut.empty()) context.probe.item(name + "/cut", cut);
      ImGui::PopTextWrapPos();
      ImGui::PopFont();
      copy_menu("##copy", std::string(text));
      ImGui::TreePop();
    }
    ImGui::PopID();
  }
}

}  // namespace pt2::views
