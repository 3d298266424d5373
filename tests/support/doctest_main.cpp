#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include <cstring>

#include "core/layout/layout_process.h"

// Code under test starts "itself" with the argument `layout` as its layout process; that must not run the tests again.
int main(int argc, char** argv) {
  if (argc == 2 && std::strcmp(argv[1], "layout") == 0) return pt2::run_layout_child();
  return doctest::Context(argc, argv).run();
}
