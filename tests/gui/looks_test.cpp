// What lies where on the screen, and that it can be told apart.
#include <algorithm>
#include <limits>

#include "core/base/display.h"
#include "core/tensor/tensor_files.h"
#include "imgui_internal.h"
#include "tests/gui/driver.h"
#include "tests/support/scratch.h"
#include "tests/support/tensors.h"
#include "views/widgets/draw.h"

using pt2::gui::Driver;
using pt2::test::Scratch;

namespace {

const std::string kSample = std::string(PT2_SOURCE_DIR) + "/assets/samples/conv_bn_relu.pt2";
const std::string kDecomposed = std::string(PT2_SOURCE_DIR) + "/assets/samples/conv_bn_relu_decomposed.pt2";
const std::string kNested = std::string(PT2_TEST_DATA) + "/programs/shared_module.pt2";

const ImVec2 kSizes[] = {{1440, 900}, {1100, 700}};

// The table drawn in the last frame that has a column of this name.
ImGuiTable* table_with(const char* column) {
  ImGuiContext& g = *ImGui::GetCurrentContext();
  for (int i = 0; i < g.Tables.GetMapSize(); ++i) {
    ImGuiTable* table = g.Tables.TryGetMapData(i);
    if (!table || table->LastFrameActive < g.FrameCount - 1) continue;
    for (int c = 0; c < table->ColumnsCount; ++c)
      if (std::string(ImGui::TableGetColumnName(table, c)) == column) return table;
  }
  return nullptr;
}

// What sticks out of the table at its right, of its columns up to the one of this name.
float sticks_out(const char* last) {
  ImGuiTable* table = table_with(last);
  REQUIRE_MESSAGE(table, last);
  int c = 0;
  while (std::string(ImGui::TableGetColumnName(table, c)) != last) ++c;
  return table->Columns[c].WorkMaxX - table->InnerClipRect.Max.x;
}

ImGuiWindow* window(const char* part) {
  for (ImGuiWindow* w : ImGui::GetCurrentContext()->Windows)
    if (w->Active && std::string_view(w->Name).find(part) != std::string_view::npos) return w;
  return nullptr;
}

pt2::views::ProbeItem item(Driver& d, const std::string& name) {
  const pt2::views::ProbeItem* found = d.app.probe().find(name);
  REQUIRE_MESSAGE(found, name);
  return *found;
}

}  // namespace

TEST_CASE("tensor image: a legend says what NaN and infinities look like, and how many there are") {
  Scratch scratch;
  const float inf = std::numeric_limits<float>::infinity(), nan = std::numeric_limits<float>::quiet_NaN();
  pt2::TensorFile file;
  file.tensors.emplace_back("t", pt2::test::floats({2, 2, 3}, {nan, inf, 1, -inf, nan, 2, nan, 3, 4, 5, 6, 7}));
  file.tensors.emplace_back("plain", pt2::test::floats({2, 2}, {1, 2, 3, 4}));
  const std::string path = scratch.path("t.safetensors");
  REQUIRE(pt2::write_tensor_file(path, file).has_value());
  Driver d({path});
  CHECK(d.run("wait idle\nclick right/tab/tensor\nwait idle\nclick tensor/file/t\nwait idle\nclick tensor/tab/image\ntensor.image single 0\nwait idle\nwait 3\n"
              "expect tensor/image/legend text \"nan 2 of 3  inf 1  -inf 1\"\n"
              "tensor.image tiles\nwait idle\nwait 3\nexpect tensor/image/legend text \"nan 3  inf 1  -inf 1\"\n"
              "click tensor/file/plain\nwait idle\nwait 3\nexpect tensor/image exists\nexpect tensor/image/legend absent\n"));
}

TEST_CASE("signature: name, kind and type are seen without scrolling") {
  for (const ImVec2 size : kSizes) {
    Driver d({kSample}, size.x, size.y);
    CHECK(d.run("wait idle\nclick left/tab/signature\nwait idle\nexpect signature/input/p_conv_weight text \"p_conv_weight  param  f32[16,3,3,3]  conv.weight\"\n"));
    CHECK(sticks_out("Type") <= 0);
  }
}

TEST_CASE("compare: every column is seen, before and after both ran") {
  for (const ImVec2 size : kSizes) {
    Driver d({kSample, kDecomposed}, size.x, size.y);
    REQUIRE(d.run("wait idle\nview.pane compare\nwait idle\n"));
    CHECK(sticks_out("SNR") <= 0);
    REQUIRE(d.run("compare.run\nwait idle\nwait 3\nexpect compare/row/0 exists\n"));
    CHECK(sticks_out("SNR") <= 0);
    CHECK(sticks_out("cos") <= 0);
  }
}

