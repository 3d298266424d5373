#include "core/diff/renamed.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "core/diff/paired_specs.h"
#include "core/text/print_program.h"

namespace pt2::diff {

namespace {

using Names = std::pair<std::string, std::string>;  // of a module on the left and on the right

// What is before the part that both targets end with; nothing where their last names are not the same.
std::optional<Names> names_before_the_same(const std::string& l, const std::string& r) {
  if (l == r) return std::nullopt;
  const size_t same = size_t(std::mismatch(l.rbegin(), l.rbegin() + std::ptrdiff_t(std::min(l.size(), r.size())), r.rbegin()).first - l.rbegin());
  if (same == l.size() && r[r.size() - same - 1] == '.') return Names{"", r.substr(0, r.size() - same - 1)};
  if (same == r.size() && l[l.size() - same - 1] == '.') return Names{l.substr(0, l.size() - same - 1), ""};
  const size_t dot = l.find('.', l.size() - same);
  if (dot == l.npos) return std::nullopt;
  return Names{l.substr(0, dot), r.substr(0, r.size() - (l.size() - dot))};
}

// What a target is called where the module has its other name; nothing: it is not in the module.
std::optional<std::string> under_other_name(const std::string& target, const Names& module) {
  const auto& [from, to] = module;
  if (!from.empty() && (target.size() <= from.size() || !target.starts_with(from) || target[from.size()] != '.')) return std::nullopt;
  const std::string rest = from.empty() ? target : target.substr(from.size() + 1);
  return to.empty() ? rest : to + "." + rest;
}

// An input that only one side has.
struct Lone {
  size_t place;
  std::string target;
  InputKind kind;
  std::string type;
  std::set<size_t> readers;  // groups
};

Lone lone_input(const Program& program, size_t place, const std::unordered_map<NodeRef, size_t>& group_of) {
  const InputSpec& spec = program.signature.inputs[place];
  Lone input{place, std::string(spec.target), spec.kind, "", {}};
  if (!spec.node) return input;
  input.type = type_annotation(program.root_graph().node(spec.node).val);
  for (NodeId user : program.root_graph().users(spec.node))
    if (const auto group = group_of.find({program.root(), user}); group != group_of.end()) input.readers.insert(group->second);
  return input;
}

bool read_alike(const Lone& l, const Lone& r) {
  if (l.readers.empty() || r.readers.empty()) return l.readers.empty() && r.readers.empty();
  return std::any_of(l.readers.begin(), l.readers.end(), [&r](size_t group) { return r.readers.count(group) > 0; });
}

bool one_input(const Lone& l, const Lone& r) { return l.kind == r.kind && l.type == r.type && read_alike(l, r); }

class Gatherer {
 public:
  Gatherer(const Program& left, const Program& right, const Diff& diff) : left_(left), right_(right) {
    for (const SpecPair& pair : paired_inputs(left, right)) {
      if (pair.left && pair.right) continue;
      Lone input = pair.left ? lone_input(left, *pair.left, diff.left_group) : lone_input(right, *pair.right, diff.right_group);
      if (input.target.empty()) continue;
      if (pair.left) ours_.push_back(std::move(input));
      else theirs_.emplace(input.target, std::move(input));
    }
    for (const SpecPair& pair : paired_outputs(left, right)) {
      if (pair.left && !pair.right) our_outputs_.push_back(*pair.left);
      if (pair.right && !pair.left) their_outputs_.push_back(*pair.right);
    }
  }

  std::vector<Renamed> run() {
    std::vector<Renamed> modules;
    for (const Names& names : likely_names()) {
      Renamed module{names.first, names.second, {}, {}};
      take_inputs(module);
      if (module.inputs.empty()) continue;
      take_outputs(module);
      modules.push_back(std::move(module));
    }
    return modules;
  }

 private:
  // Those that explain most inputs first; of equal ones in an order that does not ask which program is which.
  std::vector<Names> likely_names() const {
    std::map<size_t, std::vector<const Lone*>> read_by;
    for (const auto& [target, r] : theirs_)
      for (size_t group : r.readers) read_by[group].push_back(&r);
    std::map<Names, size_t> counts;
    for (const Lone& l : ours_)
      for (size_t group : l.readers)
        for (const Lone* r : read_by[group])
          if (const auto names = one_input(l, *r) ? names_before_the_same(l.target, r->target) : std::nullopt) ++counts[*names];
    std::vector<Names> likely;
    for (const auto& [names, count] : counts) likely.push_back(names);
    std::stable_sort(likely.begin(), likely.end(), [&counts](const Names& a, const Names& b) {
      if (counts[a] != counts[b]) return counts[a] > counts[b];
      return std::minmax(a.first, a.second) < std::minmax(b.first, b.second);
    });
    return likely;
  }

  void take_inputs(Renamed& module) {
    for (const Lone& l : ours_) {
      const auto name = under_other_name(l.target, {module.left, module.right});
      if (!name || taken_left_.count(l.place)) continue;
      const auto [begin, end] = theirs_.equal_range(*name);
      const auto r = std::find_if(begin, end, [this, &l](const auto& other) { return !taken_right_.count(other.second.place) && one_input(l, other.second); });
      if (r == end) continue;
      taken_left_.insert(l.place);
      taken_right_.insert(r->second.place);
      module.inputs.emplace_back(l.place, r->second.place);
    }
  }

  // What is written to the buffers that were taken.
  void take_outputs(Renamed& module) const {
    std::map<std::string_view, std::string_view> names;
    for (const auto& [l, r] : module.inputs) names.emplace(left_.signature.inputs[l].target, right_.signature.inputs[r].target);
    const auto &ours = left_.signature.outputs, &theirs = right_.signature.outputs;
    for (size_t i : our_outputs_) {
      const auto name = names.find(ours[i].target);
      if (name == names.end()) continue;
      const std::string_view renamed = name->second;
      const auto j = std::find_if(their_outputs_.begin(), their_outputs_.end(), [&](size_t place) { return theirs[place].kind == ours[i].kind && theirs[place].target == renamed; });
      if (j != their_outputs_.end()) module.outputs.emplace_back(i, *j);
    }
  }

  const Program &left_, &right_;
  std::vector<Lone> ours_;
  std::multimap<std::string, Lone> theirs_;  // by target
  std::vector<size_t> our_outputs_, their_outputs_;  // that only one side has
  std::set<size_t> taken_left_, taken_right_;
};

}  // namespace

std::vector<Renamed> renamed_modules(const Program& left, const Program& right, const Diff& diff) { return Gatherer(left, right, diff).run(); }

std::string names_text(const Renamed& module) {
  auto name = [](const std::string& path) { return path.empty() ? std::string("(root)") : path; };
  return name(module.left) + " → " + name(module.right);
}

std::string renamed_text(const Program& left, const Renamed& module) {
  std::vector<std::pair<std::string, size_t>> counts;
  auto add = [&counts](std::string_view kind) {
    std::string what(kind);
    std::replace(what.begin(), what.end(), '_', ' ');
    if (counts.empty() || counts.back().first != what) counts.emplace_back(what, 0);
    ++counts.back().second;
  };
  for (const auto& places : module.inputs) add(kind_name(left.signature.inputs[places.first].kind));
  for (const auto& places : module.outputs) add(kind_name(left.signature.outputs[places.first].kind));
  std::string text;
  for (const auto& [what, count] : counts) text += (text.empty() ? "" : ", ") + std::to_string(count) + " " + what + (count == 1 ? "" : "s");
  return "renamed: " + names_text(module) + " (" + text + ")";
}

}  // namespace pt2::diff
