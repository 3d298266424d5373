#pragma once
// Node metadata as the file has it (texts are pooled), and its parsed forms.
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/ids.h"

namespace pt2 {

struct NodeMeta {
  std::string_view stack_trace, nn_module_stack, torch_fn, source_fn_stack, from_node, custom;  // empty: absent
  std::vector<std::pair<std::string_view, std::string_view>> other;                             // unknown keys, in file order
};

struct SourceFrame { std::string_view file; int64_t line = 0; std::string_view function, code; };
// Frames outermost first, as in the text; tolerates every release's indentation.
std::vector<SourceFrame> parse_stack_trace(std::string_view stack_trace);

struct ModuleStackEntry { std::string_view key, path, type; };
// Entries outermost first. Splits at commas outside brackets; the "no module" placeholder gives an empty list.
std::vector<ModuleStackEntry> parse_nn_module_stack(std::string_view nn_module_stack);

struct SourceFn { std::string_view name, target; };
std::vector<SourceFn> parse_source_fn_stack(std::string_view source_fn_stack);

// One step of provenance, flattened depth first: parent is the index of the entry that contains it in its `from_node` list, -1 for the top.
struct FromNodeEntry { std::string name, target, pass_name, action; int64_t graph_id = 0; int parent = -1; };
std::vector<FromNodeEntry> parse_from_node(std::string_view from_node);

}  // namespace pt2
