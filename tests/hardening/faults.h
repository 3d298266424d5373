#pragma once
// Makes the n-th call to the system fail. The functions of the system are defined anew in the test program (faults.cpp), so that they come before
// the real ones for all code in it; nothing of the product knows.
#include <cstdint>

namespace pt2::faults {

enum class Call { Open, Read, Write, Sync, Rename, Link, Stat, Allocate, AnyFile };  // AnyFile: those before Stat

inline constexpr int kShort = -1;  // in place of an errno: half of the bytes are read or written
inline constexpr int kKill = -2;   // half of the bytes are written, then the process ends as a killed one does
inline constexpr int kStall = -3;  // it works, after a while
inline constexpr int kKilledStatus = 99;

struct Fault {
  Call call;
  uint64_t nth;         // from 1 on
  int error;            // errno, kShort or kKill; of Allocate: none
  bool lasting = false; // all later ones fail, too: a disk that is full stays full
  int stall_ms = 0;     // of kStall
};

void arm(const Fault& fault);
// True: the call that was to fail came.
bool disarm();

}  // namespace pt2::faults
