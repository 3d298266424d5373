#pragma once
// Search over a program's nodes: words and fields,
//   relu  op:aten.add.*  mod:layer1  dt:f16  shape:[*,16,*,*]  file:model.py:42  user:conv2d  const:eps  nan:true  inf:true  time:>1ms  -word  /regex/
// All terms must hold. A word without field matches name, operator, module path, a module's class, type or source file.
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/graph/program.h"

namespace pt2::views {

enum class SearchField : uint8_t { Any, Name, Op, Module, DType, Shape, File, User, Const, NaN, Inf, Time };

struct SearchTerm {
  SearchField field = SearchField::Any;
  std::string text;        // a pattern of the whole text where `*` or `?` occurs, else a part of it; mod: parts of the path, or a class
  bool negated = false;
  bool regex = false;
};

struct SearchQuery {
  std::vector<SearchTerm> terms;
  bool match_case = false;
  std::string problem;     // what is wrong with it, for the search bar; then nothing matches
  bool empty() const { return terms.empty(); }
};

SearchQuery parse_search_query(std::string_view text, bool match_case = false);

// The query for the values that have this size, a symbol or an expression of symbols.
std::string search_for_size(std::string_view size);

// What the program itself does not tell: what only a run knows, and what else a node is called. Empty functions: nothing was run, nothing is.
struct SearchFacts {
  std::function<std::optional<bool>(NodeRef)> has_nan, has_inf;
  std::function<std::optional<double>(NodeRef)> time_us;
  std::function<std::string(NodeRef)> other_name;
};

// The nodes that match, graph by graph in execution order. Nodes that only name a sub-graph are not looked at;
// others of get_attr, in the unlifted form, are also found as that form's text calls them: get_attr conv.weight.
std::vector<NodeRef> search_nodes(const Program& program, const SearchQuery& query, const SearchFacts& facts = {});

}  // namespace pt2::views
