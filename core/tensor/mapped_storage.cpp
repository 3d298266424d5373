#include "core/tensor/mapped_storage.h"

#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <memory>
#include <mutex>

namespace pt2 {

namespace {

// The handler may run at any moment in any thread, so the table of mappings is a fixed array of atomics.
struct Mapping {
  std::atomic<bool> taken{false};
  std::atomic<uintptr_t> begin{0}, end{0};
  std::atomic<bool> failed{false};
};
constexpr size_t kMappings = 16384;
Mapping mappings[kMappings];
std::atomic<size_t> used_mappings{0};  // no mapping beyond this index was ever taken
std::atomic<size_t> faults{0};
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
    faults.fetch_add(1, std::memory_order_release);
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
  mapping.taken.store(false);
}

}  // namespace

std::optional<Storage> map_private(int fd, uint64_t offset, uint64_t size) {
  if (size == 0) return std::nullopt;
  install_handler();
  Mapping* slot = take_slot();
  if (!slot) return std::nullopt;
  const uint64_t lead = offset & (page_size - 1);
  const size_t length = size + lead;
  void* base = ::mmap(nullptr, length, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_NORESERVE, fd, static_cast<off_t>(offset - lead));
  if (base == MAP_FAILED) {
    release_slot(*slot);
    return std::nullopt;
  }
  const auto begin = reinterpret_cast<uintptr_t>(base);
  slot->begin.store(begin);
  slot->end.store(begin + (length + page_size - 1) / page_size * page_size);
  std::shared_ptr<void> owner(base, [slot, length](void* memory) {
    release_slot(*slot);
    ::munmap(memory, length);
  });
  return Storage(std::move(owner), static_cast<std::byte*>(base) + lead, size);
}

bool mapping_failed(const Storage& storage) {
  if (faults.load(std::memory_order_acquire) == 0) return false;
  const Mapping* mapping = mapping_at(reinterpret_cast<uintptr_t>(storage.data()));
  return mapping && mapping->failed.load(std::memory_order_acquire);
}

}  // namespace pt2
