#include "core/parameters.h"

#include <algorithm>
#include <map>
#include <set>

#include "core/base/text.h"

namespace pt2 {

std::optional<TensorPlace> tensor_place(const TensorInfo& tensor) {
  if (tensor.role != TensorRole::Weight || tensor.record.empty()) return std::nullopt;
  return TensorPlace{tensor.record, tensor.offset, tensor.sizes, tensor.strides};
}

namespace {

std::map<std::string_view, TensorPlace> places_of(const std::vector<TensorInfo>& stored) {
  std::map<std::string_view, TensorPlace> places;
  for (const TensorInfo& tensor : stored)
    if (auto place = tensor_place(tensor)) places.emplace(tensor.name, std::move(*place));
  return places;
}

}  // namespace

std::vector<NodeId> tied_with(const Program& program, const std::vector<TensorInfo>& stored, NodeId placeholder) {
  const auto places = places_of(stored);
  const auto place_of = [&](const InputSpec& spec) { return places.find(spec.target); };
  const auto& inputs = program.signature.inputs;
  const auto own = std::find_if(inputs.begin(), inputs.end(), [&](const InputSpec& spec) { return spec.node == placeholder; });
  if (own == inputs.end() || place_of(*own) == places.end()) return {};
  std::vector<NodeId> tied;
  for (const InputSpec& spec : inputs)
    if (const auto place = place_of(spec); spec.node && spec.node != placeholder && place != places.end() && place->second == place_of(*own)->second) tied.push_back(spec.node);
  return tied;
}

ParameterCount count_parameters(const Program& program, const std::vector<TensorInfo>& stored, std::string_view prefix) {
  const auto places = places_of(stored);
  std::set<TensorPlace> counted;
  ParameterCount count;
  for (const InputSpec& spec : program.signature.inputs) {
    if (spec.kind != InputKind::Parameter || !spec.target.starts_with(prefix)) continue;
    ++count.tensors;
    const auto place = places.find(spec.target);
    if (place != places.end() && !counted.insert(place->second).second) {
      ++count.tied;
      continue;
    }
    const TensorMeta* meta = spec.node ? tensor_meta(program.root_graph().node(spec.node).val) : nullptr;
    if (!meta) continue;
    uint64_t elements = 1;
    for (const SymInt& size : meta->sizes) elements *= uint64_t(std::max<int64_t>(size.value, 0));
    count.elements += elements;
  }
  return count;
}

std::string parameter_text(const ParameterCount& count) {
  auto counted = [](uint64_t n, const char* thing) { return with_commas(n) + " " + thing + (n == 1 ? "" : "s"); };
  return counted(count.tensors, "parameter") + (count.tensors ? ", " + counted(count.elements, "element") : "") +
         (count.tied ? " (" + with_commas(count.tied) + (count.tied == 1 ? " shares" : " share") + " the memory of another)" : "");
}

}  // namespace pt2
