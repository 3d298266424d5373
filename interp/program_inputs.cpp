#include "interp/program_inputs.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>

#include "core/base/text.h"
#include "core/sample_inputs.h"
#include "core/tensor/view.h"
#include "interp/allocation.h"
#include "interp/check_guards.h"
#include "interp/check.h"
#include "interp/compare_values.h"
#include "interp/fill_input.h"
#include "interp/input_recipe.h"
#include "interp/op_table.h"
#include "interp/solve_symbols.h"
#include "interp/tensor_map.h"
#include "interp/written_inputs.h"

namespace pt2::interp {

namespace {

Error wrong(std::string where, std::string message, std::string advice = {}) {
  return {ErrorKind::Failed, std::move(message), std::move(where), std::move(advice)};
}

std::optional<RuntimeValue> sample_value(const PickleValue& leaf, const Program& program, const Archive& archive) {
  if (const auto* tensor = std::get_if<PickleTensor>(&leaf.value)) {
    auto read = archive.read_tensor(program.name, TensorRole::SampleInput, tensor->name);
    if (!read) return std::nullopt;
    return RuntimeValue(std::move(*read));
  }
  if (const auto* b = std::get_if<bool>(&leaf.value)) return RuntimeValue(*b);
  if (const auto* i = std::get_if<int64_t>(&leaf.value)) return RuntimeValue(*i);
  if (const auto* d = std::get_if<double>(&leaf.value)) return RuntimeValue(*d);
  if (const auto* c = std::get_if<std::complex<double>>(&leaf.value)) return RuntimeValue(*c);
  if (const auto* s = std::get_if<std::string>(&leaf.value)) return RuntimeValue(*s);
  if (std::holds_alternative<PickleNone>(leaf.value)) return RuntimeValue();
  return std::nullopt;
}

bool goes_by(const Program& program, const InputSpec& spec, std::string_view name) {
  const Node& node = program.root_graph().node(spec.node);
  return name == node.name || name == node.stored_name || name == spec.name;
}

constexpr std::string_view kOtherDtype = "expected dtype ";

// What read_tensor_file calls the one tensor of a file that has no names.
constexpr std::string_view kUnnamed = "tensor";

class Builder {
 public:
  Builder(const Program& program, const Archive& archive, const InputRequest& request) : program_(program), archive_(archive), request_(request) {}

  Result<ProgramInputs> build();

 private:
  const Node& node_of(const InputSpec& spec) const { return program_.root_graph().node(spec.node); }
  ProgramInput from_file(const InputSpec& spec) const;
  // What the user or the file's samples give for it; nothing: to be filled.
  Result<std::optional<ProgramInput>> given(const InputSpec& spec, size_t user_index) const;
  bool names(const InputSpec& spec, std::string_view name) const { return goes_by(program_, spec, name); }
  const std::string* text_for(const InputSpec& spec) const;
  // How a text fills a tensor.
  std::optional<InputRecipe> recipe(const InputSpec& spec) const;
  bool sample_asked(const InputSpec& spec) const;
  Result<std::optional<ProgramInput>> sample(const InputSpec& spec, size_t user_index) const;
  Result<RuntimeValue> fitted(const InputSpec& spec, RuntimeValue value) const;
  Result<void> check_names() const;
  Result<void> check_keys(const TensorFile& file, ProgramInputs& result) const;
  Result<void> name_tensor(TensorFile& file) const;
  void read_sample();
  Result<void> hold_guards(ProgramInputs& result) const;
  void own_written(ProgramInputs& result) const;

