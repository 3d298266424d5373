// What can be odd while a file is read, and what can go wrong when two programs run. These are found elsewhere; here they have their words.
#include "core/verify/verify.h"

namespace pt2 {

namespace {

constexpr VerifyRule kRules[] = {
    {"archive.version", Severity::Warning, "The archive says a version that is known", "It is read as that version all the same; what is new in it is missing here."},
    {"archive.byteorder", Severity::Warning, "The byte order is little or big", "Values are read as little-endian and may be wrong."},
    {"archive.compiled", Severity::Warning, "The archive holds a graph, not machine code alone", "A package of AOTInductor has no graph. Open the file that torch.export.save wrote."},
    {"archive.config", Severity::Warning, "The lists of weights and constants are there and can be read", "The graph can be browsed; nodes that need these tensors do not run."},
    {"archive.state-dict", Severity::Warning, "The archive holds the weights of its program", "The graph can be browsed; nodes that need weights do not run."},
    {"archive.pickle", Severity::Warning, "Pickled tensors can be read without running anything", "The graph can be browsed; tensors that were left out have no values."},
    {"pickle.call", Severity::Warning, "Pickles call constructors of plain data only", "The call is not run; its result is kept as an object of that name. If it is no class of the exported program, ask where the file comes from."},
    {"archive.tensor", Severity::Warning, "Each stored tensor fits into its record", "That tensor has no values, and nodes that need it do not run."},
    {"archive.constant", Severity::Warning, "Constants in the program's JSON can be read", "Nodes that need that constant do not run."},
    {"archive.sample-inputs", Severity::Warning, "Sample inputs can be read", "A run needs inputs of its own, or fills them."},
    {"safetensors.hole", Severity::Warning, "Every byte of a .safetensors file belongs to a tensor", "The tensors are read; the safetensors library refuses such a file."},
    {"archive.duplicate-member", Severity::Warning, "Names of the archive's members are different", "Which of two is meant is unknown, so neither is read."},
    {"archive.member-name", Severity::Warning, "Names of members stay inside the archive's folder", "Nothing is extracted here; a program that unpacks the file may be tricked."},
    {"archive.overlapping-members", Severity::Warning, "Members have bytes of their own", "No program writes such an archive; its content is doubtful."},
    {"format.schema-version", Severity::Warning, "The schema version is known, and the same wherever the file says it", "What is not known is kept and shown as the file has it."},
    {"format.program", Severity::Warning, "Each part of the program can be read", "What can be read is shown; the rest is missing. It is an error where nothing of the program can be read."},
    {"format.json", Severity::Warning, "The program is JSON in UTF-8, each key once", "What is odd is ignored or shown as U+FFFD."},
    {"format.node-name", Severity::Warning, "Nodes of a graph are named once", "References by that name may mean either; the graph goes by the names of results."},
    {"format.node-metadata", Severity::Warning, "Metadata of nodes can be read", "The node has no source lines and belongs to no module."},
    {"format.argument", Severity::Warning, "Arguments have the form that their kind has", "The argument is shown as the file has it; the call cannot be run."},
    {"format.unknown-argument", Severity::Warning, "Kinds of arguments are known", "The file may come from a newer PyTorch; the call cannot be run."},
    {"format.ambiguous-argument", Severity::Warning, "An argument has one value", "The first was taken."},
    {"format.value-meta", Severity::Warning, "Values have a type and shape that can be read", "The type and shape of that value are unknown."},
    {"format.unknown-dtype", Severity::Warning, "Element types are known", "The file may come from a newer PyTorch; tensors of that type cannot be read."},
    {"format.unknown-input-kind", Severity::Warning, "Kinds of inputs are known", "It is shown as a user input."},
    {"format.unknown-output-kind", Severity::Warning, "Kinds of outputs are known", "It is shown as a user output."},
    {"format.tree-spec", Severity::Warning, "How inputs and outputs are nested fits the signature", "Paths such as batch['mask'] are not known."},
    {"format.more", Severity::Warning, "A file has few problems of one kind", "Further ones are counted, not listed."},
    {"signature.inputs", Severity::Warning, "The signature has an entry for each input of the graph, of the same name", "Inputs without an entry are user inputs; names are those of the signature."},
    {"signature.outputs", Severity::Warning, "The signature has an entry for each output of the graph, of the same name", "Outputs without an entry are user outputs; entries without an output are dropped."},
    {"symbol.not-understood", Severity::Warning, "Size expressions can be read", "The expression is shown as text; sizes with it are unknown until a run."},
};

constexpr VerifyRule kRunningRules[] = {
    {"run.failed", Severity::Error, "Each node gives a value when both programs of a comparison run", "What reads it has no value either, and what waits for it cannot be compared."},
};

}  // namespace

std::span<const VerifyRule> reading_rules() { return kRules; }
std::span<const VerifyRule> running_rules() { return kRunningRules; }

}  // namespace pt2
