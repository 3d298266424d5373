#pragma once
// How kernels refuse: check(condition, "mm: expected ", a, " columns, found ", b). Thrown inside interp only; run_node is the fence.
#include <cstdint>
#include <exception>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/tensor/dtype.h"

namespace pt2::interp {

class KernelError : public std::exception {
 public:
  explicit KernelError(std::string message, ErrorKind kind = ErrorKind::Failed) : message_(std::move(message)), kind_(kind) {}
  const char* what() const noexcept override { return message_.c_str(); }
  const std::string& message() const { return message_; }
  ErrorKind kind() const { return kind_; }  // Failed; Limit: memory, iterations; Stopped: cancelled

 private:
  std::string message_;
  ErrorKind kind_;
};

// One piece of a message: text, number, dtype name or shape.
class MessagePart {
 public:
  MessagePart(const char* text) : text_(text) {}
  MessagePart(std::string_view text) : text_(text) {}
  MessagePart(const std::string& text) : text_(text) {}
  MessagePart(int number) : text_(std::to_string(number)) {}
  MessagePart(long number) : text_(std::to_string(number)) {}
  MessagePart(long long number) : text_(std::to_string(number)) {}
  MessagePart(unsigned long number) : text_(std::to_string(number)) {}
  MessagePart(double number);
  MessagePart(DType dtype) : text_(dtype_name(dtype)) {}
  MessagePart(std::span<const int64_t> shape);
  MessagePart(const std::vector<int64_t>& shape) : MessagePart(std::span<const int64_t>(shape)) {}
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

[[noreturn]] void fail_with(std::initializer_list<MessagePart> parts);

template <class... Parts>
[[noreturn]] void fail(const Parts&... parts) {
  fail_with({MessagePart(parts)...});
}

// The parts are put together only on failure.
template <class... Parts>
void check(bool condition, const Parts&... parts) {
  if (!condition) [[unlikely]]
    fail_with({MessagePart(parts)...});
}

}  // namespace pt2::interp
