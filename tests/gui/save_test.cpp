// Pictures and reports that the window saves: what the graph pane shows, what a run and a comparison found, and what happens where it fails.
#include <future>
#include <fstream>
#include <iterator>

#include "app/picture/saved_page.h"
#include "tests/gui/driver.h"
#include "tests/support/scratch.h"
#include "views/workspace/save_requests.h"

using pt2::gui::Driver;
using pt2::test::Scratch;

namespace {

const std::string kSamples = std::string(PT2_SOURCE_DIR) + "/assets/samples/";
const std::string kSample = kSamples + "conv_bn_relu.pt2", kDecomposed = kSamples + "conv_bn_relu_decomposed.pt2", kNan = kSamples + "conv_bn_relu_nan.pt2";
const std::string kRun = "debug.start\nwait idle\nclick inputs/run\nwait idle\n";

std::string contents(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

bool holds(const std::string& text, const std::string& words) { return text.find(words) != text.npos; }

// A big-endian number of a PNG's header.
uint32_t png_number(const std::string& png, size_t at) {
  uint32_t number = 0;
  for (size_t i = 0; i < 4; ++i) number = number << 8 | uint8_t(png[at + i]);
  return number;
}

// Every tag that is opened is closed, in order.
bool well_formed(const std::string& xml) {
  std::vector<std::string> open;
  for (size_t at = xml.find('<'); at != xml.npos; at = xml.find('<', at + 1)) {
    const size_t end = xml.find('>', at);
    if (end == xml.npos) return false;
    if (xml[at + 1] == '?' || xml[at + 1] == '!' || xml[end - 1] == '/') continue;
    const bool closes = xml[at + 1] == '/';
    const std::string name = xml.substr(at + 1 + closes, xml.find_first_of(" >\n", at) - at - 1 - closes);
    if (!closes) open.push_back(name);
    else if (open.empty() || open.back() != name) return false;
    else open.pop_back();
  }
  return open.empty();
}

// The data of a page, as its script has it.
nlohmann::json page_of(const std::string& html) {
  const size_t at = html.find("const PAGE=");
  REQUIRE(at != html.npos);
  return nlohmann::json::parse(html.substr(at + 11, html.find(";\n", at) - at - 11));
}

const nlohmann::json* section(const nlohmann::json& page, const std::string& title) {
  for (const auto& section : page["sections"])
    if (std::string(section["title"]).starts_with(title)) return &section;
  return nullptr;
}

struct StoppedJob final : pt2::Job {
  std::stop_source source;
  StoppedJob() { source.request_stop(); }
  std::stop_token stop() const override { return source.get_token(); }
  void progress(float, std::string) override {}
  void post(std::function<void()>) override {}
};

}  // namespace

TEST_CASE("save: the graph as every kind of picture") {
  const Scratch scratch;
  Driver d({kSample});
  REQUIRE(d.run("wait idle"));
  auto save = [&](const char* name) {
    REQUIRE(d.run("file.save_picture " + scratch.path(name) + "\nwait idle\nexpect state.toast has \"Saved \""));
    return contents(scratch.path(name));
  };
  const std::string svg = save("a.svg");
  CHECK(well_formed(svg));
  for (const char* word : {"conv : Conv2d", ">conv2d<", "aten.batch_norm.default", "f32[1,16,32,32]", ">output<"}) CHECK_MESSAGE(holds(svg, word), word);
  const std::string png = save("a.png");
  REQUIRE(png.starts_with("\x89PNG"));
  const size_t width = svg.find(" width=\"") + 8, height = svg.find(" height=\"") + 9;
  CHECK(png_number(png, 16) == uint32_t(std::ceil(std::stof(svg.substr(width)))));
  CHECK(png_number(png, 20) == uint32_t(std::ceil(std::stof(svg.substr(height)))));
  CHECK(save("a.pdf").starts_with("%PDF-"));
  CHECK(holds(save("a.dot"), " -> "));
  const auto page = page_of(save("a.html"));
  CHECK(page["views"][0]["title"] == "conv_bn_relu.pt2");
  CHECK(holds(page["views"][0]["boxes"].dump(), "\"node\":\"conv2d\""));
}

TEST_CASE("save: the picture has the theme, the folds, the module shown alone, the colours and the form that the pane has") {
  const Scratch scratch;
  Driver d({kSample});
  REQUIRE(d.run("wait idle\nview.fold_all\nwait idle\nfile.save_picture " + scratch.path("dark.svg") + "\nwait idle"));
  const std::string dark = contents(scratch.path("dark.svg"));
  CHECK(holds(dark, "conv : Conv2d"));
  CHECK_FALSE(holds(dark, ">conv2d<"));
  REQUIRE(d.run("view.theme\nview.unfold_all\nview.open_module bn\nwait idle\nfile.save_picture " + scratch.path("light.svg") + "\nwait idle"));
  const std::string light = contents(scratch.path("light.svg"));
  CHECK(holds(light, ">batch_norm<"));
  CHECK_FALSE(holds(light, "aten.conv2d.default"));
  const auto canvas = [](const std::string& svg) { return svg.substr(svg.find("fill=\"#"), 14); };
  CHECK(canvas(dark) != canvas(light));
  REQUIRE(d.run("view.color_by bytes\nwait idle\nfile.save_picture " + scratch.path("bytes.svg") + "\nwait idle"));
  CHECK(holds(contents(scratch.path("bytes.svg")), "64.0 KiB"));
  REQUIRE(d.run("view.color_by family\nview.leave_module\nview.unlifted on\nwait idle\nfile.save_picture " + scratch.path("form.svg") + "\nwait idle"));
  CHECK(holds(contents(scratch.path("form.svg")), "_guards_fn"));
}

TEST_CASE("save: NaN that the run found is in the picture and in the report, which has the run's values") {
  const Scratch scratch;
  const std::string sign = "fill=\"#B0008E\"";  // the colour of NaN in the light theme, and of nothing else
  Driver d({kNan});
  REQUIRE(d.run("wait idle\nview.theme\nfile.save_report " + scratch.path("before.html") + "\nwait idle"));
  const std::string before = contents(scratch.path("before.html"));
  CHECK(section(page_of(before), "Run") == nullptr);
  CHECK(section(page_of(before), "Summary"));
  CHECK(section(page_of(before), "Findings"));
  CHECK_FALSE(holds(before, sign));
  REQUIRE(d.run("debug.toggle_breakpoint relu\n" + kRun + "file.save_report " + scratch.path("stopped.html") + "\nwait idle"));
  const auto stopped = page_of(contents(scratch.path("stopped.html")));
  REQUIRE(section(stopped, "Run"));
  CHECK(std::string((*section(stopped, "Run"))["note"]).starts_with("Ran 2 of 3 operators in "));
  REQUIRE((*section(stopped, "Run"))["facts"].size() == 1);
  CHECK((*section(stopped, "Run"))["facts"][0][0] == "stopped");
  REQUIRE(d.run("debug.run_without_stopping\nwait idle\nfile.save_picture " + scratch.path("nan.svg") + "\nfile.save_report " + scratch.path("after.html") + "\nwait idle"));
  CHECK(holds(contents(scratch.path("nan.svg")), sign));
  const std::string after = contents(scratch.path("after.html"));
  CHECK(holds(after, sign));
  const auto page = page_of(after);
  const auto* run = section(page, "Run");
  REQUIRE(run);
  REQUIRE((*run)["rows"].size() == 3);
  CHECK((*run)["rows"][0]["cells"][0] == "conv2d");
  CHECK((*run)["rows"][0]["cells"][3] == "float32[1, 16, 32, 32]");
  CHECK(holds((*run)["rows"][1]["cells"][7], "NaN"));
  CHECK(holds(std::string((*run)["note"]), "Ran 3 of 3 operators"));
}

TEST_CASE("save: the report of a comparison holds it, with the numbers of both runs and what was set by hand") {
  const Scratch scratch;
  Driver d({kSample, kDecomposed});
  REQUIRE(d.run("wait idle\nclick graph.a/node/conv2d\nclick graph.b/node/convolution\nkey =\nwait idle\ncompare.run\nwait idle\nfile.save_report " + scratch.path("r.html") + "\nwait idle"));
  const std::string html = contents(scratch.path("r.html"));
  const auto page = page_of(html);
  CHECK(page["views"][0]["title"] == "conv_bn_relu.pt2");
  CHECK(holds(html, "s.title === 'Comparison'"));  // shown at once
  const auto* compared = section(page, "Comparison");
  REQUIRE(compared);
  CHECK((*compared)["note"] == "A is conv_bn_relu.pt2, B is conv_bn_relu_decomposed.pt2. The numbers agree everywhere they can be compared.");
  CHECK((*compared)["columns"].back() == "cause");
  CHECK((*compared)["columns"][1] == "A");
  CHECK((*compared)["columns"][2] == "B");
  const auto& row = (*compared)["rows"][0]["cells"];
  CHECK(row[1] == "conv2d");
  CHECK(row[2] == "convolution");
  CHECK(row[3] == "by_hand");
  CHECK((*compared)["rows"][1]["cells"][3] == "from_node");
}

TEST_CASE("save: the picture of one side of a comparison has the signs of what changed, also in the unlifted form") {
  const Scratch scratch;
  Driver d({kSample, kDecomposed});
  const auto saved = [&](const std::string& before, const char* name) {
    REQUIRE(d.run("wait idle\n" + before + "wait idle\nfile.save_picture " + scratch.path(name) + "\nwait idle"));
    return contents(scratch.path(name));
  };
  const auto signs = [](const std::string& picture, std::string_view sign) {
    size_t count = 0;
    for (size_t at = picture.find(sign); at != picture.npos; at = picture.find(sign, at + 1)) ++count;
    return count;
  };
  CHECK(signs(saved("click graph.a/node/conv2d\n", "a.svg"), ">~<") == 2);                        // conv2d and batch_norm became others; relu did not
  CHECK(signs(saved("click graph.b/node/relu\n", "b.svg"), ">~<") == 2);                          // convolution and the normalization, whose getitem is in its box
  CHECK(signs(saved("click graph.b/node/relu\n", "b.dot"), "xlabel=\"~\"") == 2);
  CHECK(signs(saved("click graph.a/node/conv2d\nview.unlifted on\n", "form.svg"), ">~<") == 2);
  CHECK(signs(saved("click graph.a/node/conv2d\nview.unlifted off\nview.fold_all\n", "folded.svg"), ">~<") == 2);  // on the modules that hold them
  REQUIRE(d.run("compare.close"));
  CHECK(signs(saved("", "alone.svg"), ">~<") == 0);
}

TEST_CASE("save: the menus ask where to, and the file has the name that was given") {
  const Scratch scratch;
  std::filesystem::copy_file(kSample, scratch.path("m.pt2"));
  Driver d({scratch.path("m.pt2")});
  CHECK(d.run("wait idle\nclick menu/file\nwait idle\nclick menu/file/save_picture\nwait idle\nexpect picker/name text \"m.svg\"\nclick picker/save\nwait idle\n"
              "expect picker/name absent\nexpect state.toast has \"m.svg\"\n"
              "click menu/file\nwait idle\nclick menu/file/save_report\nwait idle\nexpect picker/name text \"m_report.html\"\nkey Enter\nwait idle\nexpect picker/name absent\n"
              "click graph/node/relu\nkey Escape\nwait idle\nkey Menu\nwait idle\nclick graph/menu/file.save_picture\nwait idle\nexpect picker/name text \"m.svg\"\nkey Escape\n"));
  CHECK(holds(contents(scratch.path("m.svg")), ">conv2d<"));
  CHECK(holds(contents(scratch.path("m_report.html")), "\"title\":\"Summary\""));
}

TEST_CASE("save: what cannot be written says so, and what was there stays") {
  const Scratch scratch;
  std::ofstream(scratch.path("old.pt2")) << "old";
  std::ofstream(scratch.path("file")) << "no folder";
  Driver d({kSample});
  REQUIRE(d.run("wait idle"));
  CHECK(d.run("file.save_picture " + scratch.path("file/a.svg") + "\nwait idle\nexpect state.toast has \"file/a.svg: cannot be written: Not a directory. Check the folder\""));
  CHECK(d.run("file.save_report " + scratch.path("none/a.html") + "\nwait idle\nexpect state.toast has \"none/a.html: cannot be written: No such file or directory. Check the folder\""));
  CHECK(d.run("file.save_picture " + scratch.path("old.pt2") + "\nwait idle\nexpect state.toast has \"Use a name that ends in .svg, .png, .pdf, .dot or .html\""));
  CHECK(d.run("file.save_report " + scratch.path("old.pt2") + "\nwait idle\nexpect state.toast has \"Use a name that ends in .html\""));
  CHECK(contents(scratch.path("old.pt2")) == "old");
  CHECK(std::distance(std::filesystem::directory_iterator(scratch.folder), {}) == 2);
}

TEST_CASE("save: it is given up by the status bar, and by nothing else; nothing is written then") {
  const Scratch scratch;
  Driver d({kSample});
  REQUIRE(d.run("wait idle"));
  std::promise<void> go;
  auto wait = go.get_future().share();
  for (int i = 0; i < 4; ++i) d.app.jobs().submit("", "", [wait](pt2::Job&) { wait.wait(); }, [] {});  // all workers are busy
  bool other = false;
  REQUIRE(d.run("file.save_report " + scratch.path("a.html") + "\nexpect status/job text \"Saving\""));
  d.app.jobs().submit("", "other", [] (pt2::Job&) {}, [&] { other = true; });
  CHECK(d.run("click status/job/cancel\nexpect status/job text \"other\""));
  go.set_value();
  CHECK(d.run("wait idle"));
  CHECK(other);
  CHECK(std::filesystem::is_empty(scratch.folder));

  // One that is under way ends before it writes.
  StoppedJob job;
  const auto& workspace = d.app.workspace();
  const auto picture = pt2::app::save_picture(pt2::views::picture_request(workspace, *workspace.active()), scratch.path("a.svg"), job);
  REQUIRE_FALSE(picture);
  CHECK(picture.error().kind == pt2::ErrorKind::Stopped);
  const auto page = pt2::app::save_report(pt2::views::report_request(workspace, *workspace.active()), scratch.path("a.html"), job);
  REQUIRE_FALSE(page);
  CHECK(page.error().kind == pt2::ErrorKind::Stopped);
  CHECK(std::filesystem::is_empty(scratch.folder));
}
