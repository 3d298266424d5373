#pragma once
// The value of what is selected: facts and statistics above, its numbers, picture, histogram or text below. It follows the selection
// until locked.
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/tensor/slice.h"
#include "core/tensor/tensor_stats.h"
#include "views/shell/pane.h"
#include "views/widgets/tensor_grid.h"
#include "views/widgets/text_table.h"
#include "views/workspace/tensor_image.h"
#include "views/workspace/value_source.h"

namespace pt2::views {

enum class TensorTab : uint8_t { Grid, Image, Histogram, Text };
inline constexpr int kTensorTabs = 4;

struct StatsResult {
  TensorStats stats;
  std::string problem;
};

class TensorPane : public Pane {
 public:
  void draw(PaneContext& context) override;
  StringMap dump(const PaneContext& context) const override;
  StringMap save() const override;
  void restore(const StringMap& saved) override;

 private:
  void files_tensors(PaneContext& context);
  void header(PaneContext& context, const ShownValue& value, const std::string& name);
  void statistics(PaneContext& context);
  void tabs(PaneContext& context);
  void slice_bar(PaneContext& context, const Tensor& tensor);
  void grid(PaneContext& context);
  void histogram(PaneContext& context);
  void text(PaneContext& context);
  // tensor_pane_image.cpp
  void image(PaneContext& context);
  void image_bar(PaneContext& context);
  void range_bar(PaneContext& context);
  void fit_range();
  void draw_image(PaneContext& context, const TensorImage& image);
  void jump(const char* title, int what);
  void take_jump(PaneContext& context);
  void change_value(const ShownValue& value);
  TensorGrid::Source grid_source() const;

  TensorTab tab_ = TensorTab::Grid;
  bool locked_ = false;
  NodeRef locked_node_;
  std::string file_tensor_;      // of a file without program
  TextTable file_table_;

  // The value shown now; its name for tests.
  std::string key_, name_;
  std::optional<Tensor> tensor_;
  std::shared_ptr<const StatsResult> stats_;
  std::string slice_text_, applied_slice_;
  std::optional<TensorSlice> slice_;
  std::string slice_problem_;
  int rows_dim_ = -1, columns_dim_ = -1;
  std::vector<int64_t> fixed_;
  TensorGrid grid_;
  bool log_scale_ = false;
  ImageOptions image_options_;
  std::string ranged_;           // the key of the value that the range was fitted to
  bool auto_range_ = true;
  float image_zoom_ = 0;         // pixels of the screen for one; 0: fitted
  ImVec2 image_pan_{0, 0};
  std::string jump_key_;         // a search for an element that is under way
  std::string exported_;
  std::shared_ptr<bool> alive_ = std::make_shared<bool>(true);
};

}  // namespace pt2::views
