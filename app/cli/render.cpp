// `render`: the graph as a picture, without a display.
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <filesystem>

#include "app/cli/output_file.h"
#include "app/cli/subcommands.h"
#include "app/picture/picture_file.h"
#include "core/base/display.h"
#include "core/base/text.h"
#include "core/layout/layout_engine.h"
#include "core/load.h"
#include "views/workspace/node_data.h"

namespace pt2::app {

using namespace views;

namespace {

constexpr size_t kShowAllNodes = 150;

struct Options {
  std::string file, out, format, fold, module, direction = "TB", theme = "light", params = "attached", color_by = "family", overlay;
  float scale = 1;
};

Error usage(std::string message, std::string advice = {}) { return {ErrorKind::Failed, std::move(message), "", std::move(advice)}; }

Result<PictureFormat> format_of(const Options& options) {
  if (!options.format.empty()) return *picture_format_from_name(options.format);
  if (options.out == "-") return PictureFormat::Svg;
  Result<PictureFormat> format = picture_format_of(options.out);
  if (!format) format.error().advice = "Use a name that ends in .svg, .png, .pdf, .dot or .html, or --format.";
  return format;
}

// The groups that are open. By default as the window opens the file, and sub-graphs too where the picture stays small.
Result<GraphView> view_of(const Options& options, const Program& program, const ScopeTree& tree) {
  GraphView view = initial_view(program, tree);
  if (!options.module.empty()) {
    view.root = program.modules.find(options.module);
    if (!view.root)
      return usage("there is no module " + options.module, "Paths are those of the module tree, such as layer1.0.conv1.");
  }
  size_t nodes = 0;
  for (const Graph& graph : program.graphs) nodes += graph.nodes().size() - graph.placeholder_count();
  if (options.fold == "modules") expand_levels(view, tree, 0);
  else if (options.fold == "none" || (options.fold.empty() && nodes <= kShowAllNodes)) expand_levels(view, tree, -1);
  else if (!options.fold.empty()) expand_levels(view, tree, std::stoi(options.fold));
  view.direction = options.direction == "LR" ? Direction::LeftRight : Direction::TopDown;
  view.parameters = options.params == "nodes" ? ParameterMode::Nodes : options.params == "hidden" ? ParameterMode::Hidden : ParameterMode::Attached;
  return view;
}

// What --overlay FILE[:COLUMN] or --color-by asks for.
Result<Overlay> overlay_of(const Options& options, const Program& program) {
  if (options.overlay.empty()) return make_overlay(program, overlay_from_name(options.color_by).value_or(OverlayKind::Family));
  const auto [path, name] = split_column(options.overlay);
  Result<NodeData> data = read_node_data(program, path);
  if (!data) {
    Error error = data.error();
    error.where = path + (error.where.empty() ? "" : ", " + error.where);
    return error;
  }
  if (!data->unknown.empty()) std::fprintf(stderr, "warning: %s\n", display(data->summary()).c_str());
  const auto column = name.empty() ? std::optional<size_t>(0) : data->column(name);
  if (column) return make_data_overlay(program, *data, *column);
  std::string known;
  for (const NodeData::Column& one : data->columns) known += (known.empty() ? "" : ", ") + one.name;
  Error error = usage("it has no column \"" + name + "\"", "Its columns are " + known + ".");
  error.where = path;
  return error;
}

Result<void> render(const Options& options, PictureFormat format) {
  const auto [path, name] = split_program_name(options.file);
  LoadOptions load;
  load.only_program = name;
  Result<std::shared_ptr<const OpenedFile>> opened = open_file(path, load);
  if (!opened) return opened.error();
  const std::shared_ptr<const Program> program = (*opened)->program(name);
  if (!program) return usage(name.empty() ? "the file holds no program to draw" : "there is no program " + name);
  const auto tree = std::make_shared<const ScopeTree>(*program);
  Result<GraphView> view = view_of(options, *program, *tree);
  if (!view) return view.error();

  PictureStyle style{options.theme == "dark" ? ThemeName::Dark : ThemeName::Light, {}, {}, {}};
  const MeasureText measure = default_measure();
  const GraphScene scene = make_scene(program, tree, *view, measure);
  const Result<Overlay> overlay = overlay_of(options, *program);
  if (!overlay) return overlay.error();
  color_by(style, *overlay, scene);
  Layout layout;
  if (format != PictureFormat::Dot) {
    if (scene.boxes.size() > 2000 && ::isatty(STDERR_FILENO)) std::fprintf(stderr, "Laying out %s boxes…\n", with_commas(uint64_t{scene.boxes.size()}).c_str());
    LayoutEngine engine({.child_program = own_program_path()});
    Result<Layout> placed = engine.layout(layout_request(scene, measure));
    if (!placed) return placed.error();
    layout = std::move(*placed);
    if (layout.fallback) std::fprintf(stderr, "note: %s: Graphviz failed on a part of the graph; the built-in method laid it out\n", options.file.c_str());
  }
  const std::string title = std::filesystem::path(path).filename().string() + (name.empty() ? "" : "#" + name);
  Result<std::string> bytes = picture_bytes(format, title, scene, layout, style, options.scale);
  if (bytes) return write_output(options.out, *bytes);
  if (bytes.error().kind == ErrorKind::Limit) bytes.error().advice = "Write an .svg or .pdf instead, fold modules (--fold modules), or use a smaller --scale.";
  return bytes.error();
}

}  // namespace

std::function<int()> declare_render(CLI::App& app) {
  auto options = std::make_shared<Options>();
  app.add_option("FILE", options->file, "A .pt2 file; FILE#NAME for one program of several")->required();
  app.add_option("-o,--output", options->out, "Where to: .svg, .png, .pdf, .dot or .html; - for standard output")->required()->type_name("OUT");
  app.add_option("--format", options->format, "svg, png, pdf, dot or html; else told by the name")->check(CLI::IsMember({"svg", "png", "pdf", "dot", "html"}));
  app.add_option("--fold", options->fold, "modules: only the outermost; none: everything open; N: that many levels open")
      ->check([](const std::string& text) {
        const bool number = !text.empty() && text.size() < 6 && text.find_first_not_of("0123456789") == text.npos;
        return text == "modules" || text == "none" || number ? std::string() : "--fold takes modules, none or a number of levels, not " + text;
      })
      ->type_name("modules|none|N");
  app.add_option("--module", options->module, "Only this module, such as layer1.0")->type_name("PATH");
  app.add_option("--direction", options->direction, "TB: downwards; LR: to the right")->check(CLI::IsMember({"TB", "LR"}))->capture_default_str();
  app.add_option("--theme", options->theme, "dark or light")->check(CLI::IsMember({"dark", "light"}))->capture_default_str();
  app.add_option("--params", options->params, "Parameters and buffers: attached to their reader, nodes of their own, or hidden")
      ->check(CLI::IsMember({"attached", "nodes", "hidden"}))
      ->capture_default_str();
  std::vector<std::string> kinds;
  for (int i = 0; i < kOverlayKinds; ++i)
    if (!overlay_needs_run(OverlayKind(i))) kinds.emplace_back(overlay_name(OverlayKind(i)));
  app.add_option("--color-by", options->color_by, "What boxes are coloured by: the operator's family, dtype, device or bytes of its result, FLOPs, or quantization scale")
      ->check(CLI::IsMember(kinds))
      ->capture_default_str();
  app.add_option("--overlay", options->overlay, "Colour boxes by a column of a table with a value for each node, .csv or .json; without COLUMN by its first")
      ->type_name("FILE[:COLUMN]");
  app.add_option("--scale", options->scale, "Size of the picture; 2 for twice the pixels")->check(CLI::Range(0.05f, 10.0f))->capture_default_str();
  app.footer("Example: pt2scope render model.pt2 -o model.svg --fold modules");
  return [options] {
    const Result<PictureFormat> format = format_of(*options);
    if (!format) {
      report(options->out, format.error());
      return int(kUsage);
    }
    const Result<void> done = render(*options, *format);
    return done ? int(kDone) : report(options->file, done.error());
  };
}

}  // namespace pt2::app
