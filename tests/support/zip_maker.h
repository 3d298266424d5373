#pragma once
// Zip archives in memory, for tests: stored or deflated members, local headers filled.
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace pt2::test {

class ZipMaker {
 public:
  ZipMaker& add(std::string name, std::string content) {
    members_.emplace_back(std::move(name), std::move(content));
    return *this;
  }
  std::string bytes() const;

  bool deflate = false;

 private:
  std::vector<std::pair<std::string, std::string>> members_;
};

}  // namespace pt2::test
