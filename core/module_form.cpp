#include "core/module_form.h"

namespace pt2 {

UnliftedProgram module_form(const OpenedFile& file, std::shared_ptr<const Program> program) {
  const auto inputs = file.archive->sample_inputs(program->name);
  const bool has_inputs = inputs && !std::holds_alternative<PickleNone>(inputs->value);
  return unlift(std::move(program), has_inputs ? GuardsNode::AfterInputs : GuardsNode::None);
}

}  // namespace pt2
