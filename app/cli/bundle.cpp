// `bundle`: a program to hand on, with chosen weights and what was set up for it.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "app/cli/json_output.h"
#include "app/cli/subcommands.h"
#include "app/cli/words.h"
#include "core/base/display.h"
#include "core/base/text.h"
#include "core/bundle.h"

namespace pt2::app {

namespace {

struct Options {
  std::string file, out, session, values;
  std::vector<std::string> weights;
  bool json = false;
};

// Into the request: a bundle has the view apart.
Result<void> read_session(const std::string& path, BundleRequest& request) {
  std::ifstream in(path, std::ios::binary);
  if (!in) return Error{ErrorKind::CannotOpen, "cannot be read", "", "Give a file that the window wrote with --session."};
  request.session = {std::istreambuf_iterator<char>(in), {}};
  const auto session = nlohmann::ordered_json::parse(request.session, nullptr, false);
  if (!session.is_object()) return Error{ErrorKind::CannotOpen, "is no session: not a JSON object", "", "Give a file that the window wrote with --session."};
  if (const auto view = session.find("view"); view != session.end() && view->is_object()) {
    nlohmann::ordered_json json{{"version", 1}};
    json.update(*view);
    request.view = json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
  }
  return {};
}

int bundle(const Options& options) {
  BundleRequest request;
  request.source = options.file;
  request.out = options.out;
  request.names = options.weights;
  const bool all = options.weights.empty() || options.weights == std::vector<std::string>{"all"};
  const bool none = options.weights == std::vector<std::string>{"none"};
  request.weights = all ? BundleRequest::Weights::All : none ? BundleRequest::Weights::None : BundleRequest::Weights::Named;
  if (!options.session.empty()) {
    if (const auto read = read_session(options.session, request); !read) return report(options.session, read.error());
  }
  if (!options.values.empty()) {
    auto values = read_tensor_file(options.values);
    if (!values) return report(options.values, values.error());
    request.values = std::make_shared<const TensorFile>(std::move(*values));
  }
  const Result<BundleReport> done = write_bundle(request);
  if (!done) return report(options.file, done.error());
  if (options.json) {
    Json left_out = Json::array();
    for (const std::string& name : done->left_out) left_out.push_back(name);
    print_json({{"schema", "pt2scope/bundle"}, {"version", 1}, {"file", options.out}, {"bytes", done->bytes}, {"weights", done->kept}, {"left_out", left_out},
                {"values", request.values ? request.values->tensors.size() : 0}});
    return kDone;
  }
  std::printf("%s: %s, %s%s\n", display(options.out).c_str(), bytes_text(done->bytes).c_str(), counted(done->kept, "weight").c_str(),
              done->left_out.empty() ? "" : (", " + with_commas(uint64_t(done->left_out.size())) + " left out").c_str());
  return kDone;
}

}  // namespace

std::function<int()> declare_bundle(CLI::App& app) {
  auto o = std::make_shared<Options>();
  app.add_option("FILE", o->file, "A .pt2 file")->required();
  app.add_option("-o,--output", o->out, "The bundle: another .pt2")->required()->type_name("OUT");
  app.add_option("--weights", o->weights, "all, none, or the names of those that stay (NAME,NAME); what is left out counts as missing")->delimiter(',')->type_name("all|none|NAME");
  app.add_option("--session", o->session, "Breakpoints, watches, inputs, notes, bookmarks and the view: a file of the window's --session")->type_name("FILE");
  app.add_option("--values", o->values, "Recorded values, as run --record writes them: they become the reference where the bundle is opened")->type_name("TENSORS");
  app.add_flag("--json", o->json, "One JSON object on stdout");
  app.footer("Example: pt2scope bundle model.pt2 -o issue.pt2 --weights none --values values.safetensors");
  return [o] {
    if (const Result<void> named = check_bundle_name(o->out); !named) {
      report(o->out, named.error());
      return int(kUsage);
    }
    return bundle(*o);
  };
}

}  // namespace pt2::app
