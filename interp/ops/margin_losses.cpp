// Losses over classes with margins, and connectionist temporal classification.
#include <algorithm>
#include <cmath>
#include <limits>

#include "interp/allocation.h"
#include "interp/check.h"
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
using Two = std::tuple<Tensor, Tensor>;

enum class Reduction : int64_t { None, Mean, Sum };

// Losses in double, reduced and rounded once.
Tensor reduced(const Tensor& losses, int64_t reduction, DType dtype) {
  const auto how = static_cast<Reduction>(reduction);
  if (how == Reduction::None) return to_dtype(losses, dtype);
  return to_dtype(call(how == Reduction::Mean ? "aten.mean.default" : "aten.sum.default", losses), dtype);
}

// Rows of class scores, [classes] or [batch, classes].
struct Rows {
  Tensor scores;  // double
  int64_t count, classes;
  const double* row(int64_t i) const { return scores.data<double>() + i * classes; }
};
Rows rows_of(const Tensor& self, std::string_view name) {
  check(is_floating(self.dtype), "\"", name, "\" not implemented for '", scalar_type_name(self.dtype), "'");
  check((self.dim() == 1 || self.dim() == 2 || self.dim() == 0) && (self.dim() == 0 || self.sizes.back() != 0),
        "Expected non-empty vector or matrix with optional 0-dim batch size, but got: ", self.sizes);
  return {as_contiguous(self, DType::Float64), self.dim() == 2 ? self.sizes[0] : 1, self.dim() == 0 ? 1 : self.sizes.back()};
}

// ---- Multi-class margin ----------------------------------------------------------------------------------------------------------------

// Calls each(row, class, target, distance, weight) for every wrong class inside the margin.
template <class Each>
void over_margins(const Rows& x, const Tensor& target, double margin, const MaybeTensor& weight, Each each) {
  check(target.numel() == x.count && target.dim() <= 1, "inconsistent target size, expected ", x.count, " but got ", target.sizes);
  check(!weight || weight->numel() == x.classes, "inconsistent weight size, expected ", x.classes);
  const Tensor labels = as_contiguous(target, DType::Int64), w = weight ? as_contiguous(*weight, DType::Float64) : Tensor();
  for (int64_t i = 0; i < x.count; ++i) {
    const int64_t label = labels.data<int64_t>()[i];
    check(label >= 0 && label < x.classes, "target out of range");
    for (int64_t c = 0; c < x.classes; ++c) {
      const double distance = margin - x.row(i)[label] + x.row(i)[c];
      if (c != label && distance > 0) each(i, c, label, distance, weight ? w.data<double>()[label] : 1.0);
    }
  }
}
int64_t power_of(Scalar p) {
  check(p.to_double() == 1 || p.to_double() == 2, "only p == 1 and p == 2 supported");
  return static_cast<int64_t>(p.to_double());
}

Tensor multi_margin_loss(const Tensor& self, const Tensor& target, Scalar p, Scalar margin, const MaybeTensor& weight, int64_t reduction) {
  const int64_t power = power_of(p);
  const Rows x = rows_of(self, "multi_margin_loss");
  const Tensor losses = zeros(self.dim() == 2 ? Shape{x.count} : target.sizes, DType::Float64);
  over_margins(x, target, margin.to_double(), weight, [&](int64_t i, int64_t, int64_t, double distance, double w) {
    losses.data<double>()[i] += w * (power == 1 ? distance : distance * distance) / static_cast<double>(x.classes);
  });
  return reduced(losses, reduction, self.dtype);
}
Tensor multi_margin_loss_backward(const Tensor& grad_output, const Tensor& self, const Tensor& target, Scalar p, Scalar margin, const MaybeTensor& weight,
                                  int64_t reduction) {
  const int64_t power = power_of(p);
  const Rows x = rows_of(self, "multi_margin_loss_backward");
  const Tensor gradient = zeros(self.sizes, DType::Float64), outer = as_contiguous(grad_output, DType::Float64);
  const auto how = static_cast<Reduction>(reduction);
  const double share = 1 / static_cast<double>(x.classes) / (how == Reduction::Mean ? static_cast<double>(x.count) : 1);
  over_margins(x, target, margin.to_double(), weight, [&](int64_t i, int64_t c, int64_t label, double distance, double w) {
    const double d = share * w * (power == 1 ? 1 : 2 * distance) * outer.data<double>()[how == Reduction::None ? i : 0];
    gradient.data<double>()[i * x.classes + c] += d;
    gradient.data<double>()[i * x.classes + label] -= d;
  });
  return to_dtype(gradient, self.dtype);
}

