// LSTM, GRU and plain recurrent layers and cells.
#include <cmath>

#include "interp/allocation.h"
#include "interp/check.h"
#include "interp/convert.h"
#include "interp/matrix.h"
#include "interp/op_table.h"
#include "interp/ops/all_ops.h"
#include "interp/ops/call.h"
#include "interp/ops/view.h"
#include "interp/promote.h"
#include "interp/shapes.h"
#include "interp/tensor_map.h"

namespace pt2::interp {

namespace {

using MaybeTensor = std::optional<Tensor>;

enum class Cell { Lstm, Gru, Tanh, Relu };

struct Weights { Tensor input, hidden; MaybeTensor input_bias, hidden_bias, projection; };
struct State { Tensor hidden, cell; };  // cell: LSTM only

// The values of a cell one by one, each operation rounded to the element type as PyTorch's chains of operators are. `T`: what they are computed in.
template <class T>
class CellMath {
 public:
  explicit CellMath(DType dtype) : dtype_(dtype), rounds_(dtype == DType::Float16 || dtype == DType::BFloat16) {}
  T rounded(T x) const {
    if constexpr (std::is_same_v<T, float>)
      if (rounds_) round_to(dtype_, Compute::F32, &x, 1);
    return x;
  }
  T add(T a, T b) const { return rounded(a + b); }
  T sub(T a, T b) const { return rounded(a - b); }
  T mul(T a, T b) const { return rounded(a * b); }
  T sigmoid(T x) const { return rounded(1 / (1 + std::exp(-x))); }
  T tanh(T x) const { return rounded(std::tanh(x)); }

