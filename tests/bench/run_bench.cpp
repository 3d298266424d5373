// How long opening and running take, measured on request so that run.py can alternate with PyTorch: run_bench FILE.pt2 [THREADS].
// `run_bench :tiny [THREADS]` makes a program of 10,000 tiny operators instead. Built with -DPT2_BENCH=ON.
// Reads one command a line from stdin and answers each with one line of numbers:
// ms: on the clock, and of all threads on the processors.
//   open     ms and nodes       the file to the program in memory, no window
//   run      ms and bytes kept  a run in the debugger: every value kept as it was when its node had ended
//   plain    ms                 a run that lets go of each value after its last reader
//   memory   peak KiB of anonymous memory of this process during a run that keeps every value, and before it
#include <time.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>

#include "core/load.h"
#include "interp/debugger.h"
#include "tests/support/program_maker.h"

using namespace pt2;
using namespace pt2::interp;

namespace {

using Clock = std::chrono::steady_clock;

// Time on the clock and time of all threads on the processors: the second is steady on a busy machine.
class Stopwatch {
 public:
  Stopwatch() : wall_(Clock::now()), cpu_ms_(cpu_ms()) {}
  struct Times { double wall_ms, cpu_ms; };
  Times times() const { return {std::chrono::duration<double, std::milli>(Clock::now() - wall_).count(), cpu_ms() - cpu_ms_}; }

