#pragma once
// What a node's argument can be: the Python value the FX graph holds after torch.export.load.
#include <complex>
#include <cstdint>
#include <string_view>
#include <variant>
#include <vector>

#include "core/base/ids.h"
#include "core/tensor/device.h"
#include "core/tensor/dtype.h"

namespace pt2 {

struct Argument;
struct DictItem;

struct NoneArg { friend bool operator==(NoneArg, NoneArg) = default; };
struct ListArg { std::vector<Argument> items; };                                  // [a, b]
struct TupleArg { std::vector<Argument> items; };                                 // (a, b): graph outputs, as_int_lists' items
struct DictArg { std::vector<DictItem> items; };                                  // as_string_to_argument, in file order
struct OperatorArg { std::string_view name; };                                    // as_operator: an operator as value
struct UnknownArg { std::string_view json; };                                     // a kind this reader does not know: its JSON, kept and shown

struct Argument {
  // NodeId: the value of that node. std::string_view: a Python string. Texts live in the Program's pool.
  using Value = std::variant<NoneArg, NodeId, bool, int64_t, double, std::complex<double>, std::string_view, DType, MemoryFormat,
                             TensorLayout, Device, ListArg, TupleArg, DictArg, OperatorArg, UnknownArg>;
  Value value;

  template <class T> const T* as() const { return std::get_if<T>(&value); }
  template <class T> bool is() const { return std::holds_alternative<T>(value); }
  bool is_none() const { return is<NoneArg>(); }
};

struct DictItem {
  std::string_view first;
  Argument second;
};

// One argument of a call, in the order of the operator's schema.
struct NodeArgument {
  std::string_view name;  // parameter name in the schema; empty for positional arguments of higher-order operators
  Argument value;
  bool keyword = false;   // printed as keyword (`kwargs`), else positional (`args`)
};

// Calls `visit(NodeId)` for every node an argument refers to, left to right.
template <class Visit>
void for_each_node(const Argument& argument, Visit&& visit);

}  // namespace pt2

#include "core/graph/argument_inl.h"
