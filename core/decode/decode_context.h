#pragma once
// What all parts of the decoder share: the text, the program that grows, and the way to say that something is odd.
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>

#include "core/base/json_tree.h"
#include "core/graph/program.h"

namespace pt2::decode {

// Thrown inside the decoder only: the program cannot be shown. `where` lacks the archive member.
struct DecodeError {
  std::string message, where, advice;
  bool limit = false;
};
struct DecodeStopped {};

class Context {
 public:
  Context(Program& target, JsonReader& text, std::string member, std::stop_token token)
      : program(target), reader(text), place(std::move(member)), stop(std::move(token)) {}

  Program& program;
  JsonReader& reader;
  const std::string place;
  const std::stop_token stop;
  uint64_t node_count = 0;  // of all graphs

  std::string_view intern(std::string_view text) { return program.strings.intern(text); }
  // Keeps the first thousand; finish_findings() says how many there were.
  void finding(Severity severity, std::string rule, std::string message, std::string where, std::string advice = {}, NodeRef node = {});
  void finish_findings();
  // "models/model.json: nodes[3]"
  std::string at(const std::string& where) const { return where.empty() ? place : place + ": " + where; }

 private:
  size_t left_out_ = 0;
};

// The member of a union that is set: {"as_int": 5}, or up to 2.2 the only one that is not null. Nothing for an empty union.
struct UnionMember {
  std::string_view key;
  JsonCursor value;
  bool ambiguous = false;  // several were set; this is the first
};
std::optional<UnionMember> union_member(JsonCursor object);

}  // namespace pt2::decode
