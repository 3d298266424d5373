// Nodes are taken in execution order and go into the group of their module call. A group must never need itself: if some member
// outside reads from the group and the next node of the group depends on that member, folding the group would draw a cycle. So
// before a node joins a group that others already read from, we ask whether the group reaches any of the node's inputs, among the members
// of the parent; then the node opens the next part of its module instead, which nobody has read from yet.
#include "views/workspace/scope_tree.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <unordered_map>

#include "core/base/display.h"
#include "views/workspace/labels.h"
#include "views/workspace/op_family.h"

namespace pt2::views {
namespace {

constexpr size_t kMostMembers = 200;    // beyond, a group is cut into runs
constexpr size_t kNodesPerChunk = 60, kChunksPerChunk = 32, kMostChunks = 60;
constexpr size_t kMostVisited = 2000;   // when asking who reaches whom; beyond, a new part is the safe answer
constexpr uint32_t kNone = UINT32_MAX;

std::string module_title(const Module& module) {
  std::string name(module.name);
  if (!name.empty() && name[0] >= '0' && name[0] <= '9') {  // "0" says little: "layer1.0"
    const size_t end = module.path.size() - std::min(module.path.size(), name.size() + 1);
    const size_t dot = module.path.rfind('.', end ? end - 1 : 0);
    if (end > 0) name = module.path.substr(dot == std::string::npos || dot >= end ? 0 : dot + 1);
  }
  const std::string_view type = class_label(module.type);
  std::string title = display_cut(name, 40);
  if (!type.empty()) title += (title.empty() ? "" : " : ") + display_cut(type, 40);
  return title.empty() ? "module" : title;
}

}  // namespace

class ScopeTreeBuilder {
 public:
  ScopeTreeBuilder(const Program& program, ScopeTree& tree) : program_(program), tree_(tree) {}

  void run() {
    tree_.graph_scope_.resize(program_.graphs.size());
    tree_.node_scope_.resize(program_.graphs.size());
    tree_.module_scopes_.resize(program_.modules.modules.size());
    for (size_t g = 0; g < program_.graphs.size(); ++g) add_graph(GraphId(g));
    finish();
  }

 private:
  // What is needed only while building, beside each Scope.
  struct Work {
    uint32_t index = 0;                                  // among the parent's items
    std::vector<std::vector<uint32_t>> successors;       // of each item, among items
    std::unordered_map<ModuleId, ScopeId> open;          // the latest part of each child module
    bool reentered = false;                              // items may not stand in a valid order
  };

  ScopeId new_scope(Scope scope) {
    work_.emplace_back();
    return tree_.scopes_.push_back(std::move(scope));
  }
  Work& work(ScopeId id) { return work_[id.index]; }
  Scope& scope(ScopeId id) { return tree_.scopes_[id]; }

  uint32_t add_item(ScopeId in, Scope::Item item) {
    scope(in).items.push_back(item);
    work(in).successors.emplace_back();
    return uint32_t(scope(in).items.size() - 1);
  }
  ScopeId add_child(ScopeId parent, Scope child) {
    child.parent = parent;
    child.depth = scope(parent).depth + 1;
    const ScopeId id = new_scope(std::move(child));
    work(id).index = add_item(parent, {NodeId(), id});
    return id;
  }

  // The item of `ancestor` that holds what lies in `inner` (item `index` there); kNone where it lies outside.
  uint32_t item_in(ScopeId ancestor, ScopeId inner, uint32_t index) {
    while (inner != ancestor) {
      if (!inner || scope(inner).depth <= scope(ancestor).depth) return kNone;
      index = work(inner).index;
      inner = scope(inner).parent;
    }
    return index;
  }

  bool reaches(ScopeId in, uint32_t from, const std::vector<uint32_t>& targets) {
    const auto& successors = work(in).successors;
    if (successors[from].empty()) return false;
    visited_.clear();
    visited_.push_back(from);
    seen_.assign(successors.size(), 0);
    seen_[from] = 1;
    for (size_t i = 0; i < visited_.size(); ++i)
      for (uint32_t next : successors[visited_[i]]) {
        if (seen_[next]) continue;
        if (std::find(targets.begin(), targets.end(), next) != targets.end()) return true;
        if (visited_.size() >= kMostVisited) return true;
        seen_[next] = 1;
        visited_.push_back(next);
      }
    return false;
  }

