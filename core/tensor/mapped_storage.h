#pragma once
// Files mapped into memory, and what happens when a mapped file is cut short by somebody else: touching a page past its end raises
// SIGBUS. A handler puts a page of zeros in place of the missing one, so the reader goes on, and marks the mapping as failed; whoever
// needs the bytes to be right asks mapping_failed() afterwards.
#include <cstdint>
#include <optional>

#include "core/tensor/tensor.h"

namespace pt2 {

// A private copy-on-write mapping; nullopt where the system refuses (then the bytes are read instead).
std::optional<Storage> map_private(int fd, uint64_t offset, uint64_t size);

// Whether a page of this storage could not be read since it was mapped.
bool mapping_failed(const Storage& storage);

}  // namespace pt2
