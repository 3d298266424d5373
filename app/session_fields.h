#pragma once
// What a session keeps of a document: one row per field. To keep something more: its two functions, in a file of their own where they are
// long, and a row in session_fields.cpp.
#include <nlohmann/json_fwd.hpp>
#include <span>

#include "views/workspace/document.h"

namespace pt2::app {

struct SessionField {
  const char* key;
  nlohmann::ordered_json (*write)(const views::Document& document);
  // Sets up a document that was just loaded. Returns entries of a list that have no place in this program: they stay in the file until it has
  // one again.
  nlohmann::ordered_json (*read)(const nlohmann::ordered_json& value, views::Document& document);
  bool shared = true;  // goes along in a bundle
};

std::span<const SessionField> session_fields();

}  // namespace pt2::app
