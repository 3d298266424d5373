#include "core/decode/decode.h"
#include "tests/fuzz/exercise.h"
#include "tests/fuzz/fuzz_target.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (const auto program = pt2::decode_program("model", as_text(data, size), "models/model.json")) pt2::test::exercise(**program);
  return 0;
}
