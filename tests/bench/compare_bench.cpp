// How two large programs side by side answer: compare_bench LEFT.pt2 RIGHT.pt2. Times are of the thread that draws, without a graphics device.
#include "tests/bench/window_bench.h"

using namespace pt2::bench;

int main(int argc, char** argv) {
  if (argc < 3) return std::fprintf(stderr, "usage: compare_bench LEFT.pt2 RIGHT.pt2\n"), 2;
  const auto begin = Clock::now();
  pt2::gui::Driver d({argv[1], argv[2]});
  d.run("wait idle\n");
  const auto state = d.state();
  std::printf("opened, laid out and matched in %.0f ms: %zu same, %zu changed\n", ms_since(begin), state["compare"]["same"].get<size_t>(), state["compare"]["changed"].get<size_t>());
  d.run("view.unfold_all\nwait idle\n");
  std::printf("boxes shown on the left: %zu\n", d.state()["graph"]["visible"].get<size_t>());

  std::vector<double> cameras, selections;
  auto note = [&](std::vector<double>& all, const std::string& line) {
    const auto frames = frames_of(d, line);
    all.insert(all.end(), frames.begin(), frames.end());
  };
  for (int i = 0; i < 40; ++i) note(cameras, i % 20 < 10 ? "view.zoom_in\n" : "view.zoom_out\n");
  d.run("view.fit\nclick graph.a/node/x\n");
  for (int i = 0; i < 120; ++i) note(selections, "key PageDown\n");
  say("frames while the camera moves in both", cameras);
  say("frames while selecting in both", selections);
  return 0;
}
