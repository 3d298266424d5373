#pragma once
// Values for a program's placeholders: weights and constants from the file, user inputs from its sample inputs, tensor files, single values
// or filled by a seed; symbols solved from the shapes, ranges and guards checked. Contradictions are named.
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/archive/archive.h"
#include "core/graph/program.h"
#include "core/tensor/tensor_files.h"
#include "interp/kernel_context.h"
#include "interp/runtime_value.h"

namespace pt2::interp {

// What the user asks for; everything may be left out.
struct InputRequest {
  std::shared_ptr<const TensorFile> tensors;        // by placeholder name (a leaf of nested arguments has its own placeholder)
  std::string tensors_path;                         // the same as a file, read when the inputs are made; tensors go before it
  std::vector<std::pair<std::string, std::string>> texts;  // NAME=VALUE: "0.5", "-inf", "1+2j", "true", "none", a string, a tensor file's path or FILE#KEY; a tensor is filled by a recipe (input_recipe.h) or taken from the samples ("sample")
  std::map<std::string, RuntimeValue> values;       // by placeholder name; from the window
  std::map<std::string, int64_t> symbols;           // sizes of symbolic dimensions of filled inputs
  std::optional<uint64_t> seed;                     // of filled inputs; none: 0
  bool use_sample_inputs = true;
  bool cast = false;                                // tensors of another dtype are converted
  bool ignore_ranges = false;                       // run although a symbol is outside its range or a guard does not hold
};

enum class InputSource : uint8_t { File, Constant, Given, Sample, Filled, Missing };

struct ProgramInput {
  RuntimeValue value;        // MissingValue where there is none
  InputSource source = InputSource::Missing;
  std::string problem;       // why there is none: the placeholder fails with it
};

struct ProgramInputs {
  std::vector<ProgramInput> inputs;            // one per placeholder of the root graph
  std::map<std::string, RuntimeValue> attributes;  // tensors that get_attr nodes name
  std::map<std::string, int64_t> symbols;      // solved
  std::vector<std::string> warnings;           // "s0 = 100 exceeds 64 (range constraint from export)", guards that do not hold
};

// What the program may write to is copied: the file's tensors and those that were given stay as they are.
// An error: the request contradicts the program (unknown name, wrong dtype or shape, symbols that contradict each other).
Result<ProgramInputs> make_program_inputs(const Program& program, const Archive& archive, const InputRequest& request);

// By the names that an input goes by: of the placeholder, as the graph or the file has it. Null: the program has no such input.
const InputSpec* find_input(const Program& program, std::string_view name);
// "It takes x, y."
std::string takes_text(const Program& program);

// The text for which an input is taken from the samples.
inline constexpr std::string_view kSampleText = "sample";

// A file that a text names, as FILE or as FILE#KEY; none: there is no such file.
struct GivenFile { std::string path, key; };
std::optional<GivenFile> given_file(const std::string& text);

// The value that a text stands for: a number, or what a tensor file holds for this input.
Result<RuntimeValue> read_given_input(const Program& program, const InputSpec& spec, const std::string& text);

// Whether the request would be met with `ignore_ranges`: the error is about sizes, ranges or guards.
bool ignoring_ranges_helps(const Error& error);
// The same of `cast`: the error is about a tensor's dtype.
bool casting_helps(const Error& error);

// What the file declares for an input, in words: "f32[s0, 3, 224]", "int", "None".
std::string declared_text(const InputSpec& spec, const Program& program);

}  // namespace pt2::interp
