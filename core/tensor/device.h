#pragma once
#include <string>

namespace pt2 {

struct Device {
  std::string type = "cpu";
  int index = -1;  // -1: not given
  friend bool operator==(const Device&, const Device&) = default;
};

inline std::string device_text(const Device& d) { return d.index < 0 ? d.type : d.type + ":" + std::to_string(d.index); }

}  // namespace pt2
