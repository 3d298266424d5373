#pragma once
// Included by the files of this folder and by the dispatchers above it: one namespace per instruction set holds the same names.
// In this folder use plain arrays and Eigen (renamed per instruction set) only: a std:: template instantiated here could be merged with the
// one of another file and bring instructions the processor does not have.

// The variant of `Type name` for this processor: the dispatcher of a kernel table is
//   const MatrixKernels& matrix_kernels() { PT2_CHOOSE_ISA(kMatrixKernels) }
// and PT2_USABLE_ISAS gives all it could choose.
#ifdef PT2_X86_64
#define PT2_DECLARE_ISAS(Type, name)                 \
  namespace base { extern const Type name; }         \
  namespace v3 { extern const Type name; }           \
  namespace v4 { extern const Type name; }
#define PT2_HAS_V4                                                                                                                         \
  (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&                        \
   __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512cd"))
#define PT2_HAS_V3 (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi2"))
#define PT2_CHOOSE_ISA(name)                                                                 \
  static const auto& chosen = PT2_HAS_V4 ? v4::name : PT2_HAS_V3 ? v3::name : base::name;    \
  return chosen;
#define PT2_USABLE_ISAS(name)                   \
  std::vector usable{&base::name};              \
  if (PT2_HAS_V3) usable.push_back(&v3::name);  \
  if (PT2_HAS_V4) usable.push_back(&v4::name);  \
  return usable;
#else
#define PT2_DECLARE_ISAS(Type, name) \
  namespace base { extern const Type name; }
#define PT2_CHOOSE_ISA(name) return base::name;
#define PT2_USABLE_ISAS(name) return std::vector{&base::name};
#endif
