#include "views/workspace/marks.h"

#include <algorithm>

namespace pt2::views {

namespace {

bool is_on(const Mark& mark, const Selection& selection) { return selection.module ? mark.on(selection.module) : mark.on(selection.shown()); }

}  // namespace

const Mark* Marks::find(NodeRef node) const {
  const auto it = std::find_if(list.begin(), list.end(), [&](const Mark& mark) { return mark.on(node); });
  return it == list.end() ? nullptr : &*it;
}

const Mark* Marks::find(const Selection& selection) const {
  const auto it = std::find_if(list.begin(), list.end(), [&](const Mark& mark) { return is_on(mark, selection); });
  return it == list.end() ? nullptr : &*it;
}

const Mark* Marks::find_key(int key) const {
  const auto it = std::find_if(list.begin(), list.end(), [&](const Mark& mark) { return key && mark.key == key; });
  return it == list.end() ? nullptr : &*it;
}

Mark* Marks::at(const Selection& selection) {
  if (const Mark* mark = find(selection)) return &list[size_t(mark - list.data())];
  if (!selection.module && !selection.shown().node) return nullptr;
  list.push_back({selection.module ? NodeRef() : selection.shown(), selection.module, 0, {}});
  return &list.back();
}

void Marks::set_key(const Selection& selection, int key) {
  for (Mark& mark : list)
    if (mark.key == key) mark.key = 0;
  if (Mark* mark = at(selection)) mark->key = key;
  std::erase_if(list, [](const Mark& mark) { return !mark.key && mark.note.empty(); });
}

void Marks::remove(const Selection& selection) {
  std::erase_if(list, [&](const Mark& mark) { return is_on(mark, selection); });
}

int Marks::free_key() const {
  for (int key = 1; key <= 9; ++key)
    if (!find_key(key)) return key;
  return 0;
}

}  // namespace pt2::views
