#pragma once
// The graph signature: what each input and output of the root graph is.
#include "core/decode/decode_context.h"

namespace pt2::decode {

// Reads the signature at the reader's position into context.program.signature. It comes before the graph, because names of constant
// inputs stand here only. The form of 2.1 (inputs_to_parameters …) names placeholders and outputs, so its specs are made in link().
class SignatureDecoder {
 public:
  explicit SignatureDecoder(Context& context) : context_(context) {}
  void read();
  // Once the root graph is there: which node each spec means. Disagreements become findings.
  void link();

 private:
  void read_input(JsonCursor spec);
  void read_output(JsonCursor spec);
  void make_specs_of_2_1();

  Context& context_;
  JsonTree tree_;
  std::optional<size_t> offset_of_2_1_;  // where a signature in the form of 2.1 is
};

}  // namespace pt2::decode
