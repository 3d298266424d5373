#include "core/graph/tree_spec.h"
#include "tests/fuzz/fuzz_target.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (const auto spec = pt2::parse_tree_spec(as_text(data, size))) (void)pt2::leaf_paths(*spec, {{"corpus.Pair", {"first", "second"}}});
  return 0;
}
