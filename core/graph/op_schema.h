#pragma once
// Operator schemas: `aten::add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor` as data, and the table of all operators
// of PyTorch 2.13 (ATen, prims, quantized_decomposed, names of the higher-order ones) that is embedded in the program.
#include <cstdint>
#include <forward_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/graph/argument.h"

namespace pt2 {

enum class SchemaBase : uint8_t {
  Tensor, Int, SymInt, Float, Bool, Scalar, Complex, Str, ScalarType, Layout, MemoryFormat, Device, Generator, Dimname,
  Other,  // Dict(str, t), (Tensor, t), Storage, type variables …: see SchemaType::text
};

// base ['?'] {'[' [size] ']'} ['?']: `Tensor`, `Tensor(a!)`, `int[2]?`, `Tensor?[]`.
struct SchemaType {
  SchemaBase base = SchemaBase::Other;
  bool optional = false;       // the whole may be None
  bool item_optional = false;  // items of the list may be None
  int list_depth = 0;          // `int[]` 1, `int[][]` 2
  int64_t list_size = 0;       // the number in `int[2]`: one number stands for that many; 0 where there is none
  std::string text;            // as written, without alias annotation: "int[2]?"
  std::string alias;           // alias annotation "a", "a!", "a -> *"; empty where there is none
  bool is_list() const { return list_depth > 0; }
  bool writes() const { return alias.find('!') != std::string::npos; }
};

struct SchemaParameter {
  std::string name;
  SchemaType type;
  bool keyword_only = false;
  std::optional<std::string> default_text;  // as written: "1", "None", "[0, 0]", "\"mean\""
  Argument default_value;                   // the same as data, of the parameter's type (enum numbers are resolved)
  bool has_default() const { return default_text.has_value(); }
};

struct SchemaReturn {
  std::string name;  // often empty
  SchemaType type;
};

// Move only: default values point into `texts`.
struct OpSchema {
  std::string name;      // "aten::add"
  std::string overload;  // "Tensor"; empty for the default one
  std::vector<SchemaParameter> parameters;
  std::vector<SchemaReturn> returns;
  bool is_vararg = false;  // "…, ..." after the parameters
  std::string source;      // the text it was parsed from
  std::vector<std::string> tags;  // torch.Tag names ("core", "pointwise", "nondeterministic_seeded"); only from the table

  // "aten.add.Tensor", "aten.relu.default": how targets name it.
  std::string target() const;
  // nullptr: no such parameter.
  const SchemaParameter* parameter(std::string_view parameter_name) const;
  bool has_tag(std::string_view tag) const;

  OpSchema() = default;
  OpSchema(OpSchema&&) = default;
  OpSchema& operator=(OpSchema&&) = default;
  std::forward_list<std::string> texts;  // unescaped string defaults
};

Result<OpSchema> parse_op_schema(std::string_view text);

// The schema of "torch.ops.aten.add.Tensor" or "aten.add.Tensor"; nullptr for operators without schema (higher-order ones) and unknown ones.
// Parsed when first asked for and kept; any thread may call.
const OpSchema* find_op_schema(std::string_view target);
// Whether the table has a row for the target, with or without a schema (higher-order operators have none).
bool is_known_op(std::string_view target);

// The operators of the table with their schema texts, in the order of their names.
struct OpTableRow { std::string_view op, schema, tags; };
std::vector<OpTableRow> op_table_rows();

}  // namespace pt2