  const Program& program_;
  const Archive& archive_;
  const InputRequest& request_;
  std::vector<TensorFile> files_;
  PickleValue sample_;
  std::vector<const PickleValue*> leaves_;
};

ProgramInput Builder::from_file(const InputSpec& spec) const {
  ProgramInput input;
  input.source = InputSource::File;
  const bool constant = spec.kind == InputKind::TensorConstant || (spec.kind == InputKind::Buffer && spec.persistent && !*spec.persistent);
  const TensorRole roles[] = {constant ? TensorRole::Constant : TensorRole::Weight, constant ? TensorRole::Weight : TensorRole::Constant};
  std::string problem;
  for (const TensorRole role : roles) {
    auto read = archive_.read_tensor(program_.name, role, spec.target);
    if (read) {
      input.value = std::move(*read);
      return input;
    }
    if (problem.empty()) problem = (read.error().where.empty() ? "" : read.error().where + ": ") + read.error().message;
  }
  input.source = InputSource::Missing;
  input.problem = "\"" + std::string(spec.target) + "\" has no values: " + problem;
  return input;
}

// The value with the declared dtype, shape and strides; an error where it does not fit.
Result<RuntimeValue> Builder::fitted(const InputSpec& spec, RuntimeValue value) const {
  const TensorMeta* meta = tensor_meta(node_of(spec).val);
  const std::string where = "input \"" + std::string(spec.name) + "\"";
  if (!meta) {
    if (const auto* tensor = value.as<Tensor>(); tensor && tensor->numel() == 1) return number_like(node_of(spec).val, spec.constant ? &*spec.constant : nullptr, *tensor);
    return value;
  }
  const auto* tensor = value.as<Tensor>();
  if (!tensor) return wrong(where, "expected a tensor " + declared_text(spec, program_) + ", found " + kind_text(value));
  Tensor fit = *tensor;
  if (is_complex(meta->dtype) && !is_complex(fit.dtype) && fit.dim() == static_cast<int64_t>(meta->sizes.size()) + 1 && fit.sizes.back() == 2) {
    auto pairs = contiguous(fit);
    if (!pairs) return pairs.error();
    fit = as_complex(*pairs);
  }
  if (fit.dtype != meta->dtype && request_.cast) fit = to_dtype(fit, meta->dtype);
  if (fit.dtype != meta->dtype)
    return wrong(where, std::string(kOtherDtype) + std::string(dtype_name(meta->dtype)) + ", found " + std::string(dtype_name(fit.dtype)),
                 "Convert it, or choose another tensor.");
  if (fit.sizes.size() != meta->sizes.size())
    return wrong(where, "expected shape " + declared_text(spec, program_) + ", found " + shape_text(fit.sizes));
  for (size_t d = 0; d < fit.sizes.size(); ++d)
    if (!meta->sizes[d].is_symbolic() && meta->sizes[d].value != fit.sizes[d] && !request_.ignore_ranges)
      return wrong(where, "dimension " + std::to_string(d) + " is " + std::to_string(fit.sizes[d]) + ", the program takes " +
                              std::to_string(meta->sizes[d].value) + " there (" + declared_text(spec, program_) + ")");
  return RuntimeValue(with_declared_strides(std::move(fit), *meta));
}

// The last one counts.
const std::string* Builder::text_for(const InputSpec& spec) const {
  for (auto it = request_.texts.rbegin(); it != request_.texts.rend(); ++it)
    if (names(spec, it->first)) return &it->second;
  return nullptr;
}

std::optional<InputRecipe> Builder::recipe(const InputSpec& spec) const {
  const TensorMeta* meta = tensor_meta(node_of(spec).val);
  const std::string* text = meta && !spec.constant ? text_for(spec) : nullptr;
  return text ? parse_recipe(meta->dtype, *text) : std::nullopt;
}

// A string may be that word itself.
bool Builder::sample_asked(const InputSpec& spec) const {
  const ValueMeta& declared = node_of(spec).val;
  const std::string* text = !spec.constant && (tensor_meta(declared) || sym_meta(declared)) ? text_for(spec) : nullptr;
  return text && *text == kSampleText;
}

Result<std::optional<ProgramInput>> Builder::sample(const InputSpec& spec, size_t user_index) const {
  const bool asked = sample_asked(spec);
  const std::string where = "input \"" + std::string(spec.name) + "\"";
  auto value = user_index < leaves_.size() && (asked || request_.use_sample_inputs) ? sample_value(*leaves_[user_index], program_, archive_) : std::nullopt;
  if (!value && asked) return wrong(where, "the file has no sample for it");
  if (!value) return std::optional<ProgramInput>();
  auto fit = fitted(spec, std::move(*value));
  if (fit) return std::optional(ProgramInput{std::move(*fit), InputSource::Sample, {}});
  if (asked) return fit.error();
  return std::optional<ProgramInput>();
}

Result<std::optional<ProgramInput>> Builder::given(const InputSpec& spec, size_t user_index) const {
  auto with = [&](RuntimeValue value, InputSource source) -> Result<std::optional<ProgramInput>> {
    auto fit = fitted(spec, std::move(value));
    if (!fit) return fit.error();
    return std::optional(ProgramInput{std::move(*fit), source, {}});
  };
  for (const auto& [name, value] : request_.values)
    if (names(spec, name)) return with(value, InputSource::Given);
  if (recipe(spec)) return std::optional<ProgramInput>();
  if (sample_asked(spec)) return sample(spec, user_index);
  if (const std::string* text = text_for(spec)) {
    auto value = read_given_input(program_, spec, *text);
    if (!value) return value.error();
    return with(std::move(*value), InputSource::Given);
  }
  for (const TensorFile& file : files_)
    for (const auto& [name, tensor] : file.tensors)
      if (names(spec, name)) return with(RuntimeValue(tensor), InputSource::Given);
  if (spec.kind != InputKind::UserInput || spec.constant) return std::optional<ProgramInput>();
  return sample(spec, user_index);
}

// Names of --input that no placeholder has.
Result<void> Builder::check_names() const {
  for (const auto& [name, text] : request_.texts)
    if (!find_input(program_, name)) return wrong("input \"" + name + "\"", "the program has no input of this name", takes_text(program_));
  return {};
}

// The one tensor of a .npy file, or of torch.save(tensor), has no name: it is for the only input there is.
Result<void> Builder::name_tensor(TensorFile& file) const {
  if (file.tensors.size() != 1 || file.tensors[0].first != kUnnamed || find_input(program_, kUnnamed)) return {};
  std::vector<std::string_view> inputs;
  for (const InputSpec& spec : program_.signature.inputs)
    if (spec.node.valid() && spec.kind == InputKind::UserInput && !spec.constant) inputs.push_back(node_of(spec).name);
  if (inputs.empty()) return {};
  if (inputs.size() > 1)
    return wrong("inputs", "the file is one tensor without a name, and the program takes " + std::to_string(inputs.size()) + " inputs",
                 takes_text(program_) + " Say which one it is: --input " + std::string(inputs[0]) + "=FILE.");
  file.tensors[0].first = inputs[0];
  return {};
}

// A file of inputs of which one is misspelt would be left out, and its sample taken: that has to be said.
Result<void> Builder::check_keys(const TensorFile& file, ProgramInputs& result) const {
  constexpr size_t kNamed = 5;
  std::string unknown;
  size_t count = 0;
  for (const auto& [name, tensor] : file.tensors)
    if (!find_input(program_, name) && ++count <= kNamed) unknown += (unknown.empty() ? "\"" : ", \"") + name + '"';
  if (count == 0) return {};
  if (count > kNamed) unknown += " …";
  if (count == file.tensors.size()) return wrong("inputs", "the file has no value for any input of the program, but for " + unknown, takes_text(program_));
  result.warnings.push_back("the file of inputs has values for what is no input of the program: " + unknown);
  return {};
}

void Builder::read_sample() {
  const bool asked = std::any_of(request_.texts.begin(), request_.texts.end(), [](const auto& text) { return text.second == kSampleText; });
  if (!request_.use_sample_inputs && !asked) return;
  auto sample = archive_.sample_inputs(program_.name);
  if (!sample) return;  // info says what is wrong with them
  sample_ = std::move(*sample);
  if (std::holds_alternative<PickleNone>(sample_.value)) return;
  leaves_ = sample_leaves(sample_, program_).values;
}

// A program that writes to its inputs must not change what others see of the file: parameters, buffers, constants and samples that share
// the file's memory are copied where anything in the program writes. Aliases stay aliases.
void Builder::own_written(ProgramInputs& result) const {
  const WrittenInputs written = written_inputs(program_);
  std::map<const void*, Storage> copies;
  const auto make_copy = [&](const RuntimeValue& value) {
    const auto* tensor = value.as<Tensor>();
    if (!tensor || copies.contains(tensor->storage.identity())) return;
    Storage copy = allocate(tensor->storage.size_bytes());
    std::memcpy(copy.data(), tensor->storage.data(), tensor->storage.size_bytes());
    copies.emplace(tensor->storage.identity(), std::move(copy));
  };
  for (size_t i : written.inputs) make_copy(result.inputs[i].value);
  for (const std::string& name : written.attributes)
    if (auto it = result.attributes.find(name); it != result.attributes.end()) make_copy(it->second);
  const auto take_copy = [&](RuntimeValue& value) {
    if (auto* tensor = value.as<Tensor>())
      if (auto it = copies.find(tensor->storage.identity()); it != copies.end()) tensor->storage = it->second;
  };
  for (ProgramInput& input : result.inputs) take_copy(input.value);
  for (auto& [name, value] : result.attributes) take_copy(value);
}

// What PyTorch's module asserts before it runs.
Result<void> Builder::hold_guards(ProgramInputs& result) const {
  GuardFindings guards = check_guards(program_, result.inputs);
  for (const std::string& guard : guards.unchecked) result.warnings.push_back("the guard is not checked: " + guard);
  if (guards.failed.empty()) return {};
  if (!request_.ignore_ranges) return wrong("inputs", guards.failed[0], "Give inputs of the sizes and values the program was exported for.");
  result.warnings.insert(result.warnings.end(), guards.failed.begin(), guards.failed.end());
  return {};
}

Result<ProgramInputs> Builder::build() {
  if (auto named = check_names(); !named) return named.error();
  if (request_.tensors) files_.push_back(*request_.tensors);
  if (!request_.tensors_path.empty()) {
    auto file = read_tensor_file(request_.tensors_path);
    if (!file) return file.error();
    files_.push_back(std::move(*file));
  }
  read_sample();
  ProgramInputs result;
  for (TensorFile& file : files_) {
    if (auto named = name_tensor(file); !named) return named.error();
    if (auto known = check_keys(file, result); !known) return known.error();
  }
  const Graph& graph = program_.root_graph();
  result.inputs.resize(graph.placeholder_count());
  std::vector<const InputSpec*> to_fill;
  size_t user_index = 0;
  SymbolSolver solver(program_);
  for (const InputSpec& spec : program_.signature.inputs) {
    const size_t user = spec.kind == InputKind::UserInput ? user_index++ : 0;
    if (!spec.node.valid() || spec.node.index >= result.inputs.size()) continue;
    ProgramInput& input = result.inputs[spec.node.index];
    auto value = given(spec, user);
    if (!value) return value.error();
    if (*value) {
      input = std::move(**value);
    } else if (recipe(spec)) {
      to_fill.push_back(&spec);
      continue;
    } else if (spec.constant) input = {constant_value(*spec.constant), InputSource::Constant, {}};
    else if (spec.kind == InputKind::CustomObj) input = {RuntimeValue::Value(OpaqueValue{"the object " + std::string(spec.target)}), InputSource::File, {}};
    else if (spec.kind == InputKind::Token) input = {zeros(Shape{0}, DType::Float32), InputSource::Constant, {}};
    else if (spec.kind != InputKind::UserInput) input = from_file(spec);
    else {
      to_fill.push_back(&spec);
      continue;
    }
    if (spec.kind == InputKind::UserInput && !spec.constant)
      if (auto bound = solver.bind(spec, input.value); !bound) return bound.error();
  }
  for (const auto& [symbol, size] : request_.symbols)
    if (auto bound = solver.set(symbol, size); !bound) {
      Error error = bound.error();
      const bool sampled = std::any_of(result.inputs.begin(), result.inputs.end(), [](const ProgramInput& input) { return input.source == InputSource::Sample; });
      if (sampled && error.advice == kLeaveOneOut) error.advice = "Leave out one of them, or fill the inputs rather than take the file's samples.";
      return error;
    }
  if (auto solved = solver.finish(request_.ignore_ranges); !solved) return solved.error();
  result.symbols = solver.symbols();
  result.warnings = solver.warnings();

  for (const Graph& any : program_.graphs)
    for (const Node& node : any.nodes())
      if (node.kind == NodeKind::GetAttr && !node.subgraph.valid())
        for (const TensorRole role : {TensorRole::Constant, TensorRole::Weight})
          if (auto read = archive_.read_tensor(program_.name, role, node.target)) result.attributes.emplace(node.target, std::move(*read));

  Generator generator(request_.seed.value_or(0));
  for (const InputSpec* spec : to_fill) {
    ProgramInput& input = result.inputs[spec->node.index];
    input.source = InputSource::Filled;
    try {
      const auto chosen = recipe(*spec);
      input.value = chosen ? fill_by_recipe(program_, *spec, solver, *chosen, generator) : fill_input(program_, *spec, solver, generator);
    } catch (const std::exception& error) {
      input.source = InputSource::Missing;
      input.problem = "it cannot be filled: " + std::string(error.what());
    }
  }
  if (auto held = hold_guards(result); !held) return held.error();
  try {
    own_written(result);
  } catch (const KernelError& error) {
    return Error{error.kind(), error.message(), "inputs", "Raise the memory limit."};
  }
  return result;
}

// Which tensors of the file can be named.
std::string keys_text(const std::string& path, const TensorFile& file) {
  constexpr size_t kNamed = 5;
  if (file.tensors.empty()) return {};
  std::string text = "Write " + path.substr(path.rfind('/') + 1) + "#KEY; it has ";
  for (size_t i = 0; i < std::min(file.tensors.size(), kNamed); ++i) text += (i ? ", " : "") + file.tensors[i].first;
  return text + (file.tensors.size() > kNamed ? ", …" : "");
}

}  // namespace

const InputSpec* find_input(const Program& program, std::string_view name) {
  for (const InputSpec& spec : program.signature.inputs)
    if (spec.node.valid() && goes_by(program, spec, name)) return &spec;
  return nullptr;
}

std::string takes_text(const Program& program) {
  std::string all;
  for (const InputSpec& spec : program.signature.inputs)
    if (spec.node.valid() && spec.kind == InputKind::UserInput) all += (all.empty() ? "" : ", ") + std::string(program.root_graph().node(spec.node).name);
  return "It takes " + (all.empty() ? "no inputs" : all) + ".";
}

std::optional<GivenFile> given_file(const std::string& text) {
  std::error_code ignored;
  if (std::filesystem::exists(text, ignored)) return GivenFile{text, {}};
  const size_t sharp = text.rfind('#');
  if (sharp == text.npos || sharp == 0 || sharp + 1 == text.size() || !std::filesystem::exists(text.substr(0, sharp), ignored)) return std::nullopt;
  return GivenFile{text.substr(0, sharp), text.substr(sharp + 1)};
}

Result<RuntimeValue> read_given_input(const Program& program, const InputSpec& spec, const std::string& text) {
  const ValueMeta& declared = program.root_graph().node(spec.node).val;
  if (auto number = parse_number_input(declared, spec.constant ? &*spec.constant : nullptr, text)) return *number;
  const std::string where = "input \"" + std::string(spec.name) + "\"";
  const auto given = given_file(text);
  if (!given)
    return wrong(where, "\"" + text + "\" is neither a value for " + declared_text(spec, program) + " nor a file",
                 tensor_meta(declared) ? "A tensor takes a number to fill it with, or a .npy, .npz, .safetensors or .pt file." : "");
  auto file = read_tensor_file(given->path);
  if (!file) return wrong(where, given->path + " cannot be read as a tensor file: " + file.error().message);
  const std::string_view key = given->key.empty() ? std::string_view(spec.name) : std::string_view(given->key);
  if (const Tensor* tensor = file->find(key)) return RuntimeValue(*tensor);
  if (file->tensors.size() == 1 && given->key.empty()) return RuntimeValue(file->tensors[0].second);
  return wrong(where, given->path + " holds " + std::to_string(file->tensors.size()) + (file->tensors.size() == 1 ? " tensor" : " tensors") + (given->key.empty() ? " and none of that name" : " and no \"" + given->key + "\""),
               keys_text(given->path, *file));
}

bool ignoring_ranges_helps(const Error& error) {
  return error.kind == ErrorKind::Failed && (error.where == "inputs" || error.message.starts_with("dimension "));
}

bool casting_helps(const Error& error) { return error.kind == ErrorKind::Failed && error.message.starts_with(kOtherDtype); }

Result<ProgramInputs> make_program_inputs(const Program& program, const Archive& archive, const InputRequest& request) {
  return Builder(program, archive, request).build();
}

std::string declared_text(const InputSpec& spec, const Program& program) {
  if (spec.constant) return "a constant";
  const ValueMeta& val = program.root_graph().node(spec.node).val;
  if (const TensorMeta* meta = tensor_meta(val)) {
    std::string text = std::string(dtype_short_name(meta->dtype)) + "[";
    for (size_t d = 0; d < meta->sizes.size(); ++d) text += (d ? ", " : "") + meta->sizes[d].text();
    return text + "]";
  }
  if (const SymMeta* meta = sym_meta(val)) return meta->kind == SymKind::Int ? "int" : meta->kind == SymKind::Float ? "float" : "bool";
  if (std::holds_alternative<std::shared_ptr<const CustomObjMeta>>(val)) return "an object";
  return "a value";
}

}  // namespace pt2::interp
