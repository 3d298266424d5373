#pragma once
// The number of a state. No two are the same in one process, also of different objects: an object in the place in memory of one that is gone is
// not taken for it by who remembers what it looked like.
#include <atomic>
#include <cstdint>

namespace pt2 {

class Revision {
 public:
  Revision() : number_(fresh()) {}
  void change() { number_ = fresh(); }
  uint64_t number() const { return number_; }

 private:
  static uint64_t fresh() {
    static std::atomic<uint64_t> last{0};
    return ++last;
  }
  uint64_t number_;
};

}  // namespace pt2
