// Sizes, strides and elements as Python numbers, and the assertions that torch.export leaves in a program.
#include <cmath>

#include "interp/allocation.h"
#include "interp/check.h"
#include "interp/item.h"
#include "interp/op_table.h"
#include "interp/ops/all_ops.h"
#include "interp/shapes.h"

namespace pt2::interp {

namespace {

int64_t sym_size_int(const Tensor& self, int64_t dim) {
  check(self.dim() > 0, "dimension specified as ", dim, " but tensor has no dimensions");
  return self.sizes[normalize_dim(dim, self.dim())];
}
int64_t sym_stride_int(const Tensor& self, int64_t dim) {
  check(self.dim() > 0, "dimension specified as ", dim, " but tensor has no dimensions");
  return self.strides[normalize_dim(dim, self.dim())];
}
std::vector<int64_t> sym_size(const Tensor& self) { return self.sizes; }
std::vector<int64_t> sym_stride(const Tensor& self) { return self.strides; }
int64_t sym_numel(const Tensor& self) { return self.numel(); }
int64_t sym_storage_offset(const Tensor& self) { return self.offset; }
bool sym_is_contiguous(const Tensor& self, MemoryFormat format) { return is_contiguous_as(self, format); }

Scalar item_of(const Tensor& self) {
  check(self.numel() == 1, "a Tensor with ", self.numel(), " elements cannot be converted to Scalar");
  return item(self);
}
bool is_nonzero(const Tensor& self) {
  check(self.numel() > 0, "Boolean value of Tensor with no values is ambiguous");
  check(self.numel() == 1, "Boolean value of Tensor with more than one value is ambiguous");
  return item(self).to_bool();
}

int64_t int_tensor(const Tensor& a) { return item_of(a).to_int(); }
double float_tensor(const Tensor& a) { return item_of(a).to_double(); }
bool bool_tensor(const Tensor& a) { return item_of(a).to_bool(); }
int64_t int_scalar(Scalar a) {
  const double value = a.to_double();
  check(a.is_integral() || (value >= -0x1p63 && value < 0x1p63), "cannot convert float ", value, " to a 64-bit integer");
  return a.to_int();
}
int64_t int_float(double a) { return int_scalar(a); }
int64_t int_bool(bool a) { return a; }
double float_scalar(Scalar a) { return a.to_double(); }
double float_int(int64_t a) { return static_cast<double>(a); }
double float_bool(bool a) { return a; }
bool bool_int(int64_t a) { return a != 0; }
bool bool_float(double a) { return a != 0; }

// ---- Assertions -------------------------------------------------------------------------------------------------------------------------

void assert_scalar(Scalar self, std::string_view message) { check(self.to_bool(), message.empty() ? std::string_view("the assertion does not hold") : message); }
void assert_async_msg(const Tensor& self, std::string_view message) {
  check(self.numel() == 1, "Boolean value of Tensor with ", self.numel(), " values is ambiguous");
  check(item(self).to_bool(), message);
}
void assert_async(const Tensor& self) { assert_async_msg(self, "Expected Tensor with single nonzero value, but got zero"); }
Tensor functional_assert_scalar(Scalar self, std::string_view message, const Tensor& token) {
  assert_scalar(self, message);
  return token;
}
Tensor functional_assert_async_msg(const Tensor& self, std::string_view message, const Tensor& token) {
  assert_async_msg(self, message);
  return token;
}

void assert_tensor_metadata(const Tensor& a, const std::optional<std::vector<int64_t>>& size, const std::optional<std::vector<int64_t>>& stride,
                            std::optional<DType> dtype, Unused, Unused) {
  if (size) check(a.sizes == *size, "Tensor sizes mismatch! Expected: ", *size, ", Got: ", a.sizes);
  if (stride) check(a.strides == *stride, "Tensor strides mismatch! Expected: ", *stride, ", Got: ", a.strides);
  if (dtype) check(a.dtype == *dtype, "Tensor dtype mismatch! Expected: ", *dtype, ", Got: ", a.dtype);
}

void sym_constrain_range(Scalar size, std::optional<int64_t> min, std::optional<int64_t> max) {
  const int64_t value = size.to_int();
  check((!min || value >= *min) && (!max || value <= *max), "Invalid value range for ", value, " between [", min ? std::to_string(*min) : "-int_oo", ", ",
        max ? std::to_string(*max) : "int_oo", "].");
}
void sym_constrain_range_for_size(Scalar size, std::optional<int64_t> min, std::optional<int64_t> max) {
  sym_constrain_range(size, min.value_or(0), max);
}
Tensor functional_sym_constrain_range(Scalar size, std::optional<int64_t> min, std::optional<int64_t> max, const Tensor& token) {
  sym_constrain_range(size, min, max);
  return token;
}
Tensor functional_sym_constrain_range_for_size(Scalar size, std::optional<int64_t> min, std::optional<int64_t> max, const Tensor& token) {
  sym_constrain_range_for_size(size, min, max);
  return token;
}
Tensor make_dep_token(Unused, Unused, Unused, Unused, Unused) { return zeros(Shape{}, DType::Float32); }

void print(std::string_view) {}  // a run has nothing to print to

}  // namespace

void add_symbolic_ops(OpTable& ops) {
  ops.add("aten::sym_size.int(Tensor self, int dim) -> SymInt", sym_size_int);
  ops.add("aten::sym_size(Tensor self) -> SymInt[]", sym_size);
  ops.add("aten::sym_stride.int(Tensor self, int dim) -> SymInt", sym_stride_int);
  ops.add("aten::sym_stride(Tensor self) -> SymInt[]", sym_stride);
  ops.add("aten::sym_numel(Tensor self) -> SymInt", sym_numel);
  ops.add("aten::sym_storage_offset(Tensor self) -> SymInt", sym_storage_offset);
  ops.add("aten::sym_is_contiguous(Tensor self, MemoryFormat memory_format=0) -> SymBool", sym_is_contiguous);
  ops.add("aten::item(Tensor self) -> Scalar", item_of);
  ops.add("aten::_local_scalar_dense(Tensor self) -> Scalar", item_of);
  ops.add("aten::ScalarImplicit(Tensor a) -> Scalar", item_of);
  ops.add("aten::is_nonzero(Tensor self) -> bool", is_nonzero);
  ops.add("aten::Int.Tensor(Tensor a) -> int", int_tensor);
  ops.add("aten::IntImplicit(Tensor a) -> int", int_tensor);
  ops.add("aten::Int.Scalar(Scalar a) -> int", int_scalar);
  ops.add("aten::Int.float(float a) -> int", int_float);
  ops.add("aten::Int.bool(bool a) -> int", int_bool);
  ops.add("aten::Float.Tensor(Tensor a) -> float", float_tensor);
  ops.add("aten::FloatImplicit(Tensor a) -> float", float_tensor);
  ops.add("aten::Float.Scalar(Scalar a) -> float", float_scalar);
  ops.add("aten::Float.int(int a) -> float", float_int);
  ops.add("aten::Float.bool(bool a) -> float", float_bool);
  ops.add("aten::Bool.Tensor(Tensor a) -> bool", bool_tensor);
  ops.add("aten::Bool.int(int a) -> bool", bool_int);
  ops.add("aten::Bool.float(float a) -> bool", bool_float);

  ops.add("aten::_assert_scalar(Scalar self, str assert_msg) -> ()", assert_scalar);
  ops.add("aten::_assert_async(Tensor self) -> ()", assert_async);
  ops.add("aten::_assert_async.msg(Tensor self, str assert_msg) -> ()", assert_async_msg);
  ops.add("aten::_functional_assert_scalar(Scalar self, str assert_msg, Tensor dep_token) -> Tensor", functional_assert_scalar);
  ops.add("aten::_functional_assert_async.msg(Tensor self, str assert_msg, Tensor dep_token) -> Tensor", functional_assert_async_msg);
  ops.add("aten::_assert_tensor_metadata(Tensor a, SymInt[]? size=None, SymInt[]? stride=None, ScalarType? dtype=None, *, Device? device=None, Layout? layout=None) -> ()", assert_tensor_metadata);
  ops.add("aten::sym_constrain_range(Scalar size, *, int? min=None, int? max=None) -> ()", sym_constrain_range);
  ops.add("aten::sym_constrain_range_for_size(Scalar size, *, int? min=None, int? max=None) -> ()", sym_constrain_range_for_size);
  ops.add("aten::_functional_sym_constrain_range(Scalar size, int? min, int? max, Tensor dep_token) -> Tensor", functional_sym_constrain_range);
  ops.add("aten::_functional_sym_constrain_range_for_size(Scalar size, int? min, int? max, Tensor dep_token) -> Tensor", functional_sym_constrain_range_for_size);
  ops.add("aten::_make_dep_token(*, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor", make_dep_token);
  ops.add("aten::_print(str s) -> ()", print);
}

}  // namespace pt2::interp
