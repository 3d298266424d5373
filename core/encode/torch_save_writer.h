#pragma once
// What torch.save writes: a zip with a pickle of plain Python values and the bytes of their tensors. Tensors that share memory share a
// record, so that they still do once loaded.
#include <complex>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/tensor/tensor.h"

namespace pt2 {

// Values are written one after the other; a container is what stands between begin_…() and end_…().
class TorchSaveWriter {
 public:
  TorchSaveWriter& none();
  TorchSaveWriter& value(bool v);
  TorchSaveWriter& value(int64_t v);
  TorchSaveWriter& value(double v);
  TorchSaveWriter& value(std::complex<double> v);
  TorchSaveWriter& value(std::string_view v);
  TorchSaveWriter& value(const Tensor& v);
  TorchSaveWriter& begin_tuple();
  TorchSaveWriter& end_tuple();
  TorchSaveWriter& begin_list();
  TorchSaveWriter& end_list();
  TorchSaveWriter& begin_dict();  // key, value, key, value …
  TorchSaveWriter& end_dict();

  // The whole file.
  Result<std::string> bytes() const;

 private:
  void global(std::string_view module, std::string_view name);
  void integers(const Shape& numbers);

  std::string pickle_ = "\x80\x02";
  struct Record { const void* identity; Storage storage; };
  std::vector<Record> records_;
};

}  // namespace pt2
