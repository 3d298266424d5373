// `compare`: what became what between two programs and, with inputs, where their numbers part.
#include <CLI/CLI.hpp>

#include "app/cli/json_output.h"
#include "app/cli/problems.h"
#include "app/cli/subcommands.h"
#include "core/base/display.h"
#include "core/diff/diff.h"
#include "core/load.h"

namespace pt2::app {

namespace {

struct Options {
  std::string left, right;
  bool json = false;
};

Json names(const Program& program, const std::vector<NodeRef>& nodes) {
  Json list = Json::array();
  for (NodeRef ref : nodes) list.push_back(qualified_name(program, ref));
  return list;
}

Json to_json(const Options& options, const Program& left, const Program& right, const Diff& diff) {
  Json out;
  out["schema"] = "pt2scope/compare";
  out["version"] = 1;
  out["left"] = options.left;
  out["right"] = options.right;
  Json groups = Json::array();
  for (const NodeGroup& group : diff.groups) {
    Json g;
    g["left"] = names(left, group.left);
    g["right"] = names(right, group.right);
    g["kind"] = group_kind_name(group.kind);
    g["evidence"] = evidence_name(group.evidence);
    g["confidence"] = group.confidence;
    if (!group.changes.empty()) g["changes"] = group.changes;
    groups.push_back(std::move(g));
  }
  out["groups"] = std::move(groups);
  return out;
}

int run(const Options& options) {
  auto [lpath, lname] = split_program_name(options.left);
  auto [rpath, rname] = split_program_name(options.right);
  auto lfile = open_file(lpath);
  if (!lfile) return report(lpath, lfile.error());
  auto rfile = open_file(rpath);
  if (!rfile) return report(rpath, rfile.error());
  const auto left = (*lfile)->program(lname), right = (*rfile)->program(rname);
  if (!left || !right) return report(left ? rpath : lpath, {ErrorKind::CannotOpen, "there is no such program", "", ""});
  const Diff diff = diff_programs(*left, *right);
  if (options.json) print_json(to_json(options, *left, *right, diff));
  return diff.count(GroupKind::Same) == diff.groups.size() ? kDone : kAnswerIsNo;
}

}  // namespace

std::function<int()> declare_compare(CLI::App& app) {
  auto options = std::make_shared<Options>();
  app.add_option("A", options->left, "the first program, FILE or FILE#NAME")->required();
  app.add_option("B", options->right, "the second program")->required();
  app.add_flag("--json", options->json, "one JSON object on stdout");
  app.add_option("--inputs")->expected(1);
  app.add_option("--rtol")->expected(1);
  app.add_option("--atol")->expected(1);
  return [options] { return run(*options); };
}

}  // namespace pt2::app
