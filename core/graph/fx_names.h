#pragma once
// FX's name space (torch/fx/graph.py, _Namespace): torch.export.load makes every node through it, and so do we, because the names
// that PyTorch prints after loading a file depend on it.
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

namespace pt2 {

class FxNames {
 public:
  // A name like `candidate` that is not in use and shadows no Python keyword or builtin.
  std::string create(std::string_view candidate);

 private:
  std::unordered_set<std::string> used_;
  std::unordered_map<std::string, unsigned long long> last_number_;
};

// What FX calls a node without a name: Graph._target_to_str of "torch.ops.aten.topk.default" is "topk.default".
std::string name_from_target(std::string_view target);
// The same for a placeholder's target: "maxLen" is "max_len".
std::string name_from_placeholder(std::string_view target);

bool is_python_keyword(std::string_view word);

}  // namespace pt2