// ---- Multi-label margin ----------------------------------------------------------------------------------------------------------------

// The labels of each row stand before the first −1. Calls each(row, label, class, distance) for pairs inside the margin of 1.
template <class Each>
void over_labels(const Rows& x, const int64_t* targets, const std::vector<char>& is_target, Each each) {
  for (int64_t i = 0; i < x.count; ++i)
    for (int64_t t = 0; t < x.classes && targets[i * x.classes + t] >= 0; ++t) {
      throw_if_stopped();
      for (int64_t c = 0; c < x.classes; ++c) {
        const int64_t label = targets[i * x.classes + t];
        const double distance = 1 - x.row(i)[label] + x.row(i)[c];
        if (!is_target[static_cast<size_t>(i * x.classes + c)] && distance > 0) each(i, label, c, distance);
      }
    }
}
std::vector<char> marked(const Rows& x, const int64_t* targets) {
  std::vector<char> is_target(static_cast<size_t>(x.count * x.classes), 0);
  for (int64_t i = 0; i < x.count; ++i)
    for (int64_t t = 0; t < x.classes && targets[i * x.classes + t] >= 0; ++t) {
      check(targets[i * x.classes + t] < x.classes, "argument is_target out of range: ", targets[i * x.classes + t]);
      is_target[static_cast<size_t>(i * x.classes + targets[i * x.classes + t])] = 1;
    }
  return is_target;
}
Two multilabel_margin_loss_forward(const Tensor& self, const Tensor& target, int64_t reduction) {
  const Rows x = rows_of(self, "multilabel_margin_loss");
  check(target.sizes == self.sizes, "inconsistent target size: ", target.sizes, " for input of size: ", self.sizes);
  const Tensor labels = as_contiguous(target, DType::Int64);
  const std::vector<char> is_target = marked(x, labels.data<int64_t>());
  const Tensor losses = zeros(self.dim() == 2 ? Shape{x.count} : Shape{}, DType::Float64), marks = empty(target.sizes, DType::Float64);
  over_labels(x, labels.data<int64_t>(), is_target,
              [&](int64_t i, int64_t, int64_t, double distance) { losses.data<double>()[i] += distance / static_cast<double>(x.classes); });
  std::copy(is_target.begin(), is_target.end(), marks.data<double>());
  return {reduced(losses, reduction, self.dtype), to_dtype(marks, self.dtype)};
}
Tensor multilabel_margin_loss(const Tensor& self, const Tensor& target, int64_t reduction) {
  return std::get<0>(multilabel_margin_loss_forward(self, target, reduction));
}
Tensor multilabel_margin_loss_backward(const Tensor& grad_output, const Tensor& self, const Tensor& target, int64_t reduction, const Tensor& is_target) {
  const Rows x = rows_of(self, "multilabel_margin_loss_backward");
  check(is_target.sizes == target.sizes && target.sizes == self.sizes, "multilabel_margin_loss: expected targets of size ", self.sizes);
  const Tensor marks = as_contiguous(is_target, DType::Float64);
  const std::vector<char> marked_classes(marks.data<double>(), marks.data<double>() + marks.numel());
  const Tensor labels = as_contiguous(target, DType::Int64), gradient = zeros(self.sizes, DType::Float64), outer = as_contiguous(grad_output, DType::Float64);
  const auto how = static_cast<Reduction>(reduction);
  const double share = 1 / static_cast<double>(x.classes) / (how == Reduction::Mean ? static_cast<double>(x.count) : 1);
  marked(x, labels.data<int64_t>());  // the labels are in range
  over_labels(x, labels.data<int64_t>(), marked_classes, [&](int64_t i, int64_t label, int64_t c, double) {
    const double d = share * outer.data<double>()[how == Reduction::None ? i : 0];
    gradient.data<double>()[i * x.classes + c] += d;
    gradient.data<double>()[i * x.classes + label] -= d;
  });
  return to_dtype(gradient, self.dtype);
}

