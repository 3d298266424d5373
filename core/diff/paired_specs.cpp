#include "core/diff/paired_specs.h"

#include <algorithm>
#include <limits>
#include <map>
#include <unordered_set>

#include "core/graph/caller_paths.h"
#include "core/graph/written_memory.h"

namespace pt2::diff {

namespace {

constexpr size_t kNone = std::numeric_limits<size_t>::max();

struct Named {
  std::string key, title;
  std::optional<size_t> place;  // of a user input, or of what is returned
};

// For each place in the right program the one in the left; for those that only the right one has, numbers of their own.
std::vector<size_t> places_in_left(const Program& left, const Program& right, bool inputs) {
  const size_t left_count = inputs ? count_of_caller(left.signature.inputs) : count_of_caller(left.signature.outputs);
  std::vector<size_t> places(inputs ? count_of_caller(right.signature.inputs) : count_of_caller(right.signature.outputs), kNone);
  std::map<std::string, size_t> by_path;
  const auto paths_of = inputs ? caller_input_paths : caller_output_paths;
  const auto ours = paths_of(left), theirs = paths_of(right);
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

bool is_called(const Program& program, const InputSpec& spec, std::string_view name) {
  return spec.name == name || (spec.node && program.root_graph().node(spec.node).name == name);
}

// The place of a user input that an output spec names; nullopt: there is none of this name.
std::optional<size_t> user_input_place(const Program& program, std::string_view name) {
  size_t place = 0;
  for (const InputSpec& spec : program.signature.inputs) {
    if (spec.kind != InputKind::UserInput) continue;
    if (is_called(program, spec, name)) return place;
    ++place;
  }
  return std::nullopt;
}

// The input that a mutation is written to.
std::optional<size_t> mutated_input(const Program& program, const OutputSpec& mutation) {
  const auto& inputs = program.signature.inputs;
  for (size_t i = 0; i < inputs.size(); ++i) {
    const bool user_input = inputs[i].kind == InputKind::UserInput;
    if (user_input != (mutation.kind == OutputKind::UserInputMutation)) continue;
    if (user_input ? is_called(program, inputs[i], mutation.target) : inputs[i].target == mutation.target) return i;
  }
  return std::nullopt;
}

std::unordered_set<NodeId> written_in_place(const Program& program) {
  std::unordered_set<NodeId> written;
  for (const Node& node : program.root_graph().nodes())
    for (NodeId input : inputs_written_by(program.root_graph(), node)) written.insert(input);
  return written;
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

std::map<size_t, NodeId> made_in_place(const Program& left, const Program& right, const std::vector<SpecPair>& outputs) {
  std::map<size_t, NodeId> made;
  auto lone_mutation = [&](const SpecPair& output) {
    if (output.left && output.right) return false;
    return is_mutation((output.left ? left.signature.outputs[*output.left] : right.signature.outputs[*output.right]).kind);
  };
  if (std::none_of(outputs.begin(), outputs.end(), lone_mutation)) return made;
  const auto in_left = written_in_place(left), in_right = written_in_place(right);
  const auto inputs = paired_inputs(left, right);
  for (size_t i = 0; i < outputs.size(); ++i) {
    if (!lone_mutation(outputs[i])) continue;
    const bool of_left = outputs[i].left.has_value();
    const Program &own = of_left ? left : right, &other = of_left ? right : left;
    const auto input = mutated_input(own, own.signature.outputs[of_left ? *outputs[i].left : *outputs[i].right]);
    const auto pair = std::find_if(inputs.begin(), inputs.end(), [&](const SpecPair& p) { return input && (of_left ? p.left : p.right) == input; });
    const auto there = pair == inputs.end() ? std::nullopt : of_left ? pair->right : pair->left;
    const NodeId node = there ? other.signature.inputs[*there].node : NodeId();
    if ((of_left ? in_right : in_left).count(node)) made.emplace(i, node);
  }
  return made;
}

}  // namespace pt2::diff
