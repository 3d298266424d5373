// LSTM, GRU and plain recurrent layers and cells.
#include <cmath>

#include "interp/allocation.h"
#include "interp/check.h"
#include "interp/matrix.h"
#include "interp/op_table.h"
#include "interp/ops/all_ops.h"
#include "interp/promote.h"
#include "interp/shapes.h"
#include "interp/tensor_map.h"

namespace pt2::interp {

namespace {

using MaybeTensor = std::optional<Tensor>;

enum class Cell { Lstm, Gru, Tanh, Relu };

struct Weights { Tensor input, hidden; MaybeTensor input_bias, hidden_bias, projection; };
struct State { Tensor hidden, cell; };  // cell: LSTM only

template <class T>
T sigmoid(T x) { return 1 / (1 + std::exp(-x)); }

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
    for (int64_t n = 0; n < batch; ++n) {
      const T *x = a.data<T>() + n * gates * size, *h = b.data<T>() + n * gates * size;
      for (int64_t i = 0; i < size; ++i) {
        T& out = next.hidden.data<T>()[n * size + i];
        switch (kind) {
          case Cell::Lstm: {
            const T in = sigmoid(x[i] + h[i]), forget = sigmoid(x[size + i] + h[size + i]), candidate = std::tanh(x[2 * size + i] + h[2 * size + i]);
            const T c = forget * old_cell.data<T>()[n * size + i] + in * candidate;
            next.cell.data<T>()[n * size + i] = c;
            out = sigmoid(x[3 * size + i] + h[3 * size + i]) * std::tanh(c);
            break;
          }
          case Cell::Gru: {
            const T reset = sigmoid(x[i] + h[i]), update = sigmoid(x[size + i] + h[size + i]);
            const T candidate = std::tanh(x[2 * size + i] + reset * h[2 * size + i]);
            out = (old_hidden.data<T>()[n * size + i] - candidate) * update + candidate;
            break;
          }
          case Cell::Tanh: out = std::tanh(x[i] + h[i]); break;
          case Cell::Relu: out = std::max(x[i] + h[i], T(0)); break;
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

// All steps of one layer in one direction; writes its columns of `output` [time, batch, features].
State run_direction(Cell kind, const Tensor& input, State state, const Weights& w, bool backwards, const Tensor& output, int64_t column) {
  const Tensor from_input = linear(input, w.input, w.input_bias);
  const int64_t steps = input.sizes[0];
  for (int64_t s = 0; s < steps; ++s) {
    const int64_t t = backwards ? steps - 1 - s : s;
    state = step(kind, slice_first(from_input, t), state, w);
    const Tensor at = slice_first(output, t);
    copy_into(make_view(at, state.hidden.sizes, at.strides, at.offset + column * at.strides[1]), state.hidden);
  }
  return state;
}

struct LayerOptions { bool biases, bidirectional, batch_first, projected; int64_t layers; };

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

void check_dropout(double dropout, bool train, int64_t layers) {
  check(!train || dropout == 0 || layers == 1, "recurrent layer: dropout ", dropout, " between layers while training is not evaluated");
}

std::tuple<Tensor, Tensor, Tensor> lstm(const Tensor& input, const std::vector<Tensor>& hx, const std::vector<Tensor>& params, bool has_biases,
                                        int64_t num_layers, double dropout, bool train, bool bidirectional, bool batch_first) {
  check(hx.size() == 2, "lstm expects two hidden states");
  check_dropout(dropout, train, num_layers);
  const Run r = run_layers(Cell::Lstm, input, hx[0], hx[1], params,
                           {has_biases, bidirectional, batch_first, hx[0].sizes.back() != hx[1].sizes.back(), num_layers});
  return {r.output, r.hidden, r.cell};
}

template <Cell kind>
std::tuple<Tensor, Tensor> recurrent(const Tensor& input, const Tensor& hx, const std::vector<Tensor>& params, bool has_biases, int64_t num_layers,
                                     double dropout, bool train, bool bidirectional, bool batch_first) {
  check_dropout(dropout, train, num_layers);
  const Run r = run_layers(kind, input, hx, {}, params, {has_biases, bidirectional, batch_first, false, num_layers});
  return {r.output, r.hidden};
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
  ops.add("aten::lstm_cell(Tensor input, Tensor[] hx, Tensor w_ih, Tensor w_hh, Tensor? b_ih=None, Tensor? b_hh=None) -> (Tensor, Tensor)", lstm_cell);
  ops.add("aten::gru_cell(Tensor input, Tensor hx, Tensor w_ih, Tensor w_hh, Tensor? b_ih=None, Tensor? b_hh=None) -> Tensor", cell<Cell::Gru>);
  ops.add("aten::rnn_tanh_cell(Tensor input, Tensor hx, Tensor w_ih, Tensor w_hh, Tensor? b_ih=None, Tensor? b_hh=None) -> Tensor", cell<Cell::Tanh>);
  ops.add("aten::rnn_relu_cell(Tensor input, Tensor hx, Tensor w_ih, Tensor w_hh, Tensor? b_ih=None, Tensor? b_hh=None) -> Tensor", cell<Cell::Relu>);
}

}  // namespace pt2::interp
