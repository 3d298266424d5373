#pragma once
// A pickle read as data. A pickle is a program for a stack machine that may call any Python function; this machine knows the calls that
// build plain data and tensors (pickle_calls.cpp) and carries them out itself. Any other call leaves an opaque value with the name and the
// arguments, and a note that it was not run.
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/finding.h"
#include "core/base/result.h"
#include "core/tensor/device.h"
#include "core/tensor/tensor.h"

namespace pt2 {

// Values live in one table and refer to each other by index, so nothing here is recursive, however deep a pickle nests.
using PickleId = uint32_t;
enum class PickleKind : uint8_t {
  None, Bool, Int, Float, String, Bytes,  // strings and bytes: `text`, `size`
  List, Tuple, Set, Dict,                 // `index` into lists; a dict is key, value, key, value …
  Complex,                                // `index` into complex numbers
  Global,                                 // a name, "torch.float32"; `text`
  Opaque,                                 // `index` into opaque values
  Storage, Tensor,                        // `index` into storages, tensors
};
struct PickleItem {
  PickleKind kind = PickleKind::None;
  uint32_t size_or_index = 0;
  union {
    int64_t integer;
    double number;
    const char* text;
  };
  PickleItem() : integer(0) {}
};

struct PickledStorage {
  std::string key;       // of the member data/<key>
  Device device;
  DType dtype = DType::Unknown;  // Unknown: untyped
  std::string class_name;
  uint64_t size_bytes = 0;
};

struct PickledTensor {
  DType dtype = DType::Unknown;
  Shape sizes, strides;
  int64_t offset = 0;
  std::optional<uint32_t> storage;  // none: no data of its own
  Device device;
  TensorLayout layout = TensorLayout::Strided;
  bool is_parameter = false, requires_grad = false, conjugate = false, negate = false;
  std::string note;                                        // what it is instead of plain data
  std::vector<std::pair<std::string, uint32_t>> parts;     // sparse and nested tensors: the tensors it is made of
};

struct PickledOpaque {
  std::string dotted_name;
  std::vector<PickleId> arguments;
};

// The finding about a call that was not run.
inline constexpr std::string_view kPickleCallRule = "pickle.call";
std::string pickle_call_message(std::string_view dotted_name);

class Unpickler {
 public:
  // `bytes` must outlive the unpickler.
  explicit Unpickler(std::string_view bytes) : bytes_(bytes) {}
  // Runs to STOP. The error of a malformed or oversized pickle has the place as "byte 17".
  Result<void> run();

  PickleId root() const { return root_; }
  size_t consumed() const { return at_; }  // bytes up to and with STOP
  const PickleItem& item(PickleId id) const { return items_[id]; }
  std::string_view text(PickleId id) const { return {items_[id].text, items_[id].size_or_index}; }
  const std::vector<PickleId>& list(PickleId id) const { return lists_[items_[id].size_or_index]; }
  std::pair<double, double> complex(PickleId id) const { return complexes_[items_[id].size_or_index]; }
  const PickledOpaque& opaque(PickleId id) const { return opaques_[items_[id].size_or_index]; }
  const std::vector<PickledTensor>& tensors() const { return tensors_; }
  const std::vector<PickledStorage>& storages() const { return storages_; }
  const std::vector<Finding>& findings() const { return findings_; }  // where: "byte 17"

 private:
  friend class PickleCalls;
  struct Failure { Error error; };  // thrown inside, caught by run()
  [[noreturn]] void fail(std::string message, ErrorKind kind = ErrorKind::CannotOpen) const;

  void step(unsigned char opcode);
  // The stream
  std::string_view take(uint64_t count);
  std::string_view take_line();
  template <class T> T take_number();
  void push_long(std::string_view digits);
  // The stack
  void push(PickleId id);
  PickleId pop();
  PickleId top();
  std::vector<PickleId> pop_to_mark();
  void remember(uint64_t slot);
  void recall(uint64_t slot);
  // Values
  PickleId add(PickleItem item);
  PickleId add_text(PickleKind kind, std::string_view text);  // `text` stays where it is
  PickleId add_owned(PickleKind kind, std::string text);
  PickleId add_list(PickleKind kind, std::vector<PickleId> items);
  PickleId add_opaque(std::string dotted_name, std::vector<PickleId> arguments);
  std::vector<PickleId>& container(PickleId id, PickleKind kind, const char* opcode);
  // What Python would execute
  PickleId call(PickleId callable, std::vector<PickleId> arguments);
  void build(PickleId object, PickleId state);
  PickleId persistent(PickleId id);
  void report_call(std::string_view dotted_name);

  std::string_view bytes_;
  size_t at_ = 0, opcode_at_ = 0;
  bool stopped_ = false;
  std::vector<PickleItem> items_;
  std::vector<PickleId> stack_;
  std::vector<size_t> marks_;
  std::vector<PickleId> memo_;
  std::deque<std::string> owned_texts_;
  std::vector<std::vector<PickleId>> lists_;
  std::vector<std::pair<double, double>> complexes_;
  std::vector<PickledOpaque> opaques_;
  std::vector<PickledStorage> storages_;
  std::map<std::string, uint32_t, std::less<>> storage_by_key_;
  std::vector<PickledTensor> tensors_;
  std::vector<Finding> findings_;
  std::map<std::string, size_t, std::less<>> reported_;  // each foreign name once
  PickleId root_ = 0;
};

}  // namespace pt2
