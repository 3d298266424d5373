#include "interp/input_set.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "core/base/json_tree.h"
#include "interp/solve_symbols.h"

namespace pt2::interp {

namespace {

namespace fs = std::filesystem;

constexpr size_t kMostBytes = size_t(16) << 20, kMostNamed = 5;
constexpr int64_t kVersion = 1;

fs::path folder_of(const std::string& path) {
  std::error_code error;
  return fs::absolute(path, error).parent_path();
}

// A path beside or below the folder from there, any other as it is in full; what is no file stays.
std::string seen_from(const fs::path& folder, const std::string& text) {
  std::error_code error;
  const auto given = text.empty() ? std::nullopt : given_file(text);
  if (!given) return text;
  const fs::path full = fs::absolute(given->path, error).lexically_normal(), near = full.lexically_relative(folder.lexically_normal());
  const bool below = !near.empty() && *near.begin() != "..";
  return (below ? near : full).string() + (given->key.empty() ? "" : "#" + given->key);
}

// A relative path that leads to a file from the folder, in full; what is none stays.
std::string found_from(const fs::path& folder, const std::string& text) {
  if (text.empty() || fs::path(text).is_absolute()) return text;
  const std::string full = (folder / text).lexically_normal().string();
  return given_file(full) ? full : text;
}

class SetReader {
 public:
  SetReader(const Program& program, fs::path folder) : program_(program), folder_(std::move(folder)) {}

  Result<InputSet> read(std::string_view text) {
    JsonReader reader(text);
    JsonTree tree;
    const JsonCursor root = tree.read(reader);
    reader.expect_end();
    const auto kind = root.is_object() ? root.find("pt2scope") : std::nullopt;
    if (!kind || !kind->is_string() || kind->as_string() != "inputs") return Error{ErrorKind::Failed, "it is no set of inputs", "", "Save one in the Inputs dialog; a file of tensors ends in .safetensors, .npz, .npy or .pt."};
    if (root.at("version").as_int() > kVersion) return Error{ErrorKind::Failed, "it is of a later version of pt2scope", "", ""};
    take(root);
    if (unknown_.empty()) return std::move(set_);
    const std::string names = unknown_text();
    if (fitting_ == 0) return Error{ErrorKind::Failed, "none of its names is of this program: " + names, "", takes_text(program_)};
    set_.warnings.push_back("not of this program, left out: " + names);
    return std::move(set_);
  }

 private:
  void take(const JsonCursor& root) {
    InputRequest& request = set_.request;
    if (const auto inputs = root.find("inputs"))
      for (const JsonCursor value : inputs->members()) {
        const std::string name(value.key());
        if (known(find_input(program_, name) != nullptr, "input", name)) request.texts.emplace_back(name, found_from(folder_, std::string(value.as_string())));
      }
    const auto sizes = input_symbols(program_);
    if (const auto symbols = root.find("symbols"))
      for (const JsonCursor value : symbols->members())
        if (const std::string name(value.key()); known(sizes.contains(name), "symbol", name)) request.symbols[name] = value.as_int();
    if (const auto file = root.find("file")) request.tensors_path = found_from(folder_, std::string(file->as_string()));
    if (const auto seed = root.find("seed")) request.seed = static_cast<uint64_t>(seed->as_int());
    if (const auto samples = root.find("samples")) request.use_sample_inputs = samples->as_bool();
    if (const auto cast = root.find("cast")) request.cast = cast->as_bool();
    if (const auto ignore = root.find("ignore_ranges")) request.ignore_ranges = ignore->as_bool();
    if (const auto reference = root.find("reference")) set_.reference = found_from(folder_, std::string(reference->as_string()));
  }

