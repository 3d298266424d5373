// A whole file of any kind.
#include "core/archive/containers.h"
#include "tests/fuzz/exercise.h"
#include "tests/fuzz/fuzz_target.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (const auto archive = pt2::open_archive(pt2::source_of(std::string(as_text(data, size))), "f.pt2")) pt2::test::exercise(**archive);
  return 0;
}
