#include "core/graph/program.h"

namespace pt2 {

std::string_view kind_name(InputKind kind) {
  switch (kind) {
    case InputKind::UserInput: return "user_input";
    case InputKind::Parameter: return "parameter";
    case InputKind::Buffer: return "buffer";
    case InputKind::TensorConstant: return "constant_tensor";
    case InputKind::CustomObj: return "custom_obj";
    case InputKind::Token: return "token";
  }
  return "";
}

std::string_view kind_name(OutputKind kind) {
  switch (kind) {
    case OutputKind::UserOutput: return "user_output";
    case OutputKind::LossOutput: return "loss_output";
    case OutputKind::BufferMutation: return "buffer_mutation";
    case OutputKind::ParameterMutation: return "parameter_mutation";
    case OutputKind::GradientToParameter: return "gradient_to_parameter";
    case OutputKind::GradientToUserInput: return "gradient_to_user_input";
    case OutputKind::UserInputMutation: return "user_input_mutation";
    case OutputKind::Token: return "token";
  }
  return "";
}

}  // namespace pt2
