#pragma once
// The limits of what a file or a run may ask for, all in one place. A message that reports one names it; `pt2scope limits` lists them.
// They keep one bad number in a file from taking the machine; genuine programs stay far below.
#include <cstdint>
#include <span>
#include <string_view>

namespace pt2::limits {

inline constexpr uint64_t kKiB = 1024, kMiB = 1024 * kKiB, kGiB = 1024 * kMiB;

// Containers
inline constexpr uint64_t kArchiveMembers = 200'000;
inline constexpr uint64_t kMemberNameBytes = 4096;
inline constexpr uint64_t kCentralDirectoryBytes = 64 * kMiB;
inline constexpr uint64_t kModelJsonBytes = 768 * kMiB;  // a million calls need half of it
inline constexpr uint64_t kOtherJsonBytes = 64 * kMiB;
inline constexpr uint64_t kPickleBytes = 64 * kMiB;
inline constexpr uint64_t kInflateFreeBytes = 16 * kMiB;  // up to here any ratio is taken
inline constexpr uint64_t kInflateRatio = 200;

// Programs
inline constexpr uint64_t kJsonDepth = 512;
inline constexpr uint64_t kSubgraphDepth = 32;
inline constexpr uint64_t kNodes = 4'000'000;  // all graphs together
inline constexpr uint64_t kNodeArguments = 1'000'000;
inline constexpr uint64_t kStringBytes = 16 * kMiB;
inline constexpr uint64_t kPaneTextBytes = 64 * kKiB;
inline constexpr uint64_t kLabelCharacters = 200;
inline constexpr uint64_t kListedProblems = 20;

// Tensors and their files
inline constexpr uint64_t kTensorRank = 64;
inline constexpr uint64_t kPickleOpcodes = 10'000'000;
inline constexpr uint64_t kPickleStack = 1'000'000;
inline constexpr uint64_t kPickleMemo = 1'000'000;
inline constexpr uint64_t kPickleNesting = 1000;
inline constexpr uint64_t kPickleIntegerBits = 64;
inline constexpr uint64_t kNpyHeaderBytes = 64 * kKiB;
inline constexpr uint64_t kSafetensorsHeaderBytes = 100'000'000;

// Symbolic expressions
inline constexpr uint64_t kSymExprCharacters = 4096;
inline constexpr uint64_t kSymExprDepth = 64;
inline constexpr uint64_t kSymExprTerms = 1000;

// Runs (defaults; options change them)
inline constexpr uint64_t kRecordedValuesMinimumBytes = 64 * kMiB;
inline constexpr uint64_t kMemoryReserveBytes = 256 * kMiB;  // kept free of RLIMIT_AS and of the control group's limit
inline constexpr uint64_t kLoopIterations = 100'000;
inline constexpr uint64_t kNodeEvaluations = 10'000'000;

// Layout
inline constexpr uint64_t kLayoutSeconds = 10;
inline constexpr uint64_t kLayoutBytes = 2 * kGiB;
inline constexpr uint64_t kLayoutNodes = 400;  // more take Graphviz longer than anyone waits

struct Limit {
  std::string_view name, meaning;
  uint64_t value;
  std::string_view unit;  // "", "bytes", "seconds"
  std::string_view when_exceeded;
};
std::span<const Limit> all();

}  // namespace pt2::limits
