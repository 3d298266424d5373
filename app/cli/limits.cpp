// `limits`: the named limits of the reliability contract.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>

#include "app/cli/json_output.h"
#include "app/cli/subcommands.h"
#include "core/base/limits.h"
#include "core/base/text.h"

namespace pt2::app {

namespace {

int run_limits(bool json) {
  if (json) {
    Json list = Json::array();
    for (const limits::Limit& limit : limits::all())
      list.push_back({{"name", limit.name}, {"value", limit.value}, {"unit", limit.unit}, {"meaning", limit.meaning}, {"when_exceeded", limit.when_exceeded}});
    print_json({{"schema", "pt2scope/limits"}, {"version", 1}, {"limits", std::move(list)}});
    return kDone;
  }
  for (const limits::Limit& limit : limits::all()) {
    const std::string value = with_commas(limit.value) + (limit.unit.empty() ? "" : " " + std::string(limit.unit));
    std::printf("%-24.*s %32s  %.*s (exceeded: %.*s)\n", static_cast<int>(limit.name.size()), limit.name.data(), value.c_str(), static_cast<int>(limit.meaning.size()), limit.meaning.data(),
                static_cast<int>(limit.when_exceeded.size()), limit.when_exceeded.data());
  }
  return kDone;
}

}  // namespace

std::function<int()> declare_limits(CLI::App& app) {
  auto json = std::make_shared<bool>(false);
  app.add_flag("--json", *json, "Print one JSON object");
  app.footer("Example: pt2scope limits");
  return [json] { return run_limits(*json); };
}

}  // namespace pt2::app
