#include "core/archive/containers.h"
#include "tests/fuzz/fuzz_target.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size < 8) return 0;
  const auto archive = pt2::open_safetensors(pt2::source_of(std::string(as_text(data, size))));
  if (!archive) return 0;
  for (const pt2::TensorInfo& info : (*archive)->tensors("")) (void)(*archive)->read_tensor("", info.role, info.name);
  return 0;
}
