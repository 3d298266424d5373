#pragma once
// C++ parameter types ↔ schema types: the only template machinery of the interpreter. A kernel is a plain function; its parameter list is
// read here once, as data (so the table can hold it against the schema), and one small thunk unpacks runtime values into a call.
//
//   schema                     C++ parameter                                  C++ result
//   Tensor, Tensor(a!)         const Tensor&                                  Tensor; void where the result is the written argument
//   Tensor?                    const std::optional<Tensor>&                   std::optional<Tensor>
//   Tensor[], Tensor?[]        const std::vector<Tensor>&, const std::vector<std::optional<Tensor>>&     std::vector<Tensor>
//   int, SymInt; float; bool   int64_t; double; bool                          the same
//   Scalar                     Scalar                                         Scalar
//   int[], SymInt[], int[2]    std::span<const int64_t> (or const std::vector<int64_t>&)
//   int?, float?, Scalar?, …   std::optional<int64_t>, …
//   int[]?, float[]?           const std::optional<std::vector<int64_t>>&, …
//   str, str?                  std::string_view, std::optional<std::string_view>
//   ScalarType, Layout, MemoryFormat, Device (and ?)   DType, TensorLayout, MemoryFormat, const Device& (std::optional<…>)
//   anything, unused           Unused
//   anything, looked into      const RuntimeValue&                            RuntimeValue
//   -> (Tensor, Tensor)                                                       std::tuple<Tensor, Tensor>
// A kernel that needs the random generator takes `const KernelContext&` first.
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "interp/kernel_context.h"
#include "interp/runtime_value.h"
#include "interp/scalar.h"

namespace pt2::interp {

// A parameter the kernel has no use for: `layout`, `pin_memory`, `generator`.
struct Unused {};

// A parameter's or result's type as data.
struct BoundType {
  enum class Base : uint8_t { Tensor, Int, Float, Bool, Scalar, String, DType, Layout, MemoryFormat, Device, Any };
  Base base = Base::Any;
  bool optional = false, list = false, optional_items = false;
  friend bool operator==(const BoundType&, const BoundType&) = default;
};

// Reader<T>: T from a runtime value; throws KernelError where it holds something else.
template <class T>
struct Reader;

#define PT2_READER(Type, Returned, BaseName)                     \
  template <>                                                    \
  struct Reader<Type> {                                          \
    static constexpr BoundType kType{BoundType::Base::BaseName}; \
    static Returned read(const RuntimeValue& value);             \
  };
PT2_READER(Tensor, const Tensor&, Tensor)
PT2_READER(int64_t, int64_t, Int)
PT2_READER(double, double, Float)
PT2_READER(bool, bool, Bool)
PT2_READER(Scalar, Scalar, Scalar)
PT2_READER(std::string_view, std::string_view, String)
PT2_READER(DType, DType, DType)
PT2_READER(TensorLayout, TensorLayout, Layout)
PT2_READER(MemoryFormat, MemoryFormat, MemoryFormat)
PT2_READER(Device, const Device&, Device)
#undef PT2_READER

template <>
struct Reader<RuntimeValue> {
  static constexpr BoundType kType{BoundType::Base::Any};
  static const RuntimeValue& read(const RuntimeValue& value) { return value; }
};
template <>
struct Reader<Unused> {
  static constexpr BoundType kType{BoundType::Base::Any};
  static Unused read(const RuntimeValue&) { return {}; }
};

template <class T>
struct Reader<std::optional<T>> {
  static constexpr BoundType type() {
    BoundType t = Reader<T>::kType;
    t.optional = true;
    return t;
  }
  static constexpr BoundType kType = type();
  static std::optional<T> read(const RuntimeValue& value) {
    if (value.is_none()) return std::nullopt;
    return Reader<T>::read(value);
  }
};

// Throws where `value` is no list.
const std::vector<RuntimeValue>& read_items(const RuntimeValue& value);

template <class T>
struct Reader<std::vector<T>> {
  static constexpr BoundType type() {
    BoundType t = Reader<T>::kType;
    t.list = true;
    t.optional_items = t.optional;
    t.optional = false;
    return t;
  }
  static constexpr BoundType kType = type();
  static std::vector<T> read(const RuntimeValue& value) {
    std::vector<T> result;
    const auto& items = read_items(value);
    result.reserve(items.size());
    for (const RuntimeValue& item : items) result.push_back(Reader<T>::read(item));
    return result;
  }
};

template <>
struct Reader<std::span<const int64_t>> : Reader<std::vector<int64_t>> {};  // the vector outlives the call

// What a kernel returns, as runtime values: one for each result of the schema.
using Results = std::vector<RuntimeValue>;

template <class T>
struct Writer {
  static constexpr BoundType kType = Reader<T>::kType;
  static RuntimeValue value(T result) { return RuntimeValue(std::move(result)); }
};
template <>
struct Writer<std::vector<Tensor>> {
  static constexpr BoundType kType{BoundType::Base::Tensor, false, true};
  static RuntimeValue value(std::vector<Tensor> result);
};
template <>
struct Writer<std::vector<int64_t>> {
  static constexpr BoundType kType{BoundType::Base::Int, false, true};
  static RuntimeValue value(const std::vector<int64_t>& result);
};
template <>
struct Writer<std::string> {
  static constexpr BoundType kType{BoundType::Base::String};
  static RuntimeValue value(std::string result) { return RuntimeValue(std::move(result)); }
};
template <class T>
struct Writer<std::optional<T>> {
  static constexpr BoundType kType = Reader<std::optional<T>>::kType;
  static RuntimeValue value(std::optional<T> result) { return result ? Writer<T>::value(std::move(*result)) : RuntimeValue(); }
};

template <class R>
struct ResultWriter {
  static constexpr std::array<BoundType, 1> kTypes{Writer<R>::kType};
  static void write(R result, Results& results) { results.push_back(Writer<R>::value(std::move(result))); }
};
template <class... R>
struct ResultWriter<std::tuple<R...>> {
  static constexpr std::array<BoundType, sizeof...(R)> kTypes{Writer<R>::kType...};
  static void write(std::tuple<R...> result, Results& results) {
    std::apply([&](auto&&... r) { (results.push_back(Writer<R>::value(std::move(r))), ...); }, std::move(result));
  }
};

// A kernel behind one face.
struct Kernel {
  using Function = void (*)();
  using Call = void (*)(Function function, const KernelContext& context, std::span<const RuntimeValue> arguments, Results& results);
  Function function = nullptr;
  Call call = nullptr;
  std::span<const BoundType> parameters, results;
  bool returns_void = false;
  bool takes_context = false;  // it may draw random numbers

