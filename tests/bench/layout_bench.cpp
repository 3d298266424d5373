// How long scenes and layouts of a file take, in CPU time of this process and its layout child: layout_bench FILE.pt2 …
// Built with -DPT2_BENCH=ON. Without files it makes a program of 10,000 and one of 50,000 operators in nested modules.
#include <time.h>

#include <cstdio>

#include "core/layout/layout_engine.h"
#include "core/load.h"
#include "tests/support/program_maker.h"
#include "views/workspace/graph_scene.h"

using namespace pt2;
using namespace pt2::views;

namespace {

double cpu_ms() {
  timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return double(t.tv_sec) * 1e3 + double(t.tv_nsec) / 1e6;
}

// Blocks of ten operators with a skip edge, eight to a module, over as many levels as it takes.
std::shared_ptr<const Program> nested_program(size_t operators) {
  test::ProgramMaker maker;
  NodeId last = maker.input("x"), skipped = last;
  for (size_t i = 0; i < operators; ++i) {
    size_t block = i / 10;
    std::string path = "b" + std::to_string(block % 8);
    for (block /= 8; block; block /= 8) path = "m" + std::to_string(block % 8) + "." + path;
    if (i % 10 == 0) skipped = last;
    last = maker.call("op_" + std::to_string(i), i % 10 == 9 ? "torch.ops.aten.add.Tensor" : "torch.ops.aten.relu.default",
                      i % 10 == 9 ? std::vector<NodeId>{last, skipped} : std::vector<NodeId>{last}, path);
  }
  return maker.finish({last});
}

void measure_program(const char* name, std::shared_ptr<const Program> program) {
  const double start = cpu_ms();
  const auto tree = std::make_shared<const ScopeTree>(*program);
  std::printf("%s: %zu nodes, %zu groups, group tree %.1f ms\n", name, program->root_graph().nodes().size(), tree->scopes().size(), cpu_ms() - start);
  const MeasureText measure = default_measure();
  LayoutEngine engine;
  GraphView view = initial_view(*program, *tree);
  auto show = [&](const char* what) {
    const size_t before = engine.groups_laid_out();
    const double a = cpu_ms();
    const GraphScene scene = make_scene(program, tree, view, measure);
    const LayoutRequest request = layout_request(scene, measure);
    const double b = cpu_ms();
    const Result<Layout> layout = engine.layout(request);
    const double c = cpu_ms();
    if (!layout) std::printf("  %s: %s\n", what, layout.error().message.c_str());
    else std::printf("  %-20s %7zu boxes %7zu edges   scene %7.2f ms   layout %8.2f ms   groups %5zu\n", what, scene.boxes.size(), scene.edges.size(), b - a, c - b, engine.groups_laid_out() - before);
  };
  show("first picture");
  ScopeId largest = tree->root();
  while (true) {  // down the largest groups
    ScopeId next;
    for (const Scope::Item& item : (*tree)[largest].items)
      if (item.scope && (!next || (*tree)[item.scope].node_count > (*tree)[next].node_count)) next = item.scope;
    if (!next) break;
    largest = next;
    if (is_expanded(view, *tree, largest)) continue;
    set_expanded(view, *tree, largest, true);
    show("open one");
  }
  expand_levels(view, *tree, -1);
  show("open all");
  set_expanded(view, *tree, largest, false);
  show("fold one of all");
  expand_levels(view, *tree, 0);
  show("fold all");
}

}  // namespace

int main(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    const double start = cpu_ms();
    const auto file = open_file(argv[i]);
    if (!file || !(*file)->program()) {
      std::printf("%s: %s\n", argv[i], file ? "no program" : file.error().message.c_str());
      continue;
    }
    std::printf("open %.1f ms  ", cpu_ms() - start);
    measure_program(argv[i], (*file)->program());
  }
  if (argc == 1) {
    measure_program("10,000 operators", nested_program(10000));
    measure_program("50,000 operators", nested_program(50000));
  }
}
