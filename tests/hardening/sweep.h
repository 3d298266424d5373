#pragma once
// A scenario again and again, each time with the next call to the system failing, until it passes as a whole.
#include <cerrno>
#include <cstdio>
#include <string>
#include <vector>

#include "tests/hardening/faults.h"

namespace pt2::faults {

struct Kind {
  Call call;
  int error;
  bool lasting;
  const char* name;
};

// What can happen to a file. A call that is interrupted or does half of its work is no failure: the scenario has to pass.
inline const std::vector<Kind> kFileKinds = {
    {Call::Open, EACCES, false, "open EACCES"},    {Call::Open, EROFS, true, "open EROFS"},       {Call::Open, EMFILE, false, "open EMFILE"},
    {Call::Read, EIO, false, "read EIO"},          {Call::Read, EINTR, false, "read EINTR"},      {Call::Read, kShort, true, "read short"},
    {Call::Write, ENOSPC, true, "write ENOSPC"},   {Call::Write, EIO, false, "write EIO"},        {Call::Write, EINTR, false, "write EINTR"},
    {Call::Write, kShort, true, "write short"},    {Call::Sync, EIO, false, "fsync EIO"},         {Call::Sync, EINTR, false, "fsync EINTR"},
    {Call::Rename, EIO, false, "rename EIO"},      {Call::Rename, EROFS, true, "rename EROFS"},   {Call::Link, ENOSPC, false, "link ENOSPC"},
    {Call::Link, EPERM, true, "link EPERM"},
};
inline const std::vector<Kind> kMemoryKinds = {{Call::Allocate, ENOMEM, false, "allocation"}, {Call::Allocate, ENOMEM, true, "allocations from then on"}};

inline bool must_pass(const Kind& kind) { return kind.error == EINTR || kind.error == kShort || kind.error == EPERM; }

// `run(kind)` begins anew, calls `guarded(work)` around the work that meets the fault, and checks what is left. Past the first `dense` calls only
// some are tried, so that long scenarios stay quick. Returns how often a fault was met.
template <class Run>
size_t sweep(const char* scenario, const std::vector<Kind>& kinds, Run run, uint64_t dense = 400) {
  size_t total = 0;
  std::string counts;
  for (const Kind& kind : kinds) {
    size_t met = 0;
    for (uint64_t n = 1;; n += n < dense ? 1 : n / 16) {
      bool came = false;
      run(kind, [&](auto&& work) {
        struct Armed {
          bool& came;
          ~Armed() { came = disarm(); }
        } armed{came};
        arm({kind.call, n, kind.error, kind.lasting});
        work();
      });
      if (!came) break;
      ++met;
    }
    total += met;
    counts += std::string(counts.empty() ? "" : ", ") + kind.name + " " + std::to_string(met);
  }
  std::printf("%s: %zu faults (%s)\n", scenario, total, counts.c_str());
  return total;
}

}  // namespace pt2::faults
