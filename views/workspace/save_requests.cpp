#include "views/workspace/save_requests.h"

#include "views/workspace/debug_session.h"
#include "views/workspace/document_overlay.h"

namespace pt2::views {

namespace {

std::shared_ptr<LayoutEngine> engine_of(const Workspace& workspace) { return workspace.layout_engine ? workspace.layout_engine : std::make_shared<LayoutEngine>(); }

std::optional<RecordedRun> recorded_run(const interp::Debugger& debugger) {
  if (debugger.trace().steps().empty()) return std::nullopt;
  RecordedRun run{0, debugger.total(), debugger.stop_reason(), std::make_shared<const interp::ExecutionTrace>(debugger.trace()), {}};
  for (const interp::StepTrace& step : run.trace->steps()) {
    run.executed += step.operation && step.run.done() && step.at.frame == interp::FrameId(0);
    if (const auto* difference = debugger.difference(step.at); difference && *difference && !(*difference)->equal) run.differences.emplace(step.at, **difference);
  }
  return run;
}

}  // namespace

PictureRequest picture_request(const Workspace& workspace, const Document& document) {
  const auto& loaded = std::get<Loaded>(document.state);
  const Comparison& comparison = workspace.comparison;
  const bool compared = comparison.active() && (document.id == comparison.left || document.id == comparison.right);
  return {document.title(), workspace.ui.theme, loaded.program, loaded.scopes, document.graph.unlifted ? loaded.unlifted : nullptr, document.graph,
          shown_overlay(document), document.overlay_range, shown_nonfinite(document), engine_of(workspace), compared ? comparison.result : nullptr, document.id == comparison.left};
}

ReportRequest report_request(const Workspace& workspace, const Document& document) {
  const Comparison& comparison = workspace.comparison;
  const bool compared = comparison.active() && (document.id == comparison.left || document.id == comparison.right);
  const Document* left = compared ? workspace.document(comparison.left) : &document;
  const Document* right = compared ? workspace.document(comparison.right) : nullptr;
  const auto& loaded = std::get<Loaded>(left->state);
  ReportRequest request{left->path, left->title(), workspace.ui.theme, loaded.file, loaded.program, {}, compared ? comparison.result : nullptr, right ? right->title() : "", engine_of(workspace)};
  if (left->debug) request.run = recorded_run(*left->debug->debugger());
  return request;
}

}  // namespace pt2::views
