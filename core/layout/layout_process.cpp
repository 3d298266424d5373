// One socket, frames both ways: a 32-bit length, then the bytes. A request is a PlacementRequest, an answer a byte "worked" and a
// Placement. Both ends are the same binary, so numbers go as they lie in memory. The child trusts its parent; the parent checks
// what the child says (GroupLayout looks at every rank).
#include "core/layout/layout_process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "core/base/limits.h"

namespace pt2 {
namespace {

constexpr size_t kMaxFrame = size_t{256} << 20;
constexpr rlim_t kChildMemory = limits::kLayoutBytes;
constexpr int kFailuresInARow = 3;
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kSanitized = true;  // sanitizers reserve terabytes of address space
#else
constexpr bool kSanitized = false;
#endif

class Writer {
 public:
  template <class T>
  void put(const T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    const char* p = reinterpret_cast<const char*>(&value);
    bytes_.insert(bytes_.end(), p, p + sizeof(T));
  }
  template <class T>
  void put_all(const std::vector<T>& values) {
    static_assert(std::is_trivially_copyable_v<T>);
    put(uint32_t(values.size()));
    const char* p = reinterpret_cast<const char*>(values.data());
    bytes_.insert(bytes_.end(), p, p + values.size() * sizeof(T));
  }
  // The frame with its length in front.
  std::vector<char> frame() const {
    std::vector<char> out(sizeof(uint32_t) + bytes_.size());
    const uint32_t size = uint32_t(bytes_.size());
    std::memcpy(out.data(), &size, sizeof size);
    std::memcpy(out.data() + sizeof size, bytes_.data(), bytes_.size());
    return out;
  }

 private:
  std::vector<char> bytes_;
};

class Reader {
 public:
  explicit Reader(const std::vector<char>& bytes) : bytes_(bytes) {}
  template <class T>
  bool take(T& value) {
    if (bytes_.size() - at_ < sizeof(T)) return false;
    std::memcpy(&value, bytes_.data() + at_, sizeof(T));
    at_ += sizeof(T);
    return true;
  }
  template <class T>
  bool take_all(std::vector<T>& values) {
    uint32_t count = 0;
    if (!take(count) || (bytes_.size() - at_) / sizeof(T) < count) return false;
    values.resize(count);
    std::memcpy(values.data(), bytes_.data() + at_, count * sizeof(T));
    at_ += count * sizeof(T);
    return true;
  }

