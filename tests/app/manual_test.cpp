// What is written for shells and man(1), by the program itself.
#include <doctest/doctest.h>

#include <array>
#include <cstdio>
#include <fstream>
#include <string>

#include "tests/support/scratch.h"

namespace {

std::string output_of_command(const std::string& command) {
  std::FILE* pipe = popen(command.c_str(), "r");
  REQUIRE(pipe);
  std::string text;
  std::array<char, 4096> buffer;
  for (size_t n; (n = std::fread(buffer.data(), 1, buffer.size(), pipe)) > 0;) text.append(buffer.data(), n);
  CHECK(pclose(pipe) == 0);
  return text;
}
std::string output_of(const std::string& arguments) { return output_of_command("'" PT2_BINARY "' " + arguments); }

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("completions know every command, option and choice") {
  for (const char* shell : {"bash", "zsh", "fish"}) {
    CAPTURE(shell);
    const std::string text = output_of(std::string("completion ") + shell);
    for (const char* word : {"info", "verify", "compare", "render", "tensor", "run", "ops", "print", "reference", "color-by", "readable graph signature", "safetensors", "offscreen"})
      if (std::string(shell) != "fish" || std::string(word) != "safetensors") CHECK_MESSAGE(has(text, word), word);
    CHECK_FALSE(has(text, "layout_child"));
  }
  const std::string bash = output_of("completion bash > /dev/null && '" PT2_BINARY "' completion bash | bash -n && echo sound");
  CHECK(bash == "sound\n");
}

TEST_CASE("bash completes commands, options, choices and files by what stands before") {
  const pt2::test::Scratch scratch;
  const auto completed = [&](const std::string& words, int at) {
    std::ofstream(scratch.path("try.bash")) << "cd '" PT2_SOURCE_DIR "/assets/samples'\neval \"$('" PT2_BINARY "' completion bash)\"\nCOMP_WORDS=(" << words << ")\nCOMP_CWORD=" << at
                                            << "\n_pt2scope\necho \"${COMPREPLY[*]}\"\n";
    return output_of_command("bash '" + scratch.path("try.bash") + "'");
  };
  CHECK(has(completed("pt2scope co", 1), "compare"));
  CHECK(has(completed("pt2scope run --re", 2), "--record --reference"));
  CHECK(completed("pt2scope print --format mo", 3) == "module\n");
  CHECK(has(completed("pt2scope info conv_bn_relu.", 2), "conv_bn_relu.pt2"));
}

TEST_CASE("the manual page has every part and every option") {
  const std::string text = output_of("manual");
  for (const char* part : {".TH PT2SCOPE 1", ".SH NAME\npt2scope \\- ", ".SH SYNOPSIS", ".SH COMMANDS", ".SS compare", ".SS run", "\\fB\\-\\-reference\\fR", ".SH EXIT STATUS", ".SH ENVIRONMENT", "NO_COLOR"})
    CHECK_MESSAGE(has(text, part), part);
}
