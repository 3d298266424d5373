#include "core/diff/paired_specs.h"

#include <algorithm>
#include <limits>
#include <map>

namespace pt2::diff {

namespace {

constexpr size_t kNone = std::numeric_limits<size_t>::max();

struct Named {
  std::string key, title;
  std::optional<size_t> place;  // of a user input, or of what is returned
};

bool is_of_caller(const InputSpec& spec) { return spec.kind == InputKind::UserInput; }
bool is_of_caller(const OutputSpec& spec) { return is_returned(spec); }

template <class Spec>
size_t count_of_caller(const std::vector<Spec>& specs) {
  return size_t(std::count_if(specs.begin(), specs.end(), [](const Spec& spec) { return is_of_caller(spec); }));
}

// How a caller reaches each user input or returned value; nothing where that is not known.
std::vector<std::string> caller_paths(const Program& program, bool inputs) {
  const ModuleCall* call = root_call(program);
  if (!call) return {};
  const auto spec = parse_tree_spec(inputs ? call->in_spec : call->out_spec);
  if (!spec) return {};
  auto paths = leaf_paths(*spec, program.namedtuple_fields);
  if (paths.size() != (inputs ? count_of_caller(program.signature.inputs) : count_of_caller(program.signature.outputs))) return {};
  if (inputs && !has_keyword_arguments(*spec))
    for (std::string& path : paths) path.insert(0, "[0]");
  return paths;
}

// For each place in the right program the one in the left; for those that only the right one has, numbers of their own.
std::vector<size_t> places_in_left(const Program& left, const Program& right, bool inputs) {
  const size_t left_count = inputs ? count_of_caller(left.signature.inputs) : count_of_caller(left.signature.outputs);
  std::vector<size_t> places(inputs ? count_of_caller(right.signature.inputs) : count_of_caller(right.signature.outputs), kNone);
  std::map<std::string, size_t> by_path;
  const auto ours = caller_paths(left, inputs), theirs = caller_paths(right, inputs);
  for (size_t i = 0; i < ours.size(); ++i) by_path.emplace(ours[i], i);
  std::vector<bool> taken(left_count, false);
  for (size_t j = 0; j < theirs.size(); ++j) {
    const auto found = by_path.find(theirs[j]);
    if (found == by_path.end() || taken[found->second]) continue;
    places[j] = found->second;
    taken[found->second] = true;
  }
  size_t next = 0;
  for (size_t& place : places) {
    if (place != kNone) continue;
    while (next < left_count && taken[next]) ++next;
    place = next++;
  }
  return places;
}

std::vector<size_t> own_places(size_t count) {
  std::vector<size_t> places(count);
  for (size_t i = 0; i < count; ++i) places[i] = i;
  return places;
}

// The place of a user input that an output spec names; nullopt: there is none of this name.
std::optional<size_t> user_input_place(const Program& program, std::string_view name) {
  size_t place = 0;
  for (const InputSpec& spec : program.signature.inputs) {
    if (spec.kind != InputKind::UserInput) continue;
    if (spec.name == name || (spec.node && program.root_graph().node(spec.node).name == name)) return place;
    ++place;
  }
  return std::nullopt;
}

template <class Spec>
Named named(const Spec& spec) {
  const std::string title = std::string(kind_name(spec.kind)) + " " + std::string(spec.target);
  return {title, title, std::nullopt};
}

Named named_by_place(const std::string& what, size_t place, const std::vector<size_t>& places) {
  return {what + std::to_string(places[place]), what + std::to_string(place), place};
}

std::vector<Named> named_inputs(const Program& program, const std::vector<size_t>& places) {
  std::vector<Named> result;
  size_t place = 0;
  for (const InputSpec& spec : program.signature.inputs) result.push_back(is_of_caller(spec) ? named_by_place("user input ", place++, places) : named(spec));
  return result;
}

std::vector<Named> named_outputs(const Program& program, const std::vector<size_t>& places, const std::vector<size_t>& input_places) {
  std::vector<Named> result;
  size_t place = 0;
  for (const OutputSpec& spec : program.signature.outputs) {
    result.push_back(is_of_caller(spec) ? named_by_place("user output ", place++, places) : named(spec));
    if (spec.kind != OutputKind::UserInputMutation) continue;
    if (const auto input = user_input_place(program, spec.target)) result.back().key = std::string(kind_name(spec.kind)) + " of user input " + std::to_string(input_places[*input]);
  }
  return result;
}

std::vector<SpecPair> pair_up(const std::vector<Named>& left, const std::vector<Named>& right) {
  std::multimap<std::string, size_t> others;
  for (size_t j = 0; j < right.size(); ++j) others.emplace(right[j].key, j);
  std::vector<SpecPair> pairs;
  std::vector<bool> taken(right.size(), false);
  for (size_t i = 0; i < left.size(); ++i) {
    SpecPair& pair = pairs.emplace_back(SpecPair{left[i].title, i, std::nullopt});
    const auto found = others.lower_bound(left[i].key);
    if (found == others.end() || found->first != left[i].key) continue;
    pair.right = found->second;
    taken[found->second] = true;
    const std::optional<size_t>& place = right[found->second].place;
    if (place && place != left[i].place) pair.title += " → " + std::to_string(*place);
    others.erase(found);
  }
  for (size_t j = 0; j < right.size(); ++j)
    if (!taken[j]) pairs.push_back({right[j].title, std::nullopt, j});
  return pairs;
}

}  // namespace

std::vector<SpecPair> paired_inputs(const Program& left, const Program& right) {
  return pair_up(named_inputs(left, own_places(count_of_caller(left.signature.inputs))), named_inputs(right, places_in_left(left, right, true)));
}

std::vector<SpecPair> paired_outputs(const Program& left, const Program& right) {
  return pair_up(named_outputs(left, own_places(count_of_caller(left.signature.outputs)), own_places(count_of_caller(left.signature.inputs))),
                 named_outputs(right, places_in_left(left, right, false), places_in_left(left, right, true)));
}

bool is_returned(const OutputSpec& spec) { return spec.kind == OutputKind::UserOutput || spec.kind == OutputKind::LossOutput; }

const ModuleCall* root_call(const Program& program) {
  const auto found = std::find_if(program.module_call_graph.begin(), program.module_call_graph.end(), [](const ModuleCall& call) { return call.fqn.empty() && call.has_signature; });
  return found == program.module_call_graph.end() ? nullptr : &*found;
}

bool has_keyword_arguments(const TreeSpec& in_spec) {
  const auto& nodes = in_spec.nodes;
  const auto& parts = nodes[0].children;
  return parts.size() == 2 && nodes[parts[0]].type == "builtins.tuple" && nodes[parts[1]].type == "builtins.dict";
}

}  // namespace pt2::diff
