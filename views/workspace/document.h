#pragma once
// One opened file and program with what the user did to it. The program is immutable and shared; everything else here is side tables
// that only commands change.
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "core/base/file_stamp.h"
#include "core/base/finding.h"
#include "core/diff/mapping.h"
#include "core/load.h"
#include "views/workspace/graph_view.h"
#include "views/workspace/marks.h"
#include "views/workspace/node_data.h"
#include "views/workspace/overlay.h"
#include "views/workspace/selection.h"

namespace pt2::views {

using DocumentId = Id<struct DocumentTag>;  // never reused in a session

struct UnliftedForm;  // views/workspace/unlifted_form.h

struct Loading { std::string stage; };
struct LoadFailed {
  Error error;
  std::vector<std::string> entries;  // of the archive, where it could be read that far
};
struct Loaded {
  std::shared_ptr<const OpenedFile> file;
  std::shared_ptr<const Program> program;  // null: the file holds tensors only
  std::shared_ptr<const ScopeTree> scopes;  // of the program
  std::shared_ptr<const UnliftedForm> unlifted;  // of the program; null until it is asked for
};

enum class CentreView : uint8_t { Graph, Text, Both };

// Upstream, downstream or path cone, or the way of a NaN from its origin, that is lit while the rest dims.
struct Highlight {
  enum class Kind : uint8_t { None, Upstream, Downstream, Both, Path, Origin } kind = Kind::None;
  bool from_operator = false;  // it was asked of an operator, which is lit and not counted
  std::set<NodeRef> nodes;
};

// A node of the program, or one that only the unlifted form has.
struct SearchHit {
  NodeRef node;
  NodeId unlifted;
  friend bool operator==(const SearchHit&, const SearchHit&) = default;
};
struct Search {
  bool open = false;
  bool focus = false;  // the field wants the keyboard; the shell clears it
  std::string query;
  std::string error;   // of the query ("unknown field foo:")
  std::vector<SearchHit> hits;
  std::optional<size_t> index;  // the active hit
  bool filter = false;          // dim what is no hit
  bool match_case = false;
  uint64_t run_revision = 0;    // of what was known of the run: RunFacts::revision()
};

// What the graph pane's camera is asked to do; the pane acts when the revision changes.
struct CameraRequest {
  enum class Kind : uint8_t { None, FitAll, FitSelection, ActualSize, ZoomIn, ZoomOut, ReadSelection } kind = Kind::None;
  uint64_t revision = 0;
};

class DebugSession;

struct Document {
  Document();
  ~Document();
  Document(Document&&) noexcept;
  Document& operator=(Document&&) noexcept;

  DocumentId id;
  uint32_t slot = 0;         // its place among the open ones, used again after it closed: what a window toolkit keeps by place does not grow
  std::string path;          // as given
  std::string program_name;  // as asked for; empty: the file's main one
  std::variant<Loading, LoadFailed, Loaded> state;
  std::optional<FileStamp> stamp;  // of the file as it was opened
  std::string changed;             // what became of the file since then; empty: nothing

  SelectionHistory selection;
  GraphView graph;
  Highlight highlight;
  OverlayKind overlay = OverlayKind::Family;           // what boxes are coloured by
  std::shared_ptr<const NodeData> data;                // a table with a value per node, from a file; null: none
  size_t data_column = 0;                              // the one boxes are coloured by
  std::optional<std::pair<double, double>> overlay_range;  // the values at the ends of its scale; none: all there are
  CameraRequest camera;
  Search search;
  CentreView view = CentreView::Graph;
  std::string session_problem;                         // why what was set up here is only in memory; empty: it is on disk
  std::vector<Finding> problems;                       // of the file, its programs and later of runs
  std::optional<size_t> problem;                       // the one F8 stands on
  Marks marks;                                         // bookmarks and notes
  std::map<std::string, Mapping> pairs;                // set by hand in comparisons, by the other program (pairs_key); this one is the left side
  std::unique_ptr<DebugSession> debug;                 // null until Loaded with a program

  bool loaded() const { return std::holds_alternative<Loaded>(state); }
  const Program* program() const {
    auto* l = std::get_if<Loaded>(&state);
    return l ? l->program.get() : nullptr;
  }
  std::shared_ptr<const Program> shared_program() const {
    auto* l = std::get_if<Loaded>(&state);
    return l ? l->program : nullptr;
  }
  const OpenedFile* file() const {
    auto* l = std::get_if<Loaded>(&state);
    return l ? l->file.get() : nullptr;
  }
  // What the graph and text panes show in place of the program; null: the program itself.
  const UnliftedForm* unlifted() const {
    auto* l = std::get_if<Loaded>(&state);
    return l && graph.unlifted ? l->unlifted.get() : nullptr;
  }
  const ScopeTree* scopes() const;  // of what is shown
  std::string title() const;  // "model.pt2", "model.pt2#two"
  std::string pairs_key() const;  // its path in full, and the program
};

// A node by what people write: "relu", "graph_name/relu" for sub-graphs. None when there is no such node.
NodeRef find_node(const Program& program, std::string_view name);
std::string node_path(const Program& program, NodeRef ref);  // the inverse

// The same as the graph and the text name it: in the unlifted form "get_attr conv.weight", and what only that form has.
std::string shown_name(const Document& document, const Selection& selection);
// A node by its name in the unlifted form, where that is shown: "conv_weight" or "get_attr conv.weight". None: there is none.
SearchHit find_in_form(const Document& document, std::string_view name);

// Opens whatever hides the node in the graph.
void reveal(Document& document, NodeRef node);
// Selects it, unfolds what hides its node or module, leaves a module shown alone that it is not in, and asks the camera to come so near that it can be read.
void go_to(Document& document, const Selection& selection, std::string_view origin = {});

// Sets query, hits and error of the document's search; no hit is active until step_search.
void run_search(Document& document, const std::string& query);
// Again, where it asks for values of a run and these are others now; the active hit stays.
void refresh_search(Document& document);
// Makes the next (+1) or previous (-1) hit active, selects it and unfolds what hides it.
void step_search(Document& document, int direction);

}  // namespace pt2::views
