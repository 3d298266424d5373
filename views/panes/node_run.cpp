#include "views/panes/node_run.h"

#include "core/base/display.h"
#include "core/base/text.h"
#include "views/workspace/debug_session.h"
#include "views/workspace/labels.h"

namespace pt2::views {
namespace {

using namespace interp;

std::string outcome_text(const Program& program, const NodeRun& run) {
  if (const auto* failed = std::get_if<Failed>(&run.outcome)) return "failed: " + display_cut(failed->message, 400);
  if (const auto* unsupported = std::get_if<Unsupported>(&run.outcome)) return "no implementation of " + display(unsupported->target);
  if (const auto* blocked = std::get_if<Blocked>(&run.outcome)) return "waits for " + (blocked->waits_for.node ? display(program.node(blocked->waits_for).name) : std::string("a node that failed"));
  return run.supplied ? "its value was given" : "";
}

struct Total { size_t calls = 0; double us = 0; size_t bytes = 0; };

// Over all calls of its sub-graph that came to the node.
Total total_of(const ExecutionTrace& trace, NodeRef node) {
  Total total;
  for (const FrameId call : trace.calls_of(node.graph))
    if (const NodeRun* run = trace.run_of({call, node.node})) {
      ++total.calls;
      total.us += run->elapsed_us;
      total.bytes += run->bytes;
    }
  return total;
}

}  // namespace

bool NodeRunSection::prepare(const PaneContext& context, NodeRef node) {
  const DebugSession* debug = context.document->debug.get();
  if (!debug) return false;
  const Debugger& debugger = *debug->debugger();
  if (const std::pair at{debugger.run_number(), debugger.revision()}; node_ == node && at_ == at) return !facts_.empty();
  else at_ = at;
  node_ = node;
  facts_.clear();
  const auto shown = debugger.shown(node);
  const NodeRun* run = shown ? debugger.trace().run_of(*shown) : nullptr;
  if (!run) return false;
  const Program& program = *context.document->program();
  const Total all = total_of(debugger.trace(), node);
  const std::string& path = debugger.trace().frames()[shown->frame].path;
  facts_ = {{"call", "Call", path.empty() ? "" : display(path.substr(0, path.size() - 1))},
            {"outcome", "Outcome", outcome_text(program, *run)},
            {"time", "Time", duration_label(run->elapsed_us) + (all.calls > 1 ? ", " + duration_label(all.us) + " in all" : "")},
            {"bytes", "Bytes", bytes_text(run->bytes) + (all.calls > 1 ? ", " + bytes_text(all.bytes) + " in all" : "")},
            {"calls", "Calls", with_commas(uint64_t(all.calls))}};
  return true;
}

}  // namespace pt2::views
