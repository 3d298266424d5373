#include "interp/check.h"

#include <cstdio>

namespace pt2::interp {

MessagePart::MessagePart(double number) {
  char text[40];
  std::snprintf(text, sizeof text, "%.9g", number);
  text_ = text;
}

MessagePart::MessagePart(std::span<const int64_t> shape) {
  text_ = "[";
  for (size_t i = 0; i < shape.size(); ++i) text_ += (i ? ", " : "") + std::to_string(shape[i]);
  text_ += "]";
}

void fail_with(std::initializer_list<MessagePart> parts) {
  std::string message;
  for (const MessagePart& part : parts) message += part.text();
  throw KernelError(std::move(message));
}

}  // namespace pt2::interp