  // `arguments` in the schema's order, defaults filled in.
  void operator()(const KernelContext& context, std::span<const RuntimeValue> arguments, Results& out) const {
    call(function, context, arguments, out);
  }
};

namespace binding {

template <class R, class... P>
struct Thunk {
  template <size_t... I>
  static void unpack(std::index_sequence<I...>, R (*f)(P...), std::span<const RuntimeValue> a, Results& results) {
    if constexpr (std::is_void_v<R>) f(Reader<std::remove_cvref_t<P>>::read(a[I])...);
    else ResultWriter<R>::write(f(Reader<std::remove_cvref_t<P>>::read(a[I])...), results);
  }
  static void call(Kernel::Function f, const KernelContext&, std::span<const RuntimeValue> a, Results& results) {
    unpack(std::index_sequence_for<P...>(), reinterpret_cast<R (*)(P...)>(f), a, results);
  }
};
template <class R, class... P>
struct Thunk<R, const KernelContext&, P...> {
  template <size_t... I>
  static void unpack(std::index_sequence<I...>, R (*f)(const KernelContext&, P...), const KernelContext& c, std::span<const RuntimeValue> a,
                     Results& results) {
    if constexpr (std::is_void_v<R>) f(c, Reader<std::remove_cvref_t<P>>::read(a[I])...);
    else ResultWriter<R>::write(f(c, Reader<std::remove_cvref_t<P>>::read(a[I])...), results);
  }
  static void call(Kernel::Function f, const KernelContext& c, std::span<const RuntimeValue> a, Results& results) {
    unpack(std::index_sequence_for<P...>(), reinterpret_cast<R (*)(const KernelContext&, P...)>(f), c, a, results);
  }
};

template <class... P>
inline constexpr std::array<BoundType, sizeof...(P)> kParameterTypes{Reader<std::remove_cvref_t<P>>::kType...};

template <class R>
constexpr std::span<const BoundType> result_types() {
  if constexpr (std::is_void_v<R>) return {};
  else return ResultWriter<R>::kTypes;
}

}  // namespace binding

template <class R, class... P>
Kernel make_kernel(R (*f)(const KernelContext&, P...)) {
  return {reinterpret_cast<Kernel::Function>(f), &binding::Thunk<R, const KernelContext&, P...>::call, binding::kParameterTypes<P...>,
          binding::result_types<R>(), std::is_void_v<R>, true};
}
template <class R, class... P>
Kernel make_kernel(R (*f)(P...)) {
  return {reinterpret_cast<Kernel::Function>(f), &binding::Thunk<R, P...>::call, binding::kParameterTypes<P...>, binding::result_types<R>(),
          std::is_void_v<R>};
}

}  // namespace pt2::interp
