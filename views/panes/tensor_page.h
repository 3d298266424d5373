#pragma once
// One value and how it is looked at: facts and statistics above, its numbers, picture, histogram, text or difference from another below.
// Commands reach it as requests; see Workspace::ask_tensor_pane().
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/tensor/slice.h"
#include "core/tensor/tensor_stats.h"
#include "interp/value_errors.h"
#include "views/shell/pane.h"
#include "views/widgets/range_control.h"
#include "views/widgets/tensor_grid.h"
#include "views/widgets/text_table.h"
#include "views/workspace/quantization.h"
#include "views/workspace/tensor_image.h"
#include "views/workspace/value_source.h"

namespace pt2::views {

enum class TensorTab : uint8_t { Grid, Image, Histogram, Diff, Text };
inline constexpr int kTensorTabs = 5;
inline constexpr const char* kTensorTabNames[kTensorTabs] = {"grid", "image", "histogram", "diff", "text"};
enum class DiffPart : uint8_t { Worst, Histogram, Grid, Image };
inline constexpr int kDiffParts = 4;
inline constexpr const char* kDiffPartNames[kDiffParts] = {"worst", "histogram", "grid", "image"};

struct StatsResult {
  TensorStats stats;
  std::string problem;
};
struct ErrorsResult {
  interp::ValueErrors errors;
  std::string problem;
};
// Copies carry over how a value is looked at, for a tab that stays on it.
class TensorPage {
 public:
  // `document` holds the value called `name`.
  void draw(PaneContext& context, const Document& document, const ShownValue& value, const std::string& name, bool locked);
  // False: not yet, the value is still being read.
  bool request(PaneContext& context, const TensorRequest& request);
  // Forgets what belongs to one value only; the same page then shows another.
  void change_value(const Document& document, const ShownValue& value, const std::string& name);
  std::string dump() const;  // JSON members: "value": …, "tab": …
  bool loading() const { return loading_; }

  TensorTab tab = TensorTab::Grid;

 private:
  // tensor_page.cpp
  void header(PaneContext& context, const ShownValue& value, bool locked);
  void compare_menu(PaneContext& context, const Document& document);
  void export_menu(PaneContext& context);
  void statistics(PaneContext& context);
  void tabs(PaneContext& context);
  void text(PaneContext& context);
  // tensor_page_requests.cpp
  void copy(PaneContext& context, const std::string& what);
  void write(PaneContext& context, const Tensor& tensor, const std::string& path);
  void write_image(PaneContext& context, const std::string& path);
  std::string file_name(const char* suffix) const;
  void image_request(std::string_view argument);
  bool quick_request(const std::string& verb, const std::string& argument);
  // tensor_page_grid.cpp
  void apply_slice();
  void set_slice(std::string text);
  void slice_bar(PaneContext& context);
  void format_bar(PaneContext& context);
  void index_field(PaneContext& context);
  void element_line(PaneContext& context);
  std::string marked_nonfinite() const;  // "[0, 3]", where the marked element is NaN or infinite; else ""
  void grid(PaneContext& context, bool difference);
  void go_to(std::vector<int64_t> index);
  void jump(const std::string& what);
  void take_jump(PaneContext& context);
  TensorGrid::Source grid_source() const;
  // tensor_page_image.cpp
  void image(PaneContext& context, bool difference);
  void image_bar(PaneContext& context);
  void range_bar(PaneContext& context, bool difference);
  void update_range(bool difference);  // fits it where that is asked for
  const Histogram* range_histogram(bool difference) const;  // null: not counted yet
  ImageOptions image_options(const Theme& theme, bool difference) const;
  void draw_image(PaneContext& context, const TensorImage& image, const std::string& key, bool difference);
  double image_value(const std::vector<int64_t>& index, bool difference) const;
  void name_nonfinite(const Theme& theme, const TensorImage& image, const ImageOptions& options, bool difference, ImVec2 corner, float zoom, ImVec2 low, ImVec2 high) const;
  void image_legend(PaneContext& context, const TensorImage& image, bool difference) const;
  // tensor_page_histogram.cpp
  void histogram(PaneContext& context);
  // tensor_page_diff.cpp
  void suggest_comparison(const Workspace& workspace, const Document& document);
  void compare(PaneContext& context, const Document& document);
  std::string compared_text() const;  // "with reference – relu"
  void diff(PaneContext& context);
  void measures(PaneContext& context);
  void tolerance_fields(PaneContext& context);
  void worst_list(PaneContext& context);

  // The value shown now.
  std::string key_, name_;
  std::optional<Tensor> tensor_;
  bool loading_ = false;
  std::shared_ptr<const StatsResult> stats_;
  std::optional<Quantization> quantization_;
  std::string message_;             // of the last export or copy
  std::shared_ptr<std::string> message_from_job_;

  // Grid and text.
  std::string slice_text_, applied_slice_, slice_problem_;
  int slice_field_ = 0;
  std::optional<TensorSlice> slice_, other_slice_;
  int rows_dim_ = -1, columns_dim_ = -1;
  std::vector<int64_t> fixed_;
  TensorGrid grid_;
  bool shows_difference_ = false;   // which of two grids was drawn last
  std::string jump_key_;            // a search for an element that is under way
  std::string index_text_, index_problem_, compare_name_;
  bool index_active_ = false, focus_index_ = false;

  // What it is held against.
  CompareWith compare_;
  bool compare_chosen_ = false;     // else it is what suggests itself: the reference while there is one
  std::optional<Tensor> kept_;
  std::string kept_key_, kept_name_;
  ShownValue other_;
  std::string other_state_;         // why there is nothing to compare
  std::shared_ptr<const ErrorsResult> errors_;
  interp::Tolerance tolerance_;
  std::string rtol_text_, atol_text_;
  DiffPart diff_part_ = DiffPart::Worst;
  TextTable worst_;
  uint64_t worst_revision_ = 0;
  std::shared_ptr<const ErrorsResult> worst_of_;

  // Histogram and image.
  bool log_counts_ = false, symlog_ = false, trim_ = false;
  ImageOptions image_;              // but for the range, of which there are two
  struct ImageRange {
    double low = 0, high = 1;
    Palette palette = Palette::Viridis;
    bool always_fit = true;
    std::string of;                 // the key of what it was fitted to
  };
  ImageRange range_, error_range_;  // of the value, of the difference
  std::string wanted_range_;        // "fit", "percentiles", "symmetric": once there is something to fit to
  RangeControl range_control_;
  float image_zoom_ = 0;            // pixels of the screen for one; 0: fitted
  ImVec2 image_pan_{0, 0};
};

}  // namespace pt2::views