// ---- Connectionist temporal classification ---------------------------------------------------------------------------------------------

constexpr double kNever = -std::numeric_limits<double>::infinity();

double log_add(std::initializer_list<double> values) {
  const double top = std::max(values);
  if (top == kNever) return kNever;
  double sum = 0;
  for (double v : values) sum += std::exp(v - top);
  return top + std::log(sum);
}

using Lengths = std::vector<int64_t>;

// One sequence: its labels, with blanks between and around them, and the probabilities of each time step.
struct Alignment {
  const double* log_probs;  // of this batch item: [time], every `time_stride`
  int64_t time_stride, steps, blank;
  std::vector<int64_t> labels;

  int64_t states() const { return 2 * static_cast<int64_t>(labels.size()) + 1; }
  int64_t label(int64_t state) const { return state % 2 == 0 ? blank : labels[static_cast<size_t>(state / 2)]; }
  double at(int64_t t, int64_t state) const { return log_probs[t * time_stride + label(state)]; }
  // Whether a state may follow the one two before it: never over a blank, nor between equal labels.
  bool skips(int64_t state) const { return state >= 2 && state % 2 == 1 && label(state) != label(state - 2); }
};

// log_alpha [time, states]: the probability of all ways to be in a state at a time.
void forward_pass(const Alignment& a, double* log_alpha, int64_t width) {
  if (a.steps == 0) return;
  log_alpha[0] = a.at(0, 0);
  if (a.states() > 1) log_alpha[1] = a.at(0, 1);
  for (int64_t t = 1; t < a.steps; ++t) {
    throw_if_stopped();
    for (int64_t s = 0; s < a.states(); ++s) {
      const double* before = log_alpha + (t - 1) * width;
      log_alpha[t * width + s] = log_add({before[s], s > 0 ? before[s - 1] : kNever, a.skips(s) ? before[s - 2] : kNever}) + a.at(t, s);
    }
  }
}

