#pragma once
// The Tensor pane: the value of what is selected, and tabs that stay on values they were locked to.
#include <memory>
#include <string>
#include <vector>

#include "views/panes/tensor_page.h"
#include "views/widgets/text_table.h"

namespace pt2::views {

class TensorPane : public Pane {
 public:
  void draw(PaneContext& context) override;
  StringMap dump(const PaneContext& context) const override;
  StringMap save() const override;
  void restore(const StringMap& saved) override;

 private:
  // By name, so that it survives a reload of the file.
  struct Locked {
    DocumentId document;
    std::string name;
    TensorPage page;
  };
  // What the shown page shows.
  struct Shown {
    const Document* document = nullptr;
    std::string name;
    ShownValue value;
  };
  void strip(PaneContext& context);
  void file_tensors(PaneContext& context);
  Shown shown(PaneContext& context) const;
  TensorPage& page() { return active_ ? locked_[active_ - 1].page : main_; }
  void answer(PaneContext& context, Shown& now);
  void lock(const Shown& now);
  void unlock(size_t number);  // from 1

  TensorPage main_;             // follows the selection
  std::vector<Locked> locked_;
  size_t active_ = 0;           // 0: main_, else a locked one, from 1
  uint64_t answered_ = 0;       // serial of the last request done
  std::string file_tensor_;     // chosen in a file without program
  TextTable file_table_;
};

}  // namespace pt2::views
