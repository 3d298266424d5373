// `render`, by the command line's own entry point.
#include <doctest/doctest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "app/cli/cli.h"
#include "tests/support/program_file.h"

namespace {

struct Folder {
  std::filesystem::path path = std::filesystem::temp_directory_path() / ("pt2scope_render_" + std::to_string(::getpid()));
  Folder() { std::filesystem::create_directories(path); }
  ~Folder() { std::filesystem::remove_all(path); }
};

const std::string kSign = "fill=\"#B0008E\"";  // in no text, and nothing else has this colour
const std::string kSample = PT2_SOURCE_DIR "/assets/samples/conv_bn_relu.pt2";

int run(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), "pt2scope");
  std::vector<char*> argv;
  for (std::string& a : arguments) argv.push_back(a.data());
  return pt2::app::run_command_line(int(argv.size()), argv.data());
}

std::string contents(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace

TEST_CASE("every kind of picture of the sample") {
  const Folder folder;
  auto render = [&](const std::string& name, std::vector<std::string> more = {}) {
    more.insert(more.begin(), {"render", kSample, "-o", (folder.path / name).string()});
    REQUIRE(run(more) == 0);
    return contents(folder.path / name);
  };
  const std::string svg = render("a.svg");
  for (const char* word : {"<svg", "conv : Conv2d", ">conv2d<", "aten.batch_norm.default", "f32[1,16,32,32]", "CNV", ">output<", "</svg>"}) CHECK_MESSAGE(svg.find(word) != svg.npos, word);
  const std::string folded = render("folded.svg", {"--fold", "modules", "--theme", "dark", "--direction", "LR"});
  CHECK(folded.find(">conv2d<") == folded.npos);
  CHECK(folded.find("1 op") != folded.npos);
  CHECK(render("a.png").substr(1, 3) == "PNG");
  CHECK(render("a.pdf").substr(0, 5) == "%PDF-");
  const std::string dot = render("a.dot", {"--params", "nodes"});
  CHECK(dot.starts_with("digraph \"model\" {\n"));
  CHECK(dot.find(" -> ") != dot.npos);
  const std::string html = render("a.html", {"--color-by", "dtype"});
  CHECK(html.find("<!doctype html>") == 0);
  CHECK(html.find("http://") == html.find("http://www.w3.org/2000/svg"));  // the namespace, and no link
  CHECK(render("m.svg", {"--module", "bn"}).find("output of bn: batch_norm") != std::string::npos);
}

TEST_CASE("the scale of a picture lies in it: a strip for numbers that differ, else squares alone") {
  const Folder folder;
  const std::string path = (folder.path / "scale.svg").string();
  auto scale = [&](const std::string& by) {
    REQUIRE(run({"render", kSample, "-o", path, "--color-by", by}) == 0);
    const std::string svg = contents(path);
    const size_t at = svg.find("id=\"scale");
    REQUIRE(at != svg.npos);
    const size_t box = svg.find("viewBox=\"0 0 ") + 13;
    const double height = std::stod(svg.substr(svg.find(' ', box)));
    std::string drawn = svg.substr(at, svg.find("</g>", at) - at);
    for (size_t y = drawn.find(" y=\""); y != drawn.npos; y = drawn.find(" y=\"", y + 1)) CHECK_MESSAGE(std::stod(drawn.substr(y + 4)) < height, by);
    size_t squares = 0;
    for (size_t rect = drawn.find("<rect"); rect != drawn.npos; rect = drawn.find("<rect", rect + 1)) ++squares;
    return squares;
  };
  CHECK(scale("dtype") == 2);  // f32, i64
  CHECK(scale("flops") == 1);  // one operator has any
  CHECK(scale("bytes") > 40);
}

TEST_CASE("a report holds the graph, the findings, the run and the comparison in one page") {
  const Folder folder;
  const std::string out = (folder.path / "report.html").string(), other = PT2_SOURCE_DIR "/assets/samples/conv_bn_relu_decomposed.pt2";
  REQUIRE(run({"report", kSample, other, "--run", "-o", out}) == 0);
  const std::string page = contents(out);
  for (const char* section : {"\"title\":\"Summary\"", "\"title\":\"Findings ", "\"title\":\"Run\"", "\"title\":\"Comparison\""}) CHECK_MESSAGE(page.find(section) != page.npos, section);
  CHECK(page.find("Ran 12 of 12 nodes") != page.npos);
  CHECK(page.find("[\"first divergence\",\"none\"]") != page.npos);
  CHECK(page.find("[\"parameters\",\"4 parameters, 480 elements\"]") != page.npos);
  CHECK(page.find("is used by nothing. It takes space") != page.npos);
  CHECK(page.find("{\"cells\":[\"decomposed\",\"batch_norm\"") != page.npos);
  CHECK(page.find("{\"cells\":[\"conv2d\",\"aten.conv2d.default\"") != page.npos);
  CHECK(page.find("<script src") == page.npos);
  CHECK(page.find("The numbers agree everywhere they can be compared.") != page.npos);
  CHECK(page.find("\"other\":true}") != page.npos);                                  // both graphs
  CHECK(page.find("\"mark\":\"changed\"") != page.npos);                           // conv2d became convolution
  CHECK(page.find("\"node\":\"relu\",\"other\":\"relu\",\"folded\":true") != page.npos);  // what is the same waits behind a button
  REQUIRE(run({"report", kSample, PT2_SOURCE_DIR "/assets/samples/conv_bn_relu_nan.pt2", "--weights", "--isolate", "--rtol", "0.1", "-o", out, "--theme", "dark"}) == 0);
  const std::string differing = contents(out);
  CHECK(differing.find("arises here, bn.running_var differs") != differing.npos);
  CHECK(differing.find("[\"bn.running_var\",\"max abs ") != differing.npos);
  CHECK(differing.find("\"mark\":\"differs\"") != differing.npos);
  CHECK(differing.find("color-scheme:dark") != differing.npos);
  // Programs that cannot run on the same inputs are compared all the same.
  REQUIRE(run({"report", kSample, PT2_TEST_DATA "/programs/mutations.pt2", "--run", "-o", out}) == 0);
  CHECK(contents(out).find("The numbers could not be compared: ") != std::string::npos);
}

TEST_CASE("a report does not say that nothing parts where a run failed before the end") {
  const Folder folder;
  const std::string out = (folder.path / "report.html").string();
  auto viewed_as = [&](const std::string& name, const std::string& size) {
    return pt2::test::saved((folder.path / name).string(), pt2::test::JsonProgram().input("x").call("neg", "aten.neg.default", "self=x").call("view", "aten.view.default", "self=neg, size=" + size).output("view"));
  };
  REQUIRE(run({"report", viewed_as("a.pt2", "[6]"), viewed_as("b.pt2", "[5]"), "--run", "-o", out}) == 0);
  const std::string page = contents(out);
  CHECK(page.find("The numbers could not be compared: B fails at view: ") != page.npos);
  CHECK(page.find("[\"first divergence\",\"not known: B fails at view: shape '[5]' is invalid for input of size 6") != page.npos);
}

TEST_CASE("a report's boxes carry the sign of NaN and Inf where its run found one") {
  const Folder folder;
  auto page = [&](std::vector<std::string> arguments) {
    const std::string out = (folder.path / "nan.html").string();
    arguments.insert(arguments.begin(), {"report", PT2_SOURCE_DIR "/assets/samples/conv_bn_relu_nan.pt2", "-o", out});
    REQUIRE(run(arguments) == 0);
    const std::string text = contents(out);
    size_t signs = 0;
    for (size_t at = text.find(kSign); at != text.npos; at = text.find(kSign, at + 1)) ++signs;
    return signs;
  };
  CHECK(page({}) == 0);
  CHECK(page({"--run"}) == 3);  // batch_norm in two pictures, whose variance is negative, and relu, which passes NaN on
}

TEST_CASE("a report's boxes carry no sign of an Inf that a constant asks for") {
  const Folder folder;
  const std::string out = (folder.path / "masked.html").string();
  REQUIRE(run({"report", PT2_TEST_DATA "/programs/masked_rows.pt2", "--run", "-o", out}) == 0);
  const std::string text = contents(out);
  CHECK(text.find(" Inf, asked for") != text.npos);
  size_t signs = 0;
  for (size_t at = text.find(kSign); at != text.npos; at = text.find(kSign, at + 1)) ++signs;
  CHECK(signs == 10);  // what is NaN or reads an Inf of the inputs; not the mask
}

TEST_CASE("a report without a program says so") { CHECK(run({"report", PT2_SOURCE_DIR "/README.md", "-o", "-"}) == 3); }

TEST_CASE("render says what it cannot do") {
  const Folder folder;
  const std::string out = (folder.path / "a.svg").string();
  CHECK(run({"render", kSample, "-o", (folder.path / "a.xyz").string()}) == pt2::app::kUsage);
  CHECK(run({"render", kSample, "-o", out, "--fold", "everything"}) == pt2::app::kUsage);
  CHECK(run({"render", kSample, "-o", out, "--module", "nowhere"}) == pt2::app::kAnswerIsNo);
  CHECK(run({"render", (folder.path / "none.pt2").string(), "-o", out}) == pt2::app::kCannotOpen);
  CHECK(run({"render", kSample, "-o", (folder.path / "no" / "where.svg").string()}) == pt2::app::kCannotOpen);
  CHECK(run({"render", kSample, "-o", (folder.path / "a.png").string(), "--scale", "10", "--direction", "LR"}) == pt2::app::kDone);
  CHECK_FALSE(std::filesystem::exists(out));
}
