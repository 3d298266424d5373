#pragma once
// How the graph is folded and drawn, as a session and a bundle keep it.
#include <nlohmann/json_fwd.hpp>

#include "views/workspace/document.h"

namespace pt2::app {

// The texts of a list; other entries are passed over.
std::vector<std::string> texts(const nlohmann::ordered_json& object, const char* key);

nlohmann::ordered_json write_view(const views::Document& document);
// What names nothing here is passed over.
nlohmann::ordered_json read_view(const nlohmann::ordered_json& value, views::Document& document);

}  // namespace pt2::app
