#include <doctest/doctest.h>

#include "views/workspace/debug_session.h"
#include "views/workspace/value_source.h"
#include "views/workspace/workspace.h"

using namespace pt2;
using namespace pt2::views;

namespace {

struct Opened {
  JobQueue jobs;
  Workspace workspace{jobs};
  DerivedCache derived{jobs};
  Document& document;

  Opened() : document(open(workspace, jobs)) {}
  static Document& open(Workspace& workspace, JobQueue& jobs) {
    const DocumentId id = workspace.open(PT2_SOURCE_DIR "/assets/samples/conv_bn_relu.pt2");
    settle(jobs);
    REQUIRE(workspace.document(id)->program());
    return *workspace.document(id);
  }
  static void settle(JobQueue& jobs) {
    while (!jobs.idle()) {
      jobs.wait(1);
      jobs.deliver();
    }
  }
  ShownValue value(std::string_view name) {
    const NodeRef node = find_node(*document.program(), name);
    REQUIRE(node.node);
    shown_value(document, node, derived);
    settle(jobs);
    return shown_value(document, node, derived);
  }
};

}  // namespace

TEST_CASE("weights and sample inputs have values before a run, operators have none") {
  Opened opened;
  const ShownValue weight = opened.value("p_conv_weight");
  REQUIRE(weight.tensor);
  CHECK(weight.tensor->sizes == Shape{16, 3, 3, 3});
  CHECK(weight.origin == "parameter conv.weight");
  const ShownValue buffer = opened.value("b_bn_num_batches_tracked");
  REQUIRE(buffer.tensor);
  CHECK(buffer.tensor->dtype == DType::Int64);
  const ShownValue input = opened.value("x");
  REQUIRE(input.tensor);
  CHECK(input.tensor->sizes == Shape{1, 3, 32, 32});
  CHECK(input.origin == "sample input");
  const ShownValue relu = opened.value("relu");
  CHECK(relu.state == ShownValue::State::None);
  CHECK(relu.note.find("Not evaluated") == 0);
}

TEST_CASE("what lies ahead while looking back says so") {
  Opened opened;
  DebugSession& session = *opened.document.debug;
  session.start(DebugSession::Then::RunWithoutStopping);
  Opened::settle(opened.jobs);
  REQUIRE(opened.value("relu").tensor);
  session.debugger()->set_time(0);
  const auto step = session.debugger()->trace().step_of({interp::FrameId(0), find_node(*opened.document.program(), "relu").node});
  REQUIRE(step);
  CHECK(opened.value("relu").note.starts_with("Lies ahead: it is evaluated at step " + std::to_string(*step) + ". "));
}