  // The group for a node of `module` below `base`, opened where needed.
  ScopeId enter(ScopeId base, GraphId graph, ModuleId module, const std::vector<NodeId>& inputs) {
    chain_.clear();
    const ModuleId around = scope(base).module;
    for (ModuleId m = module; m && m != around && program_.modules.modules[m].parent; m = program_.modules.modules[m].parent) chain_.push_back(m);
    ScopeId at = base;
    bool fresh = false;
    std::vector<uint32_t> sources;
    for (size_t i = chain_.size(); i-- > 0;) {
      const ModuleId m = chain_[i];
      ScopeId child;
      if (auto it = work(at).open.find(m); !fresh && it != work(at).open.end()) {
        child = it->second;
        const uint32_t index = work(child).index;
        if (!work(at).successors[index].empty()) {
          sources.clear();
          for (NodeId input : inputs)
            if (uint32_t s = item_in(at, scope_of_[input.index], item_of_[input.index]); s != kNone && s != index) sources.push_back(s);
          if (!sources.empty() && reaches(at, index, sources)) child = ScopeId();
          else if (index + 1 != scope(at).items.size()) work(at).reentered = true;
        } else if (index + 1 != scope(at).items.size()) {
          work(at).reentered = true;
        }
      }
      if (!child) {
        Scope next{.kind = ScopeKind::Module, .graph = graph, .module = m};
        child = add_child(at, std::move(next));
        work(at).open[m] = child;
        fresh = true;
      }
      at = child;
    }
    return at;
  }

  void connect(ScopeId a, uint32_t item_a, ScopeId b, uint32_t item_b) {
    while (a != b) {
      if (scope(a).depth >= scope(b).depth) item_a = work(a).index, a = scope(a).parent;
      else item_b = work(b).index, b = scope(b).parent;
    }
    if (item_a == item_b) return;
    auto& list = work(a).successors[item_a];
    if (list.empty() || list.back() != item_b) list.push_back(item_b);
  }

  ScopeId common(ScopeId a, ScopeId b) {
    while (a != b) {
      if (scope(a).depth >= scope(b).depth) a = scope(a).parent;
      else b = scope(b).parent;
    }
    return a;
  }

  // The innermost group that holds all readers of a value.
  ScopeId common_of_readers(GraphId graph, NodeId node, ScopeId otherwise) {
    ScopeId result;
    for (NodeId user : program_.graphs[graph].users(node)) {
      const ScopeId s = tree_.node_scope_[graph][user];
      result = result ? common(result, s) : s;
    }
    return result ? result : otherwise;
  }

  ScopeId base_of(GraphId id) {
    const Graph& graph = program_.graphs[id];
    Scope base{.kind = id == program_.root() ? ScopeKind::Root : ScopeKind::Subgraph, .graph = id, .module = program_.modules.root()};
    if (id == program_.root()) return new_scope(std::move(base));
    ScopeId parent = tree_.root();
    if (graph.parent && graph.parent_node && graph.parent.index < id.index) {
      parent = common_of_readers(graph.parent, graph.parent_node, tree_.graph_scope_[graph.parent]);
      const auto users = program_.graphs[graph.parent].users(graph.parent_node);
      if (!users.empty()) base.reader = users[0];
    }
    base.module = scope(parent).module;
    base.title = graph.name.empty() ? "sub-graph" : display_cut(graph.name, 60);
    const ScopeId made = add_child(parent, std::move(base));
    to_front(parent);
    return made;
  }

  // The newest item feeds others and is fed by none: it stands first.
  void to_front(ScopeId in) {
    auto& items = scope(in).items;
    std::rotate(items.begin(), items.end() - 1, items.end());
  }

