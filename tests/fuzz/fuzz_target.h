#pragma once
// A fuzz target takes bytes and must come back: with a value or an error, never with a crash, a hang or memory beyond reason.
// With PT2_FUZZ each is a libFuzzer program; otherwise fuzz_tests runs all of them over their corpora.
#include <cstddef>
#include <cstdint>
#include <string_view>

inline std::string_view as_text(const uint8_t* data, size_t size) { return {reinterpret_cast<const char*>(data), size}; }
