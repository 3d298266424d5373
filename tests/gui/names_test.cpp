// Things by the names people know them by: weights as the model calls them, modules, symbols, what is returned.
#include "imgui_internal.h"
#include "tests/gui/driver.h"

using pt2::gui::Driver;

namespace {

const std::string kSample = std::string(PT2_SOURCE_DIR) + "/assets/samples/conv_bn_relu.pt2", kPrograms = std::string(PT2_SOURCE_DIR) + "/tests/data/programs/";

}  // namespace

TEST_CASE("weights are found by their names in the model: by the search, the palette and commands") {
  Driver d({kSample});
  CHECK(d.run("wait idle\nsearch.query bn.weight\nwait idle\nexpect state.search.count == 1\n"
              "search.query name:bn.running_*\nwait idle\nexpect state.search.count == 2\nkey Escape\n"
              "go.palette bn.running_mean\nwait idle\nexpect palette/row/0 text \"bn.running_mean\"\nkey Enter\nwait idle\nexpect state.selection.node == \"b_bn_running_mean\"\n"
              "go.node bn.bias\nwait idle\nexpect state.selection.node == \"p_bn_bias\"\n"
              "go.value conv.weight\nwait idle\nexpect state.selection.value == \"p_conv_weight\"\n"));
}

TEST_CASE("the palette has the module of a name before the parameters in it") {
  Driver d({kPrograms + "shared_module.pt2"});
  CHECK(d.run("wait idle\ngo.palette 0.linear\nwait idle\nexpect palette/row/0 text \"tail.0.linear\"\nkey Enter\nwait idle\nexpect state.selection.module == \"tail.0.linear\"\n"));
}

TEST_CASE("a symbol of the signature selects the input it comes from, a double click and the palette search for its sizes") {
  Driver d({kPrograms + "symbolic.pt2"});
  CHECK(d.run("wait idle\nview.pane signature\nwait idle\nclick signature/symbol/s27\nwait idle\nexpect state.selection.node == \"x\"\n"
              "double_click signature/symbol/s86\nwait idle\nexpect state.selection.node == \"n\"\nexpect state.search.query == \"shape:s86\"\n"
              "go.palette s27\nwait idle\nexpect palette/row/0 text \"s27\"\nkey Enter\nwait idle\nexpect state.search.query == \"shape:s27\"\n"
              "search.query shape:s7\nwait idle\nexpect state.search.count == 0\nsearch.query shape:[s77,s27]\nwait idle\n"));
  CHECK(d.state()["search"]["count"] > 0);
}

TEST_CASE("a symbol that no input has for a size selects the value it comes in with; an expression is searched for as it is") {
  {
    Driver d({kPrograms + "data_dependent.pt2"});
    CHECK(d.run("wait idle\nview.pane signature\nwait idle\nclick signature/symbol/u1\nwait idle\nexpect state.selection.node == \"nonzero\"\n"
                "click signature/symbol/u0\nwait idle\nexpect state.selection.node == \"item\"\n"));
  }
  Driver d({std::string(PT2_TEST_DATA) + "/pairs/relation.pt2"});
  CHECK(d.run("wait idle\nsearch.query shape:2*s77\nwait idle\nexpect state.search.count == 1\n"));
}

TEST_CASE("the palette has steps for a number alone") {
  Driver d({kPrograms + "symbolic.pt2"});
  CHECK(d.run("wait idle\ngo.palette :2\nwait idle\nexpect palette/row/0 text \"2  \"\n"));
  for (const char* none : {":xyz", ":0", ":9999"}) {
    CAPTURE(none);
    CHECK(d.run(std::string("key Escape\ngo.palette ") + none + "\nwait idle\nexpect palette/row/0 absent\nexpect palette/nothing exists\n"));
  }
}

TEST_CASE("the source of a call in generated code is the line of the file around it") {
  Driver d({kPrograms + "nested_cond.pt2"});
  CHECK(d.run("wait idle\nview.pane source\ngo.node cond\nwait idle\nexpect source/missing text \"models.py\"\n"));
}

TEST_CASE("a sub-graph is folded by the operator that runs it, and nothing else is taken for one") {
  Driver d({kPrograms + "nested_cond.pt2"});
  CHECK(d.run("wait idle\nview.toggle_subgraph cond\nwait idle\nexpect graph/node/true_graph_0/cond exists\nview.toggle_subgraph cond\nwait idle\nexpect graph/node/true_graph_0/cond absent\n"
              "view.toggle_subgraph x\nwait idle\n"));
  CHECK(d.state()["toast"] == "x runs no sub-graph");
}

TEST_CASE("what is returned in containers has its path, in the signature and at the output") {
  Driver d({kPrograms + "containers.pt2"});
  CHECK(d.run("wait idle\nview.pane signature\nwait idle\nexpect signature/output/add_1 text \"[0]['z']\"\nexpect signature/input/batch_mask text \"batch.mask\"\n"
              "go.node output\nwait idle\nexpect node/returned/0 text \"[0]['z']\"\nexpect node/returned/1 text \"[0]['p'].x\"\n"));
}

TEST_CASE("the sections of the signature are closed and opened by their heads") {
  Driver d({kSample});
  CHECK(d.run("wait idle\nview.pane signature\nwait idle\nexpect signature/input/x exists\nexpect signature/section/Inputs exists\n"
              "click signature/section/Inputs\nwait idle\nexpect signature/input/x absent\nclick signature/section/Inputs\nwait idle\nexpect signature/input/x exists\n"
              "key Alt+1\nwait idle\nkey Escape\nwait idle\nkey Up\nwait idle\nkey Enter\nwait idle\nexpect signature/input/x absent\nexpect signature/output/relu exists\n"));
}

TEST_CASE("a click on a row selects it where the divider of two columns lies too") {
  Driver d({kPrograms + "symbolic.pt2"});
  REQUIRE(d.run("wait idle\nview.pane signature\nwait idle\nexpect signature/symbol/s27 exists\n"));
  ImGuiContext& g = *ImGui::GetCurrentContext();
  float x = 0;
  for (int i = 0; i < g.Tables.GetMapSize(); ++i)
    if (ImGuiTable* table = g.Tables.TryGetMapData(i); table && table->LastFrameActive >= g.FrameCount - 1 && std::string(ImGui::TableGetColumnName(table, 0)) == "Symbol") x = table->Columns[0].MaxX;
  REQUIRE(x > 0);
  const auto* row = d.app.probe().find("signature/symbol/s27");
  using pt2::views::InputEvent;
  InputEvent move{InputEvent::Type::Move};
  move.x = x, move.y = (row->min.y + row->max.y) / 2;
  d.app.input.push(move);
  for (int i = 0; i < 3; ++i) d.frame();
  for (const bool down : {true, false}) {
    InputEvent button{InputEvent::Type::Button};
    button.down = down;
    d.app.input.push(button);
    d.frame();
  }
  CHECK(d.run("wait idle\nexpect state.selection.node == \"x\"\n"));
}

TEST_CASE("a weight under several names tells the others, and leads to them") {
  Driver d({std::string(PT2_TEST_DATA) + "/releases/2.9.1/tied_bf16.pt2"});
  CHECK(d.run("wait idle\ngo.value emb.weight\nwait idle\nexpect node/arg/Tied text \"head.weight\"\nexpect node/users text \"No node reads it; as head.weight: embedding, linear\"\nclick node/arg/Tied\nwait idle\nexpect state.selection.node == \"p_head_weight\"\n"
              "go.node idx\nwait idle\nproblem.go 0\nwait idle\nexpect state.selection.node == \"p_head_weight\"\n"));
}