struct Ctc {
  Tensor log_probs;  // double [time, batch, classes]
  std::vector<Alignment> items;
  int64_t width = 1;  // states of the longest
};
Ctc ctc_of(const Tensor& log_probs, const Tensor& targets, const Lengths& input_lengths, const Lengths& target_lengths, int64_t blank) {
  check(is_floating(log_probs.dtype) && log_probs.dtype != DType::Float16 && log_probs.dtype != DType::BFloat16, "\"ctc_loss_cpu\" not implemented for '",
        scalar_type_name(log_probs.dtype), "'");
  check(log_probs.dim() == 3, "log_probs must be 3-dimensional, found ", log_probs.sizes);
  const int64_t steps = log_probs.sizes[0], batch = log_probs.sizes[1], classes = log_probs.sizes[2];
  check(steps > 0, "log_probs tensor must not be empty");
  check(is_integral(targets.dtype), "targets must be integers, found ", targets.dtype);
  check(blank >= 0 && blank < classes, "blank must be in label range");
  check(static_cast<int64_t>(input_lengths.size()) == batch, "input_lengths must be of size batch_size");
  check(static_cast<int64_t>(target_lengths.size()) == batch, "target_lengths must be of size batch_size");
  const bool padded = targets.dim() == 2;
  check(padded || targets.dim() == 1, "targets must be 1- or 2-dimensional, found ", targets.sizes);
  check(!padded || targets.sizes[0] == batch, "Expected targets to have ", batch, " rows, found ", targets.sizes);
  const Tensor labels = as_contiguous(targets, DType::Int64);
  Ctc ctc{as_contiguous(log_probs, DType::Float64), {}, 1};
  int64_t longest = 0, start = 0;
  for (size_t b = 0; b < input_lengths.size(); ++b) {
    check(input_lengths[b] >= 0 && input_lengths[b] <= steps, "Expected input_lengths to have value at most ", steps, ", but got value ", input_lengths[b]);
    check(target_lengths[b] >= 0, "Expected target_lengths to have value at least 0, but got value ", target_lengths[b]);
    if (padded) start = static_cast<int64_t>(b) * targets.sizes[1];
    check(start + target_lengths[b] <= targets.numel() && (!padded || target_lengths[b] <= targets.sizes[1]), "Expected target_lengths to fit targets of size ", targets.sizes);
    Alignment a{ctc.log_probs.data<double>() + static_cast<int64_t>(b) * classes, batch * classes, input_lengths[b], blank, {}};
    for (int64_t i = 0; i < target_lengths[b]; ++i) {
      const int64_t label = labels.data<int64_t>()[start + i];
      check(label >= 0 && label < classes, "targets: label ", label, " is out of range");
      a.labels.push_back(label);
    }
    longest = std::max(longest, target_lengths[b]);
    start += target_lengths[b];
    ctc.items.push_back(std::move(a));
  }
  ctc.width = 2 * longest + 1;
  return ctc;
}

Lengths lengths_of(const Tensor& lengths) {
  check(is_integral(lengths.dtype), "input_lengths and target_lengths must be integral, found ", lengths.dtype);
  const Tensor dense = as_contiguous(lengths, DType::Int64);
  return {dense.data<int64_t>(), dense.data<int64_t>() + dense.numel()};
}

// Adds up, as logarithms, how probable each class is at each time among all ways to emit the labels: sums [time, classes].
void backward_pass(const Alignment& a, const double* log_alpha, int64_t width, double* sums, int64_t classes) {
  std::vector<double> beta, later;  // the probability of all ways on from a state
  for (int64_t t = a.steps - 1; t >= 0; --t) {
    throw_if_stopped();
    std::swap(beta, later);
    beta.assign(static_cast<size_t>(a.states()) + 2, kNever);
    for (int64_t s = 0; s < a.states(); ++s) {
      const auto at = static_cast<size_t>(s);
      const bool last = t == a.steps - 1;
      const double on = last ? (s + 2 >= a.states() ? 0 : kNever) : log_add({later[at], later[at + 1], s + 2 < a.states() && a.skips(s + 2) ? later[at + 2] : kNever});
      beta[at] = on + a.at(t, s);
      double& sum = sums[t * classes + a.label(s)];
      sum = log_add({sum, log_alpha[t * width + s] + beta[at], kNever});
    }
  }
}

// → (negative log likelihood, log_alpha). Both as the CPU's kernel leaves them.
Two ctc_forward(const Tensor& log_probs, const Tensor& targets, std::span<const int64_t> input_lengths, std::span<const int64_t> target_lengths, int64_t blank, bool) {
  const Ctc ctc = ctc_of(log_probs, targets, {input_lengths.begin(), input_lengths.end()}, {target_lengths.begin(), target_lengths.end()}, blank);
  const int64_t steps = log_probs.sizes[0], batch = log_probs.sizes[1];
  const Tensor loss = empty(Shape{batch}, DType::Float64), log_alpha = full(Shape{batch, steps, ctc.width}, DType::Float64, Scalar(kNever));
  for (int64_t b = 0; b < batch; ++b) {
    const Alignment& a = ctc.items[static_cast<size_t>(b)];
    double* alpha = log_alpha.data<double>() + b * steps * ctc.width;
    forward_pass(a, alpha, ctc.width);
    if (a.steps == 0) {
      loss.data<double>()[b] = a.labels.empty() ? 0 : -kNever;
      continue;
    }
    const double* last = alpha + (a.steps - 1) * ctc.width + a.states() - 1;
    loss.data<double>()[b] = -log_add({last[0], a.states() > 1 ? last[-1] : kNever});
  }
  return {to_dtype(loss, log_probs.dtype), to_dtype(log_alpha, log_probs.dtype)};
}
Two ctc_forward_tensors(const Tensor& log_probs, const Tensor& targets, const Tensor& input_lengths, const Tensor& target_lengths, int64_t blank, bool zero_infinity) {
  return ctc_forward(log_probs, targets, lengths_of(input_lengths), lengths_of(target_lengths), blank, zero_infinity);
}

