#include "interp/convert.h"

#include <algorithm>
#include <cstring>

#include "core/tensor/float_formats.h"
#include "interp/check.h"

namespace pt2::interp {

namespace {

// One type for each element type: how it lies in memory, and what it widens to.
template <class T>
struct Plain {
  using Bits = T;
  static T widen(T bits) { return bits; }
  template <class C>
  static T narrow(C value) {
    if constexpr (std::is_integral_v<T> && std::is_floating_point_v<C>) {
      // One defined result for what does not fit: the processor's own, by way of int64 (NaN and the rest give the smallest number).
      const bool fits = value >= C(-0x1p63) && value < C(0x1p63);
      if constexpr (std::is_same_v<T, uint64_t>)
        if (value >= C(0x1p63) && value < C(0x1p64)) return static_cast<uint64_t>(value);
      if constexpr (sizeof(T) == 4 && std::is_signed_v<T>) return value >= C(-0x1p31) && value < C(0x1p31) ? static_cast<T>(value) : INT32_MIN;
      return static_cast<T>(fits ? static_cast<int64_t>(value) : INT64_MIN);
    } else {
      return static_cast<T>(value);
    }
  }
};
struct BoolElement {
  using Bits = uint8_t;
  static bool widen(uint8_t bits) { return bits != 0; }
  template <class C>
  static uint8_t narrow(C value) { return value != C(0); }
};
struct Half {
  using Bits = uint16_t;
  static float widen(uint16_t bits) { return float_from_half(bits); }
  template <class C>
  static uint16_t narrow(C value) { return half_from_float(static_cast<float>(value)); }
};
struct BFloat16 {
  using Bits = uint16_t;
  static float widen(uint16_t bits) { return float_from_bfloat16(bits); }
  template <class C>
  static uint16_t narrow(C value) { return bfloat16_from_float(static_cast<float>(value)); }
};
template <DType D>
struct Float8 {
  using Bits = uint8_t;
  static float widen(uint8_t bits) { return float_from_float8(D, bits); }
  template <class C>
  static uint8_t narrow(C value) { return float8_from_float(D, static_cast<float>(value)); }
};
template <class Part>
struct ComplexElement {
  struct Bits { typename Part::Bits real, imaginary; };
  static std::complex<double> widen(Bits b) { return {static_cast<double>(Part::widen(b.real)), static_cast<double>(Part::widen(b.imaginary))}; }
  template <class C>
  static Bits narrow(C value) {
    if constexpr (std::is_same_v<C, std::complex<double>>) return {Part::narrow(value.real()), Part::narrow(value.imag())};
    else return {Part::narrow(static_cast<double>(value)), Part::narrow(0.0)};
  }
};

template <class C, class V>
C to_compute(V value) {
  if constexpr (std::is_same_v<V, std::complex<double>> && !std::is_same_v<C, std::complex<double>>) {
    if constexpr (std::is_same_v<C, bool>) return value != V(0);
    else return to_compute<C>(value.real());
  } else if constexpr (std::is_same_v<C, std::complex<double>> && !std::is_same_v<V, std::complex<double>>) {
    return C(static_cast<double>(value));
  } else if constexpr (std::is_same_v<C, int64_t> && std::is_floating_point_v<V>) {
    return Plain<int64_t>::narrow(value);
  } else if constexpr (std::is_same_v<C, bool>) {
    return value != V(0);
  } else {
    return static_cast<C>(value);
  }
}

template <class Element, class C>
void load(const std::byte* from, int64_t stride_bytes, void* to, int64_t count) {
  using Bits = typename Element::Bits;
  C* out = static_cast<C*>(to);
  if (stride_bytes == static_cast<int64_t>(sizeof(Bits))) {
    const Bits* in = reinterpret_cast<const Bits*>(from);
    for (int64_t i = 0; i < count; ++i) out[i] = to_compute<C>(Element::widen(in[i]));
  } else if (stride_bytes == 0) {
    std::fill_n(out, count, to_compute<C>(Element::widen(*reinterpret_cast<const Bits*>(from))));
  } else {
    for (int64_t i = 0; i < count; ++i) out[i] = to_compute<C>(Element::widen(*reinterpret_cast<const Bits*>(from + i * stride_bytes)));
  }
}

template <class Element>
inline constexpr bool is_complex_element = std::is_same_v<decltype(Element::widen({})), std::complex<double>>;

template <class Element, class C>
typename Element::Bits narrowed(C value) {
  if constexpr (std::is_same_v<C, std::complex<double>> && !is_complex_element<Element> && !std::is_same_v<Element, BoolElement>) {
    return Element::narrow(value.real());
  } else {
    return Element::narrow(value);
  }
}

template <class Element, class C>
void store(const void* from, std::byte* to, int64_t stride_bytes, int64_t count) {
  using Bits = typename Element::Bits;
  const C* in = static_cast<const C*>(from);
  if (stride_bytes == static_cast<int64_t>(sizeof(Bits))) {
    Bits* out = reinterpret_cast<Bits*>(to);
    for (int64_t i = 0; i < count; ++i) out[i] = narrowed<Element>(in[i]);
  } else {
    for (int64_t i = 0; i < count; ++i) *reinterpret_cast<Bits*>(to + i * stride_bytes) = narrowed<Element>(in[i]);
  }
}

// Calls visit.template operator()<Element>().
template <class Visit>
auto visit_element(DType dtype, Visit visit) {
  switch (dtype) {
    case DType::Bool: return visit.template operator()<BoolElement>();
    case DType::UInt8: return visit.template operator()<Plain<uint8_t>>();
    case DType::Int8: return visit.template operator()<Plain<int8_t>>();
    case DType::Int16: return visit.template operator()<Plain<int16_t>>();
    case DType::Int32: return visit.template operator()<Plain<int32_t>>();
    case DType::Int64: return visit.template operator()<Plain<int64_t>>();
    case DType::UInt16: return visit.template operator()<Plain<uint16_t>>();
    case DType::UInt32: return visit.template operator()<Plain<uint32_t>>();
    case DType::UInt64: return visit.template operator()<Plain<uint64_t>>();
    case DType::Float16: return visit.template operator()<Half>();
    case DType::BFloat16: return visit.template operator()<BFloat16>();
    case DType::Float32: return visit.template operator()<Plain<float>>();
    case DType::Float64: return visit.template operator()<Plain<double>>();
    case DType::Complex32: return visit.template operator()<ComplexElement<Half>>();
    case DType::Complex64: return visit.template operator()<ComplexElement<Plain<float>>>();
    case DType::Complex128: return visit.template operator()<ComplexElement<Plain<double>>>();
    case DType::Float8E4M3Fn: return visit.template operator()<Float8<DType::Float8E4M3Fn>>();
    case DType::Float8E5M2: return visit.template operator()<Float8<DType::Float8E5M2>>();
    case DType::Float8E4M3Fnuz: return visit.template operator()<Float8<DType::Float8E4M3Fnuz>>();
    case DType::Float8E5M2Fnuz: return visit.template operator()<Float8<DType::Float8E5M2Fnuz>>();
    case DType::Float8E8M0Fnu: return visit.template operator()<Float8<DType::Float8E8M0Fnu>>();
    default: fail("no arithmetic is defined for ", dtype);
  }
}

template <class Visit>
auto visit_compute(Compute compute, Visit visit) {
  switch (compute) {
    case Compute::F32: return visit.template operator()<float>();
    case Compute::F64: return visit.template operator()<double>();
    case Compute::I64: return visit.template operator()<int64_t>();
    case Compute::C128: return visit.template operator()<std::complex<double>>();
    default: return visit.template operator()<bool>();
  }
}

}  // namespace

Compute compute_type(DType dtype) {
  if (dtype == DType::Float64) return Compute::F64;
  if (is_floating(dtype)) return Compute::F32;
  if (is_complex(dtype)) return Compute::C128;
  check(is_integral(dtype) || dtype == DType::Bool, "no arithmetic is defined for ", dtype);
  return Compute::I64;
}

int compute_size(Compute compute) { return item_size(native_dtype(compute)); }

DType native_dtype(Compute compute) {
  static constexpr DType kNative[] = {DType::Float32, DType::Float64, DType::Int64, DType::Complex128, DType::Bool};
  return kNative[static_cast<size_t>(compute)];
}

LoadFunction loader(DType dtype, Compute compute) {
  return visit_element(dtype, [&]<class Element>() -> LoadFunction {
    return visit_compute(compute, []<class C>() -> LoadFunction { return &load<Element, C>; });
  });
}

StoreFunction storer(Compute compute, DType dtype) {
  return visit_element(dtype, [&]<class Element>() -> StoreFunction {
    return visit_compute(compute, []<class C>() -> StoreFunction { return &store<Element, C>; });
  });
}

bool needs_rounding(DType from, DType to) {
  if (from == to || from == DType::Bool) return false;
  if (is_integral(to) || to == DType::Bool) return true;
  return to != DType::Float32 && to != DType::Float64 && to != DType::Complex128;
}

void round_to(DType dtype, Compute compute, void* values, int64_t count) {
  const StoreFunction store_function = storer(compute, dtype);
  const LoadFunction load_function = loader(dtype, compute);
  const int64_t width = item_size(dtype), wide = compute_size(compute);
  constexpr int64_t kBlock = 256;
  alignas(16) std::byte narrow[kBlock * 16];
  for (int64_t i = 0; i < count; i += kBlock) {
    const int64_t n = std::min(kBlock, count - i);
    std::byte* block = static_cast<std::byte*>(values) + i * wide;
    store_function(block, narrow, width, n);
    load_function(narrow, width, block, n);
  }
}

}  // namespace pt2::interp
