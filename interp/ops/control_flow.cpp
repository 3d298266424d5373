// The higher-order operators, after torch/_higher_order_ops. What a sub-graph returns is a tuple, or a single value.
#include <algorithm>
#include <array>

#include "interp/bind_arguments.h"
#include "interp/check.h"
#include "interp/higher_order.h"
#include "interp/item.h"

namespace pt2::interp {

namespace {

using Values = std::vector<RuntimeValue>;

Values joined(const Values& a, const Values& b) {
  Values all = a;
  all.insert(all.end(), b.begin(), b.end());
  return all;
}

// A body's results as a list, whatever way it returns them.
Values leaves(const RuntimeValue& returned) { return returned.is<ListValue>() ? returned.items() : Values{returned}; }

RuntimeValue as_tuple(const RuntimeValue& returned) { return make_tuple(leaves(returned)); }

bool truth(const RuntimeValue& value, const char* what) {
  if (const auto* b = value.as<bool>()) return *b;
  const auto* tensor = value.as<Tensor>();
  check(tensor && tensor->numel() == 1, what, " must be a bool or a tensor of one, found ", kind_text(value));
  return item(*tensor).to_bool();
}

// From argument `first` on, the positional ones.
Values rest(const HigherOrderCall& call, size_t first) {
  Values values;
  for (size_t i = first; i < call.arguments.size(); ++i) values.push_back(call.arguments[i].second);
  return values;
}

const Tensor& tensor_of(const RuntimeValue& value) {
  const auto* tensor = value.as<Tensor>();
  check(tensor, "expected a tensor, found ", kind_text(value));
  return *tensor;
}

// x[i] of the first dimension, as a view.
Tensor example(const RuntimeValue& value, int64_t i) {
  Tensor view = tensor_of(value);
  check(view.dim() > 0 && i < view.sizes[0], "cannot take example ", i, " of a tensor of shape ", view.sizes);
  view.offset += i * view.strides[0];
  view.sizes.erase(view.sizes.begin());
  view.strides.erase(view.strides.begin());
  return view;
}

int64_t length_of(const Values& xs) {
  check(!xs.empty(), "expected at least one tensor to go over");
  const Tensor& first = tensor_of(xs[0]);
  check(first.dim() > 0, "expected tensors with at least one dimension");
  for (const RuntimeValue& x : xs)
    check(tensor_of(x).dim() > 0 && tensor_of(x).sizes[0] == first.sizes[0], "the tensors to go over differ in length: ", first.sizes, " and ",
          tensor_of(x).sizes);
  return first.sizes[0];
}

Values examples(const Values& xs, int64_t i) {
  Values result;
  for (const RuntimeValue& x : xs) result.emplace_back(example(x, i));
  return result;
}

// turns[t][k] → for each k the stack over t; what is no tensor (None) is taken from the first turn.
Values stacked(const HigherOrderCall& call, const std::vector<Values>& turns) {
  Values result;
  for (size_t k = 0; k < turns[0].size(); ++k) {
    if (!turns[0][k].is<Tensor>()) {
      result.push_back(turns[0][k]);
      continue;
    }
    Values column;
    for (const Values& turn : turns) column.push_back(turn.at(k));
    result.push_back(call.call_op("aten.stack.default", {make_list(std::move(column)), int64_t{0}}));
  }
  return result;
}

HigherOrderRun cond(HigherOrderCall call) {
  const bool taken = truth(call.argument(0), "the predicate");
  const RuntimeValue returned = co_await call.body(call.argument(taken ? 1 : 2), call.argument(3).items());
  co_return as_tuple(returned);
}

// while_loop, and while_loop_stack_output, which keeps what each turn returned.
HigherOrderRun loop(HigherOrderCall call, bool stack_output) {
  Values carried = call.argument(2).items();
  const size_t count = carried.size();
  const Values additional = call.arguments.size() > 3 ? call.argument(3).items() : Values();
  std::vector<Values> turns;
  for (int64_t i = 0;; ++i) {
    const RuntimeValue predicate = co_await call.body(call.argument(0), joined(carried, additional));
    if (!truth(leaves(predicate).at(0), "what cond_fn returns")) {
      if (i == 0)
        for (RuntimeValue& value : carried)
          if (value.is<Tensor>()) {
            if (stack_output) value = call.call_op("aten.unsqueeze.default", {value, int64_t{0}});
            value = call.call_op("aten.clone.default", {value});
          }
      break;
    }
    if (i > 0 && i % call.limits.max_iterations == 0) {
      if (!call.limits.pauses) throw KernelError("still running after " + std::to_string(i) + " iterations (limit)", ErrorKind::Limit);
      co_await AtLimit{};
    }
    const RuntimeValue returned = co_await call.body(call.argument(1), joined(carried, additional));
    carried = leaves(returned);
    check(carried.size() == count, "body_fn returned ", carried.size(), " values, ", count, " are carried");
    if (stack_output) turns.push_back(carried);
  }
  co_return make_tuple(stack_output && !turns.empty() ? stacked(call, turns) : carried);
}

HigherOrderRun while_loop(HigherOrderCall call) { return loop(std::move(call), false); }
HigherOrderRun while_loop_stack_output(HigherOrderCall call) { return loop(std::move(call), true); }

HigherOrderRun map_impl(HigherOrderCall call) {
  const Values xs = call.argument(1).items(), additional = call.argument(2).items();
  const int64_t length = length_of(xs);
  check(length > 0, "map over tensors of length 0");
  std::vector<Values> turns;
  for (int64_t i = 0; i < length; ++i) {
    const RuntimeValue returned = co_await call.body(call.argument(0), joined(examples(xs, i), additional));
    turns.push_back(leaves(returned));
  }
  co_return make_tuple(stacked(call, turns));
}

HigherOrderRun scan(HigherOrderCall call) {
  Values carry = call.argument(1).items();
  const size_t count = carry.size();
  const Values xs = call.argument(2).items(), additional = call.arguments.size() > 3 ? call.argument(3).items() : Values();
  const int64_t length = length_of(xs);
  check(length > 0, "scan over tensors of length 0");
  std::vector<Values> turns;
  for (int64_t i = 0; i < length; ++i) {
    const RuntimeValue returned = co_await call.body(call.argument(0), joined(joined(carry, examples(xs, i)), additional));
    const Values outputs = leaves(returned);
    check(outputs.size() >= count, "the combining graph returned ", outputs.size(), " values, ", count, " are carried");
    carry.assign(outputs.begin(), outputs.begin() + count);
    turns.emplace_back(outputs.begin() + count, outputs.end());
  }
  co_return make_tuple(joined(carry, stacked(call, turns)));
}

// x[start:end:step] of the first dimension; `end` counts from the end where it is negative, none: to the end.
RuntimeValue slice(const HigherOrderCall& call, const RuntimeValue& x, int64_t start, std::optional<int64_t> end, int64_t step) {
  return call.call_op("aten.slice.Tensor", {x, int64_t{0}, start, end ? RuntimeValue(*end) : RuntimeValue(), step});
}

// Each tensor's first dimension as the batch of a vmap. An empty batch has no example that could tell a result's shape: it stays a tensor,
// and the operators see the batch as a leading dimension.
Values batched(const Values& xs) {
  Values result;
  for (const RuntimeValue& x : xs) {
    Values all;
    for (int64_t i = 0; i < tensor_of(x).sizes.at(0); ++i) all.emplace_back(example(x, i));
    if (all.empty()) result.push_back(x);
    else result.push_back(RuntimeValue::Value(BatchedValue{std::make_shared<const Values>(std::move(all)), 1}));
  }
  return result;
}

// A body's batched results as tensors again.
Values unbatched(const HigherOrderCall& call, const Values& results) {
  Values tensors;
  for (const RuntimeValue& result : results) {
    const auto* batch = result.as<BatchedValue>();
    tensors.push_back(batch ? call.call_op("aten.stack.default", {make_list(*batch->examples), int64_t{0}}) : result);
  }
  return tensors;
}

// even[0], odd[0], even[1], odd[1] …
RuntimeValue interleaved(const HigherOrderCall& call, const RuntimeValue& even, const RuntimeValue& odd) {
  const int64_t evens = tensor_of(even).sizes.at(0), odds = tensor_of(odd).sizes.at(0);
  const int64_t pairs = std::min(evens, odds);
  const RuntimeValue both = call.call_op("aten.stack.default", {make_list({slice(call, even, 0, pairs, 1), slice(call, odd, 0, pairs, 1)}), int64_t{1}});
  const RuntimeValue flat = call.call_op("aten.flatten.using_ints", {both, int64_t{0}, int64_t{1}});
  if (evens <= odds) return flat;
  return call.call_op("aten.cat.default", {make_list({flat, slice(call, even, pairs, {}, 1)}), int64_t{0}});
}

// After generic_associative_scan: neighbours are combined in parallel, that half is scanned, then the elements between are filled in.
// PyTorch recurses; here the halves stand on a stack, so that the body is called in the same order.
HigherOrderRun associative_scan(HigherOrderCall call) {
  const Values additional = call.arguments.size() > 2 ? call.argument(2).items() : Values();
  std::vector<Values> levels{call.argument(1).items()};
  length_of(levels[0]);
  while (length_of(levels.back()) >= 2) {
    const Values elems = levels.back();
    Values left, right;
    for (const RuntimeValue& e : elems) {
      left.push_back(slice(call, e, 0, -1, 2));
      right.push_back(slice(call, e, 1, {}, 2));
    }
    const RuntimeValue returned = co_await call.body(call.argument(0), joined(joined(batched(left), batched(right)), additional));
    levels.push_back(unbatched(call, leaves(returned)));
  }
  Values odd = levels.back();
  for (size_t level = levels.size() - 1; level-- > 0;) {
    const Values elems = levels[level];
    const bool even_count = length_of(elems) % 2 == 0;
    Values left, right;
    for (const RuntimeValue& o : odd) left.push_back(even_count ? slice(call, o, 0, -1, 1) : o);
    for (const RuntimeValue& e : elems) right.push_back(slice(call, e, 2, {}, 2));
    const RuntimeValue returned = co_await call.body(call.argument(0), joined(joined(batched(left), batched(right)), additional));
    const Values between = unbatched(call, leaves(returned));
    Values all;
    for (size_t k = 0; k < elems.size(); ++k) {
      RuntimeValue even = slice(call, elems[k], 0, 1, 1);
      if (tensor_of(between.at(k)).numel() > 0) even = call.call_op("aten.cat.default", {make_list({even, between[k]}), int64_t{0}});
      all.push_back(interleaved(call, even, odd.at(k)));
    }
    odd = all;
  }
  co_return make_tuple(odd);
}

HigherOrderRun wrap_with_set_grad_enabled(HigherOrderCall call) {  // (enabled, graph, *arguments)
  const RuntimeValue returned = co_await call.body(call.argument(1), rest(call, 2));
  co_return returned;
}


HigherOrderRun wrap_with_autocast(HigherOrderCall call) {  // (device_type, dtype, enabled, cache_enabled, graph, *arguments)
  Autocast autocast = call.autocast;
  const auto* device = call.argument(0).as<std::string>();
  if (!device || *device == "cpu") {  // autocast for other devices leaves the CPU alone
    if (const auto* dtype = call.argument(1).as<DType>()) autocast.dtype = *dtype;
    else autocast.dtype = DType::BFloat16;
    autocast.enabled = truth(call.argument(2), "enabled");
  }
  const RuntimeValue returned = co_await call.body(call.argument(4), rest(call, 5), autocast);
  co_return returned;
}

HigherOrderRun invoke_subgraph(HigherOrderCall call) {  // (graph, identifier, *operands)
  const RuntimeValue returned = co_await call.body(call.argument(0), rest(call, 2));
  co_return as_tuple(returned);
}

HigherOrderRun strict_mode(HigherOrderCall call) {  // (graph, operands)
  const RuntimeValue returned = co_await call.body(call.argument(0), call.argument(1).items());
  co_return returned;
}

HigherOrderRun hints_wrapper(HigherOrderCall call) {  // (graph, arguments, keyword arguments, hints)
  const RuntimeValue returned = co_await call.body(call.argument(0), call.argument(1).items());
  co_return returned;
}

HigherOrderRun wrap(HigherOrderCall call) {  // (graph, *arguments)
  Values positional;
  for (size_t i = 1; i < call.arguments.size(); ++i)
    if (call.arguments[i].first.empty() || !call.arguments[i].second.is<bool>()) positional.push_back(call.arguments[i].second);
  const RuntimeValue returned = co_await call.body(call.argument(0), std::move(positional));
  co_return returned;
}

// The operator given as argument `i`; `unsupported operator` as the interpreter words it.
const Op& given_operator(const HigherOrderCall& call, size_t i) {
  const auto* name = call.argument(i).as<OperatorValue>();
  check(name, "expected an operator, found ", kind_text(call.argument(i)));
  const Op* op = call.ops->find(name->name);
  check(op, "this build has no implementation of ", name->name);
  return *op;
}

// (token, operator, *arguments, **keyword arguments) → (token, *results)
HigherOrderRun with_effects(HigherOrderCall call) {
  Values results{call.argument(0)};
  const auto* name = call.argument(1).as<OperatorValue>();
  if (call.argument(1).is<SubgraphValue>() || (name && name->name.ends_with("higher_order.invoke_subgraph"))) {
    const size_t graph = name ? 2 : 1;
    const RuntimeValue returned = co_await call.body(call.argument(graph), rest(call, graph + 2));
    for (const RuntimeValue& r : leaves(returned)) results.push_back(r);
  } else {
    const Op& op = given_operator(call, 1);
    const RuntimeValue result = call_operator(op, *call.context, std::span(call.arguments).subspan(2));
    if (op.schema.returns.size() > 1) results = joined(results, result.items());
    else results.push_back(result);
  }
  co_return make_tuple(std::move(results));
}

// A copy with the same strides and offset, gaps between the elements included, so that views can be made of it as of the original.
RuntimeValue clone_storage(const HigherOrderCall& call, const RuntimeValue& value) {
  const auto* tensor = value.as<Tensor>();
  if (!tensor) return value;
  int64_t extent = tensor->offset + 1;
  for (size_t d = 0; d < tensor->sizes.size(); ++d) extent += (tensor->sizes[d] - 1) * tensor->strides[d];
  if (tensor->numel() == 0) return call.call_op("aten.clone.default", {value});
  auto list = [](const Shape& shape) { return make_list(Values(shape.begin(), shape.end())); };
  const RuntimeValue flat = call.call_op("aten.as_strided.default", {value, list({extent}), list({1}), int64_t{0}});
  const RuntimeValue copy = call.call_op("aten.clone.default", {flat});
  return call.call_op("aten.as_strided.default", {copy, list(tensor->sizes), list(tensor->strides), tensor->offset});
}

// (operator, **arguments): runs a mutating operator on copies of what it writes to; → (*results, *copies)
HigherOrderRun auto_functionalized(HigherOrderCall call) {
  const Op& op = given_operator(call, 0);
  std::vector<std::pair<std::string_view, RuntimeValue>> named(call.arguments.begin() + 1, call.arguments.end());
  Values copies;
  for (size_t w : op.written)
    for (auto& [name, value] : named)
      if (name == op.schema.parameters[w].name) {
        if (value.is<ListValue>()) {
          Values items;
          for (const RuntimeValue& item : value.items()) items.push_back(clone_storage(call, item));
          value = make_list(std::move(items));
        } else value = clone_storage(call, value);
        copies.push_back(value);
      }
  const RuntimeValue result = call_operator(op, *call.context, named);
  co_return make_tuple(joined(op.schema.returns.size() > 1 ? result.items() : Values{result}, copies));
}

// A written argument of auto_functionalized_v2, made again from the copied bases: `_x_base_index` and how it views that base.
RuntimeValue regenerated(const HigherOrderCall& call, const std::string& prefix, const Values& bases) {
  auto get = [&](const char* suffix) -> const RuntimeValue* { return call.named(prefix + suffix); };
  const RuntimeValue* index = get("_base_index");
  check(index, "argument \"", prefix, "_base_index\" is missing");
  if (index->is_none()) return {};
  const auto* base_index = index->as<int64_t>();
  check(base_index && *base_index >= 0 && *base_index < static_cast<int64_t>(bases.size()), "argument \"", prefix, "_base_index\" is not one of ",
        bases.size(), " bases");
  const RuntimeValue& base = bases[*base_index];
  if (get("_alias")) return base;
  if (const RuntimeValue* offset = get("_storage_offset")) {
    check(get("_size") && get("_stride"), "argument \"", prefix, "_size\" or \"_stride\" is missing");
    return call.call_op("aten.as_strided.default", {base, *get("_size"), *get("_stride"), *offset});
  }
  if (const RuntimeValue* dim = get("_slice_dim")) {
    check(get("_slice_start") && get("_slice_end"), "argument \"", prefix, "_slice_start\" or \"_slice_end\" is missing");
    return call.call_op("aten.slice.Tensor", {base, *dim, *get("_slice_start"), *get("_slice_end")});
  }
  return base;
}

HigherOrderRun auto_functionalized_v2(HigherOrderCall call) {
  const Op& op = given_operator(call, 0);
  const RuntimeValue* all_bases = call.named("_all_bases");
  Values bases;
  if (all_bases)
    for (const RuntimeValue& base : all_bases->items()) bases.push_back(clone_storage(call, base));
  std::vector<std::pair<std::string_view, RuntimeValue>> named;
  for (const auto& [name, value] : std::span(call.arguments).subspan(1))
    if (op.schema.parameter(name)) named.emplace_back(name, value);
  for (size_t w : op.written) {
    const SchemaParameter& parameter = op.schema.parameters[w];
    const std::string prefix = "_" + parameter.name;
    if (!parameter.type.is_list()) {
      named.emplace_back(parameter.name, regenerated(call, prefix, bases));
      continue;
    }
    const RuntimeValue* length = call.named(prefix + "_length");
    const auto* count = length ? length->as<int64_t>() : nullptr;
    Values items;
    for (int64_t i = 0; count && i < *count; ++i) items.push_back(regenerated(call, prefix + "_" + std::to_string(i), bases));
    named.emplace_back(parameter.name, count ? make_list(std::move(items)) : RuntimeValue());
  }
  const RuntimeValue result = call_operator(op, *call.context, named);
  co_return make_tuple(joined(op.schema.returns.size() > 1 ? result.items() : Values{result}, bases));
}

// (operator, dtype, *arguments): as if the operator computed in `dtype`.
HigherOrderRun out_dtype(HigherOrderCall call) {
  const Op& op = given_operator(call, 0);
  std::vector<std::pair<std::string_view, RuntimeValue>> named;
  for (size_t i = 2; i < call.arguments.size(); ++i) {
    RuntimeValue value = call.arguments[i].second;
    if (value.is<Tensor>()) value = call.call_op("aten._to_copy.default", {value, call.argument(1)});
    named.emplace_back("", std::move(value));
  }
  co_return call_operator(op, *call.context, named);
}

// torch._higher_order_ops.print prints; a run has nothing to print to.
HigherOrderRun print(HigherOrderCall) { co_return RuntimeValue(); }

struct Row {
  std::string_view target;
  HigherOrder function;
};

constexpr std::array kRows = std::to_array<Row>({
    {"higher_order.associative_scan", associative_scan},
    {"higher_order.auto_functionalized", auto_functionalized},
    {"higher_order.auto_functionalized_v2", auto_functionalized_v2},
    {"higher_order.cond", cond},
    {"higher_order.hints_wrapper", hints_wrapper},
    {"higher_order.invoke_subgraph", invoke_subgraph},
    {"higher_order.map_impl", map_impl},
    {"higher_order.out_dtype", out_dtype},
    {"higher_order.print", print},
    {"higher_order.scan", scan},
    {"higher_order.strict_mode", strict_mode},
    {"higher_order.tag_activation_checkpoint", wrap},
    {"higher_order.while_loop", while_loop},
    {"higher_order.while_loop_stack_output", while_loop_stack_output},
    {"higher_order.with_effects", with_effects},
    {"higher_order.wrap", wrap},
    {"higher_order.wrap_activation_checkpoint", wrap},
    {"higher_order.wrap_with_autocast", wrap_with_autocast},
    {"higher_order.wrap_with_set_grad_enabled", wrap_with_set_grad_enabled},
});

constexpr auto kTargets = [] {
  std::array<std::string_view, kRows.size()> targets;
  for (size_t i = 0; i < targets.size(); ++i) targets[i] = kRows[i].target;
  return targets;
}();

}  // namespace

HigherOrder find_higher_order(std::string_view target) {
  constexpr std::string_view kPrefix = "torch.ops.";
  if (target.starts_with(kPrefix)) target.remove_prefix(kPrefix.size());
  auto it = std::lower_bound(kTargets.begin(), kTargets.end(), target);
  return it != kTargets.end() && *it == target ? kRows[it - kTargets.begin()].function : nullptr;
}

std::span<const std::string_view> higher_order_targets() { return kTargets; }

}  // namespace pt2::interp
