#pragma once
// Bookmarks and notes in the file of a session: [{"node" or "module": NAME, "key": 1, "note": "…"}].
#include <nlohmann/json_fwd.hpp>

#include "views/workspace/document.h"

namespace pt2::app {

nlohmann::ordered_json write_marks(const views::Document& document);
// Returns those that have no place in this program.
nlohmann::ordered_json read_marks(const nlohmann::ordered_json& value, views::Document& document);

// The same as "marks" of a session. Marks without a place are kept for when they have one; where there never was a mark, nothing is added.
void restore_marks(const nlohmann::ordered_json& session, views::Document& document);
void save_marks(nlohmann::ordered_json& session, const views::Document& document);

}  // namespace pt2::app
