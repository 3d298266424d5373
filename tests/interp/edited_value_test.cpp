// Edits of values that are memory: of in-place operators, and of several elements of one value. Values are PyTorch's.
#include "interp/edited_value.h"

#include "core/tensor/tensor_files.h"
#include "interp/repro.h"
#include "interp/tensor_map.h"
#include "interp/value_names.h"
#include "tests/interp/session.h"
#include "tests/support/scratch.h"

using namespace pt2;
using namespace pt2::interp;
using pt2::test::Session;

namespace {

std::vector<float> floats_of(Session& s, std::string_view name) {
  const auto value = s.debugger->value(s.node(name));
  REQUIRE(value);
  const Tensor dense = as_contiguous(*value->as<Tensor>(), DType::Float32);
  return {dense.data<float>(), dense.data<float>() + dense.numel()};
}

void edit(Session& s, const char* name, const std::string& text, const std::string& index = {}) {
  s.debugger->edit_value(s.node(name), index, text);
  s.settle();
  REQUIRE_MESSAGE(!s.debugger->problem(), s.debugger->problem()->message);
}

}  // namespace

TEST_CASE("an edit of what an in-place operator gives is written where it wrote, and all that share the memory differ") {
  Session s("../mutating/mutate_buffer_through_view");
  s.run_to_end();
  const std::vector<float> before = floats_of(s, "b_state");
  struct Case { const char* text; float last, sum; };
  for (const Case& c : {Case{"7", 7, 36.38964f}, Case{"mul_ + 1", 17, 46.38964f}}) {
    CAPTURE(std::string(c.text));
    edit(s, "mul_", c.text);
    std::vector<float> expected = before;
    expected[8] = c.last;
    CHECK(floats_of(s, "b_state") == expected);
    CHECK(floats_of(s, "mul_") == std::vector<float>{0, -1, c.last});
    CHECK(floats_of(s, "mul") == std::vector<float>{0, -1, c.last});
    CHECK(floats_of(s, "sum_1")[0] == doctest::Approx(c.sum));
    for (const char* differs : {"mul_", "view", "slice_1", "mul", "sum_1"}) {
      CAPTURE(std::string(differs));
      CHECK(s.debugger->change(s.at(differs)));
    }
    CHECK_FALSE(s.debugger->change(s.at("add_")));
  }
  s.debugger->clear_edits();
  s.settle();
  CHECK(floats_of(s, "b_state") == before);
  // A view's own edit is for its readers: the memory stays.
  edit(s, "view", "3");
  CHECK(floats_of(s, "b_state")[1] == before[1]);
}

TEST_CASE("edits of several elements of one value hold together, the same element's and the whole value's replace them") {
  Session s("shared_module");
  s.run_to_end();
  const std::vector<float> before = floats_of(s, "linear_2");
  REQUIRE(before.size() > 2);
  edit(s, "linear_2", "5", "[0, 0]");
  edit(s, "linear_2", "linear_2[0, 0] * 2", "[0, 1]");
  std::vector<float> expected = before;
  expected[0] = 5;
  expected[1] = before[0] * 2;  // of what the node computes
  CHECK(floats_of(s, "linear_2") == expected);
  CHECK(s.debugger->edits().size() == 2);
  edit(s, "linear_2", "6", "[0, 0]");
  expected[0] = 6;
  CHECK(floats_of(s, "linear_2") == expected);
  edit(s, "linear_2", "1");
  CHECK(s.debugger->edits().size() == 1);
  CHECK(floats_of(s, "linear_2") == std::vector<float>(before.size(), 1));
}

