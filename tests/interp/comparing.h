#pragma once
// What tests of comparisons share: two programs, held against each other on seeded inputs.
#include <doctest/doctest.h>

#include <memory>
#include <string>

#include "interp/compare_report.h"
#include "interp/compare_runs.h"
#include "tests/support/tensors.h"

namespace pt2::test {

using namespace pt2::interp;

inline std::shared_ptr<const OpenedFile> opened(const std::string& path) {
  auto file = open_file(path);
  REQUIRE(file.has_value());
  return *file;
}
inline std::shared_ptr<const OpenedFile> sample(const char* name) { return opened(std::string(PT2_SOURCE_DIR "/assets/samples/") + name); }
inline std::shared_ptr<const OpenedFile> pair(const char* name) { return opened(std::string(PT2_TEST_DATA "/pairs/") + name); }

inline CompareRunsRequest seeded() {
  CompareRunsRequest request;
  request.seed = 1;
  return request;
}

inline std::string verdict(const Program& left, const Program& right, const RunComparison& numbers) {
  return divergence_text({left, right, "a", "b", numbers.diff, &numbers, nullptr, std::nullopt});
}

inline Tensor sixfold(float value) { return floats({2, 3}, std::vector<float>(6, value)); }

inline NodeRef node_of(const Program& program, const char* name) { return {program.root(), program.root_graph().find(name)}; }

}  // namespace pt2::test
