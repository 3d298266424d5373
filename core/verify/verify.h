#pragma once
// The contract of the Export IR as a lint: what a well-formed program holds to, and traps that bite in practice.
#include <span>
#include <string_view>
#include <vector>

#include "core/base/finding.h"
#include "core/graph/program.h"

namespace pt2 {

class Archive;

struct VerifyRule {
  std::string_view name;         // "structure.names": Finding::rule
  Severity severity;
  std::string_view title;        // what holds when all is well
  std::string_view explanation;  // why it matters and what to do
};

// In the order in which verify() applies them.
std::vector<VerifyRule> verify_rules();
// What is told while a file is read, before verify().
std::span<const VerifyRule> reading_rules();
// What is told when both programs of a comparison ran.
std::span<const VerifyRule> running_rules();

// The findings of all rules, by rule and then in execution order. `archive`: where the weights are; null leaves the rules about them out.
std::vector<Finding> verify(const Program& program, const Archive* archive);

}  // namespace pt2
