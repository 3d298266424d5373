#pragma once
// A table of texts: sorted by a click on a column's head, filtered by words, one row selected, copied as TSV. Only visible rows ask for
// their texts each frame.
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "views/shell/pane.h"

namespace pt2::views {

class TextTable {
 public:
  struct Column {
    const char* title;
    float width = 0;       // at scale 1; 0: stretches
    bool numeric = false;  // sorted by value, set to the right
    bool mono = false;
  };
  struct Rows {
    size_t count = 0;
    uint64_t revision = 0;                                     // grows when texts change; order and filter are worked out anew
    std::function<std::string(size_t row, int column)> text;
    std::function<bool(size_t row)> selected;
    std::function<std::string(size_t row)> words;              // what the filter finds although no column shows it; may be empty
    std::function<std::string(size_t row)> probe;              // its name in tests; may be empty
    std::function<ImU32(size_t row, int column)> color;        // 0: the usual one
    std::function<void(size_t row)> menu;                      // further entries of the context menu
  };
  struct Events {
    static constexpr size_t kNone = size_t(-1);
    size_t clicked = kNone, double_clicked = kNone;
  };

  // `height` 0: as high as the rows; negative: what is left but that much.
  Events draw(PaneContext& context, const char* id, const std::vector<Column>& columns, const Rows& rows, float height = -1);

  std::string filter;  // words that must all occur in a row; drawn by filter_box()
  // A field for `filter`, as wide as what is left.
  void filter_box(const PaneContext& context, const char* hint = "Filter");
  size_t shown() const { return order_.size(); }
  // Scrolls so that the selected row can be seen, once.
  void reveal_selected() { reveal_ = true; }

 private:
  void arrange(const std::vector<Column>& columns, const Rows& rows);
  std::string as_tsv(const std::vector<Column>& columns, const Rows& rows) const;

  std::vector<size_t> order_;
  std::string arranged_filter_;
  uint64_t arranged_revision_ = 0;
  size_t arranged_count_ = 0;
  int sort_column_ = -1;
  bool sort_descending_ = false, dirty_ = true, reveal_ = false;
};

}  // namespace pt2::views
