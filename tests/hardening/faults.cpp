#include "tests/hardening/faults.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdarg>
#include <cstdlib>
#include <new>

namespace pt2::faults {

namespace {

Fault fault;
std::atomic<bool> armed{false}, came{false};
std::atomic<uint64_t> calls{0};

// 0: the call is to work.
int outcome(Call call) {
  if (!armed.load(std::memory_order_acquire)) return 0;
  if (call != fault.call && (fault.call != Call::AnyFile || call >= Call::Stat)) return 0;
  const uint64_t n = ++calls;
  if (n != fault.nth && !(fault.lasting && n > fault.nth)) return 0;
  came = true;
  if (fault.error == kStall) {
    ::usleep(useconds_t(fault.stall_ms) * 1000);
    return 0;
  }
  return fault.error;
}

// An errno, or the kill of a call without bytes.
bool fails(Call call) {
  const int error = outcome(call);
  if (error == kKill) ::_exit(kKilledStatus);
  if (error > 0) errno = error;
  return error > 0;
}

template <class F>
F* real(const char* name) {
  return reinterpret_cast<F*>(::dlsym(RTLD_NEXT, name));
}

}  // namespace

void arm(const Fault& wanted) {
  fault = wanted;
  calls = 0;
  came = false;
  armed.store(true, std::memory_order_release);
}

bool disarm() {
  armed = false;
  return came;
}

}  // namespace pt2::faults

using namespace pt2::faults;

namespace {

ssize_t transfer(Call call, size_t size, auto&& real_call) {
  const int error = outcome(call);
  if (error > 0) {
    errno = error;
    return -1;
  }
  const ssize_t done = real_call(error < 0 ? (size + 1) / 2 : size);
  if (error == kKill) ::_exit(kKilledStatus);
  return done;
}

}  // namespace

extern "C" {

int open(const char* path, int flags, ...) {
  static const auto next = real<int(const char*, int, ...)>("open");
  va_list more;
  va_start(more, flags);
  const mode_t mode = flags & O_CREAT ? va_arg(more, mode_t) : 0;
  va_end(more);
  return fails(Call::Open) ? -1 : next(path, flags, mode);
}
ssize_t read(int fd, void* into, size_t size) {
  static const auto next = real<ssize_t(int, void*, size_t)>("read");
  return transfer(Call::Read, size, [&](size_t n) { return next(fd, into, n); });
}
ssize_t pread(int fd, void* into, size_t size, off_t offset) {
  static const auto next = real<ssize_t(int, void*, size_t, off_t)>("pread");
  return transfer(Call::Read, size, [&](size_t n) { return next(fd, into, n, offset); });
}
ssize_t write(int fd, const void* from, size_t size) {
  static const auto next = real<ssize_t(int, const void*, size_t)>("write");
  return transfer(Call::Write, size, [&](size_t n) { return next(fd, from, n); });
}
ssize_t pwrite(int fd, const void* from, size_t size, off_t offset) {
  static const auto next = real<ssize_t(int, const void*, size_t, off_t)>("pwrite");
  return transfer(Call::Write, size, [&](size_t n) { return next(fd, from, n, offset); });
}
// Nobody cuts the power: what was written is not waited for.
int fsync(int) { return fails(Call::Sync) ? -1 : 0; }
int fdatasync(int) { return fails(Call::Sync) ? -1 : 0; }
int rename(const char* from, const char* to) noexcept {
  static const auto next = real<int(const char*, const char*)>("rename");
  return fails(Call::Rename) ? -1 : next(from, to);
}
int link(const char* from, const char* to) noexcept {
  static const auto next = real<int(const char*, const char*)>("link");
  return fails(Call::Link) ? -1 : next(from, to);
}
int unlink(const char* path) noexcept {
  static const auto next = real<int(const char*)>("unlink");
  return fails(Call::Link) ? -1 : next(path);
}
int stat(const char* path, struct stat* into) noexcept {
  static const auto next = real<int(const char*, struct stat*)>("stat");
  return fails(Call::Stat) ? -1 : next(path, into);
}
int lstat(const char* path, struct stat* into) noexcept {
  static const auto next = real<int(const char*, struct stat*)>("lstat");
  return fails(Call::Stat) ? -1 : next(path, into);
}
void* mmap(void* at, size_t size, int protection, int flags, int fd, off_t offset) noexcept {
  static const auto next = real<void*(void*, size_t, int, int, int, off_t)>("mmap");
  if (outcome(Call::Allocate)) {
    errno = ENOMEM;
    return MAP_FAILED;
  }
  return next(at, size, protection, flags, fd, offset);
}
void* aligned_alloc(size_t alignment, size_t size) noexcept {
  static const auto next = real<void*(size_t, size_t)>("aligned_alloc");
  return outcome(Call::Allocate) ? nullptr : next(alignment, size);
}

}  // extern "C"

void* operator new(size_t size) {
  void* memory = outcome(Call::Allocate) ? nullptr : std::malloc(size ? size : 1);
  if (!memory) throw std::bad_alloc();
  return memory;
}
void* operator new(size_t size, const std::nothrow_t&) noexcept { return outcome(Call::Allocate) ? nullptr : std::malloc(size ? size : 1); }
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, size_t) noexcept { std::free(memory); }
void operator delete(void* memory, const std::nothrow_t&) noexcept { std::free(memory); }

#if defined(PT2_SANITIZED)
// Fontconfig, below a rendered picture, keeps some of what it had read when a call failed.
extern "C" const char* __lsan_default_suppressions() { return "leak:libfontconfig\n"; }
#endif
