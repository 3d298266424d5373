#include "core/archive/record_store.h"

#include <algorithm>
#include <cstring>

#include "core/tensor/mapped_storage.h"

namespace pt2 {

namespace {

void swap_bytes(Storage& storage, int width) {
  std::byte* const data = storage.data();
  for (size_t at = 0; at + static_cast<size_t>(width) <= storage.size_bytes(); at += static_cast<size_t>(width)) std::reverse(data + at, data + at + width);
}

Error no_record(std::string_view record) {
  return {ErrorKind::Failed, "the archive has no such member", std::string(record), "The graph can be browsed; nodes that need this tensor will not run."};
}

class ZipRecords final : public RecordStore {
 public:
  ZipRecords(std::shared_ptr<const ZipReader> zip, std::string folder) : zip_(std::move(zip)), folder_(std::move(folder)) {}
  std::optional<uint64_t> size(std::string_view record) const override {
    const ZipMember* member = find(record);
    return member ? std::optional(member->size) : std::nullopt;
  }
  Result<void> check(std::string_view record) const override {
    const ZipMember* member = find(record);
    if (!member) return no_record(record);
    const auto offset = zip_->data_offset(*member);
    return offset ? Result<void>() : Result<void>(offset.error());
  }

 protected:
  Result<Storage> load(std::string_view record) const override {
    const ZipMember* member = find(record);
    return member ? zip_->storage(*member) : Result<Storage>(no_record(record));
  }

 private:
  const ZipMember* find(std::string_view record) const { return zip_->find(folder_ + std::string(record)); }
  std::shared_ptr<const ZipReader> zip_;
  std::string folder_;
};

class RegionRecords final : public RecordStore {
 public:
  using Regions = std::map<std::string, std::pair<uint64_t, uint64_t>, std::less<>>;
  RegionRecords(std::shared_ptr<const ByteSource> source, Regions regions) : source_(std::move(source)), regions_(std::move(regions)) {}
  std::optional<uint64_t> size(std::string_view record) const override {
    const auto it = regions_.find(record);
    return it == regions_.end() ? std::nullopt : std::optional(it->second.second);
  }
  Result<void> check(std::string_view record) const override { return regions_.contains(record) ? Result<void>() : Result<void>(no_record(record)); }

 protected:
  Result<Storage> load(std::string_view record) const override {
    const auto it = regions_.find(record);
    return it == regions_.end() ? Result<Storage>(no_record(record)) : source_->storage(it->second.first, it->second.second);
  }

 private:
  std::shared_ptr<const ByteSource> source_;
  Regions regions_;
};

}  // namespace

Result<Storage> RecordStore::storage(std::string_view record, int swap_width) const {
  std::string key(record);
  if (swap_width > 1) key += "\nswapped by " + std::to_string(swap_width);
  const std::lock_guard lock(mutex_);
  if (const auto it = held_.find(key); it != held_.end())
    if (auto owner = it->second.owner.lock()) return Storage(std::move(owner), it->second.data, it->second.size);
  auto loaded = load(record);
  if (!loaded) return loaded;
  if (swap_width > 1) {
    if (auto right = check_mapping(*loaded); !right) return right.error();
    swap_bytes(*loaded, swap_width);
  }
  held_[key] = {loaded->owner(), loaded->data(), loaded->size_bytes()};
  return loaded;
}

std::shared_ptr<const RecordStore> zip_records(std::shared_ptr<const ZipReader> zip, std::string folder) { return std::make_shared<ZipRecords>(std::move(zip), std::move(folder)); }

std::shared_ptr<const RecordStore> region_records(std::shared_ptr<const ByteSource> source, std::map<std::string, std::pair<uint64_t, uint64_t>, std::less<>> regions) {
  return std::make_shared<RegionRecords>(std::move(source), std::move(regions));
}

}  // namespace pt2
