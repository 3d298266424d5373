#pragma once
// Bookmarks and notes in the file of a session.
#include <nlohmann/json_fwd.hpp>

#include "views/workspace/document.h"

namespace pt2::app {

// "marks": [{"node" or "module": NAME, "key": 1, "note": "…"}]. Those of nodes the program does not have are kept for when it has them.
void restore_marks(const nlohmann::ordered_json& session, views::Document& document);
// Where there never was one, nothing is added.
void save_marks(nlohmann::ordered_json& session, const views::Document& document);

}  // namespace pt2::app
