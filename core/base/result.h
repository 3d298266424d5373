#pragma once
// Result<T>: a value or an Error, shaped like std::expected (which g++ 12 lacks), so that swapping is mechanical.
#include <string>
#include <utility>
#include <variant>

#include "core/base/assert.h"

namespace pt2 {

enum class ErrorKind {
  CannotOpen,  // exit status 3: the file cannot be opened
  Limit,       // exit status 4: a limit of the reliability contract
  Stopped,     // exit status 5: cancelled by the user
  Failed,      // exit status 1: asked for something that is not there, or a computation failed
};

// error: <file>: <where>: <message>
//   <advice>
struct Error {
  ErrorKind kind = ErrorKind::CannotOpen;
  std::string message;  // what is wrong, with both numbers or names
  std::string where;    // archive member and path inside it, or a byte offset; may be empty
  std::string advice;   // what it means for the user, what to do next; may be empty
};

template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
  Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}

  bool has_value() const { return state_.index() == 0; }
  explicit operator bool() const { return has_value(); }
  T& value() { PT2_ASSERT(has_value()); return std::get<0>(state_); }
  const T& value() const { PT2_ASSERT(has_value()); return std::get<0>(state_); }
  T& operator*() { return value(); }
  const T& operator*() const { return value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }
  Error& error() { PT2_ASSERT(!has_value()); return std::get<1>(state_); }
  const Error& error() const { PT2_ASSERT(!has_value()); return std::get<1>(state_); }

 private:
  std::variant<T, Error> state_;
};

template <>
class [[nodiscard]] Result<void> {
 public:
  Result() = default;
  Result(Error error) : error_(std::move(error)), failed_(true) {}
  bool has_value() const { return !failed_; }
  explicit operator bool() const { return has_value(); }
  const Error& error() const { PT2_ASSERT(failed_); return error_; }

 private:
  Error error_;
  bool failed_ = false;
};

}  // namespace pt2
