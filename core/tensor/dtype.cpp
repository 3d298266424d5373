#include "core/tensor/dtype.h"

#include <array>
#include <utility>

namespace pt2 {

namespace {

enum class Family : uint8_t { None, Bool, Unsigned, Signed, Float, Complex, Quantized };
struct DTypeFacts {
  std::string_view name, short_name;
  int item_size;
  Family family;
};

// In the order of the enumeration. quint4x2, quint2x4 and float4_e2m1fn_x2 pack several elements into a byte.
constexpr std::array<DTypeFacts, 28> kFacts = {{
    {"unknown", "unknown", 0, Family::None},
    {"uint8", "u8", 1, Family::Unsigned},
    {"int8", "i8", 1, Family::Signed},
    {"int16", "i16", 2, Family::Signed},
    {"int32", "i32", 4, Family::Signed},
    {"int64", "i64", 8, Family::Signed},
    {"float16", "f16", 2, Family::Float},
    {"float32", "f32", 4, Family::Float},
    {"float64", "f64", 8, Family::Float},
    {"complex32", "c32", 4, Family::Complex},
    {"complex64", "c64", 8, Family::Complex},
    {"complex128", "c128", 16, Family::Complex},
    {"bool", "b8", 1, Family::Bool},
    {"bfloat16", "bf16", 2, Family::Float},
    {"uint16", "u16", 2, Family::Unsigned},
    {"uint32", "u32", 4, Family::Unsigned},
    {"uint64", "u64", 8, Family::Unsigned},
    {"float8_e4m3fn", "f8e4m3fn", 1, Family::Float},
    {"float8_e5m2", "f8e5m2", 1, Family::Float},
    {"float8_e4m3fnuz", "f8e4m3fnuz", 1, Family::Float},
    {"float8_e5m2fnuz", "f8e5m2fnuz", 1, Family::Float},
    {"float8_e8m0fnu", "f8e8m0fnu", 1, Family::Float},
    {"qint8", "qi8", 1, Family::Quantized},
    {"quint8", "qu8", 1, Family::Quantized},
    {"qint32", "qi32", 4, Family::Quantized},
    {"quint4x2", "qu4x2", 1, Family::Quantized},
    {"quint2x4", "qu2x4", 1, Family::Quantized},
    {"float4_e2m1fn_x2", "f4e2m1fnx2", 1, Family::Float},
}};

const DTypeFacts& facts(DType dtype) { return kFacts[static_cast<size_t>(dtype) < kFacts.size() ? static_cast<size_t>(dtype) : 0]; }

}  // namespace

std::string_view dtype_name(DType dtype) { return facts(dtype).name; }
std::string_view dtype_short_name(DType dtype) { return facts(dtype).short_name; }
int item_size(DType dtype) { return facts(dtype).item_size; }
bool is_floating(DType dtype) { return facts(dtype).family == Family::Float; }
bool is_complex(DType dtype) { return facts(dtype).family == Family::Complex; }
bool is_integral(DType dtype) { return facts(dtype).family == Family::Unsigned || facts(dtype).family == Family::Signed; }
bool is_signed(DType dtype) {
  const Family family = facts(dtype).family;
  return family == Family::Signed || family == Family::Float || family == Family::Complex || dtype == DType::QInt8 || dtype == DType::QInt32;
}

std::optional<DType> dtype_from_name(std::string_view name) {
  if (name.starts_with("torch.")) name.remove_prefix(6);
  for (size_t i = 1; i < kFacts.size(); ++i)
    if (kFacts[i].name == name) return static_cast<DType>(i);
  constexpr std::pair<std::string_view, DType> kAliases[] = {{"float", DType::Float32},   {"double", DType::Float64}, {"half", DType::Float16},
                                                             {"long", DType::Int64},      {"int", DType::Int32},      {"short", DType::Int16},
                                                             {"chalf", DType::Complex32}, {"cfloat", DType::Complex64}, {"cdouble", DType::Complex128}};
  for (const auto& [alias, dtype] : kAliases)
    if (alias == name) return dtype;
  return std::nullopt;
}

std::optional<DType> dtype_from_schema(int64_t number) {
  // torch/_export/serde/schema.py, class ScalarType.
  switch (number) {
    case 1: return DType::UInt8;
    case 2: return DType::Int8;
    case 3: return DType::Int16;
    case 4: return DType::Int32;
    case 5: return DType::Int64;
    case 6: return DType::Float16;
    case 7: return DType::Float32;
    case 8: return DType::Float64;
    case 9: return DType::Complex32;
    case 10: return DType::Complex64;
    case 11: return DType::Complex128;
    case 12: return DType::Bool;
    case 13: return DType::BFloat16;
    case 28: return DType::UInt16;
    case 29: return DType::Float8E4M3Fn;
    case 30: return DType::Float8E5M2;
    case 31: return DType::Float8E4M3Fnuz;
    case 32: return DType::Float8E5M2Fnuz;
    case 33: return DType::Float8E8M0Fnu;
    case 34: return DType::UInt32;
    case 35: return DType::UInt64;
    default: return std::nullopt;
  }
}

std::string_view layout_name(TensorLayout layout) {
  switch (layout) {
    case TensorLayout::Unknown: return "torch.unknown";
    case TensorLayout::SparseCoo: return "torch.sparse_coo";
    case TensorLayout::SparseCsr: return "torch.sparse_csr";
    case TensorLayout::SparseCsc: return "torch.sparse_csc";
    case TensorLayout::SparseBsr: return "torch.sparse_bsr";
    case TensorLayout::SparseBsc: return "torch.sparse_bsc";
    case TensorLayout::Mkldnn: return "torch._mkldnn";
    case TensorLayout::Strided: return "torch.strided";
  }
  return "torch.unknown";
}

std::string_view memory_format_name(MemoryFormat format) {
  switch (format) {
    case MemoryFormat::Unknown: return "torch.unknown_format";
    case MemoryFormat::Contiguous: return "torch.contiguous_format";
    case MemoryFormat::ChannelsLast: return "torch.channels_last";
    case MemoryFormat::ChannelsLast3d: return "torch.channels_last_3d";
    case MemoryFormat::Preserve: return "torch.preserve_format";
  }
  return "torch.unknown_format";
}

}  // namespace pt2
