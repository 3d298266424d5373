#include "core/bundle.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <map>
#include <set>

#include "core/archive/containers.h"
#include "core/archive/zip_reader.h"
#include "core/archive/zip_writer.h"
#include "core/base/json_reader.h"
#include "core/base/json_tree.h"
#include "core/base/limits.h"
#include "core/encode/torch_save_writer.h"
#include "core/load.h"
#include "core/tensor/archived_tensors.h"
#include "core/tensor/mapped_storage.h"

namespace pt2 {

namespace {

// PyTorch reads every extra file as text, so what is no text lies among the data.
constexpr std::string_view kSession = "pt2scope/session.json", kView = "pt2scope/view.json", kValues = "data/pt2scope/values.safetensors";

// Where the members of a program lie, by the kind of archive.
struct Places {
  std::string root, extra;
  bool legacy = false;
};

std::optional<Places> places_of(const ZipReader& zip) {
  if (zip.find("version") && zip.find("serialized_exported_program.json")) return Places{"", "extra_files/", true};
  if (const auto root = pt2_root(zip)) return Places{*root, *root + "extra/", false};
  return std::nullopt;
}

// A configuration of weights without those that are left out: {"config": {"fc.weight": {…}, …}}.
std::string config_without(std::string_view text, const std::set<std::string>& left_out) {
  JsonReader reader(text);
  std::string out = "{";
  reader.begin_object();
  for (std::string_view key; reader.next_member(key);) {
    if (out.size() > 1) out += ", ";
    out += json_quoted(key) + ": ";
    if (key != "config") {
      out += reader.skip();
      continue;
    }
    std::string entries;
    reader.begin_object();
    for (std::string_view name; reader.next_member(name);) {
      const std::string own(name);
      const std::string_view entry = reader.skip();
      if (!left_out.count(own)) entries += (entries.empty() ? "" : ", ") + json_quoted(own) + ": " + std::string(entry);
    }
    out += "{" + entries + "}";
  }
  return out + "}";
}

class BundleWriter {
 public:
  BundleWriter(const BundleRequest& request, const ZipReader& zip, const Places& places, const Archive& archive, FileWriter& file)
      : request_(request), zip_(zip), places_(places), archive_(archive), file_(file), out_(file) {}

  Result<BundleReport> write() {
    if (auto chosen = choose(); !chosen) return chosen.error();
    // Of equal names the last counts, as for every reader.
    for (const ZipMember& member : zip_.members())
      if (zip_.find(member.name) == &member)
        if (auto done = copy(member); !done) return done.error();
    for (const auto& [name, text] : {std::pair{kSession, &request_.session}, {kView, &request_.view}})
      if (!text->empty())
        if (auto done = add(places_.extra + std::string(name), std::as_bytes(std::span(*text))); !done) return done.error();
    if (request_.values)
      if (auto done = add_values(); !done) return done.error();
    if (auto done = out_.finish(); !done) return done.error();
    report_.bytes = file_.position();
    return std::move(report_);
  }

 private:
  // Which weights stay, and which records nobody needs any more.
  Result<void> choose() {
    std::set<std::string> asked(request_.names.begin(), request_.names.end());
    std::set<std::string> kept_records;
    for (const std::string& model : archive_.models())
      for (const TensorInfo& tensor : archive_.tensors(model)) {
        if (tensor.role != TensorRole::Weight) continue;
        const bool keep = request_.weights == BundleRequest::Weights::All || (request_.weights == BundleRequest::Weights::Named && request_.names.end() != std::find(request_.names.begin(), request_.names.end(), tensor.name));
        asked.erase(tensor.name);
        if (keep) ++report_.kept, kept_records.insert(tensor.record), kept_[model].push_back(tensor.name);
        else left_out_.insert(tensor.name), report_.left_out.push_back(tensor.name), dropped_.insert(tensor.record);
      }
    if (request_.weights == BundleRequest::Weights::Named && !asked.empty())
      return Error{ErrorKind::Failed, "there is no weight \"" + *asked.begin() + "\"", "", "`pt2scope tensor FILE` lists the weights."};
    for (const std::string& record : kept_records) dropped_.erase(record);
    return {};
  }

  Result<void> copy(const ZipMember& member) {
    if (member.name.starts_with(places_.extra + "pt2scope/") || member.name == places_.root + std::string(kValues)) return {};  // of a bundle before
    const std::string name = member.name.substr(std::min(places_.root.size(), member.name.size()));
    if (!left_out_.empty()) {
      if (dropped_.count(name)) return {};
      if (const auto model = pickled_weights(name)) return add_pickle(member.name, *model);
      if (name.starts_with("data/weights/") && name.ends_with("_config.json")) return add_config(member);
    }
    const auto bytes = zip_.storage(member);
    if (!bytes) return bytes.error();
    if (auto whole = check_mapping(*bytes); !whole) return whole;
    return add(member.name, {bytes->data(), bytes->size_bytes()});
  }

