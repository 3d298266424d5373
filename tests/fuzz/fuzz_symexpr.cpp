#include "core/symbolic/sym_expr.h"
#include "tests/fuzz/fuzz_target.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const pt2::SymExpr expr = pt2::parse_sym_expr(as_text(data, size));
  (void)pt2::free_symbols(expr);
  for (const int64_t value : {int64_t{0}, int64_t{7}, INT64_MIN})
    (void)pt2::evaluate(expr, [&](std::string_view) { return std::optional<pt2::SymNumber>(value); });
  return 0;
}