 private:
  const std::vector<char>& bytes_;
  size_t at_ = 0;
};

std::vector<char> encode(const PlacementRequest& request) {
  Writer w;
  w.put_all(request.nodes);
  w.put_all(request.edges);
  return w.frame();
}

bool decode(const std::vector<char>& bytes, PlacementRequest& request) {
  Reader r(bytes);
  return r.take_all(request.nodes) && r.take_all(request.edges);
}

std::vector<char> encode(const Result<Placement>& placed) {
  Writer w;
  w.put(uint8_t(placed.has_value()));
  if (placed) {
    w.put_all(placed->rank);
    w.put_all(placed->x);
    w.put(uint32_t(placed->via.size()));
    for (const auto& via : placed->via) w.put_all(via);
  }
  return w.frame();
}

bool decode(const std::vector<char>& bytes, Placement& placement) {
  Reader r(bytes);
  uint8_t worked = 0;
  uint32_t edges = 0;
  if (!r.take(worked) || !worked || !r.take_all(placement.rank) || !r.take_all(placement.x) || !r.take(edges)) return false;
  if (edges > bytes.size()) return false;
  placement.via.resize(edges);
  for (auto& via : placement.via)
    if (!r.take_all(via)) return false;
  return true;
}

bool read_fully(int fd, char* to, size_t size) {
  while (size) {
    const ssize_t n = ::read(fd, to, size);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    to += n;
    size -= size_t(n);
  }
  return true;
}

}  // namespace

int run_layout_child() {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  const rlimit memory{kChildMemory, kChildMemory}, no_core{0, 0};
  if (!kSanitized) ::setrlimit(RLIMIT_AS, &memory);
  ::setrlimit(RLIMIT_CORE, &no_core);
  PlacementRequest warm_up;
  warm_up.nodes.resize(1);
  (void)place_with_graphviz(warm_up);  // Graphviz reads its configuration once
  while (true) {
    uint32_t size = 0;
    if (!read_fully(STDIN_FILENO, reinterpret_cast<char*>(&size), sizeof size)) return 0;
    if (size > kMaxFrame) return 1;
    std::vector<char> bytes(size);
    PlacementRequest request;
    if (!read_fully(STDIN_FILENO, bytes.data(), size) || !decode(bytes, request)) return 1;
    const std::vector<char> answer = encode(place_with_graphviz(request));
    for (size_t sent = 0; sent < answer.size();) {
      const ssize_t n = ::write(STDIN_FILENO, answer.data() + sent, answer.size() - sent);
      if (n < 0 && errno != EINTR) return 1;
      if (n > 0) sent += size_t(n);
    }
  }
}

LayoutProcess::~LayoutProcess() { kill(); }

bool LayoutProcess::start() {
  if (pid_ >= 0) return true;
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return false;
  const char* argv[] = {program_.c_str(), "layout", nullptr};
  const int pid = ::fork();
  if (pid == 0) {  // only what is safe between fork and exec in a program with threads
    ::dup2(ends[1], STDIN_FILENO);
    const int nowhere = ::open("/dev/null", O_WRONLY);
    ::dup2(nowhere, STDOUT_FILENO);
    ::dup2(nowhere, STDERR_FILENO);
    ::close_range(3, ~0u, 0);
    sigset_t none;
    ::sigemptyset(&none);
    ::sigprocmask(SIG_SETMASK, &none, nullptr);
    ::execv(argv[0], const_cast<char**>(argv));
    ::_exit(127);
  }
  ::close(ends[1]);
  if (pid < 0) {
    ::close(ends[0]);
    return false;
  }
  pid_ = pid;
  socket_ = ends[0];
  return true;
}

void LayoutProcess::kill() {
  if (pid_ < 0) return;
  ::close(socket_);
  ::kill(pid_, SIGKILL);
  while (::waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
  }
  pid_ = socket_ = -1;
}

Result<Placement> LayoutProcess::place(const PlacementRequest& request, std::stop_token stop, std::chrono::milliseconds time_limit) {
  auto failed = [&](const char* why) {
    kill();
    ++failures_;
    return Error{ErrorKind::Failed, why, "layout process", ""};
  };
  if (failures_ >= kFailuresInARow) return Error{ErrorKind::Failed, "the layout process failed again and again", "layout process", ""};
  if (!start()) return failed("could not be started");

  const auto deadline = std::chrono::steady_clock::now() + time_limit;
  const std::vector<char> out = encode(request);
  std::vector<char> in(sizeof(uint32_t));
  size_t sent = 0, received = 0;
  while (received < in.size()) {
    if (stop.stop_requested()) {
      kill();
      return Error{ErrorKind::Stopped, "stopped", "", ""};
    }
    if (std::chrono::steady_clock::now() > deadline) return failed("took too long");
    pollfd wait{socket_, short(POLLIN | (sent < out.size() ? POLLOUT : 0)), 0};
    const int ready = ::poll(&wait, 1, 10);
    if (ready < 0 && errno != EINTR) return failed("could not be read");
    if (ready <= 0) continue;
    if (wait.revents & POLLOUT) {
      const ssize_t n = ::send(socket_, out.data() + sent, out.size() - sent, MSG_NOSIGNAL | MSG_DONTWAIT);
      if (n < 0 && errno != EAGAIN && errno != EINTR) return failed("died");
      if (n > 0) sent += size_t(n);
    }
    if (wait.revents & (POLLIN | POLLHUP | POLLERR)) {
      const ssize_t n = ::recv(socket_, in.data() + received, in.size() - received, MSG_DONTWAIT);
      if (n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR)) return failed("died");
      if (n > 0) received += size_t(n);
      if (received == sizeof(uint32_t) && in.size() == sizeof(uint32_t)) {
        uint32_t size = 0;
        std::memcpy(&size, in.data(), sizeof size);
        if (size == 0 || size > kMaxFrame) return failed("answered nonsense");
        in.resize(sizeof size + size);
      }
    }
  }
  in.erase(in.begin(), in.begin() + sizeof(uint32_t));
  failures_ = 0;
  Placement placement;
  if (!decode(in, placement)) return Error{ErrorKind::Failed, "Graphviz gave up on a group", "layout process", ""};
  return placement;
}

}  // namespace pt2