  // A weight that is left out is a recorded value of its placeholder as well.
  Result<void> add_values() {
    std::set<std::string> names;
    if (!left_out_.empty()) {
      const auto opened = open_file(request_.source);
      if (!opened) return opened.error();
      for (const auto& program : (*opened)->programs)
        for (const InputSpec& spec : program->signature.inputs)
          if (spec.node && left_out_.count(std::string(spec.target))) names.insert(std::string(program->root_graph().node(spec.node).name));
    }
    TensorFile kept{{}, request_.values->metadata};
    for (const auto& [key, tensor] : request_.values->tensors)
      if (!names.count(key.starts_with("final/") ? key.substr(6) : key)) kept.tensors.emplace_back(key, tensor);
    const std::string temporary = request_.out + ".values.safetensors";
    const std::unique_ptr<const std::string, void (*)(const std::string*)> remove(&temporary, [](const std::string* path) { std::remove(path->c_str()); });
    if (auto done = write_tensor_file(temporary, kept); !done) return done;
    const auto source = open_byte_source(temporary);
    if (!source) return source.error();
    const auto bytes = (*source)->storage(0, (*source)->size());
    if (!bytes) return bytes.error();
    return add(places_.root + std::string(kValues), {bytes->data(), bytes->size_bytes()});
  }

  // The program whose weights this member holds as one pickled dict.
  std::optional<std::string> pickled_weights(const std::string& name) const {
    if (places_.legacy) return name == "serialized_state_dict.pt" || name == "serialized_state_dict.json" ? std::optional<std::string>("model") : std::nullopt;
    for (const std::string& model : archive_.models())
      if (name == "data/weights/" + model + ".pt") return model;
    return std::nullopt;
  }
  Result<void> add_pickle(const std::string& name, const std::string& model) {
    TorchSaveWriter writer;
    writer.begin_dict();
    for (const std::string& weight : kept_[model]) {
      const auto tensor = archive_.read_tensor(model, TensorRole::Weight, weight);
      if (!tensor) return tensor.error();
      writer.value(std::string_view(weight)).value(*tensor);
    }
    writer.end_dict();
    const auto bytes = writer.bytes();
    if (!bytes) return bytes.error();
    return add(name, std::as_bytes(std::span(*bytes)));
  }
  Result<void> add_config(const ZipMember& member) {
    const auto text = zip_.read(member, limits::kOtherJsonBytes, "other_json");
    if (!text) return text.error();
    try {
      const std::string config = config_without(*text, left_out_);
      return add(member.name, std::as_bytes(std::span(config)));
    } catch (const JsonError& error) {
      return Error{ErrorKind::Failed, error.message, member.name, "Bundle it with all its weights."};
    }
  }
  Result<void> add(const std::string& name, std::span<const std::byte> bytes) {
    auto done = out_.begin(name);
    if (done) done = out_.write(bytes);
    if (done) done = out_.end();
    return done;
  }

  const BundleRequest& request_;
  const ZipReader& zip_;
  const Places& places_;
  const Archive& archive_;
  FileWriter& file_;
  ZipWriter out_;
  BundleReport report_;
  std::set<std::string> left_out_, dropped_;                  // names; records
  std::map<std::string, std::vector<std::string>> kept_;      // by program
};

Result<TensorFile> read_values(const ZipReader& zip, const ZipMember& member) {
  auto bytes = zip.source(member, limits::kModelJsonBytes, "model_json");
  if (!bytes) return bytes.error();
  const auto archive = open_archive(*bytes, std::string(kValues));
  if (!archive) return archive.error();
  return archived_tensors(**archive);
}

}  // namespace

Result<void> check_bundle_name(const std::string& path) {
  if (path.ends_with(".pt2")) return {};
  return Error{ErrorKind::Failed, "a bundle is a .pt2 file", "", "Use a name that ends in .pt2."};
}

Result<BundleReport> write_bundle(const BundleRequest& request) {
  if (auto named = check_bundle_name(request.out); !named) return named.error();
  std::error_code error;
  if (std::filesystem::equivalent(request.source, request.out, error)) return Error{ErrorKind::Failed, "a bundle cannot replace the file it is made of", "", "Give it another name."};
  const auto source = open_byte_source(request.source);
  if (!source) return source.error();
  const auto zip = ZipReader::open(*source);
  if (!zip) return zip.error();
  const auto places = places_of(*zip);
  if (!places) return Error{ErrorKind::Failed, "holds no exported program", "", "Only what torch.export.save wrote can be bundled."};
  const auto archive = open_archive(request.source);
  if (!archive) return archive.error();
  auto file = FileWriter::create(request.out);
  if (!file) return file.error();
  auto report = BundleWriter(request, *zip, *places, **archive, *file).write();
  if (!report) return report.error();
  if (auto done = file->commit(); !done) return done.error();
  return report;
}

Result<BundleContent> read_bundle(const std::string& path) {
  BundleContent content;
  auto source = open_byte_source(path);
  if (!source || !ZipReader::looks_like_zip(**source)) return content;
  const auto zip = ZipReader::open(*source);
  const auto places = zip ? places_of(*zip) : std::nullopt;
  if (!places) return content;
  for (const auto& [name, text] : {std::pair{places->extra + std::string(kSession), &content.session}, {places->extra + std::string(kView), &content.view}})
    if (const ZipMember* member = zip->find(name)) {
      auto read = zip->read(*member, limits::kOtherJsonBytes, "other_json");
      if (!read) return read.error();
      *text = std::move(*read);
    }
  const ZipMember* values = zip->find(places->root + std::string(kValues));
  if (!values) return content;
  if (auto tensors = read_values(*zip, *values)) content.values = std::move(*tensors);
  else content.problem = tensors.error().message;
  return content;
}

}  // namespace pt2
