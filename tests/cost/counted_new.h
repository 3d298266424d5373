#pragma once
// Every operator new of this executable is counted.
#include <cstddef>

namespace pt2::test {

size_t allocations();  // so far, of all threads

}  // namespace pt2::test
