#pragma once
// A program to hand on: the archive copied member by member, with all, some or none of its weights, and what a debugger knew about it.
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/base/result.h"
#include "core/tensor/tensor_files.h"

namespace pt2 {

struct BundleRequest {
  enum class Weights { All, None, Named };
  std::string source, out;           // files; they must differ
  Weights weights = Weights::All;
  std::vector<std::string> names;    // of Named
  std::string session, view;         // JSON; empty: none
  std::shared_ptr<const TensorFile> values;  // recorded ones, by the keys of `run --record`; those of weights that are left out go, too
};
struct BundleReport {
  size_t kept = 0;                   // weights
  std::vector<std::string> left_out;
  uint64_t bytes = 0;                // of the file
};

// A bundle goes under no other name.
Result<void> check_bundle_name(const std::string& path);
// The members are copied as they are; weights that are left out are no longer named, so that they count as missing.
Result<BundleReport> write_bundle(const BundleRequest& request);

struct BundleContent {
  std::string session, view;         // JSON; empty: none
  TensorFile values;
  std::string problem;               // why there are no values although the bundle has some
};
// What a bundle holds beside the program; nothing for other files.
Result<BundleContent> read_bundle(const std::string& path);

}  // namespace pt2
