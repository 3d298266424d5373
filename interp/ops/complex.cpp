// Complex numbers: parts, views as pairs of reals, conjugates. A conjugate is computed at once; PyTorch marks it and computes later, which shows
// the same values.
#include "interp/ops/all_ops.h"
#include "interp/ops/pointwise.h"
#include "interp/ops/view.h"

namespace pt2::interp {

namespace {

// The pairs of parts as a last dimension of 2, on the same memory.
Tensor view_as_real(const Tensor& self) {
  check(is_complex(self.dtype), "view_as_real is only supported for complex tensors");
  Shape sizes = self.sizes, strides = self.strides;
  for (int64_t& stride : strides) stride *= 2;
  sizes.push_back(2);
  strides.push_back(1);
  return make_view(self, std::move(sizes), std::move(strides), self.offset * 2, real_of(self.dtype));
}
Tensor view_as_complex(const Tensor& self) {
  check(is_floating(self.dtype), "view_as_complex is only supported for floating point tensors, but got a tensor of scalar type: ", scalar_type_name(self.dtype));
  check(self.dim() > 0, "Input tensor must have one or more dimensions");
  check(self.sizes.back() == 2, "Tensor must have a last dimension of size 2");
  check(self.strides.back() == 1, "Tensor must have a last dimension with stride 1");
  check(self.offset % 2 == 0, "Tensor must have a storage_offset divisible by 2");
  Shape sizes(self.sizes.begin(), self.sizes.end() - 1), strides(self.strides.begin(), self.strides.end() - 1);
  for (size_t d = 0; d < strides.size(); ++d) {
    check(strides[d] % 2 == 0, "Tensor must have a stride divisible by 2 for all but last dimension");
    strides[d] /= 2;
  }
  return make_view(self, std::move(sizes), std::move(strides), self.offset / 2, complex_of(self.dtype));
}

Tensor real(const Tensor& self) { return is_complex(self.dtype) ? select(view_as_real(self), -1, 0) : self; }
Tensor imag(const Tensor& self) {
  check(is_complex(self.dtype), "imag is not implemented for tensors with non-complex dtypes.");
  return select(view_as_real(self), -1, 1);
}
Tensor conj_physical(const Tensor& self) {
  if (!is_complex(self.dtype)) return to_dtype(self, self.dtype);
  return map<Types<Complex>>(in_type("conj", self.dtype), [](Complex x) { return std::conj(x); }, self);
}
Tensor conj(const Tensor& self) { return is_complex(self.dtype) ? conj_physical(self) : self; }
Tensor resolved(const Tensor& self) { return self; }
Tensor adjoint(const Tensor& self) {
  check(self.dim() >= 2, "tensor.adjoint() is only supported on matrices or batches of matrices. Got ", self.dim(), "-D tensor.");
  return conj(transpose(self, -2, -1));
}

Tensor angle(const Tensor& self) {
  if (is_complex(self.dtype)) return map<Types<Complex>>({"angle", self.dtype, real_of(self.dtype)}, [](Complex x) { return std::arg(x); }, self);
  return map<FloatTypes>(in_floating("angle", self.dtype), []<class T>(T x) { return is_nan(x) ? x : x < 0 ? T(M_PI) : T(0); }, self);
}

void check_parts(const Tensor& a, const Tensor& b, std::string_view name) {
  const auto fits = [](const Tensor& t) { return t.dtype == DType::Float16 || t.dtype == DType::Float32 || t.dtype == DType::Float64; };
  check(fits(a) && fits(b), "Expected both inputs to be Half, Float or Double tensors but got ", scalar_type_name(a.dtype), " and ", scalar_type_name(b.dtype));
  check(a.dtype == b.dtype, "Expected object of scalar type ", scalar_type_name(a.dtype), " but got scalar type ", scalar_type_name(b.dtype), " for second argument of ", name);
}
Tensor complex(const Tensor& real, const Tensor& imag) {
  check_parts(real, imag, "complex");
  return map<FloatTypes>({"complex", real.dtype, complex_of(real.dtype)}, [](auto a, auto b) { return Complex(a, b); }, real, imag);
}
Tensor polar(const Tensor& abs, const Tensor& angle) {
  check_parts(abs, angle, "polar");
  check(abs.dtype != DType::Float16, "\"polar_cpu\" not implemented for 'Half'");
  return map<FloatTypes>({"polar", abs.dtype, complex_of(abs.dtype)}, [](auto r, auto phi) { return Complex(r * std::cos(phi), r * std::sin(phi)); }, abs, angle);
}

}  // namespace

void add_complex_ops(OpTable& ops) {
  ops.add("aten::view_as_real(Tensor(a) self) -> Tensor(a)", view_as_real);
  ops.add("aten::view_as_complex(Tensor(a) self) -> Tensor(a)", view_as_complex);
  ops.add("aten::view_as_real_copy(Tensor self) -> Tensor", +[](const Tensor& self) { return to_dtype(view_as_real(self), real_of(self.dtype), MemoryFormat::Contiguous); });
  ops.add("aten::view_as_complex_copy(Tensor self) -> Tensor", +[](const Tensor& self) { return to_dtype(view_as_complex(self), complex_of(self.dtype), MemoryFormat::Contiguous); });
  ops.add("aten::real(Tensor(a) self) -> Tensor(a)", real);
  ops.add("aten::imag(Tensor(a) self) -> Tensor(a)", imag);
  ops.add("aten::conj(Tensor(a) self) -> Tensor(a)", conj);
  ops.add("aten::_conj(Tensor(a) self) -> Tensor(a)", conj);
  ops.add("aten::conj_physical(Tensor self) -> Tensor", conj_physical);
  ops.add("aten::_conj_physical(Tensor self) -> Tensor", conj_physical);
  ops.add("aten::_conj_copy(Tensor self) -> Tensor", conj_physical);
  ops.add("aten::resolve_conj(Tensor(a) self) -> Tensor(a)", resolved);
  ops.add("aten::resolve_neg(Tensor(a) self) -> Tensor(a)", resolved);
  ops.add("aten::adjoint(Tensor(a) self) -> Tensor(a)", adjoint);
  ops.add("aten::mH(Tensor(a) self) -> Tensor(a)", adjoint);
  ops.add("aten::angle(Tensor self) -> Tensor", angle);
  ops.add("aten::complex(Tensor real, Tensor imag) -> Tensor", complex);
  ops.add("aten::polar(Tensor abs, Tensor angle) -> Tensor", polar);
}

}  // namespace pt2::interp
