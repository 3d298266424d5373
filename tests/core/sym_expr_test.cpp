#include "core/symbolic/sym_expr.h"

#include <doctest/doctest.h>

using namespace pt2;

namespace {

const std::string kS0 = "Symbol('s0', positive=True, integer=True)", kS1 = "Symbol('s1', integer=True, positive=True)", kU0 = "Symbol('u0', integer=True)";

std::string printed(const std::string& source) {
  const SymExpr e = parse_sym_expr(source);
  return e.problem ? "problem: " + *e.problem : e.text;
}

std::optional<SymNumber> valued(const std::string& source) {
  return evaluate(parse_sym_expr(source), [](std::string_view s) -> std::optional<SymNumber> {
    if (s == "s0") return SymNumber(int64_t(7));
    if (s == "s1") return SymNumber(int64_t(3));
    if (s == "zf0") return SymNumber(2.5);
    return std::nullopt;
  });
}

std::string nested(const std::string& open, const std::string& core, const std::string& close, int times) {
  std::string s = core;
  for (int i = 0; i < times; ++i) s = open + s + close;
  return s;
}

}  // namespace

// Expected texts are what sympy 1.14 with the functions of PyTorch 2.13 prints.
TEST_CASE("constructor texts print as sympy prints the expression") {
  CHECK(printed("Mul(Integer(2), " + kS0 + ")") == "2*s0");
  CHECK(printed("Add(Integer(1), Mul(Integer(3), Pow(" + kS0 + ", Integer(2))), " + kS1 + ")") == "3*s0**2 + s1 + 1");
  CHECK(printed("Add(Mul(Integer(-1), " + kS0 + "), " + kS1 + ")") == "-s0 + s1");
  CHECK(printed("Add(Mul(Integer(-1), " + kS0 + "), Integer(3))") == "3 - s0");
  CHECK(printed("Add(Mul(Integer(-1), " + kS0 + "), Integer(-3))") == "-s0 - 3");
  CHECK(printed("Mul(Integer(-1), Integer(2), " + kS0 + ")") == "-2*s0");
  CHECK(printed("Mul(Rational(1, 2), " + kS0 + ")") == "s0/2");
  CHECK(printed("Add(FloorDiv(Add(" + kS0 + ", Integer(1)), Integer(2)), Integer(1))") == "(((s0 + 1)//2)) + 1");
  CHECK(printed("Mul(Integer(2), FloorDiv(" + kS0 + ", Integer(-2)))") == "2*((s0//(-2)))");
  CHECK(printed("Max(Integer(17), " + kS0 + ")") == "Max(17, s0)");
  CHECK(printed("Max(" + kU0 + ", FloorDiv(" + kS0 + ", Integer(2)), Integer(1))") == "Max(1, u0, (s0//2))");
  CHECK(printed("Add(Mod(" + kS0 + ", Integer(3)), Integer(1))") == "(Mod(s0, 3)) + 1");
  CHECK(printed("Equality(" + kS0 + ", " + kS1 + ")") == "Eq(s0, s1)");
  CHECK(printed("GreaterThan(" + kU0 + ", Integer(2))") == "u0 >= 2");
  CHECK(printed("And(StrictGreaterThan(" + kS0 + ", Integer(2)), Unequality(" + kS1 + ", Integer(4)))") == "(s0 > 2) & Ne(s1, 4)");
  CHECK(printed("Float('0.5', precision=53)") == "0.500000000000000");
  CHECK(printed("Mul(Float('0.10000000000000001', precision=53), ToFloat(" + kS0 + "))") == "0.1*ToFloat(s0)");
  CHECK(printed("OpaqueUnaryFn_sqrt(ToFloat(" + kS0 + "))") == "OpaqueUnaryFn_sqrt(ToFloat(s0))");
  CHECK(printed("Identity(" + kS0 + ")") == "(s0)");
  CHECK(printed("true") == "True");
  CHECK(printed("Piecewise(ExprCondPair(" + kS0 + ", LessThan(" + kS1 + ", Integer(2))), ExprCondPair(" + kS1 + ", true))") == "Piecewise((s0, s1 <= 2), (s1, True))");
}

TEST_CASE("Max and Min lose what is always outdone") {
  CHECK(printed("Min(Integer(12), Mul(Integer(12), " + kS0 + "))") == "12");
  CHECK(printed("Max(Integer(1), " + kS0 + ")") == "s0");
  CHECK(printed("Max(Integer(1), " + kU0 + ")") == "Max(1, u0)");
  CHECK(printed("Min(Mul(Integer(4), " + kS0 + "), Mul(Integer(4), " + kS0 + ", " + kS1 + "))") == "4*s0");
}

TEST_CASE("plain texts stay as they are") {
  CHECK(printed("(s0//2) + 1") == "(s0//2) + 1");
  CHECK(printed("2*s0") == "2*s0");
  CHECK(printed("Max(1, s0)") == "Max(1, s0)");
}

TEST_CASE("values: exact integers, Python's rounding, no value on overflow") {
  auto integer = [](const std::string& s) { return std::get<int64_t>(valued(s).value()); };
  auto real = [](const std::string& s) { return std::get<double>(valued(s).value()); };
  auto truth = [](const std::string& s) { return std::get<bool>(valued(s).value()); };
  CHECK(integer("2*s0 + 1") == 15);
  CHECK(integer("-s0//2") == -4);
  CHECK(integer("-s0 % 4") == 1);
  CHECK(integer("Mod(s0, 4)") == 3);
  CHECK(integer("(s0 + 1)/2") == 4);
  CHECK(integer("s1**3 - Max(s0, 20)") == 7);
  CHECK(integer("ModularIndexing(s0, 2, 2)") == 1);
  CHECK(integer("Where(s0 > s1, 1, 2)") == 1);
  CHECK(integer("2**3**2") == 512);
  CHECK(integer("RoundToInt(zf0)") == 2);
  CHECK(integer("CeilToInt(zf0)") == 3);
  CHECK(real("IntTrueDiv(s0, 2)") == 3.5);
  CHECK(real("2*zf0") == 5.0);
  CHECK(truth("(s0 > 2) & (s1 < 4) & Eq(s0, 7)"));
  CHECK(!truth("~(s0 > 2)"));
  CHECK(!valued("s0 + unknown"));
  CHECK(!valued("s0//(s1 - 3)"));
  CHECK(!valued("9223372036854775807*s0"));
  CHECK(!valued("s0**70"));
  CHECK(!valued("Launch(s0)"));
}

TEST_CASE("free symbols are sorted and unique") {
  CHECK(free_symbols(parse_sym_expr("u0*s0 + s0//s1")) == std::vector<std::string>{"s0", "s1", "u0"});
}

TEST_CASE("what cannot be parsed or is past a limit keeps its text") {
  for (const std::string& source : {std::string("2*"), std::string("Symbol('s0'"), std::string("s0 $ 1"), std::string("a.b"), std::string(""),
                                    std::string("99999999999999999999"), std::string(5000, '1'), nested("FloorDiv(", "s0", ", 2)", 70),
                                    nested("(", "s0", ")", 100), nested("", "s0", "//2", 200), nested("", "s0", " + s0*s1", 1000)}) {
    const SymExpr e = parse_sym_expr(source);
    CHECK_MESSAGE(e.problem.has_value(), source.substr(0, 40));
    CHECK(!e.tree);
    CHECK(e.text == source);
    CHECK(!evaluate(e, [](std::string_view) { return std::nullopt; }));
  }
  CHECK(!parse_sym_expr(nested("FloorDiv(", "s0", ", 2)", 60)).problem);
}
