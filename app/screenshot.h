#pragma once
// The framebuffer as a PNG.
#include <string>

namespace pt2::app {

// Reads the bound framebuffer; an error text or nothing. Needs a current GL context.
std::string write_framebuffer(const std::string& path, int width, int height);

}  // namespace pt2::app
