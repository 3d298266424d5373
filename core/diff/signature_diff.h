#pragma once
// The interfaces of two programs: which inputs are the same ones, and what changed in the signatures.
#include <string>
#include <unordered_map>
#include <vector>

#include "core/diff/diff.h"

namespace pt2::diff {

// Fills diff.signature_changes and diff.op_changes of a Diff that has its groups: what is returned is told by the groups it belongs to.
void compare_signatures(const Program& left, const Program& right, Diff& diff);

// Diff::signature_changes to be read: a module that has another name is one line, its weights and buffers are not told one by one.
std::vector<std::string> gathered_signature_changes(const Program& left, const Program& right, const Diff& diff);

// Gives inputs that are the same ones equal keys: root inputs as paired_inputs pairs them, sub-graph inputs by position.
// Inputs of one side get keys of their own. Aligned pairs are appended to diff.placeholders.
void align_placeholders(const Program& left, GraphId left_graph, const Program& right, GraphId right_graph,
                        std::unordered_map<NodeId, int32_t>& left_keys, std::unordered_map<NodeId, int32_t>& right_keys, Diff& diff);

}  // namespace pt2::diff
