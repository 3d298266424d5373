#include "interp/kernels/row_kernels.h"

#include "interp/kernels/isa/variants.h"

namespace pt2::interp {

PT2_DECLARE_ISAS(RowKernels, kRowKernels)

const RowKernels& row_kernels() { PT2_CHOOSE_ISA(kRowKernels) }
std::vector<const RowKernels*> usable_row_kernels() { PT2_USABLE_ISAS(kRowKernels) }

}  // namespace pt2::interp
