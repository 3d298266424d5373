#pragma once
// Higher-order operators: cond, while_loop, map … Each is a coroutine that asks for calls of its sub-graphs and is resumed with what they
// return; the interpreter pushes a frame for each call. So a body runs node by node like the program itself, and stepping into it,
// pausing inside it and looking at any turn of a loop need nothing special.
//
//   HigherOrderRun cond(HigherOrderCall call) {
//     const bool taken = truth(call.argument(0));
//     co_return co_await call.body(call.argument(taken ? 1 : 2), call.argument(3).items());
//   }
#include <coroutine>
#include <exception>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "interp/frame.h"
#include "interp/kernel_context.h"
#include "interp/op_table.h"

namespace pt2::interp {

// A call of a sub-graph that a higher-order operator asks for.
struct BodyCall {
  GraphId graph;
  std::vector<RuntimeValue> arguments;
  std::optional<Autocast> autocast;  // none: as the caller has it
};

class HigherOrderRun {
 public:
  struct promise_type {
    const BodyCall* asked = nullptr;  // the call it waits for; lives in the coroutine's frame
    bool at_limit = false;            // it waits for leave to go on
    RuntimeValue returned;            // what that call returned
    RuntimeValue result;
    std::exception_ptr error;

    HigherOrderRun get_return_object() { return HigherOrderRun(std::coroutine_handle<promise_type>::from_promise(*this)); }
    std::suspend_always initial_suspend() noexcept { return {}; }
    std::suspend_always final_suspend() noexcept { return {}; }
    void return_value(RuntimeValue value) { result = std::move(value); }
    void unhandled_exception() { error = std::current_exception(); }
  };

  HigherOrderRun(HigherOrderRun&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  HigherOrderRun& operator=(HigherOrderRun&& other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
  }
  ~HigherOrderRun() {
    if (handle_) handle_.destroy();
  }

  // Runs until it asks for a body, is at a limit or ends: the call; nullptr at_limit(), or once result() is there. Throws what the operator throws.
  const BodyCall* resume();
  bool at_limit() const { return handle_.promise().at_limit; }
  // What the asked call returned; before the next resume().
  void deliver(RuntimeValue returned) { handle_.promise().returned = std::move(returned); }
  RuntimeValue& result() { return handle_.promise().result; }

 private:
  explicit HigherOrderRun(std::coroutine_handle<promise_type> handle) : handle_(handle) {}
  std::coroutine_handle<promise_type> handle_;
};

// co_await call.body(…) → what the sub-graph returned: a tuple, or one value where the graph returns one.
struct BodyAwaiter {
  BodyCall call;
  std::coroutine_handle<HigherOrderRun::promise_type> waiting = nullptr;

  bool await_ready() const noexcept { return false; }
  void await_suspend(std::coroutine_handle<HigherOrderRun::promise_type> handle) noexcept {
    waiting = handle;
    handle.promise().asked = &call;
  }
  RuntimeValue await_resume() noexcept { return std::move(waiting.promise().returned); }
};

// co_await AtLimit{} → goes on once it is resumed.
struct AtLimit {
  bool await_ready() const noexcept { return false; }
  void await_suspend(std::coroutine_handle<HigherOrderRun::promise_type> handle) noexcept { handle.promise().at_limit = true; }
  void await_resume() noexcept {}
};

struct HigherOrderLimits {
  int64_t max_iterations = 100'000;  // of one while_loop
  bool pauses = false;               // there, and may go on for as many again; else it fails
};

// What a higher-order operator was called with.
struct HigherOrderCall {
  std::vector<std::pair<std::string_view, RuntimeValue>> arguments;  // (name, value), positional ones without name
  const OpTable* ops = nullptr;
  const KernelContext* context = nullptr;
  HigherOrderLimits limits;
  Autocast autocast;

  // Positional argument `i`; throws where there is none.
  const RuntimeValue& argument(size_t i) const;
  // nullptr: not given.
  const RuntimeValue* named(std::string_view name) const;
  BodyAwaiter body(const RuntimeValue& subgraph, std::vector<RuntimeValue> body_arguments, std::optional<Autocast> with = {}) const;
  // Calls an operator by target with positional arguments.
  RuntimeValue call_op(std::string_view target, std::vector<RuntimeValue> positional) const;
};

using HigherOrder = HigherOrderRun (*)(HigherOrderCall);

// `target` as stored: "torch.ops.higher_order.cond". nullptr: no implementation.
HigherOrder find_higher_order(std::string_view target);
// "higher_order.cond" …, sorted.
std::span<const std::string_view> higher_order_targets();

// Runs an operator on (name, value) arguments; several results become a tuple, none None.
RuntimeValue call_operator(const Op& op, const KernelContext& context, std::span<const std::pair<std::string_view, RuntimeValue>> named);
RuntimeValue packed(Results results);

}  // namespace pt2::interp
