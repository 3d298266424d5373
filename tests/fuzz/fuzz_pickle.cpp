// The stream as it is, and what a torch.save archive around it becomes.
#include "core/archive/torch_save.h"
#include "core/archive/unpickler.h"
#include "tests/fuzz/fuzz_target.h"
#include "tests/support/zip_maker.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string pickle(as_text(data, size));
  pt2::Unpickler machine(pickle);
  if (!machine.run()) return 0;
  pt2::test::ZipMaker zip;
  zip.add("a/data.pkl", pickle).add("a/data/0", std::string(64, '\1')).add("a/data/1", std::string(16, '\2'));
  for (const auto naming : {pt2::TensorNaming::Keys, pt2::TensorNaming::SampleInputs})
    if (const auto read = pt2::read_torch_save(pt2::source_of(zip.bytes()), "member", naming))
      for (const pt2::StoredTensor& tensor : read->tensors) (void)pt2::read_stored(tensor);
  return 0;
}
