#pragma once
// The sizes behind a program's symbols, from the shapes of its inputs. Contradictions and ranges are named.
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/graph/program.h"
#include "interp/runtime_value.h"

namespace pt2::interp {

// What can be chosen: the symbols in the sizes of the program's inputs. Others (u0) come out of a run.
std::set<std::string> input_symbols(const Program& program);

// The advice where an input contradicts a size that was asked for.
inline constexpr std::string_view kLeaveOneOut = "Leave out one of them.";

class SymbolSolver {
 public:
  explicit SymbolSolver(const Program& program);

  // Takes an input's value: its sizes (or, for a symbolic number, itself) give equations.
  Result<void> bind(const InputSpec& spec, const RuntimeValue& value);
  // A size the user chose.
  Result<void> set(const std::string& symbol, int64_t size);
  // Solves what is left (s0 from 2*s0 = 8), gives symbols that nothing determines the value they had when exporting, and holds all
  // against ranges and equations. `ignore_ranges`: violations become warnings.
  Result<void> finish(bool ignore_ranges);

  const std::map<std::string, int64_t>& symbols() const { return symbols_; }
  const std::vector<std::string>& warnings() const { return warnings_; }
  std::optional<SymNumber> lookup(std::string_view symbol) const;
  std::optional<int64_t> value_of(const SymInt& size) const;

 private:
  struct Equation {
    const SymExpr* expr;
    int64_t value;
    std::string source;  // "x.shape[0]"
  };
  Result<void> equate(const SymExpr& expr, int64_t value, std::string source);
  bool solve_one(const Equation& equation);
  std::string violation(const Equation& equation, int64_t value) const;
  void use_hints();

  const Program& program_;
  std::vector<Equation> equations_;
  std::map<std::string, int64_t> symbols_;
  std::map<std::string, std::string> sources_;
  std::vector<std::string> warnings_;
};

}  // namespace pt2::interp
