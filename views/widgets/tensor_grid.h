#pragma once
// The numbers of a tensor as a grid of two of its dimensions. Only the cells in view are read, so a weight of gigabytes scrolls like a
// small one.
#include <optional>
#include <string>
#include <vector>

#include "core/tensor/slice.h"
#include "core/tensor/tensor_stats.h"
#include "views/shell/pane.h"

namespace pt2::views {

enum class NumberFormat : uint8_t { Auto, Fixed, Scientific, Exact, Hex, Bits, Ulp };
inline constexpr int kNumberFormats = 7;
inline constexpr const char* kNumberFormatNames[kNumberFormats] = {"auto", "fixed", "sci", "exact", "hex", "bits", "ulp"};

// A cell's text. `digits`: decimals, as torch.set_printoptions(precision=…), of Auto, Fixed and Scientific. Auto writes a number as PyTorch prints it by itself:
// whole ones whole, an exponent below 1e-4 and beyond 1e8; but zeros at the end are left out, and what is below 1 has as many significant digits. Ulp: the distance
// to the next number of the type.
std::string cell_text(DType dtype, const std::byte* bytes, NumberFormat format, int digits);
// The difference of two elements as a cell's text; Ulp: how many numbers of the type lie between.
std::string error_text(DType dtype, const std::byte* actual, DType other, const std::byte* expected, NumberFormat format, int digits);

class TensorGrid {
 public:
  struct Source {
    const Tensor* view = nullptr;           // what is left after slicing
    const TensorSlice* slice = nullptr;     // for indices of the whole tensor
    int rows_dim = -1, columns_dim = -1;    // of the view; -1: one row, one column
    std::vector<int64_t> fixed;             // an index for each other dimension of the view
    const TensorStats* stats = nullptr;     // for the heat; may be null
    const Tensor* other = nullptr;          // of the view's shape: what it is held against; cells show the difference
    double reach = 0;                       // with `other`: the largest difference, for the heat
    double rtol = 0, atol = 0;              // with `other`: differences beyond are marked
  };

  NumberFormat format = NumberFormat::Auto;
  int digits = 4;
  bool heat = true;

  void draw(PaneContext& context, const Source& source);
  // Scrolls to a cell and marks it.
  void go_to(int64_t row, int64_t column) { target_ = {row, column}; selected_ = target_; }
  void reveal_selected() { target_ = selected_; }
  void clear_selection() { selected_.reset(); }
  // The index in the whole tensor of the marked cell; empty: none.
  std::vector<int64_t> selected_index(const Source& source) const;
  // The bytes of the marked cell in the view.
  const std::byte* selected_bytes(const Source& source) const { return selected_ ? at(source, *selected_) : nullptr; }
  bool has_selection() const { return selected_.has_value(); }

 private:
  struct Cell { int64_t row = 0, column = 0; friend bool operator==(const Cell&, const Cell&) = default; };
  const std::byte* at(const Source& source, Cell cell) const;
  const std::byte* other_at(const Source& source, Cell cell) const;
  std::vector<int64_t> view_index(const Source& source, Cell cell) const;
  void draw_cell(PaneContext& context, const Source& source, Cell cell, ImVec2 min, ImVec2 max);
  std::vector<int64_t> whole_index(const Source& source, Cell cell) const;
  float cell_width(const Source& source) const;
  void keys(PaneContext& context, const Source& source);

  std::optional<Cell> target_, selected_;
};

}  // namespace pt2::views