  void add_graph(GraphId id) {
    const Graph& graph = program_.graphs[id];
    const ScopeId base = base_of(id);
    tree_.graph_scope_[id] = base;
    auto& node_scope = tree_.node_scope_[id];
    node_scope.resize(graph.nodes().size());
    const uint32_t first_scope = uint32_t(tree_.scopes_.size());
    scope_of_.assign(graph.nodes().size(), ScopeId());
    item_of_.assign(graph.nodes().size(), 0);
    std::vector<NodeId> inputs, late;
    for (size_t i = 0; i < graph.nodes().size(); ++i) {
      const NodeId n(i);
      const Node& node = graph.node(n);
      if (node.kind == NodeKind::GetAttr || (node.kind == NodeKind::Placeholder && is_parameter(id, n))) {
        late.push_back(n);
        continue;
      }
      inputs.clear();
      for (const NodeArgument& argument : node.inputs)
        for_each_node(argument.value, [&](NodeId input) {
          if (scope_of_[input.index]) inputs.push_back(input);
        });
      const ScopeId at = node.kind == NodeKind::CallFunction ? enter(base, id, node.module, inputs) : base;
      node_scope[n] = scope_of_[i] = at;
      item_of_[i] = add_item(at, {n, ScopeId()});
      for (NodeId input : inputs) connect(scope_of_[input.index], item_of_[input.index], at, item_of_[i]);
    }
    cut_into_chunks(base, first_scope, graph);
    put_first(id, late, base);
  }

  // Parameters and sub-graph references belong to the innermost group of their readers, and stand before everything in it.
  void put_first(GraphId id, const std::vector<NodeId>& nodes, ScopeId base) {
    std::map<ScopeId, std::vector<Scope::Item>> fronts;
    for (NodeId n : nodes) {
      const ScopeId at = tree_.node_scope_[id][n] = common_of_readers(id, n, base);
      fronts[at].push_back({n, ScopeId()});
    }
    for (const auto& [at, front] : fronts) {
      auto& items = scope(at).items;
      items.insert(items.begin(), front.begin(), front.end());
    }
  }

  bool is_parameter(GraphId id, NodeId node) {
    if (id != program_.root()) return false;
    if (parameters_.empty()) {
      parameters_.assign(program_.root_graph().nodes().size(), 0);
      for (const InputSpec& input : program_.signature.inputs)
        if (input.node && (input.kind == InputKind::Parameter || input.kind == InputKind::Buffer || input.kind == InputKind::TensorConstant || input.kind == InputKind::CustomObj))
          parameters_[input.node.index] = 1;
    }
    return parameters_[node.index];
  }

  // Kahn's order, the earliest first, for groups that were left and entered again.
  void sort_items(ScopeId id) {
    auto& items = scope(id).items;
    auto& successors = work(id).successors;
    std::vector<uint32_t> waiting(items.size()), ready, order;
    for (const auto& list : successors)
      for (uint32_t s : list) ++waiting[s];
    for (uint32_t i = 0; i < items.size(); ++i)
      if (!waiting[i]) ready.push_back(i);
    std::make_heap(ready.begin(), ready.end(), std::greater<>());
    while (!ready.empty()) {
      std::pop_heap(ready.begin(), ready.end(), std::greater<>());
      const uint32_t i = ready.back();
      ready.pop_back();
      order.push_back(i);
      for (uint32_t s : successors[i])
        if (--waiting[s] == 0) {
          ready.push_back(s);
          std::push_heap(ready.begin(), ready.end(), std::greater<>());
        }
    }
    PT2_ASSERT(order.size() == items.size());
    std::vector<Scope::Item> sorted;
    for (uint32_t i : order) sorted.push_back(items[i]);
    items = std::move(sorted);
    for (uint32_t i = 0; i < items.size(); ++i)
      if (items[i].scope) work(items[i].scope).index = i;
  }

  void cut_into_chunks(ScopeId base, uint32_t first_scope, const Graph& graph) {
    const uint32_t end = uint32_t(tree_.scopes_.size());
    auto treat = [&](ScopeId id) {
      if (work(id).reentered) sort_items(id);
      work(id).successors = {};
      work(id).open = {};
      const size_t members = size_t(std::count_if(scope(id).items.begin(), scope(id).items.end(), [&](const Scope::Item& item) { return is_member(item, graph); }));
      if (members <= kMostMembers) return;
      size_t runs = make_chunks(id, graph, kNodesPerChunk);
      while (runs > kMostChunks) runs = make_chunks(id, graph, kChunksPerChunk);
    };
    treat(base);
    for (uint32_t i = first_scope; i < end; ++i) treat(ScopeId(i));
    if (tree_.scopes_.size() > end) set_depths(base);
  }

