#include "app/crash_log.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdint>
#include <cstring>
#include <ctime>

namespace pt2::app {

namespace {

// The handler calls what is safe in a signal only, so everything is laid out before.
char log_path[4096];
alignas(16) char stack[64 << 10];  // of its own: the other may be what overflowed

struct Fatal { int number; const char* name; };
constexpr Fatal kFatal[] = {{SIGSEGV, "SIGSEGV"}, {SIGBUS, "SIGBUS"}, {SIGILL, "SIGILL"}, {SIGFPE, "SIGFPE"}, {SIGABRT, "SIGABRT"}};

struct Line {
  char text[512];
  size_t size = 0;
  void add(const char* more) {
    for (; *more && size < sizeof text; ++more) text[size++] = *more;
  }
  void add_number(unsigned long long value, unsigned base) {
    char digits[24];
    size_t n = 0;
    do digits[n++] = "0123456789abcdef"[value % base];
    while ((value /= base) != 0);
    while (n > 0 && size < sizeof text) text[size++] = digits[--n];
  }
};

// Those above the path, which is whole again afterwards.
void make_folders(char* path) {
  for (char* slash = std::strchr(path + 1, '/'); slash; slash = std::strchr(slash + 1, '/')) {
    *slash = '\0';
    ::mkdir(path, 0700);
    *slash = '/';
  }
}

void on_fatal(int number, siginfo_t* info, void*) {
  Line line;
  line.add("pt2scope " PT2_VERSION ": ended by signal ");
  line.add_number(unsigned(number), 10);
  for (const Fatal& fatal : kFatal)
    if (fatal.number == number) line.add(" ("), line.add(fatal.name), line.add(")");
  if (number == SIGSEGV || number == SIGBUS) line.add(" at address 0x"), line.add_number(reinterpret_cast<uintptr_t>(info->si_addr), 16);
  line.add(", process ");
  line.add_number(unsigned(::getpid()), 10);
  line.add(", time ");
  line.add_number(static_cast<unsigned long long>(::time(nullptr)), 10);
  line.add(". The journal of the session holds what was set up.\n");
  ssize_t ignored = ::write(STDERR_FILENO, line.text, line.size);
  if (log_path[0]) {
    make_folders(log_path);
    const int file = ::open(log_path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (file >= 0) {
      ignored = ::write(file, line.text, line.size);
      ::close(file);
    }
  }
  (void)ignored;
  ::raise(number);  // the disposition is the default again
}

}  // namespace

void install_crash_log(const std::string& path) {
  if (path.size() < sizeof log_path) std::strcpy(log_path, path.c_str());
  stack_t own{};
  own.ss_sp = stack;
  own.ss_size = sizeof stack;
  ::sigaltstack(&own, nullptr);
  struct sigaction action {};
  action.sa_sigaction = on_fatal;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | int(SA_RESETHAND);
  sigemptyset(&action.sa_mask);
  for (const Fatal& fatal : kFatal) {
    struct sigaction before {};
    ::sigaction(fatal.number, nullptr, &before);
    if (!(before.sa_flags & SA_SIGINFO) && before.sa_handler == SIG_DFL) ::sigaction(fatal.number, &action, nullptr);
  }
}

}  // namespace pt2::app
