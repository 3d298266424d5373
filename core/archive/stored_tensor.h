#pragma once
// A tensor of an archive: what is declared, and where its bytes are.
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/archive/archive.h"
#include "core/archive/record_store.h"

namespace pt2 {

struct StoredTensor {
  TensorInfo info;
  std::shared_ptr<const RecordStore> records;  // null: no data
  std::string record;                          // in `records`
  bool big_endian = false, conjugate = false, negate = false;
  bool zeros = false;                          // the record is empty: a fake tensor, all zeros
  std::optional<Error> problem;                // why it has no values
};

// Compares what is declared with what is there: sets `problem` (and the note) where the view does not fit its record. Reads no data.
void check_stored(StoredTensor& tensor, uint64_t declared_storage_bytes);
// For records of which the size is not declared apart from the view.
void check_stored(StoredTensor& tensor);
// The problem as a warning of the archive.
Finding finding_of(const StoredTensor& tensor);

Result<Tensor> read_stored(const StoredTensor& tensor);

}  // namespace pt2