  // From `top` down; the order is breadth first.
  std::vector<ScopeId> set_depths(ScopeId top) {
    std::vector<ScopeId> order{top};
    for (size_t i = 0; i < order.size(); ++i)
      for (const Scope::Item& item : scope(order[i]).items)
        if (item.scope) {
          scope(item.scope).depth = scope(order[i]).depth + 1;
          order.push_back(item.scope);
        }
    return order;
  }
  static bool is_member(const Scope::Item& item, const Graph& graph) { return item.scope || graph.node(item.node).kind == NodeKind::CallFunction; }

  // Runs of about `size` members become groups of their own; returns how many.
  size_t make_chunks(ScopeId id, const Graph& graph, size_t size) {
    const std::vector<Scope::Item> items = std::move(scope(id).items);
    scope(id).items = {};
    size_t total = 0, position = 0;
    for (const auto& item : items) total += is_member(item, graph);
    const size_t chunks = (total + size - 1) / size, each = (total + chunks - 1) / chunks;
    ScopeId current;
    for (const auto& item : items) {
      if (!is_member(item, graph)) {
        add_item(id, item);
        continue;
      }
      if (position % each == 0) {
        Scope chunk{.kind = ScopeKind::Chunk, .graph = scope(id).graph, .module = scope(id).module};
        chunk.first = uint32_t(item.scope && scope(item.scope).kind == ScopeKind::Chunk ? scope(item.scope).first : position);
        current = add_child(id, std::move(chunk));
      }
      const uint32_t index = add_item(current, item);
      if (item.scope) {
        scope(item.scope).parent = current;
        work(item.scope).index = index;
      } else {
        tree_.node_scope_[scope(id).graph][item.node] = current;
      }
      ++position;
    }
    return chunks;
  }

  // Counts, parts and titles.
  void finish() {
    const std::vector<ScopeId> order = set_depths(tree_.root());
    for (size_t i = order.size(); i-- > 0;) {
      Scope& s = scope(order[i]);
      for (const Scope::Item& item : s.items) {
        if (!item.scope) s.node_count += program_.graphs[s.graph].node(item.node).kind == NodeKind::CallFunction;
        else if (scope(item.scope).kind != ScopeKind::Subgraph) s.node_count += scope(item.scope).node_count;
      }
    }
    std::unordered_map<uint64_t, std::vector<ScopeId>> parts;  // of one module in one graph
    for (ScopeId id : order) {
      Scope& s = scope(id);
      if (s.kind == ScopeKind::Chunk) {
        s.last = s.first + s.node_count;
        s.title = "nodes " + std::to_string(s.first + 1) + "–" + std::to_string(s.last);
      }
      if (s.kind != ScopeKind::Module) continue;
      s.title = module_title(program_.modules.modules[s.module]);
      parts[(uint64_t(s.graph.index) << 32) | s.module.index].push_back(id);
      tree_.module_scopes_[s.module].push_back(id);
    }
    for (const auto& [key, list] : parts)
      for (size_t i = 0; i < list.size() && list.size() > 1; ++i) {
        Scope& s = scope(list[i]);
        s.part = uint16_t(std::min<size_t>(i + 1, UINT16_MAX));
        s.parts = uint16_t(std::min<size_t>(list.size(), UINT16_MAX));
        s.title += " · part " + std::to_string(i + 1) + "/" + std::to_string(list.size());
      }
    if (tree_.scopes_.size() && !program_.modules.modules.empty()) tree_.module_scopes_[program_.modules.root()] = {tree_.root()};
  }

  const Program& program_;
  ScopeTree& tree_;
  std::vector<Work> work_;
  std::vector<ScopeId> scope_of_;   // of the nodes of the graph at hand that are drawn
  std::vector<uint32_t> item_of_;
  std::vector<ModuleId> chain_;
  std::vector<uint32_t> visited_;
  std::vector<uint8_t> seen_, parameters_;
};

ScopeTree::ScopeTree(const Program& program) { ScopeTreeBuilder(program, *this).run(); }

}  // namespace pt2::views
