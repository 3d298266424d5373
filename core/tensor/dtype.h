#pragma once
// PyTorch's element types.
#include <cstdint>
#include <optional>
#include <string_view>

namespace pt2 {

enum class DType : uint8_t {
  Unknown, UInt8, Int8, Int16, Int32, Int64, Float16, Float32, Float64, Complex32, Complex64, Complex128, Bool, BFloat16,
  UInt16, UInt32, UInt64, Float8E4M3Fn, Float8E5M2, Float8E4M3Fnuz, Float8E5M2Fnuz, Float8E8M0Fnu,
  QInt8, QUInt8, QInt32, QUInt4x2, QUInt2x4, Float4E2M1FnX2,  // only in torch.save files
};
enum class TensorLayout : uint8_t { Unknown, SparseCoo, SparseCsr, SparseCsc, SparseBsr, SparseBsc, Mkldnn, Strided };
enum class MemoryFormat : uint8_t { Unknown, Contiguous, ChannelsLast, ChannelsLast3d, Preserve };

// "float32"; "unknown" for Unknown.
std::string_view dtype_name(DType dtype);
// The abbreviation of FX type annotations: "f32", "bf16", "b8", "f8e4m3fn" …
std::string_view dtype_short_name(DType dtype);
// Inverse of dtype_name; also takes a leading "torch.".
std::optional<DType> dtype_from_name(std::string_view name);
// The ScalarType numbers of the Export IR schema (uint8 = 1 … bfloat16 = 13, uint16 = 28 …), which are not c10's. nullopt: unknown number.
std::optional<DType> dtype_from_schema(int64_t number);
// Bytes of one element; 0 for Unknown.
int item_size(DType dtype);
bool is_floating(DType dtype);  // float16 … float8 included, complex not
bool is_complex(DType dtype);
bool is_integral(DType dtype);  // bool not included
bool is_signed(DType dtype);

// "torch.strided", "torch.contiguous_format" as Python prints them.
std::string_view layout_name(TensorLayout layout);
std::string_view memory_format_name(MemoryFormat format);

}  // namespace pt2
