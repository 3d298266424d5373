#include "interp/kernels/patch_kernels.h"

#include "interp/kernels/isa/variants.h"

namespace pt2::interp {

PT2_DECLARE_ISAS(PatchKernels, kPatchKernels)

const PatchKernels& patch_kernels() { PT2_CHOOSE_ISA(kPatchKernels) }
std::vector<const PatchKernels*> usable_patch_kernels() { PT2_USABLE_ISAS(kPatchKernels) }

}  // namespace pt2::interp
