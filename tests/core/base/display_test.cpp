#include "core/base/display.h"

#include <doctest/doctest.h>

using namespace pt2;

TEST_CASE("text from a file cannot command a terminal") {
  CHECK(display("plain ünïcode 漢字 ∞") == "plain ünïcode 漢字 ∞");
  CHECK(display("a\nb\tc\rd") == "a\\nb\\tc\\rd");
  CHECK(display("\x1b[31mred") == "\\x1b[31mred");
  CHECK(display(std::string("nul\0byte", 8)) == "nul\\x00byte");
  CHECK(display("del\x7f") == "del\\x7f");
  CHECK(display("\xc2\x9b" "csi") == "\\x9bcsi");                    // a control character of two bytes
  CHECK(display("\u202egnp.exe") == "\\u202egnp.exe");               // right-to-left override
  CHECK(display("a\u200b\u2066b\ufeff") == "a\\u200b\\u2066b\\ufeff");
  CHECK(display("\U000e0041") == "\\U000e0041");                     // tags
}

TEST_CASE("what is no UTF-8 becomes replacement characters, byte by byte") {
  CHECK(display("\xff\xfe") == "\ufffd\ufffd");
  CHECK(display("a\xc3") == "a\ufffd");              // cut short
  CHECK(display("\xc0\xaf") == "\ufffd\ufffd");      // overlong
  CHECK(display("\xed\xa0\x80") == "\ufffd\ufffd\ufffd");  // a surrogate
  CHECK(display("\xf4\x90\x80\x80").find("\ufffd") == 0);  // beyond Unicode
}

TEST_CASE("lines stay where they are wanted, long texts are cut between characters") {
  CHECK(display_lines("a\n\tb\x1b") == "a\n\tb\\x1b");
  CHECK(display_cut("äöü", 3) == "äöü");
  CHECK(display_cut("äöüx", 3) == "äöü…");
}
