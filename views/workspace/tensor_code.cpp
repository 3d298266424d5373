#include "views/workspace/tensor_code.h"

#include <cmath>
#include <functional>
#include <optional>
#include <vector>

#include "core/base/text.h"
#include "core/tensor/element.h"
#include "core/tensor/view.h"

namespace pt2::views {
namespace {

std::optional<Error> too_many(const Tensor& tensor) {
  if (tensor.numel() <= kMaxCodeElements) return std::nullopt;
  return Error{ErrorKind::Limit, with_commas(uint64_t(tensor.numel())) + " elements are too many for a text; at most " + with_commas(uint64_t(kMaxCodeElements)) + " are written", "", "Take a slice, or export the value."};
}

std::string nested(const Tensor& tensor, size_t indent, const std::function<std::string(const std::byte*)>& text) {
  const size_t rank = tensor.sizes.size();
  const int64_t count = tensor.numel();
  std::string out;
  if (count == 0) return "[]";
  std::vector<int64_t> index(rank, 0);
  for (int64_t n = 0; n < count; ++n) {
    size_t opened = 0;
    while (opened < rank && index[rank - 1 - opened] == 0) ++opened;
    if (n) out += opened ? ",\n" + std::string(indent + rank - opened, ' ') : ", ";
    out.append(opened, '[');
    out += text(element_bytes(tensor, index));
    size_t closed = 0;
    for (size_t d = rank; d-- > 0;) {
      if (++index[d] < tensor.sizes[d]) break;
      index[d] = 0;
      ++closed;
    }
    out.append(closed, ']');
  }
  return out;
}

std::string python_float(const std::string& text) { return text == "nan" || text == "inf" || text == "-inf" ? "float('" + text + "')" : text; }

// The type that torch.tensor() takes for one that it does not.
std::optional<DType> plain_type(DType dtype) {
  switch (dtype) {
    case DType::QInt8: return DType::Int8;
    case DType::QUInt8:
    case DType::QUInt4x2:
    case DType::QUInt2x4:
    case DType::Float4E2M1FnX2: return DType::UInt8;
    case DType::QInt32: return DType::Int32;
    default: return std::nullopt;
  }
}

}  // namespace

std::string python_element(DType dtype, const std::byte* bytes) {
  const Element element = read_element(dtype, bytes);
  if (auto* value = std::get_if<std::complex<double>>(&element); value && is_complex(dtype)) {
    const DType part = dtype == DType::Complex128 ? DType::Float64 : dtype == DType::Complex64 ? DType::Float32 : DType::Float16;
    return "complex(" + python_float(element_text(part, value->real())) + ", " + python_float(element_text(part, value->imag())) + ")";
  }
  return python_float(element_text(dtype, element));
}

Result<std::string> list_text(const Tensor& tensor) {
  if (auto error = too_many(tensor)) return std::move(*error);
  return nested(tensor, 0, [&](const std::byte* bytes) { return element_text(tensor.dtype, read_element(tensor.dtype, bytes)); });
}

Result<std::string> torch_text(const Tensor& tensor) {
  if (auto error = too_many(tensor)) return std::move(*error);
  Tensor plain = tensor;
  if (const auto other = plain_type(tensor.dtype)) plain.dtype = *other;
  const std::string dtype = "dtype=torch." + std::string(dtype_name(plain.dtype)) + ")";
  std::string text;
  if (tensor.numel() == 0) {
    text = "torch.empty(" + shape_text(tensor.sizes) + ", " + dtype;
  } else {
    constexpr std::string_view kHead = "torch.tensor(";
    text = std::string(kHead) + nested(plain, kHead.size(), [&](const std::byte* bytes) { return python_element(plain.dtype, bytes); }) + ", " + dtype;
  }
  if (tensor.dtype == DType::Float4E2M1FnX2) text += ".view(torch.float4_e2m1fn_x2)";
  return text;
}

Result<std::string> tsv_text(const Tensor& tensor) {
  if (auto error = too_many(tensor)) return std::move(*error);
  std::string text;
  for_each_run(tensor, [&](const std::byte* bytes, int64_t count, int64_t step) {
    for (int64_t i = 0; i < count; ++i, bytes += step) {
      if (i) text += '\t';
      text += element_text(tensor.dtype, read_element(tensor.dtype, bytes));
    }
    text += '\n';
  });
  return text;
}

}  // namespace pt2::views
