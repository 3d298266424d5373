#pragma once
#include <vector>

namespace pt2::app {

// The program's icon as RGBA: three boxes of a graph and their edges.
std::vector<unsigned char> icon_pixels(int size);

}  // namespace pt2::app