TEST_CASE("of several edited elements each comes from what its own edit names") {
  Session s("shared_module");
  s.run_to_end();
  edit(s, "linear", "nan", "[0, 0]");
  edit(s, "linear_2", "5", "[1, 0]");
  edit(s, "linear_2", "linear[0, 0]", "[1, 1]");
  s.debugger->find_origin(s.at("linear_2"), Nonfinite::NaN, Shape{1, 1});
  s.settle();
  REQUIRE(s.debugger->slice());
  REQUIRE(s.debugger->slice()->path.size() == 2);
  CHECK(s.debugger->slice()->path.front().at == s.at("linear"));
  CHECK(s.debugger->slice()->path.front().index == Shape{0, 0});
}

TEST_CASE("a reproduction in a run with edits has that run's values") {
  Session s("shared_module");
  s.run_to_end();
  edit(s, "linear_2", "0");
  edit(s, "relu", "relu * 2");
  const test::Scratch scratch;
  const auto written = [&](const std::vector<std::string>& names) {
    std::vector<NodeRef> nodes;
    for (const std::string& name : names) nodes.push_back(s.node(name));
    const std::string folder = scratch.path(("r" + names.front() + std::to_string(names.size())).c_str());
    const auto repro = write_repro(*s.file, s.program, nodes, {}, folder, {}, s.debugger->edits());
    REQUIRE_MESSAGE(repro.has_value(), (repro ? "" : repro.error().message));
    return std::pair(*repro, *read_tensor_file(folder + "/expected.pt"));
  };
  const auto same = [&](const TensorFile& file, const std::string& name, const RuntimeValue& value) {
    const Tensor* found = file.find(name);
    REQUIRE(found);
    return compare_tensors(*found, *value.as<Tensor>()).equal;
  };
  const auto users = s.program->root_graph().users(s.node("linear_2").node);
  REQUIRE(!users.empty());
  const std::string reader(s.program->root_graph().node(users[0]).name);
  const auto read = written({reader});
  CHECK(same(read.second, reader, *s.debugger->value(s.node(reader))));
  REQUIRE(!read.first.notes.empty());
  CHECK(read.first.notes[0] == "the values are those of the run with its 2 edits");
  // Edited in the cut: an input; alone it is what it computes.
  const auto both = written({"linear_2", reader});
  CHECK(same(both.second, reader, *s.debugger->value(s.node(reader))));
  CHECK(std::find(both.first.notes.begin(), both.first.notes.end(), "\"linear_2\" is an input here, with the value it was edited to have") != both.first.notes.end());
  const auto alone = written({"linear_2"});
  CHECK_FALSE(same(alone.second, "linear_2", *s.debugger->value(s.node("linear_2"))));
  CHECK(std::find(alone.first.notes.begin(), alone.first.notes.end(), "the edit of \"linear_2\" is left out: it is computed here") != alone.first.notes.end());
}

TEST_CASE("a reproduction has the constants as they were edited") {
  Session s("nan_sources");
  s.run_to_end();
  s.debugger->edit_argument(s.node("lt"), "other", "5");
  s.settle();
  s.debugger->edit_argument(s.node("ones"), "size", "[6, 3]");
  s.settle();
  const test::Scratch scratch;
  REQUIRE(write_repro(*s.file, s.program, {s.node("lt"), s.node("where"), s.node("ones"), s.node("matmul")}, {}, scratch.path("r"), {}, s.debugger->edits()));
  const auto again = open_file(scratch.path("r/repro.pt2"));
  REQUIRE(again);
  const auto report = run_program(**again, (*again)->program(), {});
  REQUIRE(report);
  const auto expected = read_tensor_file(scratch.path("r/expected.pt"));
  REQUIRE(expected);
  REQUIRE(expected->tensors.size() == report->outputs.size());
  for (size_t i = 0; i < report->outputs.size(); ++i) {
    const std::string& name = expected->tensors[i].first;
    const Tensor& tensor = expected->tensors[i].second;
    CAPTURE(name);
    CHECK(compare_tensors(*report->outputs[i].as<Tensor>(), tensor).equal);
    CHECK(compare_tensors(tensor, *s.debugger->value(s.node(name))->as<Tensor>()).equal);
  }
}
