#pragma once
// Bookmarks and notes in the file of a session: [{"node" or "module": NAME, "key": 1, "note": "…", "traits": what tells the node besides its name}].
#include <nlohmann/json_fwd.hpp>

#include "views/workspace/document.h"

namespace pt2::app {

nlohmann::ordered_json write_marks(const views::Document& document);
// Returns those that have no certain place in this program.
nlohmann::ordered_json read_marks(const nlohmann::ordered_json& value, views::Document& document);

}  // namespace pt2::app
