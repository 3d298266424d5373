#include "interp/sign_choice.h"

#include <algorithm>
#include <cmath>

#include "interp/recorded_values.h"
#include "interp/shapes.h"

namespace pt2::interp {

namespace {

// Which results hold vectors, as columns or as rows of matrices. The second turns with the first.
struct Vectors {
  std::string_view op;
  int columns = -1, rows = -1, more_columns = -1;
};
constexpr Vectors kOperators[] = {
    {"linalg_svd", 0, 2, -1}, {"_linalg_svd", 0, 2, -1}, {"svd", 0, -1, 2}, {"linalg_eigh", 1, -1, -1}, {"_linalg_eigh", 1, -1, -1},
};

template <class T>
void turn(const Tensor& t, int64_t batch_offset, size_t along, int64_t index) {
  const size_t other = along == t.sizes.size() - 1 ? t.sizes.size() - 2 : t.sizes.size() - 1;
  T* data = t.data<T>() + batch_offset + index * t.strides[along];
  for (int64_t i = 0; i < t.sizes[other]; ++i) data[i * t.strides[other]] = -data[i * t.strides[other]];
}

// Offsets of the matrices of a batch.
template <class Visit>
void for_matrices(const Tensor& t, Visit visit) {
  const size_t lead = t.sizes.size() - 2;
  std::vector<int64_t> at(lead, 0);
  for (int64_t n = checked_numel(std::span(t.sizes).first(lead)); n > 0; --n) {
    visit(std::span<const int64_t>(at));
    for (size_t d = lead; d-- > 0;) {
      if (++at[d] < t.sizes[d]) break;
      at[d] = 0;
    }
  }
}
int64_t offset_of(const Tensor& t, std::span<const int64_t> at) {
  int64_t offset = 0;
  for (size_t d = 0; d < at.size(); ++d) offset += at[d] * t.strides[d];
  return offset;
}

template <class T>
void follow(const Tensor& vectors, const Tensor& recorded, const Tensor* rows, const Tensor* more_columns) {
  const size_t r = vectors.sizes.size() - 2, c = r + 1;
  for_matrices(vectors, [&](std::span<const int64_t> at) {
    const int64_t mine = offset_of(vectors, at), theirs = offset_of(recorded, at);
    for (int64_t j = 0; j < vectors.sizes[c]; ++j) {
      double dot = 0;
      for (int64_t i = 0; i < vectors.sizes[r]; ++i)
        dot += static_cast<double>(vectors.data<T>()[mine + i * vectors.strides[r] + j * vectors.strides[c]]) *
               static_cast<double>(recorded.data<T>()[theirs + i * recorded.strides[r] + j * recorded.strides[c]]);
      if (!(dot < 0)) continue;
      turn<T>(vectors, mine, c, j);
      if (rows && j < rows->sizes[r]) turn<T>(*rows, offset_of(*rows, at), r, j);
      if (more_columns && j < more_columns->sizes[c]) turn<T>(*more_columns, offset_of(*more_columns, at), c, j);
    }
  });
}

bool has_free_signs(const Node& node, const Vectors*& vectors) {
  constexpr std::string_view kPrefix = "torch.ops.aten.";
  if (!node.target.starts_with(kPrefix)) return false;
  std::string_view name = node.target.substr(kPrefix.size());
  name = name.substr(0, name.find('.'));
  const auto* found = std::find_if(std::begin(kOperators), std::end(kOperators), [&](const Vectors& v) { return v.op == name; });
  vectors = found;
  return found != std::end(kOperators);
}

}  // namespace

void SignFollower::node_done(const Frame& frame, NodeId id, const NodeRun& run, RuntimeValue& value) {
  const Node& node = program_.graphs[frame.graph].node(id);
  const Vectors* vectors = nullptr;
  if (!run.done() || !has_free_signs(node, vectors)) return;
  const auto tensors = recorded_tensors(frame.path + std::string(node.name), value);
  follow_recorded_signs(node, tensors, [&](size_t i) { return reference_.find(tensors[i].first); });
}

void follow_recorded_signs(const Node& node, std::span<const std::pair<std::string, Tensor>> results, FunctionRef<const Tensor*(size_t)> recorded) {
  const Vectors* v = nullptr;
  if (!has_free_signs(node, v) || static_cast<int>(results.size()) <= std::max({v->columns, v->rows, v->more_columns})) return;
  const Tensor& vectors = results[static_cast<size_t>(v->columns)].second;
  const Tensor* given = recorded(static_cast<size_t>(v->columns));
  if (!given || given->sizes != vectors.sizes || given->dtype != vectors.dtype || vectors.dim() < 2) return;
  const Tensor* rows = v->rows < 0 ? nullptr : &results[static_cast<size_t>(v->rows)].second;
  const Tensor* more = v->more_columns < 0 ? nullptr : &results[static_cast<size_t>(v->more_columns)].second;
  if ((rows && rows->dim() != vectors.dim()) || (more && more->dim() != vectors.dim())) return;
  if (vectors.dtype == DType::Float32) follow<float>(vectors, *given, rows, more);
  else if (vectors.dtype == DType::Float64) follow<double>(vectors, *given, rows, more);
}

}  // namespace pt2::interp
