#pragma once
// What names in the text of an edit stand for: those of the edited node's own graph go before others of the program.
#include <map>
#include <memory>

#include "interp/debugger.h"

namespace pt2::interp {

inline NameLookup names_of_edit(const Debugger& debugger, const Graph& graph, GraphId id, const std::string& text, NameLookup others) {
  auto own = std::make_shared<std::map<std::string, RuntimeValue, std::less<>>>();
  for (const std::string& name : names_in(text))
    if (const NodeId node = graph.find(name); node.valid())
      if (auto value = debugger.value({id, node})) own->emplace(name, std::move(*value));
  return [own, others = std::move(others)](std::string_view name) {
    auto it = own->find(name);
    return it == own->end() ? others(name) : std::optional<RuntimeValue>(it->second);
  };
}

}  // namespace pt2::interp