TEST_CASE("compare: that there is no counterpart stands in the header and over no box") {
  for (const ImVec2 size : kSizes) {
    Driver d({kSample, kDecomposed}, size.x, size.y);
    REQUIRE(d.run("wait idle\nselect.node conv2d\ncompare.unlink\nwait idle\nclick graph.a/node/conv2d\nwait idle\nexpect graph.b/no_counterpart text \"no counterpart of conv2d in B\"\n"));
    const auto note = item(d, "graph.b/no_counterpart");
    for (const auto& other : d.app.probe().items())
      if (other.name.starts_with("graph.b/node/") || other.name == "graph.b/fit" || other.name == "graph.b/zoom" || other.name == "graph.b/overlay") {
        const bool apart = other.max.x <= note.min.x || note.max.x <= other.min.x || other.max.y <= note.min.y || note.max.y <= other.min.y;
        CHECK_MESSAGE(apart, other.name);
      }
  }
}

TEST_CASE("what is hidden is counted as nodes and parameters") {
  Driver d({kSample});
  CHECK(d.run("wait idle\nselect.node relu\nview.hide_node\nwait idle\nexpect graph/hidden text \"1 node hidden\"\nview.unhide_all\nwait idle\nexpect graph/hidden absent\n"
              "select.node relu\nview.isolate\nwait idle\nexpect graph/hidden text \"2 nodes and 7 parameters hidden\"\n"));
}

TEST_CASE("a pane with a table of its own has one scrollbar at every size of text and window") {
  Driver d({kNested}, 1100, 700);
  REQUIRE(d.run("wait idle\nview.pane modules\nwait idle\n"));
  bool scrolled = false;
  for (int step = 0; step < 4; ++step) {
    REQUIRE(d.run("view.larger\nwait idle\n"));
    for (int height = 380; height < 420; ++height) {
      d.resize(1100, float(height));
      for (int i = 0; i < 3; ++i) d.frame();
      for (ImGuiWindow* w : ImGui::GetCurrentContext()->Windows) {
        const std::string_view name(w->Name);
        if (!w->Active || name.find("/pane_") == name.npos) continue;
        if (name.find("##modules") != name.npos) scrolled |= w->ScrollMax.y > 0;
        else if (name.find('#') == name.npos) CHECK_MESSAGE(w->ScrollMax.y == 0, name);
      }
    }
  }
  CHECK(scrolled);
}

TEST_CASE("the palette without a text has what was used last, then the menus in their order") {
  Driver d({kSample});
  CHECK(d.run("wait idle\ngo.palette >\nwait 3\nexpect palette/row/0 text \"Open…\"\nexpect palette/row/1 text \"Open to compare…\"\nexpect palette/row/2 text \"Open the sample\"\n"
              "type toggle theme\nwait 3\nkey Enter\nwait idle\ngo.palette >\nwait 3\ntype fit all\nwait 3\nkey Enter\nwait idle\n"
              "go.palette >\nwait 3\nexpect palette/row/0 text \"Fit all\"\nexpect palette/row/1 text \"theme\"\nexpect palette/row/2 text \"Open…\"\n"
              "key Escape\ngo.palette @\nwait 3\nexpect palette/row/0 text \"conv\"\nexpect palette/row/1 text \"bn\"\nexpect palette/row/2 text \"relu\"\n"));
}

TEST_CASE("dialogs are as high as what they hold") {
  Driver d({kSample});
  REQUIRE(d.run("wait idle\nhelp.legend\nwait 5\n"));
  float lowest = 0;
  for (const auto& shown : d.app.probe().items())
    if (shown.name.starts_with("legend/")) lowest = std::max(lowest, shown.max.y);
  const ImGuiWindow* legend = window("legend");
  REQUIRE(legend);
  CHECK(legend->Pos.y + legend->Size.y - lowest < 32);
  CHECK(legend->Pos.y + legend->Size.y > lowest);
  REQUIRE(d.run("key Escape\nfile.settings\nwait 5\n"));
  const ImGuiWindow* settings = window("settings");
  REQUIRE(settings);
  CHECK(settings->Pos.y + settings->Size.y - item(d, "settings/reset").max.y < 24);
  CHECK(item(d, "settings/reset").min.y - item(d, "settings/restore_documents").max.y < 80);
  const float height = settings->Size.y;
  REQUIRE(d.run("click settings/find\ntype tol\nwait 5\n"));
  CHECK(settings->Size.y == height);  // it does not jump while one types
}

