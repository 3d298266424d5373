#pragma once
// Lays out a request group by group: one Graphviz run per cluster with its members as boxes of fixed size, in a child process that can
// be killed. Inner layouts are kept by shape, so that folding and unfolding redoes only the chain of parents that changed size.
#include <memory>
#include <string>

#include "core/base/limits.h"
#include "core/layout/layout.h"

namespace pt2 {

struct LayoutEngineOptions {
  // The program to start as `PROGRAM layout`; empty: Graphviz runs in this process (tests, and the child itself).
  std::string child_program;
  double seconds_per_group = double(limits::kLayoutSeconds);  // then our own method takes over
};

// Owned by the application; `layout` may be called from any thread, one call at a time makes progress.
class LayoutEngine {
 public:
  explicit LayoutEngine(LayoutEngineOptions options = {});
  ~LayoutEngine();
  // Fails only when stopped (ErrorKind::Stopped) or when the request is too large (ErrorKind::Limit).
  Result<Layout> layout(const LayoutRequest& request, std::stop_token stop = {});
  // How many groups were laid out so far, those taken from memory not counted: what speed depends on.
  size_t groups_laid_out() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// The path of the running program, for LayoutEngineOptions::child_program.
std::string own_program_path();

}  // namespace pt2
