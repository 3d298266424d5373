#include "core/tensor/mapped_storage.h"

#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <memory>
#include <mutex>
#include <string>

#include "core/base/crc32.h"
#include "core/base/text.h"

namespace pt2 {

namespace {

constexpr size_t kChecksumBlock = 8 << 20;  // bytes between two looks at the stop token

struct MappedRecord {
  std::shared_ptr<const OpenFile> file;
  std::span<const std::byte> bytes;
  std::mutex mutex;
  std::optional<uint32_t> expected;  // until the bytes were checked
  std::string name;
  std::optional<Error> damaged;
};

// The handler may run at any moment in any thread, so the table of mappings is a fixed array of atomics.
struct Mapping {
  std::atomic<bool> taken{false};
  std::atomic<uintptr_t> begin{0}, end{0};
  std::atomic<bool> failed{false};
  std::atomic<MappedRecord*> record{nullptr};  // not for the handler
};
constexpr size_t kMappings = 16384;
Mapping mappings[kMappings];
std::atomic<size_t> used_mappings{0};  // no mapping beyond this index was ever taken
struct sigaction previous_action;
uintptr_t page_size;

Mapping* mapping_at(uintptr_t address) {
  const size_t n = used_mappings.load(std::memory_order_acquire);
  for (size_t i = 0; i < n; ++i)
    if (address >= mappings[i].begin.load(std::memory_order_acquire) && address < mappings[i].end.load(std::memory_order_acquire)) return &mappings[i];
  return nullptr;
}

// Any other SIGBUS goes to whoever had the signal before: the faulting instruction runs again and meets that handler.
void on_sigbus(int, siginfo_t* info, void*) {
  const auto address = reinterpret_cast<uintptr_t>(info->si_addr);
  if (Mapping* mapping = mapping_at(address)) {
    mapping->failed.store(true, std::memory_order_release);
    void* page = reinterpret_cast<void*>(address & ~(page_size - 1));
    if (::mmap(page, page_size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) != MAP_FAILED) return;
  }
  ::sigaction(SIGBUS, &previous_action, nullptr);
}

void install_handler() {
  static std::once_flag once;
  std::call_once(once, [] {
    page_size = static_cast<uintptr_t>(::sysconf(_SC_PAGESIZE));
    struct sigaction action {};
    action.sa_sigaction = on_sigbus;
    action.sa_flags = SA_SIGINFO | SA_NODEFER;
    sigemptyset(&action.sa_mask);
    ::sigaction(SIGBUS, &action, &previous_action);
  });
}

Mapping* take_slot() {
  for (size_t i = 0; i < kMappings; ++i) {
    bool free = false;
    if (!mappings[i].taken.compare_exchange_strong(free, true)) continue;
    size_t used = used_mappings.load();
    while (used < i + 1 && !used_mappings.compare_exchange_weak(used, i + 1)) {}
    return &mappings[i];
  }
  return nullptr;
}

void release_slot(Mapping& mapping) {
  mapping.end.store(0);
  mapping.begin.store(0);
  mapping.failed.store(false);
  mapping.record.store(nullptr);
  mapping.taken.store(false);
}

}  // namespace

OpenFile::~OpenFile() { ::close(descriptor_); }

Result<void> OpenFile::unchanged() const {
  struct stat now {};
  if (::fstat(descriptor_, &now) != 0) return Error{ErrorKind::CannotOpen, std::string("cannot be read: ") + std::strerror(errno), "", ""};
  const bool same = now.st_size == status_.st_size && now.st_mtim.tv_sec == status_.st_mtim.tv_sec && now.st_mtim.tv_nsec == status_.st_mtim.tv_nsec;
  return same ? Result<void>() : Result<void>(changed_on_disk());
}

Error changed_on_disk() {
  return {ErrorKind::CannotOpen, "changed on disk since it was opened", "", "What was read before stays as it was. Open the file again to see the new one."};
}

std::optional<Storage> map_private(std::shared_ptr<const OpenFile> file, uint64_t offset, uint64_t size) {
  if (size == 0) return std::nullopt;
  install_handler();
  Mapping* slot = take_slot();
  if (!slot) return std::nullopt;
  const uint64_t lead = offset & (page_size - 1);
  const size_t length = size + lead;
  void* base = ::mmap(nullptr, length, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_NORESERVE, file->descriptor(), static_cast<off_t>(offset - lead));
  if (base == MAP_FAILED) {
    release_slot(*slot);
    return std::nullopt;
  }
  const auto begin = reinterpret_cast<uintptr_t>(base);
  slot->begin.store(begin);
  slot->end.store(begin + (length + page_size - 1) / page_size * page_size);
  auto record = std::make_shared<MappedRecord>();
  record->file = std::move(file);
  record->bytes = {static_cast<const std::byte*>(base) + lead, size};
  slot->record.store(record.get());
  std::shared_ptr<void> owner(base, [slot, length, record](void* memory) {
    release_slot(*slot);
    ::munmap(memory, length);
  });
  return Storage(std::move(owner), static_cast<std::byte*>(base) + lead, size);
}

bool is_mapping(const Storage& storage) {
  return storage.size_bytes() > 0 && mapping_at(reinterpret_cast<uintptr_t>(storage.data())) != nullptr;
}

void expect_checksum(const Storage& storage, uint32_t crc, std::string_view name) {
  if (const Mapping* mapping = mapping_at(reinterpret_cast<uintptr_t>(storage.data()))) {
    MappedRecord& record = *mapping->record.load();
    const std::lock_guard lock(record.mutex);
    record.expected = crc;
    record.name = name;
  }
}

Result<void> check_mapping(const Storage& storage, const std::stop_token& stop) {
  const Mapping* mapping = storage.size_bytes() ? mapping_at(reinterpret_cast<uintptr_t>(storage.data())) : nullptr;
  if (!mapping) return {};
  MappedRecord& record = *mapping->record.load();
  const std::lock_guard lock(record.mutex);
  std::optional<uint32_t> found;
  if (record.expected) {
    uint32_t crc = 0;
    for (size_t at = 0; at < record.bytes.size(); at += kChecksumBlock) {
      if (stop.stop_requested()) return Error{ErrorKind::Stopped, "stopped", "", ""};
      crc = crc32_of(record.bytes.subspan(at, std::min(kChecksumBlock, record.bytes.size() - at)), crc);
    }
    found = crc;
  }
  if (mapping->failed.load(std::memory_order_acquire)) return changed_on_disk();
  if (auto same = record.file->unchanged(); !same) return same;
#ifndef PT2_IGNORE_CHECKSUMS  // the fuzzer cannot guess checksums
  if (found && *found != *record.expected)
    record.damaged = Error{ErrorKind::CannotOpen, "the checksum of the member's " + with_commas(uint64_t{record.bytes.size()}) + " bytes does not match", record.name, "The bytes were damaged. Fetch the file again."};
#endif
  record.expected.reset();
  return record.damaged ? Result<void>(*record.damaged) : Result<void>();
}

}  // namespace pt2
