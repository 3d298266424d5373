#pragma once
// Graphviz in a child process of our own binary: an abort, a hang or a memory blow-up of `dot` costs a restart of the child and
// nothing else, and cancelling is killing it.
#include <chrono>
#include <stop_token>
#include <string>

#include "core/layout/placement.h"

namespace pt2 {

class LayoutProcess {
 public:
  explicit LayoutProcess(std::string program) : program_(std::move(program)) {}
  ~LayoutProcess();
  LayoutProcess(const LayoutProcess&) = delete;
  LayoutProcess& operator=(const LayoutProcess&) = delete;

  // Starts the child if it is not running, so that the first request finds it warm.
  bool start();
  // ErrorKind::Stopped when stopped, Failed when the child died, was too slow or could not be started; the next call starts it anew.
  Result<Placement> place(const PlacementRequest& request, std::stop_token stop, std::chrono::milliseconds time_limit);

 private:
  void kill();
  std::string program_;
  int pid_ = -1;
  int socket_ = -1;
  int failures_ = 0;  // in a row; after a few there is no point in trying
};

// The child's side: answers requests on standard input until it closes. Returns the exit status.
int run_layout_child();

}  // namespace pt2
