// Containers are told apart by content, never by the file's name.
#include <algorithm>
#include <new>
#include <optional>

#include "core/archive/containers.h"
#include "core/archive/npy_header.h"

namespace pt2 {

std::string_view container_name(Container container) {
  switch (container) {
    case Container::Pt2Archive: return "pt2_archive";
    case Container::Legacy: return "legacy";
    case Container::AotInductor: return "aot_inductor";
    case Container::TorchScript: return "torchscript";
    case Container::TorchSave: return "torch_save";
    case Container::Safetensors: return "safetensors";
    case Container::Npz: return "npz";
    case Container::Npy: return "npy";
    case Container::OtherZip: return "zip";
  }
  return "zip";
}

std::optional<std::string> pt2_root(const ZipReader& zip) {
  constexpr std::string_view kMark = "archive_format";
  std::optional<std::string> root;
  for (const ZipMember& member : zip.members()) {
    const std::string_view name = member.name;
    if (name != kMark && !name.ends_with("/archive_format")) continue;
    if (!root || name.size() - kMark.size() < root->size()) root = name.substr(0, name.size() - kMark.size());
  }
  return root;
}

namespace {

bool any_member(const ZipReader& zip, auto&& matches) {
  for (const ZipMember& member : zip.members())
    if (matches(std::string_view(member.name))) return true;
  return false;
}

Result<std::shared_ptr<Archive>> open_zip(std::shared_ptr<const ByteSource> source) {
  auto zip = ZipReader::open(source);
  if (!zip) return zip.error();
  if (zip->find("version")) return open_legacy_archive(std::move(*zip));
  if (auto root = pt2_root(*zip)) {
    const auto format = zip->read(*zip->find(*root + "archive_format"), 4096, "archive_format");
    if (!format) return format.error();
    if (*format != "pt2" && *format != "pt2\n")
      return Error{ErrorKind::CannotOpen, "says \"" + *format + "\", not \"pt2\"", "archive_format", "The archive is of another kind. Export the model with torch.export.save."};
    return open_pt2_archive(std::move(*zip), std::move(*root));
  }
  const auto refuse = [](std::string what, std::string advice) { return Error{ErrorKind::CannotOpen, std::move(what), "", std::move(advice)}; };
  constexpr const char* kExport = "Export the model with torch.export.save.";
  if (zip->members().empty()) return refuse("the zip archive has no members", "The file is damaged. Fetch or export it again.");
  if (any_member(*zip, [](auto name) { return name.ends_with("/constants.pkl"); })) return refuse("is a TorchScript archive (torch.jit.save), not an exported program", kExport);
  if (any_member(*zip, [](auto name) { return name == "data.pkl" || name.ends_with("/data.pkl"); })) return open_torch_save(std::move(source));
  if (any_member(*zip, [](auto name) { return name.ends_with(".npy"); })) return open_npz(std::move(*zip));
  if (any_member(*zip, [](auto name) { return name.find("/data/") != name.npos || name.ends_with("/.data/serialization_id"); }))
    return refuse("looks like a torch.save archive, but has no data.pkl", "The file is damaged. Save it again.");
  return refuse("is a zip archive, but not one of PyTorch: it has no archive_format, no version and no data.pkl", kExport);
}

Result<std::shared_ptr<Archive>> open_by_content(std::shared_ptr<const ByteSource> source, const std::string& path) {
  if (source->size() == 0) return Error{ErrorKind::CannotOpen, "the file is empty (0 bytes)", "", "The download, copy or export did not finish. Fetch or export the file again."};
  const auto first = source->text(0, std::min<uint64_t>(source->size(), 16));
  if (!first) return first.error();
  if (ZipReader::looks_like_zip(*source)) return open_zip(std::move(source));
  if (looks_like_npy(*first)) return open_npy(std::move(source));
  if (first->size() >= 9 && (*first)[8] == '{') return open_safetensors(std::move(source));
  // What has lost its beginning is judged by its name, so that the message can say what is missing.
  if (path.ends_with(".npy")) return open_npy(std::move(source));
  if (path.ends_with(".safetensors") && source->size() >= 8) return open_safetensors(std::move(source));
  if (first->starts_with("\x80")) return open_torch_save(std::move(source));  // of before 1.6; says what a bare pickle is
  return open_zip(std::move(source));                                         // bytes may stand in front of the archive
}

}  // namespace

Result<std::shared_ptr<Archive>> open_archive(const std::string& path) {
  auto source = open_byte_source(path);
  if (!source) return source.error();
  return open_archive(std::move(*source), path);
}

Result<std::shared_ptr<Archive>> open_archive(std::shared_ptr<const ByteSource> source, const std::string& path) {
  try {
    return open_by_content(std::move(source), path);
  } catch (const std::bad_alloc&) {
    return Error{ErrorKind::Limit, "there is no memory to open the file", "", "Close something, or use a larger machine."};
  }
}

}  // namespace pt2
