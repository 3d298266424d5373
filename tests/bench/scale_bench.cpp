// What one program costs from its file to everything shown: scale_bench FILE.pt2 [compare]. Answers with lines `name value`: milliseconds on the
// clock and MiB of peak resident memory so far. Without a graphics device: a frame is what it takes to build it. scale.py makes the table.
#include <sys/resource.h>

#include "core/load.h"
#include "tests/bench/window_bench.h"
#include "tests/support/scratch.h"
#include "views/workspace/debug_session.h"

using namespace pt2;
using namespace pt2::bench;

namespace {

void answer(const char* name, double value) {
  std::printf("%s %.3f\n", name, value);
  std::fflush(stdout);
}

// After a step: how long it took, and the most memory so far.
void answer_step(const std::string& name, double ms) {
  answer(name.c_str(), ms);
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  answer((name + "_mib").c_str(), double(usage.ru_maxrss) / 1024);
}

// With the layout of more boxes than are shown unasked.
double timed_unfold(gui::Driver& d) {
  const auto begin = Clock::now();
  d.run("view.unfold_all\nwait idle\n");
  const auto state = d.state();
  for (const auto& probe : state["probes"])
    if (probe["name"] == "graph/lay_out") d.run("click graph/lay_out\nwait idle\n");
  return ms_since(begin);
}

double timed(gui::Driver& d, const std::string& lines) {
  const auto begin = Clock::now();
  if (!d.run(lines + "\nwait idle\n")) std::printf("failed %s\n", lines.c_str());
  return ms_since(begin);
}

void answer_frames(gui::Driver& d, const char* name, const std::string& line, int times) {
  std::vector<double> all;
  for (int i = 0; i < times; ++i) {
    const auto frames = frames_of(d, line);
    all.insert(all.end(), frames.begin(), frames.end());
  }
  answer((std::string(name) + "_median").c_str(), at(all, 0.5));
  answer((std::string(name) + "_max").c_str(), at(all, 1));
}

int compare_with_itself(const std::string& path) {
  const test::Scratch scratch;  // one path is one document
  const std::string again = scratch.path("again.pt2");
  std::filesystem::create_symlink(std::filesystem::absolute(path), again);
  const auto begin = Clock::now();
  gui::Driver d({path, again});
  d.run("wait idle\n");
  answer_step("compare", ms_since(begin));
  const auto state = d.state();
  answer("same", state["compare"]["same"].get<double>());
  if (state["compare"]["changed"].get<size_t>() + state["compare"]["added"].get<size_t>() + state["compare"]["removed"].get<size_t>() > 0) std::printf("failed a program differs from itself\n");
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) return std::fprintf(stderr, "usage: scale_bench FILE.pt2 [compare]\n"), 2;
  const std::string path = argv[1];
  if (argc > 2) return compare_with_itself(path);

  {
    const auto begin = Clock::now();
    const auto file = open_file(path);
    if (!file || !(*file)->program()) return std::printf("failed to open\n"), 1;
    answer_step("open", ms_since(begin));
    answer("nodes", double((*file)->program()->root_graph().nodes().size()));
  }
  const auto begin = Clock::now();
  gui::Driver d({path});
  d.run("wait idle\n");
  answer_step("picture", ms_since(begin));
  answer_step("unfold", timed_unfold(d));
  d.run("view.fit\nwait idle\n");
  answer("boxes", d.state()["graph"]["visible"].get<double>());
  answer_frames(d, "whole", "view.zoom_in\nview.zoom_out\n", 10);
  d.run("key 1\nwait idle\n");
  answer_frames(d, "near", "view.zoom_in\nview.zoom_out\n", 20);
  answer_frames(d, "select", "key PageDown\n", 40);
  answer_step("search", timed(d, "search.query 1"));
  answer("hits", d.state()["search"]["count"].get<double>());
  d.run("search.close\nselect.clear\n");
  answer_step("fold", timed(d, "view.fold_all"));
  d.app.probe().set_on(false);
  answer_step("run", timed(d, "debug.begin"));
  answer("kept_mib", double(d.app.workspace().active()->debug->debugger()->trace().kept_bytes()) / 1048576);
  return 0;
}
