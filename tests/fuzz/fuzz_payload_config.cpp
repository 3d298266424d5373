#include "core/archive/payload_config.h"
#include "tests/fuzz/fuzz_target.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  (void)pt2::parse_payload_config(as_text(data, size));
  (void)pt2::parse_tensor_meta(as_text(data, size));
  return 0;
}
