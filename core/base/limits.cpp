#include "core/base/limits.h"

namespace pt2::limits {

namespace {

constexpr Limit kAll[] = {
    {"archive_members", "members of one archive", kArchiveMembers, "", "error"},
    {"member_name", "name of an archive member", kMemberNameBytes, "bytes", "error"},
    {"central_directory", "central directory of an archive", kCentralDirectoryBytes, "bytes", "error"},
    {"model_json", "one models/*.json, inflated", kModelJsonBytes, "bytes", "error"},
    {"other_json", "any other JSON member, inflated", kOtherJsonBytes, "bytes", "that payload"},
    {"pickle_stream", "one data.pkl, inflated", kPickleBytes, "bytes", "that payload"},
    {"inflate_ratio", "inflated bytes for one compressed byte, beyond inflate_free", kInflateRatio, "", "error"},
    {"inflate_free", "inflated bytes to which any ratio is taken", kInflateFreeBytes, "bytes", "error"},
    {"json_depth", "nesting of JSON", kJsonDepth, "", "error"},
    {"subgraph_depth", "nesting of sub-graphs", kSubgraphDepth, "", "error"},
    {"nodes", "nodes of a program, all graphs together", kNodes, "", "error"},
    {"node_arguments", "arguments of one node", kNodeArguments, "", "error"},
    {"string", "one string that is kept", kStringBytes, "bytes", "cut, marked"},
    {"pane_text", "one string shown in a pane; copying gives all of it", kPaneTextBytes, "bytes", "cut, marked"},
    {"label", "one string in a label", kLabelCharacters, "characters", "cut, marked"},
    {"listed_problems", "problems listed for one file", kListedProblems, "", "a count"},
    {"tensor_rank", "dimensions of a tensor", kTensorRank, "", "that tensor"},
    {"tensor_bytes", "elements times item size of a tensor", INT64_MAX, "bytes", "that tensor"},
    {"pickle_opcodes", "opcodes of one pickle", kPickleOpcodes, "", "that payload"},
    {"pickle_stack", "stack of the pickle machine", kPickleStack, "", "that payload"},
    {"pickle_memo", "memo slots of the pickle machine", kPickleMemo, "", "that payload"},
    {"pickle_nesting", "nesting of pickled values", kPickleNesting, "", "that payload"},
    {"pickle_integer", "integers in pickles", kPickleIntegerBits, "bits", "that payload"},
    {"npy_header", "header of a .npy file", kNpyHeaderBytes, "bytes", "error"},
    {"safetensors_header", "header of a .safetensors file", kSafetensorsHeaderBytes, "bytes", "error"},
    {"symexpr_characters", "characters of a symbolic expression", kSymExprCharacters, "", "shown as text, value unknown"},
    {"symexpr_depth", "nesting of a symbolic expression", kSymExprDepth, "", "shown as text, value unknown"},
    {"symexpr_terms", "terms of a symbolic expression", kSymExprTerms, "", "shown as text, value unknown"},
    {"recorded_values_minimum", "recorded values kept at least", kRecordedValuesMinimumBytes, "bytes", "oldest dropped"},
    {"memory_reserve", "memory left to the rest of the process", kMemoryReserveBytes, "bytes", "error at that node"},
    {"loop_iterations", "iterations of one while_loop (--max-iterations)", kLoopIterations, "", "error at that node"},
    {"node_evaluations", "node evaluations of one run", kNodeEvaluations, "", "error at that node"},
    {"layout_seconds", "time for one Graphviz drawing", kLayoutSeconds, "seconds", "layered layout"},
    {"layout_memory", "memory for one Graphviz drawing", kLayoutBytes, "bytes", "layered layout"},
    {"layout_nodes", "boxes of one group that Graphviz places", kLayoutNodes, "", "layered layout"},
};

}  // namespace

std::span<const Limit> all() { return kAll; }

}  // namespace pt2::limits