Tensor ctc_backward(const Tensor& grad, const Tensor& log_probs, const Tensor& targets, std::span<const int64_t> input_lengths,
                    std::span<const int64_t> target_lengths, const Tensor& neg_log_likelihood, const Tensor& log_alpha, int64_t blank, bool zero_infinity) {
  const Ctc ctc = ctc_of(log_probs, targets, {input_lengths.begin(), input_lengths.end()}, {target_lengths.begin(), target_lengths.end()}, blank);
  const int64_t steps = log_probs.sizes[0], batch = log_probs.sizes[1], classes = log_probs.sizes[2];
  check(grad.numel() == batch && neg_log_likelihood.numel() == batch, "_ctc_loss_backward: expected a gradient and a loss for each of ", batch, " items");
  check(log_alpha.sizes == Shape{batch, steps, ctc.width}, "_ctc_loss_backward: log_alpha ", log_alpha.sizes, " does not fit the labels");
  const Tensor outer = as_contiguous(grad, DType::Float64), loss = as_contiguous(neg_log_likelihood, DType::Float64), alpha = as_contiguous(log_alpha, DType::Float64);
  const Tensor result = zeros(log_probs.sizes, DType::Float64);
  for (int64_t b = 0; b < batch; ++b) {
    const Alignment& a = ctc.items[static_cast<size_t>(b)];
    const double nll = loss.data<double>()[b];
    if (zero_infinity && nll == -kNever) continue;
    std::vector<double> sums(static_cast<size_t>(steps * classes), kNever);
    backward_pass(a, alpha.data<double>() + b * steps * ctc.width, ctc.width, sums.data(), classes);
    for (int64_t t = 0; t < a.steps; ++t)
      for (int64_t c = 0; c < classes; ++c) {
        const int64_t at = (t * batch + b) * classes + c;
        const double log_prob = ctc.log_probs.data<double>()[at];
        result.data<double>()[at] = (std::exp(log_prob) - std::exp(sums[static_cast<size_t>(t * classes + c)] + nll - log_prob)) * outer.data<double>()[b];
      }
  }
  return to_dtype(result, log_probs.dtype);
}
Tensor ctc_backward_tensors(const Tensor& grad, const Tensor& log_probs, const Tensor& targets, const Tensor& input_lengths, const Tensor& target_lengths,
                            const Tensor& neg_log_likelihood, const Tensor& log_alpha, int64_t blank, bool zero_infinity) {
  return ctc_backward(grad, log_probs, targets, lengths_of(input_lengths), lengths_of(target_lengths), neg_log_likelihood, log_alpha, blank, zero_infinity);
}

