#include "core/diff/renamed.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "core/text/print_program.h"

namespace pt2::diff {

namespace {

using Names = std::pair<std::string, std::string>;  // of a module on the left and on the right

// What is before the part that both targets end with; nothing where their last names are not the same.
std::optional<Names> names_before_the_same(std::string_view l, std::string_view r) {
  if (l == r) return std::nullopt;
  const size_t same = size_t(std::mismatch(l.rbegin(), l.rbegin() + std::ptrdiff_t(std::min(l.size(), r.size())), r.rbegin()).first - l.rbegin());
  if (same == l.size() && r[r.size() - same - 1] == '.') return Names{"", r.substr(0, r.size() - same - 1)};
  if (same == r.size() && l[l.size() - same - 1] == '.') return Names{l.substr(0, l.size() - same - 1), ""};
  const size_t dot = l.find('.', l.size() - same);
  if (dot == l.npos) return std::nullopt;
  return Names{l.substr(0, dot), r.substr(0, r.size() - (l.size() - dot))};
}

// Inputs of the two programs, by their places in the signatures, as matched calls show them to be one.
class InputMatch {
 public:
  InputMatch(const Program& left, const Program& right, const Diff& diff) : left_(left), right_(right), diff_(diff) {}

  bool one_input(size_t l, size_t r) const {
    const InputSpec &a = left_.signature.inputs[l], &b = right_.signature.inputs[r];
    return a.kind == b.kind && type_of(left_, a) == type_of(right_, b) && read_alike(readers(left_, a, diff_.left_group), readers(right_, b, diff_.right_group));
  }
  bool is_read(size_t l) const { return !readers(left_, left_.signature.inputs[l], diff_.left_group).empty(); }

 private:
  using Groups = std::set<size_t>;

  static std::string type_of(const Program& program, const InputSpec& spec) { return spec.node ? type_annotation(program.root_graph().node(spec.node).val) : ""; }

  static Groups readers(const Program& program, const InputSpec& spec, const std::unordered_map<NodeRef, size_t>& group_of) {
    Groups groups;
    if (!spec.node) return groups;
    for (NodeId user : program.root_graph().users(spec.node))
      if (const auto group = group_of.find({program.root(), user}); group != group_of.end()) groups.insert(group->second);
    return groups;
  }

  static bool read_alike(const Groups& l, const Groups& r) {
    if (l.empty() || r.empty()) return l.empty() && r.empty();
    return std::any_of(l.begin(), l.end(), [&r](size_t group) { return r.count(group) > 0; });
  }

  const Program &left_, &right_;
  const Diff& diff_;
};

// What is written to the buffers of a module.
RenamedModule::Places written(const Program& left, const Program& right, const RenamedModule::Places& inputs) {
  std::map<std::string_view, std::string_view> names;
  for (const auto& [l, r] : inputs) names.emplace(left.signature.inputs[l].target, right.signature.inputs[r].target);
  const auto &ours = left.signature.outputs, &theirs = right.signature.outputs;
  RenamedModule::Places places;
  for (size_t i = 0; i < ours.size(); ++i) {
    const auto name = names.find(ours[i].target);
    if (name == names.end()) continue;
    const auto same = [kind = ours[i].kind, target = name->second](const OutputSpec& output) { return output.kind == kind && output.target == target; };
    if (const auto j = std::find_if(theirs.begin(), theirs.end(), same); j != theirs.end()) places.emplace_back(i, size_t(j - theirs.begin()));
  }
  return places;
}

// Those that explain most inputs first; of equal ones in an order that does not ask which program is which.
bool before(const RenamedModule& a, const RenamedModule& b) {
  if (a.inputs.size() != b.inputs.size()) return a.inputs.size() > b.inputs.size();
  return std::minmax(a.left, a.right) < std::minmax(b.left, b.right);
}

}  // namespace

void find_renamed_modules(const RenamedPaths& paths, const Program& left, const Program& right, Diff& diff) {
  if (paths.empty()) return;
  const InputMatch match(left, right, diff);
  const auto &ours = left.signature.inputs, &theirs = right.signature.inputs;
  std::map<std::string_view, size_t> right_places;
  for (size_t j = 0; j < theirs.size(); ++j) right_places.emplace(theirs[j].target, j);
  std::map<std::string_view, std::string_view> right_names;
  for (const auto& [r, l] : paths) right_names.emplace(l, r);
  std::map<Names, RenamedModule::Places> inputs;
  for (size_t i = 0; i < ours.size(); ++i) {
    const auto name = right_names.find(ours[i].target);
    const auto j = name == right_names.end() ? right_places.end() : right_places.find(name->second);
    if (j == right_places.end() || !match.one_input(i, j->second)) continue;
    if (const auto names = names_before_the_same(name->first, name->second)) inputs[*names].emplace_back(i, j->second);
  }
  for (auto& [names, places] : inputs) {
    if (std::none_of(places.begin(), places.end(), [&match](const auto& place) { return match.is_read(place.first); })) continue;
    RenamedModule module{names.first, names.second, std::move(places), {}};
    module.outputs = written(left, right, module.inputs);
    diff.renamed.push_back(std::move(module));
  }
  std::sort(diff.renamed.begin(), diff.renamed.end(), before);
}

std::string names_text(const RenamedModule& module) {
  auto name = [](const std::string& path) { return path.empty() ? std::string("(root)") : path; };
  return name(module.left) + " → " + name(module.right);
}

std::string renamed_text(const Program& left, const RenamedModule& module) {
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
