// The command line under every failure: it ends with a message that names the file, and what it was to write is there as a whole, as it was before,
// or not at all.
#include <doctest/doctest.h>
#include <fcntl.h>
#include <unistd.h>

#include <fstream>
#include <functional>
#include <iterator>
#include <map>

#include "app/cli/cli.h"
#include "core/load.h"
#include "core/tensor/tensor_files.h"
#include "core/verify/verify.h"
#include "interp/run_report.h"
#include "tests/hardening/sweep.h"
#include "tests/support/scratch.h"

using namespace pt2;

namespace {

constexpr const char* kSample = PT2_SOURCE_DIR "/assets/samples/conv_bn_relu.pt2";

std::string text_of(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

// stdout and stderr of what runs in between go to a file.
class Captured {
 public:
  explicit Captured(const std::string& path) {
    std::fflush(nullptr);
    const int file = ::open(path.c_str(), O_RDWR | O_CREAT | O_TRUNC, 0600);
    for (int fd : {1, 2}) before_[fd] = ::dup(fd), ::dup2(file, fd);
    ::close(file);
  }
  ~Captured() {
    std::fflush(nullptr);
    for (int fd : {1, 2}) ::dup2(before_[fd], fd), ::close(before_[fd]);
  }

 private:
  int before_[3] = {};
};

struct Ended {
  int status = -1;
  std::string said;
};
template <class Guarded>
Ended command(const test::Scratch& scratch, std::vector<std::string> words, Guarded&& guarded) {
  words.insert(words.begin(), "pt2scope");
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  Ended ended;
  {
    const Captured captured(scratch.path("said"));
    guarded([&] { ended.status = app::run_command_line(int(words.size()), argv.data()); });
  }
  ended.said = text_of(scratch.path("said"));
  return ended;
}
const auto plainly = [](auto&& work) { work(); };

// All files below the folder, by name.
std::map<std::string, std::string> contents(const std::filesystem::path& folder) {
  std::map<std::string, std::string> all;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
    if (entry.is_regular_file()) {
      std::string& text = all[entry.path().lexically_relative(folder).string()] = text_of(entry.path());
      if (const size_t date = text.find("/CreationDate"); date != text.npos) text.erase(date, text.find('\n', date) - date);  // of a PDF
    }
  return all;
}

struct Scenario {
  const char* name;
  std::vector<std::string> words;  // OUT: the folder to write to
};

const std::vector<Scenario> kScenarios = {
    {"info", {"info", kSample}},
    {"render svg", {"render", kSample, "-o", "OUT/out.svg"}},
    {"render png", {"render", kSample, "-o", "OUT/out.png"}},
    {"render pdf", {"render", kSample, "-o", "OUT/out.pdf"}},
    {"tensor npy", {"tensor", kSample, "conv.weight", "-o", "OUT/out.npy"}},
    {"tensor safetensors", {"tensor", kSample, "conv.weight", "-o", "OUT/out.safetensors"}},
    {"tensor npz", {"tensor", kSample, "conv.weight", "-o", "OUT/out.npz"}},
    {"record", {"run", kSample, "--record", "OUT/out.safetensors"}},
    {"repro", {"run", kSample, "--repro", "relu", "-o", "OUT"}},
    {"run", {"run", kSample, "--memory", "64M"}},
};

// What is there under its final name is whole. Where a weight could not be read, the values that need it are missing in a whole file.
void check_whole(const std::filesystem::path& out, const std::map<std::string, std::string>& expected, const faults::Kind& kind) {
  for (const auto& file : contents(out)) {
    const auto& name = file.first;
    const auto& bytes = file.second;
    CAPTURE(name);
    REQUIRE(expected.contains(name));
    if (kind.call != faults::Call::Read) CHECK((bytes == expected.at(name)));
  }
}

void scenario_under_faults(const Scenario& scenario) {
  CAPTURE(std::string(scenario.name));
  const test::Scratch scratch;
  const std::filesystem::path out = scratch.folder / "out";
  std::vector<std::string> words = scenario.words;
  for (std::string& word : words)
    if (word.starts_with("OUT")) word.replace(0, 3, out.string());
  std::filesystem::create_directories(out);
  const Ended good = command(scratch, words, plainly);
  REQUIRE_MESSAGE(good.status == 0, good.said);
  const auto expected = contents(out);
  faults::sweep(scenario.name, faults::kFileKinds, [&](const faults::Kind& kind, auto&& guarded) {
    CAPTURE(std::string(kind.name));
    std::filesystem::remove_all(out);
    std::filesystem::create_directories(out);
    const Ended ended = command(scratch, words, guarded);
    CAPTURE(ended.said);
    if (faults::must_pass(kind)) CHECK(ended.status == 0);
    if (ended.status == 0) {
      if (kind.call != faults::Call::Read || faults::must_pass(kind)) CHECK((contents(out) == expected));
      return;
    }
    CHECK(ended.said.find("error: ") != std::string::npos);
    const bool writing = kind.call != faults::Call::Read && kind.call != faults::Call::Open;
    CHECK((ended.said.find("/out") != std::string::npos || (!writing && ended.said.find(kSample) != std::string::npos)));
    check_whole(out, expected, kind);
  });
}

// The same with memory, below the command line: its parser and JSON's library do not survive it everywhere.
struct MemoryScenario {
  const char* name;
  std::function<void(const std::string& out)> work;
};
std::shared_ptr<const OpenedFile> opened() {
  auto file = open_file(kSample);
  return file ? *file : nullptr;
}
void run_small(const std::string& record) {
  const auto file = opened();
  const auto program = file ? file->program() : nullptr;
  if (!program) return;
  interp::RunRequest request;
  request.memory_bytes = 64 << 20;
  request.record_path = record;
  (void)interp::run_program(*file, program, request);
}
const std::vector<MemoryScenario> kMemoryScenarios = {
    {"open and read the weights", [](const std::string&) {
       const auto file = opened();
       if (!file || !file->program()) return;
       for (const TensorInfo& info : file->archive->tensors("model")) (void)file->archive->read_tensor("model", info.role, info.name);
     }},
    {"verify", [](const std::string&) {
       const auto file = opened();
       if (file && file->program()) (void)verify(*file->program(), file->archive.get());
     }},
    {"run", [](const std::string&) { run_small({}); }},
    {"record", [](const std::string& out) { run_small(out + "/out.safetensors"); }},
    {"tensor files", [](const std::string& out) {
       TensorFile file;
       const auto from = opened();
       if (!from) return;
       auto weight = from->archive->read_tensor("model", TensorRole::Weight, "conv.weight");
       if (!weight) return;
       file.tensors.emplace_back("w", *weight);
       for (const char* end : {".npy", ".npz", ".safetensors"}) (void)write_tensor_file(out + "/out" + end, file);
     }},
};

}  // namespace

TEST_CASE("faults: files") {
  for (const Scenario& scenario : kScenarios) scenario_under_faults(scenario);
}

TEST_CASE("faults: memory") {
  for (const MemoryScenario& scenario : kMemoryScenarios) {
    CAPTURE(std::string(scenario.name));
    const test::Scratch scratch;
    scenario.work(scratch.folder.string());
    const auto expected = contents(scratch.folder);
    faults::sweep(scenario.name, faults::kMemoryKinds, [&](const faults::Kind& kind, auto&& guarded) {
      CAPTURE(std::string(kind.name));
      for (const auto& [name, bytes] : expected) std::filesystem::remove(scratch.folder / name);
      guarded([&] {
        try {
          scenario.work(scratch.folder.string());
        } catch (const std::bad_alloc&) {
          // As far as the fence around a command or a pane.
        }
      });
      for (const auto& file : contents(scratch.folder)) CHECK_MESSAGE(expected.contains(file.first), file.first);
    }, 60);
  }
}
