#include "interp/higher_order.h"

#include <algorithm>

#include "interp/bind_arguments.h"
#include "interp/check.h"

namespace pt2::interp {

const BodyCall* HigherOrderRun::resume() {
  promise_type& promise = handle_.promise();
  promise.asked = nullptr;
  promise.at_limit = false;
  handle_.resume();
  if (promise.error) std::rethrow_exception(promise.error);
  return promise.asked;
}

const RuntimeValue& HigherOrderCall::argument(size_t i) const {
  check(i < arguments.size(), "argument ", i, " is missing");
  return arguments[i].second;
}

const RuntimeValue* HigherOrderCall::named(std::string_view name) const {
  for (const auto& [key, value] : arguments)
    if (key == name) return &value;
  return nullptr;
}

BodyAwaiter HigherOrderCall::body(const RuntimeValue& subgraph, std::vector<RuntimeValue> body_arguments, std::optional<Autocast> with) const {
  const auto* graph = subgraph.as<SubgraphValue>();
  check(graph, "expected a sub-graph, found ", kind_text(subgraph));
  return {{graph->graph, std::move(body_arguments), with}};
}

RuntimeValue HigherOrderCall::call_op(std::string_view target, std::vector<RuntimeValue> positional) const {
  const Op* op = ops->find(target);
  check(op, "this build has no ", target);
  std::vector<std::pair<std::string_view, RuntimeValue>> named;
  for (RuntimeValue& value : positional) named.emplace_back("", std::move(value));
  return call_operator(*op, *context, named);
}

RuntimeValue packed(Results results) {
  if (results.empty()) return {};
  if (results.size() == 1) return std::move(results[0]);
  return make_tuple(std::move(results));
}

RuntimeValue call_operator(const Op& op, const KernelContext& context, std::span<const std::pair<std::string_view, RuntimeValue>> named) {
  return packed(op.call(context, bind_arguments(op.schema, op.defaults, named)));
}

}  // namespace pt2::interp
