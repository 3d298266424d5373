#pragma once
// The containers behind open_archive(), one function each; they take what the probe already opened.
#include <memory>
#include <optional>
#include <string>

#include "core/archive/archive.h"
#include "core/archive/zip_reader.h"

namespace pt2 {

// What open_archive() does with an opened file; `path` only helps to name what has lost its beginning.
Result<std::shared_ptr<Archive>> open_archive(std::shared_ptr<const ByteSource> source, const std::string& path);

// The folder that all members of a program lie in, "mlp/"; empty where the archive was packed again without it. nullopt: no such archive.
std::optional<std::string> pt2_root(const ZipReader& zip);
Result<std::shared_ptr<Archive>> open_pt2_archive(ZipReader zip, std::string root);
Result<std::shared_ptr<Archive>> open_legacy_archive(ZipReader zip);
// Files of tensors.
Result<std::shared_ptr<Archive>> open_torch_save(std::shared_ptr<const ByteSource> source);
Result<std::shared_ptr<Archive>> open_safetensors(std::shared_ptr<const ByteSource> source);
Result<std::shared_ptr<Archive>> open_npy(std::shared_ptr<const ByteSource> source);
Result<std::shared_ptr<Archive>> open_npz(ZipReader zip);

}  // namespace pt2
