// Programs that write in place write to memory of their own: what a file holds, and what was given, is the same for the next run.
#include <string>
#include <vector>

#include "core/archive/archive.h"
#include "interp/compare_report.h"
#include "interp/compare_runs.h"
#include "interp/tensor_map.h"
#include "interp/watch_expression.h"
#include "tests/interp/session.h"

using namespace pt2;
using namespace pt2::interp;

namespace {

// The bytes of every parameter, buffer and constant.
std::vector<std::string> stored(const test::Session& s) {
  std::vector<std::string> all;
  for (const InputSpec& spec : s.program->signature.inputs) {
    if (spec.kind == InputKind::UserInput) continue;
    auto tensor = s.file->archive->read_tensor(s.program->name, TensorRole::Weight, spec.target);
    if (!tensor) tensor = s.file->archive->read_tensor(s.program->name, TensorRole::Constant, spec.target);
    if (!tensor) continue;  // buffers that are not saved
    const Tensor dense = as_contiguous(*tensor);
    all.emplace_back(reinterpret_cast<const char*>(dense.bytes()), size_t(dense.numel() * item_size(dense.dtype)));
  }
  return all;
}

}  // namespace

TEST_CASE("a run leaves what its file holds as it is") {
  for (const char* name : {"mutations", "conv_bn_train", "while_loop"}) {
    CAPTURE(std::string(name));
    const test::Session s(name);
    const auto before = stored(s);
    std::vector<std::string> left;  // in inputs and buffers, by the first run
    for (const bool first : {true, false}) {
      const auto report = run_program(*s.file, s.program, {});
      REQUIRE(report);
      REQUIRE(report->finished);
      CHECK(stored(s) == before);
      std::vector<std::string> now;
      for (const WrittenInput& written : report->written) now.push_back(written.target + " " + summary(written.value));
      if (first) left = now;
      CHECK(now == left);
    }
  }
}

TEST_CASE("programs that write in place compare the same however often they run") {
  const test::Session a("mutations"), b("mutations");
  const auto before = stored(a);
  for (const bool isolate : {false, true, false}) {
    CompareRunsRequest request;
    request.isolate = isolate;
    const auto numbers = compare_runs({a.file.get(), a.program}, {b.file.get(), b.program}, request);
    REQUIRE(numbers);
    CHECK(numbers_agree(*numbers));
    CHECK(stored(a) == before);
    CHECK(stored(b) == before);
  }
}
