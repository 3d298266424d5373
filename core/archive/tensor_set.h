#pragma once
// The tensors of one program (or tensor file) in order, and found by role and name.
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/archive/stored_tensor.h"

namespace pt2 {

class TensorSet {
 public:
  // Of equal names in one role the last counts.
  void add(StoredTensor tensor) {
    const auto [it, fresh] = places_.try_emplace({tensor.info.role, tensor.info.name}, tensors_.size());
    if (fresh) tensors_.push_back(std::move(tensor));
    else tensors_[it->second] = std::move(tensor);
  }
  void add_all(std::vector<StoredTensor> tensors, TensorRole role) {
    for (StoredTensor& tensor : tensors) {
      tensor.info.role = role;
      add(std::move(tensor));
    }
  }
  const std::vector<StoredTensor>& tensors() const { return tensors_; }
  std::vector<TensorInfo> infos() const {
    std::vector<TensorInfo> infos;
    infos.reserve(tensors_.size());
    for (const StoredTensor& tensor : tensors_) infos.push_back(tensor.info);
    return infos;
  }
  Result<Tensor> read(TensorRole role, std::string_view name) const {
    const auto it = places_.find({role, std::string(name)});
    if (it == places_.end()) return Error{ErrorKind::Failed, "the file has no tensor \"" + std::string(name) + "\"", "", ""};
    return read_stored(tensors_[it->second]);
  }

 private:
  std::vector<StoredTensor> tensors_;
  std::map<std::pair<TensorRole, std::string>, size_t> places_;
};

}  // namespace pt2
