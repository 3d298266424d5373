#include "interp/kernels/matrix_kernels.h"

#include "interp/kernels/isa/variants.h"

namespace pt2::interp {

PT2_DECLARE_ISAS(MatrixKernels, kMatrixKernels)

const MatrixKernels& matrix_kernels() { PT2_CHOOSE_ISA(kMatrixKernels) }
std::vector<const MatrixKernels*> usable_matrix_kernels() { PT2_USABLE_ISAS(kMatrixKernels) }

}  // namespace pt2::interp
