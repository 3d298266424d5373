// Stepping back over an operator that writes shows memory as it was, and forward again as it became: every value of every step against
// what PyTorch held there.
#include <map>

#include "core/tensor/tensor_files.h"
#include "interp/compare_values.h"
#include "tests/interp/session.h"

using namespace pt2;
using namespace pt2::interp;
using pt2::test::Session;

namespace {

// By value: after which step of the trace it held what.
using History = std::map<std::string, std::map<size_t, const Tensor*>>;

History history_of(Session& s, const std::string& name, const TensorFile& steps) {
  History history;
  for (size_t t = 0; t < s.debugger->trace().steps().size(); ++t) {
    const std::string node(s.program->root_graph().node(s.debugger->trace().steps()[t].at.node).name), prefix = name + "/" + node + "/";
    for (const auto& [key, tensor] : steps.tensors)
      if (key.starts_with(prefix)) history[key.substr(prefix.size())][t + 1] = &tensor;
  }
  return history;
}

size_t check_now(Session& s, const History& history) {
  const size_t time = s.debugger->time();
  size_t compared = 0;
  for (const auto& entry : history) {
    const std::string& value = entry.first;
    const auto& states = entry.second;
    auto it = states.upper_bound(time);
    const auto shown = s.debugger->value(s.node(value));
    INFO(value << " at " << time);
    if (it == states.begin()) {
      CHECK_FALSE(shown);
      continue;
    }
    REQUIRE(shown);
    REQUIRE(shown->is<Tensor>());
    CHECK(compare_tensors(*shown->as<Tensor>(), *std::prev(it)->second).equal);
    ++compared;
  }
  return compared;
}

}  // namespace

TEST_CASE("stepping back over operators that write, and forward again, shows what PyTorch held at each step") {
  const std::string folder = std::string(PT2_TEST_DATA) + "/mutating/";
  const auto steps = read_tensor_file(folder + "steps.npz");
  REQUIRE(steps);
  for (const std::string name : {"kv_cache", "tied_buffers", "mutate_buffer_through_view", "mutate_buffers", "mutate_exotic_views", "mutate_inputs"}) {
    INFO(name);
    Session s("../mutating/" + name);
    s.start();
    while (s.debugger->state() == RunState::Paused) {
      s.debugger->step_over();
      s.settle();
    }
    REQUIRE(s.debugger->state() == RunState::Finished);
    const History history = history_of(s, name, *steps);
    size_t written = 0;
    for (const auto& [value, states] : history) written += states.size() - 1;
    CHECK(written > 0);
    size_t compared = check_now(s, history);
    // Back to the first operator, one by one, then forward to the end.
    const size_t placeholders = s.program->root_graph().placeholder_count();
    while (s.debugger->time() > placeholders) {
      s.debugger->step_back();
      compared += check_now(s, history);
    }
    while (s.debugger->in_the_past()) {
      s.debugger->step_over();
      s.settle();
      compared += check_now(s, history);
    }
    CHECK(compared > 50);
  }
}
