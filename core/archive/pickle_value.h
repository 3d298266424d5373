#pragma once
// What the restricted unpickler makes: plain data. Whatever is not a known constructor of plain data becomes an Opaque with its dotted name.
#include <cstdint>
#include <complex>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace pt2 {

struct PickleValue;
using PickleList = std::vector<PickleValue>;

struct PickleNone {};
struct PickleTensor { std::string name; };  // key into Archive::tensors / read_tensor (role SampleInput)
struct PickleSequence { enum Kind { List, Tuple, Set } kind; std::shared_ptr<const PickleList> items; };
struct PickleDict { std::shared_ptr<const std::vector<std::pair<PickleValue, PickleValue>>> items; };
struct PickleOpaque { std::string dotted_name; std::shared_ptr<const PickleList> arguments; };  // "object of class X"; never executed

struct PickleValue {
  std::variant<PickleNone, bool, int64_t, double, std::complex<double>, std::string, PickleTensor, PickleSequence, PickleDict, PickleOpaque> value;
};

}  // namespace pt2
