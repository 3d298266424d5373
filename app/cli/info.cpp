// `info`: what the file holds. Structure only; no weight data is read.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>

#include "app/cli/json_output.h"
#include "app/cli/problems.h"
#include "app/cli/subcommands.h"
#include "app/cli/words.h"
#include "core/base/display.h"
#include "core/base/text.h"
#include "core/graph/caller_paths.h"
#include "core/load.h"
#include "core/parameters.h"
#include "core/tensor/mapped_storage.h"
#include "core/text/bound_text.h"

namespace pt2::app {

namespace {

// The type of an input or output: a tensor's, a symbol's or a constant's.
struct Described {
  std::string dtype;                                // empty: neither tensor nor number
  std::optional<std::vector<SymInt>> shape;
  std::optional<Argument> constant;
};

Described describe(const Argument& constant) {
  Described d;
  d.constant = constant;
  if (constant.is_none()) d.dtype = "none";
  else if (constant.is<bool>()) d.dtype = "bool";
  else if (constant.is<int64_t>()) d.dtype = "int";
  else if (constant.is<double>()) d.dtype = "float";
  else if (constant.is<std::string_view>()) d.dtype = "str";
  return d;
}

Described describe(const ValueMeta& meta) {
  Described d;
  if (const TensorMeta* tensor = tensor_meta(meta)) {
    d.dtype = dtype_name(tensor->dtype);
    d.shape = tensor->sizes;
  } else if (const SymMeta* symbol = sym_meta(meta)) {
    d.dtype = symbol->kind == SymKind::Int ? "int" : symbol->kind == SymKind::Float ? "float" : "bool";
  } else if (auto* constant = std::get_if<std::shared_ptr<const ConstantMeta>>(&meta)) {
    return describe((*constant)->value);
  }
  return d;
}

Described describe(const Program& program, const InputSpec& input) {
  if (input.constant) return describe(*input.constant);
  return input.node ? describe(program.root_graph().node(input.node).val) : Described();
}

Described describe(const Program& program, const OutputSpec& output) {
  const NodeId* id = output.value.as<NodeId>();
  return id ? describe(program.root_graph().node(*id).val) : describe(output.value);
}

Json constant_json(const Argument& value) {
  if (auto* b = value.as<bool>()) return *b;
  if (auto* i = value.as<int64_t>()) return *i;
  if (auto* f = value.as<double>()) return json_number(*f);
  if (auto* s = value.as<std::string_view>()) return std::string(*s);
  return nullptr;
}

std::string constant_text(const Argument& value) {
  const Json json = constant_json(value);
  return json.is_string() ? "\"" + json.get<std::string>() + "\"" : json.is_null() ? "None" : json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

// "aten.add.Tensor", "higher_order.cond", "operator.getitem", "torch.sym_max".
std::string op_name(std::string_view target) {
  if (target.starts_with("torch.ops.")) target.remove_prefix(10);
  else if (target.starts_with("_operator.")) target.remove_prefix(1);
  return std::string(target);
}

struct Counts {
  size_t nodes = 0, placeholders = 0, calls = 0;
  std::map<std::string, size_t> ops;
  ParameterCount parameters;
  size_t buffers = 0, constants = 0;
  uint64_t weight_bytes = 0;
};

// Bytes of the storages behind weights and constants; tensors that share one count once.
uint64_t stored_bytes(const std::vector<TensorInfo>& tensors) {
  uint64_t total = 0;
  std::unordered_map<std::string, uint64_t> records;
  for (const TensorInfo& tensor : tensors) {
    if (tensor.role == TensorRole::SampleInput) continue;
    uint64_t last = uint64_t(std::max<int64_t>(tensor.offset, 0));
    bool empty = false;
    for (size_t d = 0; d < tensor.sizes.size(); ++d) {
      empty = empty || tensor.sizes[d] <= 0;
      last += uint64_t(tensor.sizes[d] - 1) * uint64_t(d < tensor.strides.size() ? tensor.strides[d] : 1);
    }
    const uint64_t bytes = empty ? 0 : (last + 1) * uint64_t(item_size(tensor.dtype));
    if (tensor.record.empty()) total += bytes;
    else records[tensor.record] = std::max(records[tensor.record], bytes);
  }
  for (const auto& [record, bytes] : records) total += bytes;
  return total;
}

Counts count(const Program& program, const std::vector<TensorInfo>& tensors) {
  Counts counts;
  std::unordered_map<std::string_view, size_t> targets;
  for (const Graph& graph : program.graphs) {
    counts.nodes += graph.nodes().size();
    for (const Node& node : graph.nodes()) {
      counts.placeholders += node.kind == NodeKind::Placeholder;
      if (node.kind != NodeKind::CallFunction) continue;
      ++counts.calls;
      ++targets[node.target];
    }
  }
  for (const auto& [target, n] : targets) counts.ops[op_name(target)] += n;
  for (const InputSpec& input : program.signature.inputs) {
    counts.buffers += input.kind == InputKind::Buffer;
    counts.constants += input.kind == InputKind::TensorConstant || input.kind == InputKind::CustomObj;
  }
  counts.parameters = count_parameters(program, tensors);
  counts.weight_bytes = stored_bytes(tensors);
  return counts;
}

template <class Spec>
Json spec_json(const Program& program, const Spec& spec) {
  const Described d = describe(program, spec);
  Json json;
  json["name"] = std::string(spec.name);
  json["kind"] = std::string(kind_name(spec.kind));
  // 2.1 and 2.2 put this before the module's own name; scripts want one name for all releases, and `tensor` takes both.
  constexpr std::string_view kOldPrefix = "L__self___";
  std::string_view target = spec.target;
  if (target.starts_with(kOldPrefix)) target.remove_prefix(kOldPrefix.size());
  json["target"] = target.empty() ? Json() : Json(std::string(target));
  json["dtype"] = d.dtype.empty() ? Json() : Json(d.dtype);
  json["shape"] = nullptr;
  if (d.shape) {
    Json shape = Json::array();
    for (const SymInt& size : *d.shape) shape.push_back(size.is_symbolic() ? Json(size.text()) : Json(size.value));
    json["shape"] = std::move(shape);
  }
  if (d.constant) json["value"] = constant_json(*d.constant);
  return json;
}

Json bound_json(const std::optional<double>& bound, bool is_float) {
  if (!bound) return nullptr;
  return is_float ? Json(*bound) : Json(whole_bound(*bound));
}

// With how a caller reaches each; null where its name or place says it.
template <class Specs>
Json specs_json(const Program& program, const Specs& specs, const std::vector<std::string>& paths) {
  Json list = Json::array();
  for (size_t i = 0; i < specs.size(); ++i) {
    list.push_back(spec_json(program, specs[i]));
    list.back()["path"] = paths[i].empty() ? Json() : Json(paths[i]);
  }
  return list;
}

Json program_json(const Archive& archive, const Program& program) {
  const Counts counts = count(program, archive.tensors(program.name));
  Json json;
  json["name"] = program.name;
  json["dialect"] = program.dialect.empty() ? Json() : Json(std::string(program.dialect));
  json["nodes"] = counts.nodes;
  json["ops"] = Json::object();
  for (const auto& [op, n] : counts.ops) json["ops"][op] = n;
  json["subgraphs"] = program.graphs.size() - 1;
  json["parameters"] = counts.parameters.tensors;
  json["parameter_elements"] = counts.parameters.elements;
  json["buffers"] = counts.buffers;
  json["constants"] = counts.constants;
  json["weight_bytes"] = counts.weight_bytes;
  json["inputs"] = specs_json(program, program.signature.inputs, shown_input_paths(program));
  json["outputs"] = specs_json(program, program.signature.outputs, shown_output_paths(program));
  json["range_constraints"] = Json::object();
  for (const auto& [symbol, range] : program.range_constraints)
    json["range_constraints"][std::string(symbol)] = {bound_json(range.min, range.is_float), bound_json(range.max, range.is_float)};
  json["verifiers"] = Json::array();
  for (std::string_view verifier : program.verifiers) json["verifiers"].push_back(std::string(verifier));
  json["opset_versions"] = Json::object();
  for (const auto& [name, version] : program.opset_versions) json["opset_versions"][std::string(name)] = version;
  json["guards"] = Json::array();
  for (std::string_view guard : program.guards_code) json["guards"].push_back(std::string(guard));
  return json;
}

Json file_json(const OpenedFile& file, const std::vector<Finding>& warnings) {
  Json json;
  json["schema"] = "pt2scope/info";
  json["version"] = 1;
  json["file"] = file.path;
  json["container"] = std::string(container_name(file.archive->container()));
  const Program* first = file.programs.empty() ? nullptr : file.programs.front().get();
  json["schema_version"] = first ? Json{first->schema_version.major, first->schema_version.minor} : Json();
  json["torch_version"] = first && !first->torch_version.empty() ? Json(std::string(first->torch_version)) : Json();
  json["programs"] = Json::array();
  for (const auto& program : file.programs) json["programs"].push_back(program_json(*file.archive, *program));
  if (file.programs.empty()) {
    json["tensors"] = Json::array();
    for (const TensorInfo& tensor : file.archive->tensors(""))
      json["tensors"].push_back({{"name", tensor.name}, {"dtype", std::string(dtype_name(tensor.dtype))}, {"shape", tensor.sizes}});
  }
  json["extra_files"] = Json::array();
  for (const std::string& name : file.archive->extra_files()) json["extra_files"].push_back(name);
  json["warnings"] = warnings_json(warnings);
  return json;
}

// ------------------------------------------------------------------ for people

constexpr size_t kListed = 24;  // lines of a list in the text; --json has all

void line(const std::string& text) { std::printf("%s\n", text.c_str()); }

std::string padded(std::string text, size_t width) {
  if (text.size() < width) text.append(width - text.size(), ' ');
  return text;
}

std::string type_text(const Described& d) {
  std::string text = d.dtype;
  if (d.shape) {
    text += " [";
    for (size_t i = 0; i < d.shape->size(); ++i) text += (i ? ", " : "") + (*d.shape)[i].text();
    text += "]";
  }
  if (d.constant && !d.constant->is_none()) text += " = " + constant_text(*d.constant);
  return text.empty() ? "object" : text;
}

std::string container_text(Container container) {
  switch (container) {
    case Container::Pt2Archive: return "PT2 archive";
    case Container::Legacy: return "zip of torch.export.save up to 2.7";
    case Container::AotInductor: return "compiled AOTInductor package: it holds no graph";
    default: return std::string(container_name(container));
  }
}

template <class Specs>
void print_specs(const Program& program, const Specs& specs, const std::vector<std::string>& paths, const char* title) {
  line("  " + std::string(title));
  for (size_t i = 0; i < specs.size(); ++i) {
    if (i == kListed) {
      line("    and " + with_commas(uint64_t(specs.size() - kListed)) + " more");
      return;
    }
    const auto& spec = specs[i];
    std::string text = "    " + padded(display_cut(spec.name, 60), 24) + " " + padded(std::string(kind_name(spec.kind)), 16) + " " +
                       display_cut(type_text(describe(program, spec)), 200);
    if (!spec.target.empty()) text += "  " + display_cut(spec.target, 120);
    if (!paths[i].empty()) text += "  " + display_cut(paths[i], 120);
    line(text);
  }
}

// A sub-graph with those it is in: sub-graphs of sub-graphs may share a name.
std::string graph_path(const Program& program, GraphId id) {
  const Graph& graph = program.graphs[id];
  const bool nested = graph.parent.valid() && graph.parent != program.root();
  return (nested ? graph_path(program, graph.parent) + "/" : std::string()) + std::string(graph.name);
}

void print_program(const Archive& archive, const Program& program) {
  const std::vector<TensorInfo> tensors = archive.tensors(program.name);
  const Counts counts = count(program, tensors);
  line("program " + display(program.name) + (program.dialect.empty() ? "" : " (" + display(program.dialect) + ")"));
  line("  " + counted(counts.nodes, "node") + ": " + counted(counts.placeholders, "placeholder") + ", " + counted(counts.calls, "call") + " of " +
       counted(counts.ops.size(), "operator") + (program.graphs.size() > 1 ? ", " + counted(program.graphs.size() - 1, "sub-graph") : ""));
  line("  " + parameter_text(counts.parameters) + ", " + counted(counts.buffers, "buffer") + ", " + counted(counts.constants, "constant") + ": " +
       bytes_text(counts.weight_bytes));
  std::vector<InputSpec> own;
  std::vector<std::string> paths = shown_input_paths(program), own_paths;
  for (size_t i = 0; i < paths.size(); ++i)
    if (const InputSpec& input = program.signature.inputs[i]; input.kind == InputKind::UserInput || input.kind == InputKind::Token || input.kind == InputKind::CustomObj) {
      own.push_back(input);
      own_paths.push_back(std::move(paths[i]));
    }
  if (!own.empty()) print_specs(program, own, own_paths, "inputs");
  if (!program.signature.outputs.empty()) print_specs(program, program.signature.outputs, shown_output_paths(program), "outputs");
  if (!program.range_constraints.empty()) line("  symbols");
  size_t symbols = 0;
  for (const auto& [symbol, range] : program.range_constraints) {
    if (++symbols > kListed) break;
    auto bound = [is_float = range.is_float](const std::optional<double>& b, const char* unbounded) {
      return b ? bound_json(b, is_float).dump() : std::string(unbounded);
    };
    line("    " + padded(display_cut(symbol, 60), 24) + " from " + bound(range.min, "-∞") + " to " + bound(range.max, "∞"));
  }
  if (program.graphs.size() > 1) line("  sub-graphs");
  for (size_t i = 1; i < program.graphs.size() && i <= kListed; ++i) {
    const Graph& graph = program.graphs[GraphId(i)];
    line("    " + padded(display_cut(graph_path(program, GraphId(i)), 120), 24) + " " + counted(graph.nodes().size(), "node"));
  }
  std::vector<std::pair<std::string, size_t>> ops(counts.ops.begin(), counts.ops.end());
  std::stable_sort(ops.begin(), ops.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
  if (!ops.empty()) line("  operators");
  for (size_t i = 0; i < ops.size() && i < kListed; ++i) line("    " + padded(with_commas(uint64_t(ops[i].second)), 7) + " " + display_cut(ops[i].first, 120));
  if (ops.size() > kListed) line("    and " + with_commas(uint64_t(ops.size() - kListed)) + " more");
}

// What --verify found: how many tensors were read in full, and how many of them are damaged.
struct Verified { size_t tensors = 0, damaged = 0; };

std::string verified_text(const Verified& verified) {
  if (!verified.tensors) return "no tensor to verify";
  if (verified.damaged) return counted(verified.tensors, "tensor") + " read, " + with_commas(uint64_t(verified.damaged)) + " damaged";
  return counted(verified.tensors, "tensor") + " read, checksums right";
}

void print_file(const OpenedFile& file, const std::vector<Finding>& warnings, const std::optional<Verified>& verified) {
  line(display(file.path));
  std::string head = "  " + container_text(file.archive->container());
  if (!file.programs.empty()) {
    const Program& first = *file.programs.front();
    head += ", schema " + std::to_string(first.schema_version.major) + "." + std::to_string(first.schema_version.minor);
    if (!first.torch_version.empty()) head += ", written by PyTorch " + display(first.torch_version);
  }
  line(head);
  for (const auto& program : file.programs) print_program(*file.archive, *program);
  if (file.programs.empty()) {
    const std::vector<TensorInfo> tensors = file.archive->tensors("");
    if (!tensors.empty()) line("  " + counted(tensors.size(), "tensor") + ", " + bytes_text(stored_bytes(tensors)) + "; `pt2scope tensor FILE` lists them");
  }
  const std::vector<std::string> extra = file.archive->extra_files();
  if (!extra.empty()) line("extra files");
  for (size_t i = 0; i < extra.size() && i < kListed; ++i) line("  " + display_cut(extra[i], 200));
  const auto count = size_t(std::count_if(warnings.begin(), warnings.end(), [](const Finding& finding) { return finding.severity != Severity::Note; }));
  if (verified) line(verified_text(*verified));
  if (count) line(counted(count, "warning") + ", on stderr");
}

// Reads every tensor in full: what cannot be read, or has another checksum, is damaged.
std::vector<Finding> damaged_tensors(const OpenedFile& file, Verified& verified) {
  std::vector<Finding> findings;
  std::vector<std::string> models = file.archive->models();
  if (models.empty()) models.emplace_back();
  std::set<std::pair<std::string, std::string>> told;  // tensors share records
  for (const std::string& model : models)
    for (const TensorInfo& info : file.archive->tensors(model)) {
      if (info.record.empty()) continue;
      ++verified.tensors;
      const auto tensor = file.archive->read_tensor(model, info.role, info.name);
      Result<void> right = tensor ? check_mapping(tensor->storage) : Result<void>(tensor.error());
      verified.damaged += !right;
      if (!right && told.emplace(info.record, right.error().message).second)
        findings.push_back({Severity::Warning, "archive.tensor", right.error().message, right.error().where.empty() ? info.record : right.error().where, right.error().advice, {}});
    }
  return findings;
}

int run_info(const std::string& argument, bool json, bool verify) {
  const auto [path, name] = split_program_name(argument);
  LoadOptions options;
  options.only_program = name;
  const auto file = open_file(path, options);
  if (!file) return report(path, file.error());
  std::vector<Finding> warnings = all_findings(**file);
  std::optional<Verified> verified;
  if (verify)
    for (Finding& finding : damaged_tensors(**file, verified.emplace()))
      if (std::none_of(warnings.begin(), warnings.end(), [&](const Finding& known) { return known.message == finding.message && known.where == finding.where; }))
        warnings.push_back(std::move(finding));
  report_warnings(path, warnings);
  if (json) print_json(file_json(**file, warnings));
  else print_file(**file, warnings, verified);
  return kDone;
}

}  // namespace

std::function<int()> declare_info(CLI::App& app) {
  struct Options { std::string file; bool json = false, verify = false; };
  auto options = std::make_shared<Options>();
  app.add_option("FILE", options->file, "A .pt2 file, FILE#NAME for one program of several, or a tensor file")->required();
  app.add_flag("--json", options->json, "Print one JSON object");
  app.add_flag("--verify", options->verify, "Read every tensor in full and check its checksum");
  app.footer("Example: pt2scope info model.pt2");
  return [options] { return run_info(options->file, options->json, options->verify); };
}

}  // namespace pt2::app