 private:
  static double cpu_ms() {
    timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return double(t.tv_sec) * 1e3 + double(t.tv_nsec) / 1e6;
  }
  Clock::time_point wall_;
  double cpu_ms_;
};

[[noreturn]] void give_up(const std::string& message) {
  std::fprintf(stderr, "run_bench: %s\n", message.c_str());
  std::exit(1);
}

// Additions, products and rectifications of [2, 8] float tensors in a chain with a second reader now and then.
std::shared_ptr<const Program> tiny_program(size_t operators) {
  test::ProgramMaker maker;
  NodeId last = maker.input("x"), other = last;
  for (size_t i = 0; i < operators; ++i) {
    const NodeId before = last;
    switch (i % 4) {
      case 0: last = maker.call("add_" + std::to_string(i), "torch.ops.aten.add.Tensor", {last, other}); break;
      case 1: last = maker.call("relu_" + std::to_string(i), "torch.ops.aten.relu.default", {last}); break;
      case 2: last = maker.call("neg_" + std::to_string(i), "torch.ops.aten.neg.default", {last}); break;
      default: last = maker.call("mul_" + std::to_string(i), "torch.ops.aten.mul.Tensor", {last, other}); break;
    }
    if (i % 4 == 1) other = before;
  }
  return maker.finish({last});
}

// What a program without a file has for an archive.
struct NoArchive : Archive {
  Container container() const override { return Container::Pt2Archive; }
  std::vector<std::string> models() const override { return {"model"}; }
  Result<std::string> model_json(std::string_view) const override { return std::string(); }
  std::vector<TensorInfo> tensors(std::string_view) const override { return {}; }
  Result<Tensor> read_tensor(std::string_view, TensorRole, std::string_view) const override { return Error{ErrorKind::Failed, "no weights"}; }
  Result<PickleValue> sample_inputs(std::string_view) const override { return PickleValue(); }
  std::vector<std::string> extra_files() const override { return {}; }
  Result<std::string> extra_file(std::string_view) const override { return std::string(); }
  std::vector<std::string> entries() const override { return {}; }
  std::vector<Finding> check() const override { return {}; }
};

size_t anonymous_kib() {
  size_t kib = 0;
  if (FILE* status = std::fopen("/proc/self/status", "r")) {
    char line[256];
    while (std::fgets(line, sizeof line, status))
      if (std::sscanf(line, "RssAnon: %zu", &kib) == 1) break;
    std::fclose(status);
  }
  return kib;
}

std::shared_ptr<const OpenedFile> open(const std::string& path) {
  if (path == ":tiny") {
    auto file = std::make_shared<OpenedFile>();
    file->archive = std::make_shared<NoArchive>();
    file->programs.push_back(tiny_program(10'000));
    return file;
  }
  auto opened = open_file(path);
  if (!opened) give_up(opened.error().message);
  if (!(*opened)->program()) give_up("the file holds no program");
  return *opened;
}

struct Bench {
  Bench(const std::string& path, int thread_count) : file(open(path)), program(file->program()), threads(thread_count) {}

  void settle() {
    while (!jobs.idle()) {
      jobs.wait(1);
      jobs.deliver();
    }
    jobs.deliver();
  }

  // Start to end in the debugger; what it kept is there until the next run.
  Stopwatch::Times keep_everything() {
    debugger.reset();
    debugger = std::make_unique<Debugger>(file, program, jobs);
    debugger->options.threads = threads;
    const Stopwatch watch;
    debugger->start({});
    settle();
    if (debugger->problem()) give_up(debugger->problem()->message);
    debugger->run_without_stopping();
    settle();
    const Stopwatch::Times times = watch.times();
    held = *debugger->inputs();
    if (debugger->state() != RunState::Finished) give_up("the run ended with: " + debugger->stop_reason());
    return times;
  }

  Stopwatch::Times let_go() {
    debugger.reset();
    InterpreterOptions options;
    options.context.threads = threads;
    options.context.memory = std::make_shared<MemoryBudget>(SIZE_MAX);
    ContextScope scope(options.context);
    const Stopwatch watch;
    auto inputs = make_program_inputs(*program, *file->archive, {});
    if (!inputs) give_up(inputs.error().message);
    std::vector<RuntimeValue> values;
    for (ProgramInput& input : inputs->inputs) values.push_back(std::move(input.value));
    if (!plan) plan = std::make_shared<const ExecutionPlan>(make_execution_plan(program, builtin_ops()));
    Interpreter interpreter(plan, builtin_ops(), options);
    interpreter.start(std::move(values));
    while (interpreter.step().kind != StepKind::Finished) {}
    return watch.times();
  }

  std::shared_ptr<const OpenedFile> file;
  std::shared_ptr<const Program> program;
  int threads;
  std::shared_ptr<const ExecutionPlan> plan;
  JobQueue jobs{1};
  std::unique_ptr<Debugger> debugger;
  ProgramInputs held;  // the file's weights stay mapped between runs, as they do in a window
};

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) give_up("usage: run_bench FILE.pt2|:tiny [THREADS]");
  const std::string path = argv[1];
  const int threads = argc > 2 ? std::atoi(argv[2]) : 2;
  Bench bench(path, threads);
  char line[64];
  while (std::fgets(line, sizeof line, stdin)) {
    line[std::strcspn(line, "\n")] = '\0';
    const std::string command = line;
    if (command == "open") {
      const Stopwatch watch;
      const auto opened = open(path);
      const auto [wall, cpu] = watch.times();
      std::printf("%.4f %.4f %zu\n", wall, cpu, opened->program()->root_graph().nodes().size());
    } else if (command == "run") {
      const auto [wall, cpu] = bench.keep_everything();
      std::printf("%.4f %.4f %zu\n", wall, cpu, bench.debugger->trace().kept_bytes());
    } else if (command == "plain") {
      const auto [wall, cpu] = bench.let_go();
      std::printf("%.4f %.4f\n", wall, cpu);
    } else if (command == "memory") {
      bench.debugger.reset();
      const size_t before = anonymous_kib();
      std::atomic<size_t> peak{0};
      {
        std::jthread sampler([&](std::stop_token ended) {
          while (!ended.stop_requested()) {
            peak = std::max(peak.load(), anonymous_kib());
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
          }
        });
        bench.keep_everything();
      }
      std::printf("%zu %zu\n", std::max(peak.load(), anonymous_kib()), before);
    } else {
      give_up("unknown command " + command);
    }
    std::fflush(stdout);
  }
}
