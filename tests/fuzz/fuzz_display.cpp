// What display() gives holds nothing that it should have escaped, and shows the same when it is shown again.
#include <cstdlib>

#include "core/base/display.h"
#include "tests/fuzz/fuzz_target.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string shown = pt2::display(as_text(data, size));
  for (const char c : shown)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) std::abort();
  if (pt2::display(shown) != shown) std::abort();
  (void)pt2::display_lines(as_text(data, size));
  (void)pt2::display_cut(as_text(data, size), 5);
  return 0;
}
