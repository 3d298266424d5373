#pragma once
// One self-contained HTML page: the graph to pan, zoom and search, module by module, facts of a box on click, and tables beside it.
// Needs no network. The page's own code is assets/page.
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "app/picture/graph_picture.h"

namespace pt2::app {

// A picture of the whole program (the first) or of one module's inside.
struct PageView {
  std::string module, title;  // module: its path; empty for the program
  views::GraphScene scene;
  std::string svg;
  std::map<NodeRef, std::string> marks = {};  // of nodes, what a comparison says: a class of page.css
  bool other = false;                          // of the second program of a comparison
};

struct PageRow {
  std::vector<std::string> cells;
  std::string node;  // qualified_name of the node a click goes to; empty: none
  std::string other_node = {};  // the same in the second program
  bool folded = false;          // not shown at first
};

inline constexpr size_t kMostRows = 20'000;  // of one table: the page stays one that a browser opens at once

struct PageSection {
  std::string title, note;
  std::vector<std::pair<std::string, std::string>> facts;
  std::vector<std::string> columns;
  std::vector<PageRow> rows;
};

struct Page {
  std::string title;
  std::vector<PageView> views;
  std::vector<PageSection> sections;
  std::map<std::string, std::vector<std::pair<std::string, std::string>>> node_facts;  // by qualified_name: what a box's card says more
};

// Texts from files may be anything: they are shown through display().
std::string html_page(const Page& page, const PictureStyle& style);

}  // namespace pt2::app
