// How the debugger answers on a large program: debug_bench MODEL.pt2. Times are of the thread that draws, without a graphics device.
#include "tests/bench/window_bench.h"
#include "views/workspace/debug_session.h"

using namespace pt2;
using namespace pt2::bench;

int main(int argc, char** argv) {
  if (argc < 2) return std::fprintf(stderr, "usage: debug_bench MODEL.pt2\n"), 2;
  gui::Driver d({argv[1]});
  d.run("wait idle\nview.unfold_all\nview.pane tensor\nwait idle\n");
  auto command = [&](const std::string& line) {
    if (auto done = d.app.run_command(line); !done) std::printf("%s: %s\n", line.c_str(), done.error().message.c_str());
  };
  auto debugger = [&]() -> interp::Debugger& { return *d.app.workspace().active()->debug->debugger(); };

  auto begin = Clock::now();
  command("debug.begin");
  std::vector<double> frames;
  while (!d.app.idle()) {
    if (!d.app.jobs().idle()) d.app.jobs().wait(0.005);
    const auto frame = Clock::now();
    d.frame();
    frames.push_back(ms_since(frame));
  }
  std::printf("run: %.0f ms, %zu steps, %.0f MiB resident\n", ms_since(begin), debugger().trace().steps().size(), resident_mib());
  say("frames during the run", frames);

  command("breakpoint.add op=*");
  command("debug.restart");
  settle(d);
  command("breakpoint.remove 0");
  std::vector<double> over_kernel;
  for (int i = 0; i < 200 && debugger().cursor(); ++i) {
    const size_t before = debugger().trace().steps().size();
    begin = Clock::now();
    command("debug.step_over");
    do {
      if (debugger().state() == interp::RunState::Running) d.app.jobs().wait(0.005);
      d.frame();
    } while (debugger().state() == interp::RunState::Running);
    const double all = ms_since(begin);
    double kernel = 0;
    for (size_t s = before; s < debugger().trace().steps().size(); ++s) kernel += debugger().trace().steps()[s].run.elapsed_us / 1000;
    over_kernel.push_back(all - kernel);
  }
  say("a step, without its kernel's time", over_kernel);
  command("debug.run_without_stopping");
  settle(d);

  const double resident = resident_mib();
  std::vector<double> back, forth;
  for (int i = 0; i < 1000; ++i) {
    begin = Clock::now();
    command("debug.step_back");
    d.frame();
    back.push_back(ms_since(begin));
    if (debugger().time() < 200) command("debug.set_time 100000000");
  }
  for (int i = 0; i < 1000; ++i) {
    begin = Clock::now();
    if (!debugger().in_the_past()) command("debug.set_time 100");
    command("debug.step_over");
    d.frame();
    forth.push_back(ms_since(begin));
  }
  settle(d);
  say("a step back, with its frame", back);
  say("a step forth in the past, with its frame", forth);
  std::printf("resident before %.0f MiB, after 1,000 steps back and 1,000 forth %.0f MiB: %+.1f %%\n", resident, resident_mib(), 100 * (resident_mib() / resident - 1));

  std::vector<double> shown;
  const auto& steps = debugger().trace().steps();
  for (size_t i = 0; i < 60; ++i) {
    size_t step = (i * 7919 + 13) % steps.size();
    while (!steps[step].operation) step = (step + 1) % steps.size();
    const NodeRef node{debugger().trace().frames()[steps[step].at.frame].graph, steps[step].at.node};
    command("select.node " + views::node_path(*d.app.workspace().active()->program(), node));
    begin = Clock::now();
    command("debug.set_time " + std::to_string(step + 1));
    settle(d);
    shown.push_back(ms_since(begin));
  }
  say("the time anywhere, until all panes show it", shown);
  return 0;
}
