#include "app/cli/subcommands.h"

namespace pt2::app {

std::span<const Subcommand> subcommands() { return {}; }

}  // namespace pt2::app