Tensor ctc_loss(const Tensor& log_probs, const Tensor& targets, std::span<const int64_t> input_lengths, std::span<const int64_t> target_lengths, int64_t blank,
                int64_t reduction, bool zero_infinity) {
  const bool batched = log_probs.dim() == 3;
  const Tensor all = batched ? log_probs : unsqueeze(log_probs, 1);
  Tensor loss = std::get<0>(ctc_forward(all, batched || targets.dim() == 1 ? targets : unsqueeze(targets, 0), input_lengths, target_lengths, blank, zero_infinity));
  if (zero_infinity) loss = call("aten.masked_fill.Scalar", loss, call("aten.isinf.default", loss), 0);
  const auto how = static_cast<Reduction>(reduction);
  if (how == Reduction::Mean) {  // of the losses per label
    const Tensor counts = empty(Shape{static_cast<int64_t>(target_lengths.size())}, DType::Int64);
    for (size_t b = 0; b < target_lengths.size(); ++b) counts.data<int64_t>()[b] = std::max<int64_t>(1, target_lengths[b]);
    return call("aten.mean.default", call("aten.div.Tensor", loss, to_dtype(counts, loss.dtype)));
  }
  if (how == Reduction::Sum) return call("aten.sum.default", loss);
  return batched ? loss : squeeze_dim(loss, 0);
}
Tensor ctc_loss_tensors(const Tensor& log_probs, const Tensor& targets, const Tensor& input_lengths, const Tensor& target_lengths, int64_t blank, int64_t reduction,
                        bool zero_infinity) {
  return ctc_loss(log_probs, targets, lengths_of(input_lengths), lengths_of(target_lengths), blank, reduction, zero_infinity);
}

}  // namespace

void add_margin_loss_ops(OpTable& ops) {
  ops.add("aten::multi_margin_loss(Tensor self, Tensor target, Scalar p=1, Scalar margin=1, Tensor? weight=None, int reduction=1) -> Tensor", multi_margin_loss);
  ops.add("aten::multi_margin_loss_backward(Tensor grad_output, Tensor self, Tensor target, Scalar p, Scalar margin, Tensor? weight=None, int reduction=1) -> Tensor", multi_margin_loss_backward);
  ops.add("aten::multilabel_margin_loss(Tensor self, Tensor target, int reduction=1) -> Tensor", multilabel_margin_loss);
  ops.add("aten::multilabel_margin_loss_forward(Tensor self, Tensor target, int reduction) -> (Tensor output, Tensor is_target)", multilabel_margin_loss_forward);
  ops.add("aten::multilabel_margin_loss_backward(Tensor grad_output, Tensor self, Tensor target, int reduction, Tensor is_target) -> Tensor", multilabel_margin_loss_backward);
  ops.add("aten::_ctc_loss(Tensor log_probs, Tensor targets, int[] input_lengths, int[] target_lengths, int blank=0, bool zero_infinity=False) -> (Tensor, Tensor)", ctc_forward);
  ops.add("aten::_ctc_loss.Tensor(Tensor log_probs, Tensor targets, Tensor input_lengths, Tensor target_lengths, int blank=0, bool zero_infinity=False) -> (Tensor, Tensor)", ctc_forward_tensors);
  ops.add("aten::_ctc_loss_backward(Tensor grad, Tensor log_probs, Tensor targets, int[] input_lengths, int[] target_lengths, Tensor neg_log_likelihood, Tensor log_alpha, int blank, bool zero_infinity=False) -> Tensor", ctc_backward);
  ops.add("aten::_ctc_loss_backward.Tensor(Tensor grad, Tensor log_probs, Tensor targets, Tensor input_lengths, Tensor target_lengths, Tensor neg_log_likelihood, Tensor log_alpha, int blank, bool zero_infinity=False) -> Tensor", ctc_backward_tensors);
  ops.add("aten::ctc_loss.IntList(Tensor log_probs, Tensor targets, int[] input_lengths, int[] target_lengths, int blank=0, int reduction=1, bool zero_infinity=False) -> Tensor", ctc_loss);
  ops.add("aten::ctc_loss.Tensor(Tensor log_probs, Tensor targets, Tensor input_lengths, Tensor target_lengths, int blank=0, int reduction=1, bool zero_infinity=False) -> Tensor", ctc_loss_tensors);
}

}  // namespace pt2::interp
