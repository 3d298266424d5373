// `tensor`: lists what a file holds of tensors; shows, cuts and writes one.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <memory>
#include <set>

#include "app/cli/json_output.h"
#include "app/cli/problems.h"
#include "app/cli/subcommands.h"
#include "core/archive/unpickler.h"
#include "core/base/display.h"
#include "core/base/png.h"
#include "core/base/text.h"
#include "core/load.h"
#include "core/sample_inputs.h"
#include "core/tensor/slice.h"
#include "core/tensor/tensor_files.h"
#include "core/tensor/tensor_stats.h"
#include "core/tensor/tensor_text.h"
#include "core/tensor/view.h"
#include "views/workspace/tensor_image.h"

namespace pt2::app {

namespace {

struct Options {
  std::string file, name, slice, output;
  bool json = false;
};

using Names = std::set<std::string, std::less<>>;

using Programs = std::vector<std::shared_ptr<const Program>>;

// The program of that name, none for a tensor file and where it cannot be read.
Programs programs_of(const std::string& path, const std::string& model) {
  if (model.empty()) return {};
  LoadOptions options;
  options.only_program = model;
  const auto file = open_file(path, options);
  return file ? (*file)->programs : Programs();
}

// The buffers of the signature: a file keeps those that are not persistent among its constants.
Names buffers_of(const std::string& path, const std::string& model, const std::vector<TensorInfo>& tensors) {
  Names buffers;
  const bool among_constants = std::any_of(tensors.begin(), tensors.end(), [](const TensorInfo& info) { return info.role == TensorRole::Constant; });
  if (!among_constants) return buffers;
  for (const auto& program : programs_of(path, model))
    for (const InputSpec& input : program->signature.inputs)
      if (input.kind == InputKind::Buffer) buffers.emplace(input.target);
  return buffers;
}

std::string_view role_name(const TensorInfo& info, const Names& buffers) {
  if (buffers.contains(info.name)) return "buffer";
  switch (info.role) {
    case TensorRole::Weight: return info.is_parameter ? "parameter" : "buffer";
    case TensorRole::Constant: return "constant";
    case TensorRole::SampleInput: return "sample input";
    case TensorRole::Tensor: return "tensor";
  }
  return "tensor";
}

// The program that `FILE#NAME` or `FILE` means: the one called "model", else the only or first one; "" for a tensor file.
Result<std::string> chosen_model(const Archive& archive, const std::string& name) {
  const std::vector<std::string> models = archive.models();
  const std::string wanted = name.empty() ? "model" : name;
  for (const std::string& model : models)
    if (model == wanted) return model;
  if (name.empty()) return models.empty() ? std::string() : models.front();
  std::string list;
  for (const std::string& model : models) list += (list.empty() ? "\"" : ", \"") + model + "\"";
  return Error{ErrorKind::Failed, "there is no program \"" + name + "\" in the file", "", list.empty() ? "The file holds no programs." : "It holds " + list + "."};
}

// What the list calls the sample of a user input; empty where it has none that is a tensor.
std::string sample_name(const Archive& archive, const Program& program, const std::string& input) {
  const auto sample = archive.sample_inputs(program.name);
  if (!sample) return {};
  const SampleLeaves leaves = sample_leaves(*sample, program);
  auto leaf = leaves.values.begin();
  for (const InputSpec& spec : program.signature.inputs) {
    if (spec.kind != InputKind::UserInput) continue;
    if (leaf == leaves.values.end()) break;
    const auto* tensor = std::get_if<PickleTensor>(&(*leaf++)->value);
    if (spec.name == input) return tensor ? tensor->name : std::string();
  }
  return {};
}

// The tensor called so, or the one behind the graph input of that name.
Result<TensorInfo> find_tensor(const std::string& path, const Archive& archive, const std::string& model, const std::string& name) {
  const std::vector<TensorInfo> tensors = archive.tensors(model);
  const auto called = [&](std::string_view text) -> const TensorInfo* {
    for (const TensorInfo& tensor : tensors)
      if (tensor.name == text) return &tensor;
    return nullptr;
  };
  if (const TensorInfo* found = called(name)) return *found;
  if (const TensorInfo* found = called("L__self___" + name)) return *found;  // as 2.1 and 2.2 keep it
  for (const auto& program : programs_of(path, model)) {
    for (const InputSpec& input : program->signature.inputs)
      if (input.name == name && !input.target.empty())
        if (const TensorInfo* found = called(input.target)) return *found;
    if (const TensorInfo* found = called(sample_name(archive, *program, name))) return *found;
  }
  return Error{ErrorKind::Failed, "there is no tensor \"" + name + "\"", "", "`pt2scope tensor FILE` lists those that are there."};
}

Json number_json(const Element& element) {
  if (const auto* value = std::get_if<bool>(&element)) return *value ? 1 : 0;
  if (const auto* value = std::get_if<int64_t>(&element)) return *value;
  if (const auto* value = std::get_if<uint64_t>(&element)) return *value;
  if (const auto* value = std::get_if<double>(&element)) return json_number(*value);
  return nullptr;
}

Json info_json(const TensorInfo& info, const Names& buffers) {
  Json json;
  json["name"] = info.name;
  json["role"] = role_name(info, buffers);
  json["dtype"] = dtype_name(info.dtype);
  json["shape"] = info.sizes;
  json["strides"] = info.strides;
  json["offset"] = info.offset;
  json["device"] = device_text(info.device);
  json["layout"] = layout_name(info.layout);
  json["requires_grad"] = info.requires_grad;
  json["record"] = info.record;
  json["note"] = info.note;
  return json;
}

Json start(const char* schema) { return {{"schema", schema}, {"version", 1}}; }

int list_tensors(const std::string& path, const Archive& archive, const std::string& model, bool json) {
  const std::vector<TensorInfo> tensors = archive.tensors(model);
  const Names buffers = buffers_of(path, model, tensors);
  if (json) {
    Json object = start("pt2scope/tensor");
    object["tensors"] = Json::array();
    for (const TensorInfo& tensor : tensors) object["tensors"].push_back(info_json(tensor, buffers));
    print_json(object);
    return kDone;
  }
  size_t width = 4;
  for (const TensorInfo& tensor : tensors) width = std::max(width, std::min<size_t>(display_cut(tensor.name, 60).size(), 60));
  for (const TensorInfo& tensor : tensors) {
    std::string line = display_cut(tensor.name, 60);
    if (line.size() < width) line.append(width - line.size(), ' ');
    line += "  " + std::string(role_name(tensor, buffers));
    line.append(13 - std::min<size_t>(13, role_name(tensor, buffers).size()), ' ');
    line += std::string(dtype_name(tensor.dtype)) + " " + shape_text(tensor.sizes);
    if (!tensor.note.empty()) line += "  (" + display_cut(tensor.note, 200) + ")";
    std::printf("%s\n", line.c_str());
  }
  if (tensors.empty()) std::printf("The file holds no tensors.\n");
  return kDone;
}

std::string ends_text(const TensorStats& stats, DType dtype) {
  char text[160];
  std::string line;
  if (stats.min.index() != 0) line += "min " + element_text(dtype, stats.min) + "  max " + element_text(dtype, stats.max);
  if (stats.mean) line += (std::snprintf(text, sizeof text, "  mean %.6g", *stats.mean), text);
  if (stats.complex_mean) line += (std::snprintf(text, sizeof text, "mean %.6g%+.6gj", stats.complex_mean->real(), stats.complex_mean->imag()), text);
  if (stats.std) line += (std::snprintf(text, sizeof text, "  std %.6g", *stats.std), text);
  return line;
}

void print_tensor(const TensorInfo& info, const Names& buffers, const Tensor& tensor, const TensorStats& stats) {
  std::printf("%s  %s\n", display(info.name).c_str(), std::string(role_name(info, buffers)).c_str());
  std::string meta = std::string(dtype_name(tensor.dtype)) + " " + shape_text(tensor.sizes) + ", strides " + shape_text(tensor.strides);
  if (tensor.offset) meta += ", offset " + with_commas(tensor.offset);
  if (info.device.type != "cpu") meta += ", device " + display(device_text(info.device));
  if (info.requires_grad) meta += ", requires_grad";
  std::printf("  %s\n", meta.c_str());
  if (!info.note.empty()) std::printf("  %s\n", display(info.note).c_str());
  if (!info.record.empty()) std::printf("  in %s\n", display(info.record).c_str());
  if (stats.count == 0) {
    std::printf("  no elements\n");
    return;
  }
  if (const std::string ends = ends_text(stats, tensor.dtype); !ends.empty()) std::printf("  %s\n", ends.c_str());
  std::printf("  %s element%s: %s zero, %s NaN, %s +Inf, %s -Inf\n", with_commas(stats.count).c_str(), stats.count == 1 ? "" : "s", with_commas(stats.zeros).c_str(), with_commas(stats.nan).c_str(),
              with_commas(stats.positive_inf).c_str(), with_commas(stats.negative_inf).c_str());
  TensorTextOptions options;
  options.precision = is_floating(tensor.dtype) ? 4 : 0;
  std::printf("%s\n", tensor_text(tensor, options).c_str());
}

Json stats_json(const TensorInfo& info, const Names& buffers, const Tensor& tensor, const TensorStats& stats) {
  Json json = start("pt2scope/tensor");
  json.update(info_json(info, buffers));
  json["shape"] = tensor.sizes;
  json["strides"] = tensor.strides;
  json["offset"] = tensor.offset;
  json["count"] = stats.count;
  json["min"] = number_json(stats.min);
  json["max"] = number_json(stats.max);
  json["mean"] = stats.mean ? json_number(*stats.mean) : stats.complex_mean ? Json{json_number(stats.complex_mean->real()), json_number(stats.complex_mean->imag())} : Json();
  json["std"] = stats.std ? json_number(*stats.std) : Json();
  json["nan"] = stats.nan;
  json["inf"] = stats.inf();
  json["zeros"] = stats.zeros;
  Json edges = Json::array();
  for (const double edge : stats.histogram.edges) edges.push_back(json_number(edge));
  json["histogram"] = {{"edges", std::move(edges)}, {"counts", stats.histogram.counts}};
  return json;
}

// All channels of the first batch beside each other; colours by sign as in the Tensor pane.
Result<void> write_picture(const std::string& path, const Tensor& tensor, const TensorStats& stats) {
  if (stats.count == 0) return Error{ErrorKind::Failed, "a tensor " + shape_text(tensor.sizes) + " has no picture", "", ""};
  const bool ordered = stats.min.index() != 0;
  views::ImageOptions options;
  options.low = ordered ? as_double(stats.min) : 0;
  options.high = ordered ? as_double(stats.max) : stats.max_magnitude;
  options.palette = views::Palette::Viridis;
  if (options.low < 0 && options.high > 0) {
    options.palette = views::Palette::Diverging;
    options.high = std::max(options.high, -options.low);
    options.low = -options.high;
  }
  if (views::image_shape(tensor, false).channels > 1) options.mode = views::ImageMode::Tiles;
  const views::TensorImage image = views::tensor_image(tensor, options);
  return write_png(path, image.width, image.height, image.pixels);
}

int show_tensor(const Options& options, const std::string& path, const Archive& archive, const std::string& model) {
  const auto info = find_tensor(path, archive, model, options.name);
  if (!info) return report(path, info.error());
  auto tensor = archive.read_tensor(model, info->role, info->name);
  if (!tensor) return report(path, tensor.error());
  if (!options.slice.empty()) {
    auto slice = slice_tensor(*tensor, options.slice);
    if (!slice) return report(path, slice.error());
    tensor = slice->view;
  }
  const Names buffers = buffers_of(path, model, {*info});
  const bool picture = options.output.ends_with(".png");
  if (!options.output.empty() && !picture) {
    TensorFile file;
    file.tensors.emplace_back(info->name, *tensor);
    if (auto done = write_tensor_file(options.output, file); !done) return report(options.output, done.error());
    if (!options.json) return kDone;
  }
  const auto stats = tensor_stats(*tensor);
  if (!stats) return report(path, stats.error());
  if (picture) {
    if (auto done = write_picture(options.output, *tensor, *stats); !done) return report(options.output, done.error());
    if (!options.json) return kDone;
  }
  if (options.json) print_json(stats_json(*info, buffers, *tensor, *stats));
  else print_tensor(*info, buffers, *tensor, *stats);
  return kDone;
}

int run_tensor(const Options& options) {
  const auto [path, program] = split_program_name(options.file);
  const auto archive = open_archive(path);
  if (!archive) return report(path, archive.error());
  const auto model = chosen_model(**archive, program);
  if (!model) return report(path, model.error());
  if (options.name.empty()) {
    const std::vector<Finding> findings = (*archive)->check();
    const bool calls = std::any_of(findings.begin(), findings.end(), [](const Finding& finding) { return finding.rule == kPickleCallRule; });
    report_warnings(path, calls ? archive_findings(**archive, programs_of(path, *model)) : findings);
    return list_tensors(path, **archive, *model, options.json);
  }
  return show_tensor(options, path, **archive, *model);
}

}  // namespace

std::function<int()> declare_tensor(CLI::App& app) {
  auto options = std::make_shared<Options>();
  app.add_option("FILE", options->file, "A .pt2 file, FILE#NAME for one program of several, or a tensor file")->required();
  auto* name = app.add_option("NAME", options->name, "A tensor as the list calls it, or the graph input it belongs to; without it, the list");
  app.add_option("--slice", options->slice, "A part, as Python writes it: 0,:,2:4")->needs(name);
  app.add_option("-o,--output", options->output, "Write to OUT.npy, OUT.safetensors, OUT.npz or OUT.png")->needs(name);
  app.add_flag("--json", options->json, "Print one JSON object");
  app.footer("Example: pt2scope tensor model.pt2 conv.weight --slice 0 -o filter.png");
  return [options] { return run_tensor(*options); };
}

}  // namespace pt2::app
