#pragma once
// PT2_ASSERT: "we are wrong". Stops with a message, in release builds too. Never used for what a file or a user can cause.

namespace pt2 {
[[noreturn]] void assertion_failed(const char* condition, const char* file, int line);
}
#define PT2_ASSERT(condition) ((condition) ? void(0) : ::pt2::assertion_failed(#condition, __FILE__, __LINE__))
