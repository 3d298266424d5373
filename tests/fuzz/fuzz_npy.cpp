#include "core/archive/containers.h"
#include "tests/fuzz/fuzz_target.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (const auto archive = pt2::open_npy(pt2::source_of(std::string(as_text(data, size))))) (void)(*archive)->read_tensor("", pt2::TensorRole::Tensor, "tensor");
  return 0;
}
