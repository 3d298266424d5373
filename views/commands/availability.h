#pragma once
// Why a command cannot run now.
#include "views/commands/command.h"

namespace pt2::views {

inline Availability needs_document(const Workspace& workspace) { return {workspace.active() ? "" : "no file is open"}; }
inline Availability needs_program(const Workspace& workspace) {
  const Document* document = workspace.active();
  return {document && document->program() ? "" : "no program is open"};
}
inline Availability needs_selected_node(const Workspace& workspace) {
  if (Availability a = needs_program(workspace); !a.enabled()) return a;
  return {workspace.active()->selection.current().shown().node ? "" : "no node is selected"};
}

}  // namespace pt2::views