TEST_CASE("families of operators can be told apart without colours") {
  Driver d({kSample});
  CHECK(d.run("wait idle\nfile.settings\nwait 5\nexpect settings/patterns text \"off\"\nclick settings/patterns\nwait 3\nexpect settings/patterns text \"on\"\nkey Escape\nhelp.legend\nwait 3\n"));
  std::vector<std::vector<float>> drawn;
  for (int family = 0; family < pt2::views::kOpFamilyCount; ++family) {
    ImDrawList list(ImGui::GetDrawListSharedData());
    list._ResetForNewFrame();
    list.PushTextureID(nullptr);
    pt2::views::draw::family_pattern(&list, {0, 0}, {60, 40}, pt2::views::OpFamily(family), IM_COL32_BLACK, 1);
    std::vector<float> places;
    for (const ImDrawVert& v : list.VtxBuffer) places.insert(places.end(), {v.pos.x, v.pos.y});
    if (!places.empty()) CHECK_MESSAGE(std::find(drawn.begin(), drawn.end(), places) == drawn.end(), family);
    if (!places.empty()) drawn.push_back(std::move(places));
  }
  CHECK(drawn.size() == 9);  // inputs, outputs and others are plain
}

TEST_CASE("what an entry of a menu says stands beside the menu, by keyboard and by mouse") {
  for (const ImVec2 size : kSizes) {
    Driver d({kSample}, size.x, size.y);
    REQUIRE(d.run("wait idle\nkey Alt+7\nwait idle\nkey Down\nwait idle\nwait 5\n"));
    auto beside = [&] {
      const ImGuiWindow *menu = window("##Menu_"), *tip = window("##Tooltip_");
      REQUIRE(menu);
      REQUIRE(tip);
      CHECK(tip->Pos.x >= 0);
      CHECK(tip->Pos.x + tip->Size.x <= size.x);
      CHECK(tip->Pos.y + tip->Size.y <= size.y);
      CHECK((tip->Pos.x >= menu->Pos.x + menu->Size.x || tip->Pos.x + tip->Size.x <= menu->Pos.x));
    };
    beside();
    CHECK(d.run("key Escape\nwait idle\nclick menu/help\nwait idle\nhover menu/help/about\nwait idle\nwait 30\n"));
    beside();
  }
}

TEST_CASE("names are cut in the middle, between characters") {
  Driver d({kSample});
  REQUIRE(d.run("wait idle\n"));
  const pt2::views::SizedFont font{ImGui::GetIO().Fonts->Fonts[0], 14};
  const std::string name = "layers_0_self_attn_q_proj_weight_é_é_é_é";
  for (float room = 10; room < 400; room += 7) {
    const std::string cut = pt2::views::draw::elided_middle(font, name, room);
    CHECK(pt2::views::draw::text_width(font, cut) <= std::max(room, 12.0f));
    if (cut.size() > 30) CHECK(cut.starts_with("layers"));
    if (cut.size() > 30) CHECK(cut.ends_with("é_é"));
    CHECK(pt2::display(cut) == cut);
  }
  CHECK(pt2::views::draw::elided_middle(font, "relu", 100) == "relu");
}

TEST_CASE("dialogs are as high as what they hold, and their explanations can be read in both themes") {
  for (const char* theme : {"dark", "light"}) {
    Driver d({kSample});
    REQUIRE(d.run(std::string("wait idle\nview.theme ") + theme + "\nwait idle\n"));
    const ImU32 faint = d.app.theme().color(pt2::views::Role::Disabled);
    struct Dialog { const char *command, *name; float asked; };
    for (const Dialog& dialog : {Dialog{"help.about", "about", 400}, Dialog{"file.bundle", "bundle", 260}}) {
      CAPTURE(dialog.name);
      REQUIRE(d.run(std::string(dialog.command) + "\nwait idle\nwait 5\n"));
      const ImGuiWindow* shown = window(dialog.name);
      REQUIRE(shown);
      CHECK(shown->Size.y < dialog.asked);
      CHECK(shown->ScrollMax.y == 0);
      const auto& vertices = shown->DrawList->VtxBuffer;
      CHECK(std::none_of(vertices.begin(), vertices.end(), [faint](const ImDrawVert& vertex) { return vertex.col == faint; }));
      REQUIRE(d.run("key Escape\nwait idle\n"));
    }
  }
}
