#pragma once
// FX's name space (torch/fx/graph.py, _Namespace): torch.export.load makes every node through it, and so do we, because the names
// that PyTorch prints after loading a file depend on it.
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "core/base/string_pool.h"

namespace pt2 {

class FxNames {
 public:
  explicit FxNames(StringPool& strings) : strings_(strings) {}
  // A name like `candidate` that is not in use and shadows no Python keyword or builtin, in the pool.
  std::string_view create(std::string_view candidate);

 private:
  StringPool& strings_;
  std::unordered_set<std::string_view> used_;
  std::unordered_map<std::string, unsigned long long> last_number_;  // of bases whose number is not 0
};

// What FX calls a node without a name: Graph._target_to_str of "torch.ops.aten.topk.default" is "topk.default".
std::string name_from_target(std::string_view target);
// The same for a placeholder's target: "maxLen" is "max_len".
std::string name_from_placeholder(std::string_view target);

bool is_python_keyword(std::string_view word);

}  // namespace pt2
