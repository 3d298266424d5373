#include <doctest/doctest.h>
#include <zlib.h>

#include <cstdio>
#include <fstream>

#include "core/load.h"
#include "interp/run_report.h"

using namespace pt2;
using namespace pt2::interp;

TEST_CASE("every distribution draws PyTorch's numbers, bit for bit") {  // random/draws.tsv: see tests/data/make_random_draws.py
  auto file = open_file(std::string(PT2_TEST_DATA) + "/random/draws.pt2");
  REQUIRE(file);
  RunRequest request;
  request.seed = 7;
  const auto report = run_program(**file, (*file)->program(), request);
  REQUIRE(report);
  REQUIRE(report->finished);
  std::ifstream lines(std::string(PT2_TEST_DATA) + "/random/draws.tsv");
  size_t i = 0;
  for (std::string name, checksum; lines >> name >> checksum; ++i) {
    CAPTURE(name);
    REQUIRE(i < report->outputs.size());
    const auto* tensor = report->outputs[i].as<Tensor>();
    REQUIRE(tensor);
    REQUIRE(is_contiguous(*tensor));
    char found[9];
    std::snprintf(found, sizeof found, "%08lx",
                  crc32(0, reinterpret_cast<const Bytef*>(tensor->bytes()), static_cast<uInt>(tensor->numel() * item_size(tensor->dtype))));
    CHECK(found == checksum);
  }
  CHECK(i == report->outputs.size());
}
