#include "core/sample_inputs.h"

#include <doctest/doctest.h>

#include "core/archive/unpickler.h"
#include "tests/support/test_files.h"

using namespace pt2;

TEST_CASE("objects of the exporting program's classes are read as data where the pytree knows them") {
  const auto file = test::open_data("programs/containers.pt2");
  const Program& program = *file->program();
  const auto sample = file->archive->sample_inputs(program.name);
  REQUIRE(sample);
  const SampleLeaves leaves = sample_leaves(*sample, program);
  size_t users = 0;
  for (const InputSpec& input : program.signature.inputs) {
    if (input.kind != InputKind::UserInput) continue;
    REQUIRE(users < leaves.values.size());
    if (const TensorMeta* meta = input.node ? tensor_meta(program.root_graph().node(input.node).val) : nullptr) {
      const auto* tensor = std::get_if<PickleTensor>(&leaves.values[users]->value);
      REQUIRE(tensor);
      CAPTURE(tensor->name);
      const auto read = file->archive->read_tensor(program.name, TensorRole::SampleInput, tensor->name);
      REQUIRE(read);
      REQUIRE(read->sizes.size() == meta->sizes.size());
      for (size_t d = 0; d < meta->sizes.size(); ++d)
        if (!meta->sizes[d].is_symbolic()) CHECK(read->sizes[d] == meta->sizes[d].value);
    }
    ++users;
  }
  CHECK(leaves.values.size() == users);
  CHECK(leaves.classes == std::vector<std::string>{"models.Batch"});

  const auto is_warning = [](const Finding& finding) { return finding.rule == kPickleCallRule && finding.severity != Severity::Note; };
  const auto raw = file->archive->check();
  CHECK(std::any_of(raw.begin(), raw.end(), is_warning));
  const auto told = archive_findings(*file->archive, file->programs);
  CHECK(told.size() == raw.size());
  CHECK_FALSE(std::any_of(told.begin(), told.end(), is_warning));
}

TEST_CASE("a call in sample inputs that is no object of the program stays a warning") {
  const auto file = test::open_data("hostile/pickle_os_system.pt2");
  const auto findings = archive_findings(*file->archive, file->programs);
  CHECK(std::any_of(findings.begin(), findings.end(), [](const Finding& finding) { return finding.rule == kPickleCallRule && finding.severity == Severity::Warning; }));
}
