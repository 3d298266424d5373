#pragma once
// Walks nested lists without recursion: a file decides how deep they are.

namespace pt2 {

template <class Visit>
void for_each_node(const Argument& argument, Visit&& visit) {
  std::vector<const Argument*> pending{&argument};
  auto push_reversed = [&pending](const std::vector<Argument>& items) {
    for (auto it = items.rbegin(); it != items.rend(); ++it) pending.push_back(&*it);
  };
  while (!pending.empty()) {
    const Argument* a = pending.back();
    pending.pop_back();
    if (auto* id = a->as<NodeId>()) visit(*id);
    else if (auto* list = a->as<ListArg>()) push_reversed(list->items);
    else if (auto* tuple = a->as<TupleArg>()) push_reversed(tuple->items);
    else if (auto* dict = a->as<DictArg>())
      for (auto it = dict->items.rbegin(); it != dict->items.rend(); ++it) pending.push_back(&it->second);
  }
}

}  // namespace pt2
