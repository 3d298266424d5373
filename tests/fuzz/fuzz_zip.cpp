#include "core/archive/zip_reader.h"
#include "core/base/limits.h"
#include "tests/fuzz/fuzz_target.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const auto zip = pt2::ZipReader::open(pt2::source_of(std::string(as_text(data, size))));
  if (!zip) return 0;
  for (const pt2::ZipMember& member : zip->members()) {
    (void)zip->head(member, 100);
    (void)zip->read(member, 4 * pt2::limits::kMiB, "test");
    if (member.size < 4 * pt2::limits::kMiB) (void)zip->storage(member);
  }
  return 0;
}
