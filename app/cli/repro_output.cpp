#include "app/cli/repro_output.h"

#include "app/cli/cli.h"
#include "app/cli/json_output.h"
#include "core/base/display.h"

namespace pt2::app {

int report_repro(const std::string& file, const Result<interp::Repro>& repro, const char* schema, bool json) {
  if (!repro) return report(file, repro.error());
  for (const std::string& note : repro->notes) std::fprintf(stderr, "note: %s\n", display(note).c_str());
  if (json) print_json({{"schema", schema}, {"version", 1}, {"files", repro->files}, {"notes", repro->notes}});
  else
    for (const std::string& path : repro->files) std::printf("%s\n", display(path).c_str());
  return kDone;
}

}  // namespace pt2::app
