#pragma once
// data/weights/<model>_weights_config.json and its like: which record holds which tensor.
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/archive/tensor_meta_json.h"
#include "core/base/result.h"

namespace pt2 {

struct PayloadEntry {
  std::string name;       // fqn
  std::string path_name;  // the member's name inside the folder
  bool is_parameter = false, use_pickle = false;
  std::optional<StoredTensorMeta> meta;  // none: an object, or `problem`
  std::string problem;                   // what is wrong with this entry
};

// Fails where the whole is no configuration; a bad entry has a `problem`.
Result<std::vector<PayloadEntry>> parse_payload_config(std::string_view json);

}  // namespace pt2
