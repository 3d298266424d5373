// Containers are told apart by content, never by the file's name.
#include "core/archive/containers.h"
#include "core/base/limits.h"

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

namespace {

Result<std::shared_ptr<Archive>> open_zip(std::shared_ptr<const ByteSource> source) {
  auto zip = ZipReader::open(std::move(source));
  if (!zip) return zip.error();
  if (zip->find("version")) return open_legacy_archive(std::move(*zip));
  std::string root;
  for (const ZipMember& member : zip->members())
    if (member.name.ends_with("/archive_format")) root = member.name.substr(0, member.name.size() - std::string_view("archive_format").size());
  return open_pt2_archive(std::move(*zip), std::move(root));
}

}  // namespace

Result<std::shared_ptr<Archive>> open_archive(const std::string& path) {
  auto source = open_byte_source(path);
  if (!source) return source.error();
  if ((*source)->size() == 0) return Error{ErrorKind::CannotOpen, "the file is empty (0 bytes)", "", "The download, copy or export did not finish. Fetch or export the file again."};
  return open_zip(std::move(*source));
}

}  // namespace pt2
