#pragma once
// The unlifted form: what `ep.module()` is, with get_attr nodes for parameters, buffers and constants, the call of the guards and the
// copy_ nodes that write mutations back.
#include "core/graph/program.h"
#include "core/text/text_lines.h"

namespace pt2 {

// str(ep.module().graph). Lines point to the nodes of the root graph they stand for.
TextLines module_lines(const Program& program);

}  // namespace pt2
