#include "app/cli/inputs_option.h"

#include <cstdio>

#include "app/cli/cli.h"
#include "core/base/display.h"
#include "interp/input_set.h"

namespace pt2::app {

int take_inputs(const std::string& file, const Program& program, interp::InputRequest& request) {
  if (file.empty()) return kDone;
  const auto added = interp::add_inputs(file, program, request);
  if (!added) return report(file, added.error());
  for (const std::string& warning : *added) std::fprintf(stderr, "warning: %s: %s\n", display(file).c_str(), display(warning).c_str());
  return kDone;
}

}  // namespace pt2::app
