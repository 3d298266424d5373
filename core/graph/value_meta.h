#pragma once
// What the file declares about a node's value (`node.meta["val"]`).
#include <memory>
#include <string_view>
#include <variant>
#include <vector>

#include "core/graph/argument.h"
#include "core/symbolic/sym_expr.h"
#include "core/tensor/device.h"
#include "core/tensor/dtype.h"

namespace pt2 {

struct TensorMeta {
  DType dtype = DType::Unknown;
  std::vector<SymInt> sizes;
  std::vector<SymInt> strides;
  SymInt storage_offset;
  Device device;
  bool requires_grad = false;
  TensorLayout layout = TensorLayout::Strided;
};

enum class SymKind { Int, Float, Bool };
struct SymMeta {                                  // SymInt, SymFloat, SymBool
  SymKind kind = SymKind::Int;
  std::shared_ptr<const SymExpr> expr;            // null: `constant`
  Argument constant;
  Argument hint;                                  // NoneArg where there is none
};
struct CustomObjMeta { std::string_view name, class_fqn; };
struct ConstantMeta { Argument value; };          // a constant input: int, float, bool, str or None

// std::monostate: the file says nothing (calls with several results, get_attr, output). Equal metas are shared.
using ValueMeta = std::variant<std::monostate, std::shared_ptr<const TensorMeta>, std::shared_ptr<const SymMeta>,
                               std::shared_ptr<const CustomObjMeta>, std::shared_ptr<const ConstantMeta>>;

inline const TensorMeta* tensor_meta(const ValueMeta& meta) {
  auto* p = std::get_if<std::shared_ptr<const TensorMeta>>(&meta);
  return p ? p->get() : nullptr;
}
inline const SymMeta* sym_meta(const ValueMeta& meta) {
  auto* p = std::get_if<std::shared_ptr<const SymMeta>>(&meta);
  return p ? p->get() : nullptr;
}

}  // namespace pt2
