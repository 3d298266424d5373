#include "interp/kernels/vector_math.h"

#include "interp/kernels/isa/variants.h"

namespace pt2::interp {

PT2_DECLARE_ISAS(VectorMath, kVectorMath)

const VectorMath& vector_math() { PT2_CHOOSE_ISA(kVectorMath) }
std::vector<const VectorMath*> usable_vector_math() { PT2_USABLE_ISAS(kVectorMath) }

}  // namespace pt2::interp