 private:
  const DType dtype_;
  const bool rounds_;
};

// One step. `from_input`: [batch, gates · hidden], the input's part with its bias.
State step(Cell kind, const Tensor& from_input, const State& state, const Weights& w) {
  const Tensor from_hidden = linear(state.hidden, w.hidden, w.hidden_bias);
  const int64_t gates = kind == Cell::Lstm ? 4 : kind == Cell::Gru ? 3 : 1;
  const int64_t batch = from_input.sizes[0], size = from_input.sizes[1] / gates;
  const DType compute = native_dtype(compute_type(from_input.dtype));
  const Tensor a = as_contiguous(from_input, compute), b = as_contiguous(from_hidden, compute);
  const Tensor old_hidden = as_contiguous(state.hidden, compute);
  State next{empty(Shape{batch, size}, compute), {}};
  Tensor old_cell;
  if (kind == Cell::Lstm) {
    old_cell = as_contiguous(state.cell, compute);
    next.cell = empty(Shape{batch, size}, compute);
  }
  dispatch(FloatTypes(), compute, "recurrent cell", [&]<class T>() {
    const CellMath<T> m(from_input.dtype);
    for (int64_t n = 0; n < batch; ++n) {
      const T *x = a.data<T>() + n * gates * size, *h = b.data<T>() + n * gates * size;
      const auto sum = [&](int64_t gate, int64_t i) { return m.add(h[gate * size + i], x[gate * size + i]); };
      for (int64_t i = 0; i < size; ++i) {
        T& out = next.hidden.data<T>()[n * size + i];
        switch (kind) {
          case Cell::Lstm: {
            const T in = m.sigmoid(sum(0, i)), forget = m.sigmoid(sum(1, i)), candidate = m.tanh(sum(2, i));
            const T c = m.add(m.mul(forget, old_cell.data<T>()[n * size + i]), m.mul(in, candidate));
            next.cell.data<T>()[n * size + i] = c;
            out = m.mul(m.sigmoid(sum(3, i)), m.tanh(c));
            break;
          }
          case Cell::Gru: {
            const T reset = m.sigmoid(sum(0, i)), update = m.sigmoid(sum(1, i));
            const T candidate = m.tanh(m.add(x[2 * size + i], m.mul(h[2 * size + i], reset)));
            out = m.add(m.mul(m.sub(old_hidden.data<T>()[n * size + i], candidate), update), candidate);
            break;
          }
          case Cell::Tanh: out = m.tanh(sum(0, i)); break;
          case Cell::Relu: out = std::max(sum(0, i), T(0)); break;
        }
      }
    }
  });
  next.hidden = as_dtype(next.hidden, from_input.dtype);
  if (kind == Cell::Lstm) next.cell = as_dtype(next.cell, from_input.dtype);
  if (w.projection) next.hidden = linear(next.hidden, *w.projection, std::nullopt);
  return next;
}

Tensor slice_first(const Tensor& t, int64_t i) {
  return make_view(t, Shape(t.sizes.begin() + 1, t.sizes.end()), Shape(t.strides.begin() + 1, t.strides.end()), t.offset + i * t.strides[0]);
}

// oneDNN, which computes LSTMs of bfloat16 for PyTorch: everything in float32 but for the sum of both biases and the states, which are bfloat16.
bool in_one_piece(Cell kind, DType dtype, const Weights& w) { return kind == Cell::Lstm && dtype == DType::BFloat16 && !w.projection; }

Weights in_float(const Weights& w) {
  Weights wide{as_dtype(w.input, DType::Float32), as_dtype(w.hidden, DType::Float32), {}, {}, {}};
  if (w.input_bias && w.hidden_bias) wide.input_bias = as_dtype(call("aten.add.Tensor", *w.input_bias, *w.hidden_bias), DType::Float32);
  return wide;
}

Tensor rounded_through(const Tensor& tensor, DType dtype) { return as_dtype(as_dtype(tensor, dtype), tensor.dtype); }

// All steps of one layer in one direction; writes its columns of `output` [time, batch, features].
State run_direction(Cell kind, const Tensor& given, State state, const Weights& weights, bool backwards, const Tensor& output, int64_t column) {
  const bool whole = in_one_piece(kind, given.dtype, weights);
  const Weights w = whole ? in_float(weights) : weights;
  const Tensor input = whole ? as_dtype(given, DType::Float32) : given;
  if (whole) state = {as_dtype(state.hidden, DType::Float32), as_dtype(state.cell, DType::Float32)};
  const Tensor from_input = linear(input, w.input, w.input_bias);
  const int64_t steps = input.sizes[0];
  for (int64_t s = 0; s < steps; ++s) {
    const int64_t t = backwards ? steps - 1 - s : s;
    state = step(kind, slice_first(from_input, t), state, w);
    if (whole) state = {rounded_through(state.hidden, given.dtype), rounded_through(state.cell, given.dtype)};
    const Tensor at = slice_first(output, t);
    copy_into(make_view(at, state.hidden.sizes, at.strides, at.offset + column * at.strides[1]), state.hidden);
  }
  return state;
}

struct LayerOptions {
  bool biases, bidirectional, batch_first, projected;
  int64_t layers;
  double dropout;  // of the input of all layers but the first
};

struct Run { Tensor output, hidden, cell; };

Run run_layers(Cell kind, const Tensor& input, const Tensor& hidden, const Tensor& cell, const std::vector<Tensor>& parameters, const LayerOptions& o) {
  const int64_t directions = o.bidirectional ? 2 : 1;
  const size_t per_direction = 2 + (o.biases ? 2 : 0) + (o.projected ? 1 : 0);
  check(parameters.size() == per_direction * static_cast<size_t>(o.layers * directions), "recurrent layer: expected ",
        static_cast<int64_t>(per_direction) * o.layers * directions, " parameters, found ", parameters.size());
  // Without a batch dimension everything has one of size 1 meanwhile.
  const bool batched = input.dim() == 3;
  check(batched || input.dim() == 2, "Expected input to be 2D or 3D, got ", input.dim(), "D tensor");
  auto with_batch = [](const Tensor& t) {
    return make_view(t, {t.sizes[0], 1, t.sizes[1]}, {t.strides[0], t.sizes[1] * t.strides[1], t.strides[1]}, t.offset);
  };
  Tensor x = batched ? input : with_batch(input);
  if (o.batch_first && batched) x = make_view(x, {x.sizes[1], x.sizes[0], x.sizes[2]}, {x.strides[1], x.strides[0], x.strides[2]}, x.offset);
  const Tensor h0 = hidden.dim() == 3 ? hidden : with_batch(hidden), c0 = kind != Cell::Lstm || cell.dim() == 3 ? cell : with_batch(cell);
  const int64_t steps = x.sizes[0], batch = x.sizes[1], features = h0.sizes[2];
  Run run;
  run.hidden = empty(h0.sizes, input.dtype);
  if (kind == Cell::Lstm) run.cell = empty(c0.sizes, input.dtype);
  for (int64_t layer = 0; layer < o.layers; ++layer) {
    if (layer > 0 && o.dropout > 0) x = call("aten.dropout.default", x, o.dropout, true);
    const Tensor output = empty(Shape{steps, batch, features * directions}, input.dtype);
    for (int64_t d = 0; d < directions; ++d) {
      const int64_t k = layer * directions + d;
      const Tensor* p = parameters.data() + static_cast<size_t>(k) * per_direction;
      Weights w{p[0], p[1], {}, {}, {}};
      if (o.biases) w.input_bias = p[2], w.hidden_bias = p[3];
      if (o.projected) w.projection = p[per_direction - 1];
      State state{slice_first(h0, k), kind == Cell::Lstm ? slice_first(c0, k) : Tensor()};
      state = run_direction(kind, x, state, w, d == 1, output, d * features);
      copy_into(slice_first(run.hidden, k), state.hidden);
      if (kind == Cell::Lstm) copy_into(slice_first(run.cell, k), state.cell);
    }
    x = output;
  }
  run.output = x;
  if (o.batch_first && batched)
    run.output = make_view(x, {batch, steps, features * directions}, {x.strides[1], x.strides[0], x.strides[2]}, x.offset);
  if (!batched) {
    auto without_batch = [](const Tensor& t) { return make_view(t, {t.sizes[0], t.sizes[2]}, {t.strides[0], t.strides[2]}, t.offset); };
    run.output = without_batch(run.output);
    run.hidden = without_batch(run.hidden);
    if (kind == Cell::Lstm) run.cell = without_batch(run.cell);
  }
  return run;
}

std::tuple<Tensor, Tensor, Tensor> lstm(const KernelContext&, const Tensor& input, const std::vector<Tensor>& hx, const std::vector<Tensor>& params, bool has_biases,
                                        int64_t num_layers, double dropout, bool train, bool bidirectional, bool batch_first) {
  check(hx.size() == 2, "lstm expects two hidden states");
  const Run r = run_layers(Cell::Lstm, input, hx[0], hx[1], params,
                           {has_biases, bidirectional, batch_first, hx[0].sizes.back() != hx[1].sizes.back(), num_layers, train ? dropout : 0});
  return {r.output, r.hidden, r.cell};
}

template <Cell kind>
std::tuple<Tensor, Tensor> recurrent(const KernelContext&, const Tensor& input, const Tensor& hx, const std::vector<Tensor>& params, bool has_biases, int64_t num_layers,
                                     double dropout, bool train, bool bidirectional, bool batch_first) {
  const Run r = run_layers(kind, input, hx, {}, params, {has_biases, bidirectional, batch_first, false, num_layers, train ? dropout : 0});
  return {r.output, r.hidden};
}

// ---- Packed sequences ------------------------------------------------------------------------------------------------------------------

// Rows of `data` by time step, in each the sequences that are still running, the longest first: batch_sizes tells how many.
struct Packed {
  std::vector<int64_t> starts;   // of each time step's rows
  std::vector<int64_t> lengths;  // of each sequence
};
Packed packed(const Tensor& data, const Tensor& batch_sizes) {
  const Tensor dense = as_contiguous(batch_sizes, DType::Int64);
  Packed p;
  int64_t rows = 0;
  for (int64_t t = 0; t < dense.numel(); ++t) {
    const int64_t count = dense.data<int64_t>()[t];
    check(count > 0 && (t == 0 || count <= static_cast<int64_t>(p.lengths.size())), "batch_sizes must be positive and not rise, found ", count);
    if (t == 0) p.lengths.assign(static_cast<size_t>(std::min(count, data.sizes[0])), 0);
    p.starts.push_back(rows);
    check(!__builtin_add_overflow(rows, count, &rows) && rows <= data.sizes[0], "batch_sizes do not fit data of shape ", data.sizes);
    for (int64_t i = 0; i < count; ++i) ++p.lengths[static_cast<size_t>(i)];
  }
  check(rows == data.sizes[0], "batch_sizes add up to ", rows, ", data has ", data.sizes[0], " rows");
  return p;
}

// Sequence by sequence, each with its own states. Dropout would have to be drawn for all of them at once.
Run run_packed(Cell kind, const Tensor& data, const Tensor& batch_sizes, const Tensor& hidden, const Tensor& cell, const std::vector<Tensor>& parameters,
               const LayerOptions& o) {
  check(data.dim() == 2 && hidden.dim() == 3, "a packed sequence has rows of features, and states of three dimensions");
  check(o.dropout == 0 || o.layers == 1, "recurrent layer: dropout ", o.dropout, " between layers of packed sequences is not evaluated");
  const Packed p = packed(data, batch_sizes);
  check(static_cast<int64_t>(p.lengths.size()) == hidden.sizes[1], "Expected hidden size ", p.lengths.size(), ", got ", hidden.sizes);
  Run all{empty(Shape{data.sizes[0], hidden.sizes[2] * (o.bidirectional ? 2 : 1)}, data.dtype), empty(hidden.sizes, data.dtype), {}};
  if (kind == Cell::Lstm) all.cell = empty(cell.sizes, data.dtype);
  for (size_t b = 0; b < p.lengths.size(); ++b) {
    const auto i = static_cast<int64_t>(b);
    const Tensor rows = empty(Shape{p.lengths[b], data.sizes[1]}, data.dtype);
    for (int64_t t = 0; t < p.lengths[b]; ++t) copy_into(slice_first(rows, t), slice_first(data, p.starts[static_cast<size_t>(t)] + i));
    const Run one = run_layers(kind, rows, select(hidden, 1, i), kind == Cell::Lstm ? select(cell, 1, i) : Tensor(), parameters, o);
    for (int64_t t = 0; t < p.lengths[b]; ++t) copy_into(slice_first(all.output, p.starts[static_cast<size_t>(t)] + i), slice_first(one.output, t));
    copy_into(select(all.hidden, 1, i), one.hidden);
    if (kind == Cell::Lstm) copy_into(select(all.cell, 1, i), one.cell);
  }
  return all;
}

std::tuple<Tensor, Tensor, Tensor> packed_lstm(const Tensor& data, const Tensor& batch_sizes, const std::vector<Tensor>& hx, const std::vector<Tensor>& params,
                                               bool has_biases, int64_t num_layers, double dropout, bool train, bool bidirectional) {
  check(hx.size() == 2, "lstm expects two hidden states");
  const Run r = run_packed(Cell::Lstm, data, batch_sizes, hx[0], hx[1], params,
                           {has_biases, bidirectional, false, hx[0].sizes.back() != hx[1].sizes.back(), num_layers, train ? dropout : 0});
  return {r.output, r.hidden, r.cell};
}
template <Cell kind>
std::tuple<Tensor, Tensor> packed_recurrent(const Tensor& data, const Tensor& batch_sizes, const Tensor& hx, const std::vector<Tensor>& params, bool has_biases,
                                            int64_t num_layers, double dropout, bool train, bool bidirectional) {
  const Run r = run_packed(kind, data, batch_sizes, hx, {}, params, {has_biases, bidirectional, false, false, num_layers, train ? dropout : 0});
  return {r.output, r.hidden};
}

// ---- One layer, one direction: oneDNN's --------------------------------------------------------------------------------------------------

using Four = std::tuple<Tensor, Tensor, Tensor, Tensor>;

Four mkldnn_rnn_layer(const Tensor& input, const Tensor& w_ih, const Tensor& w_hh, const Tensor& b_ih, const Tensor& b_hh, const Tensor& hx, const Tensor& cx, bool reverse,
                      std::span<const int64_t> batch_sizes, int64_t mode, int64_t hidden_size, Unused, bool has_biases, Unused, bool batch_first, Unused) {
  constexpr int64_t kLstmMode = 2;
  check(mode == kLstmMode && batch_sizes.empty(), "mkldnn_rnn_layer: mode ", mode, " with packed sequences or other cells than LSTM is not evaluated");
  const Tensor x = batch_first ? transpose(input, 0, 1) : input;
  const Tensor output = empty(Shape{x.sizes[0], x.sizes[1], hidden_size}, input.dtype);
  Weights w{w_ih, w_hh, {}, {}, {}};
  if (has_biases) w.input_bias = b_ih, w.hidden_bias = b_hh;
  auto matrix = [](const Tensor& t) { return t.dim() == 3 ? slice_first(t, 0) : t; };
  const State last = run_direction(Cell::Lstm, x, {matrix(hx), matrix(cx)}, w, reverse, output, 0);
  auto like = [](const Tensor& t, const Tensor& shape) { return make_view(t, shape.sizes, contiguous_strides(shape.sizes), t.offset); };
  return {batch_first ? transpose(output, 0, 1) : output, like(as_contiguous(last.hidden), hx), like(as_contiguous(last.cell), cx), empty(Shape{0}, DType::UInt8)};
}

std::tuple<Tensor, Tensor> lstm_cell(const Tensor& input, const std::vector<Tensor>& hx, const Tensor& w_ih, const Tensor& w_hh, const MaybeTensor& b_ih,
                                     const MaybeTensor& b_hh) {
  check(hx.size() == 2, "lstm_cell expects two hidden states");
  const State s = step(Cell::Lstm, linear(input, w_ih, b_ih), {hx[0], hx[1]}, {w_ih, w_hh, b_ih, b_hh, {}});
  return {s.hidden, s.cell};
}
template <Cell kind>
Tensor cell(const Tensor& input, const Tensor& hx, const Tensor& w_ih, const Tensor& w_hh, const MaybeTensor& b_ih, const MaybeTensor& b_hh) {
  return step(kind, linear(input, w_ih, b_ih), {hx, {}}, {w_ih, w_hh, b_ih, b_hh, {}}).hidden;
}

}  // namespace

void add_recurrent_ops(OpTable& ops) {
  ops.add("aten::lstm.input(Tensor input, Tensor[] hx, Tensor[] params, bool has_biases, int num_layers, float dropout, bool train, bool bidirectional, bool batch_first) -> (Tensor, Tensor, Tensor)", lstm);
  ops.add("aten::gru.input(Tensor input, Tensor hx, Tensor[] params, bool has_biases, int num_layers, float dropout, bool train, bool bidirectional, bool batch_first) -> (Tensor, Tensor)", recurrent<Cell::Gru>);
  ops.add("aten::rnn_tanh.input(Tensor input, Tensor hx, Tensor[] params, bool has_biases, int num_layers, float dropout, bool train, bool bidirectional, bool batch_first) -> (Tensor, Tensor)", recurrent<Cell::Tanh>);
  ops.add("aten::rnn_relu.input(Tensor input, Tensor hx, Tensor[] params, bool has_biases, int num_layers, float dropout, bool train, bool bidirectional, bool batch_first) -> (Tensor, Tensor)", recurrent<Cell::Relu>);
  ops.add("aten::lstm.data(Tensor data, Tensor batch_sizes, Tensor[] hx, Tensor[] params, bool has_biases, int num_layers, float dropout, bool train, bool bidirectional) -> (Tensor, Tensor, Tensor)", packed_lstm);
  ops.add("aten::gru.data(Tensor data, Tensor batch_sizes, Tensor hx, Tensor[] params, bool has_biases, int num_layers, float dropout, bool train, bool bidirectional) -> (Tensor, Tensor)", packed_recurrent<Cell::Gru>);
  ops.add("aten::rnn_tanh.data(Tensor data, Tensor batch_sizes, Tensor hx, Tensor[] params, bool has_biases, int num_layers, float dropout, bool train, bool bidirectional) -> (Tensor, Tensor)", packed_recurrent<Cell::Tanh>);
  ops.add("aten::rnn_relu.data(Tensor data, Tensor batch_sizes, Tensor hx, Tensor[] params, bool has_biases, int num_layers, float dropout, bool train, bool bidirectional) -> (Tensor, Tensor)", packed_recurrent<Cell::Relu>);
  ops.add("aten::mkldnn_rnn_layer(Tensor input, Tensor weight0, Tensor weight1, Tensor weight2, Tensor weight3, Tensor hx_, Tensor cx_, bool reverse, int[] batch_sizes, int mode, int hidden_size, int num_layers, bool has_biases, bool bidirectional, bool batch_first, bool train) -> (Tensor, Tensor, Tensor, Tensor)", mkldnn_rnn_layer);
  ops.add("aten::lstm_cell(Tensor input, Tensor[] hx, Tensor w_ih, Tensor w_hh, Tensor? b_ih=None, Tensor? b_hh=None) -> (Tensor, Tensor)", lstm_cell);
  ops.add("aten::gru_cell(Tensor input, Tensor hx, Tensor w_ih, Tensor w_hh, Tensor? b_ih=None, Tensor? b_hh=None) -> Tensor", cell<Cell::Gru>);
  ops.add("aten::rnn_tanh_cell(Tensor input, Tensor hx, Tensor w_ih, Tensor w_hh, Tensor? b_ih=None, Tensor? b_hh=None) -> Tensor", cell<Cell::Tanh>);
  ops.add("aten::rnn_relu_cell(Tensor input, Tensor hx, Tensor w_ih, Tensor w_hh, Tensor? b_ih=None, Tensor? b_hh=None) -> Tensor", cell<Cell::Relu>);
}

}  // namespace pt2::interp