  bool known(bool is, const char* kind, const std::string& name) {
    fitting_ += is;
    if (!is) unknown_.push_back(std::string(kind) + " \"" + name + '"');
    return is;
  }
  std::string unknown_text() const {
    std::string text;
    for (size_t i = 0; i < std::min(unknown_.size(), kMostNamed); ++i) text += (i ? ", " : "") + unknown_[i];
    return text + (unknown_.size() > kMostNamed ? ", …" : "");
  }

  const Program& program_;
  const fs::path folder_;
  InputSet set_;
  size_t fitting_ = 0;
  std::vector<std::string> unknown_;
};

Error unreadable(std::string message, std::string advice = {}) { return {ErrorKind::CannotOpen, std::move(message), {}, std::move(advice)}; }

}  // namespace

bool is_input_set(std::string_view path) { return path.ends_with(".json"); }

std::string input_set_text(const InputSet& set, const std::string& path) {
  const InputRequest& request = set.request;
  const fs::path folder = folder_of(path);
  std::string text = "{\n  \"pt2scope\": \"inputs\",\n  \"version\": " + std::to_string(kVersion);
  const auto field = [&](const char* key, const std::string& value) { text += ",\n  " + json_quoted(key) + ": " + value; };
  const auto object = [](const auto& entries, const auto& value) {
    std::string all;
    for (const auto& entry : entries) all += (all.empty() ? "\n    " : ",\n    ") + json_quoted(entry.first) + ": " + value(entry.second);
    return all.empty() ? std::string("{}") : "{" + all + "\n  }";
  };
  field("inputs", object(request.texts, [&](const std::string& given) { return json_quoted(seen_from(folder, given)); }));
  if (!request.tensors_path.empty()) field("file", json_quoted(seen_from(folder, request.tensors_path)));
  field("samples", request.use_sample_inputs ? "true" : "false");
  field("seed", std::to_string(static_cast<int64_t>(request.seed.value_or(0))));
  field("symbols", object(request.symbols, [](int64_t size) { return std::to_string(size); }));
  field("cast", request.cast ? "true" : "false");
  field("ignore_ranges", request.ignore_ranges ? "true" : "false");
  if (!set.reference.empty()) field("reference", json_quoted(seen_from(folder, set.reference)));
  return text + "\n}\n";
}

Result<InputSet> read_input_set(const std::string& path, const Program& program) {
  std::error_code error;
  if (!fs::is_regular_file(path, error)) return unreadable(fs::exists(path, error) ? "it is no file" : "there is no such file");
  if (fs::file_size(path, error) > kMostBytes) return unreadable("it is too large for a set of inputs");
  std::ifstream in(path, std::ios::binary);
  if (!in) return unreadable(std::string("cannot be read: ") + std::strerror(errno));
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  try {
    return SetReader(program, folder_of(path)).read(text);
  } catch (const JsonError& problem) {
    return Error{ErrorKind::Failed, (problem.path.empty() ? "" : problem.path + ": ") + problem.message, {}, "It is damaged, or no set of inputs."};
  }
}

Result<std::vector<std::string>> add_inputs(const std::string& path, const Program& program, InputRequest& request) {
  if (!is_input_set(path)) {
    auto tensors = read_tensor_file(path);
    if (!tensors) return tensors.error();
    request.tensors = std::make_shared<const TensorFile>(std::move(*tensors));
    return std::vector<std::string>();
  }
  auto read = read_input_set(path, program);
  if (!read) return read.error();
  InputRequest& set = read->request;
  request.texts.insert(request.texts.begin(), set.texts.begin(), set.texts.end());  // the last one counts
  request.symbols.insert(set.symbols.begin(), set.symbols.end());
  if (request.tensors_path.empty()) request.tensors_path = set.tensors_path;
  if (!request.seed) request.seed = set.seed;
  request.use_sample_inputs = request.use_sample_inputs && set.use_sample_inputs;
  request.cast = request.cast || set.cast;
  request.ignore_ranges = request.ignore_ranges || set.ignore_ranges;
  return std::move(read->warnings);
}

}  // namespace pt2::interp
