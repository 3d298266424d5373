#include "core/archive/pickle_calls.h"

#include <algorithm>
#include <cstdio>

#include "core/archive/tensor_meta_json.h"
#include "core/base/checked.h"
#include "core/base/text.h"
#include "core/tensor/view.h"

namespace pt2 {

namespace {

// "torch.FloatStorage" → float32; Unknown for the untyped ones; nullopt: no storage class.
std::optional<DType> storage_dtype(std::string_view name) {
  constexpr std::pair<std::string_view, DType> kClasses[] = {
      {"Float", DType::Float32}, {"Double", DType::Float64}, {"Half", DType::Float16}, {"BFloat16", DType::BFloat16},
      {"Long", DType::Int64}, {"Int", DType::Int32}, {"Short", DType::Int16}, {"Char", DType::Int8}, {"Byte", DType::UInt8},
      {"Bool", DType::Bool}, {"ComplexFloat", DType::Complex64}, {"ComplexDouble", DType::Complex128}, {"QInt8", DType::QInt8},
      {"QUInt8", DType::QUInt8}, {"QInt32", DType::QInt32}, {"QUInt4x2", DType::QUInt4x2}, {"QUInt2x4", DType::QUInt2x4}, {"Untyped", DType::Unknown}};
  for (const std::string_view prefix : {"torch.storage._", "torch.storage.", "torch.cuda.", "torch._", "torch."})
    if (name.starts_with(prefix)) {
      name.remove_prefix(prefix.size());
      break;
    }
  if (!name.ends_with("Storage")) return std::nullopt;
  name.remove_suffix(7);
  for (const auto& [text, dtype] : kClasses)
    if (text == name) return dtype;
  return std::nullopt;
}

std::optional<TensorLayout> layout_from_name(std::string_view name) {
  for (int i = 0; i <= static_cast<int>(TensorLayout::Strided); ++i)
    if (layout_name(static_cast<TensorLayout>(i)) == name) return static_cast<TensorLayout>(i);
  return std::nullopt;
}

Device device_from_text(std::string_view text) {
  Device device;
  const size_t colon = text.find(':');
  device.type = text.substr(0, colon);
  if (colon != text.npos) device.index = std::atoi(std::string(text.substr(colon + 1)).c_str());
  return device;
}

}  // namespace

PickleCalls::Function PickleCalls::find(std::string_view name) {
  using C = PickleCalls;
  static constexpr std::pair<std::string_view, Function> kCalls[] = {
      {"torch._utils._rebuild_tensor", &C::rebuild_tensor},
      {"torch._utils._rebuild_tensor_v2", &C::rebuild_tensor},
      {"torch._utils._rebuild_tensor_v3", &C::rebuild_tensor_v3},
      {"torch._utils._rebuild_parameter", &C::rebuild_parameter},
      {"torch._utils._rebuild_parameter_with_state", &C::rebuild_parameter},
      {"torch._utils._rebuild_qtensor", &C::rebuild_qtensor},
      {"torch._utils._rebuild_sparse_tensor", &C::rebuild_sparse},
      {"torch._utils._rebuild_sparse_csr_tensor", &C::rebuild_sparse},
      {"torch._utils._rebuild_nested_tensor", &C::rebuild_nested},
      {"torch._utils._rebuild_meta_tensor_no_storage", &C::rebuild_meta},
      {"torch._utils._rebuild_wrapper_subclass", &C::rebuild_wrapper_subclass},
      {"torch._tensor._rebuild_from_type_v2", &C::rebuild_from_type},
      {"torch._utils._rebuild_device_tensor_from_cpu_tensor", &C::rebuild_from_cpu_tensor},
      {"torch._utils._rebuild_device_tensor_from_numpy", &C::rebuild_from_numpy},
      {"torch._utils._rebuild_xla_tensor", &C::rebuild_from_numpy},
      {"torch._export.serde.serialize._reconstruct_fake_tensor", &C::reconstruct_fake},
      {"torch.serialization._get_layout", &C::make_layout},
      {"torch.Size", &C::make_sequence},
      {"torch.device", &C::make_opaque},
      {"collections.OrderedDict", &C::make_dict},
      {"collections.defaultdict", &C::make_dict},
      {"collections.deque", &C::make_sequence},
      {"builtins.set", &C::make_sequence},
      {"builtins.frozenset", &C::make_sequence},
      {"builtins.list", &C::make_sequence},
      {"builtins.tuple", &C::make_sequence},
      {"builtins.complex", &C::make_complex},
      {"builtins.slice", &C::make_opaque},
      {"builtins.range", &C::make_opaque},
      {"builtins.bytes", &C::make_bytes},
      {"builtins.bytearray", &C::make_bytes},
      {"builtins.getattr", &C::make_attribute},
      {"_codecs.encode", &C::make_bytes},
  };
  for (const auto& [text, function] : kCalls)
    if (text == name) return function;
  return nullptr;
}

PickleId PickleCalls::call(PickleId callable, std::vector<PickleId> arguments) {
  const PickleItem& item = m_.item(callable);
  if (item.kind != PickleKind::Global) {
    const std::string name = item.kind == PickleKind::Opaque ? m_.opaque(callable).dotted_name : "a value";
    m_.report_call(name);
    return m_.add_opaque(name, std::move(arguments));
  }
  std::string name(m_.text(callable));
  constexpr std::string_view kPython2 = "__builtin__.";  // protocol 2 keeps the names of Python 2
  if (name.starts_with(kPython2)) name.replace(0, kPython2.size(), "builtins.");
  calling_ = name;
  if (const Function function = find(name)) return (this->*function)(name, arguments);
  m_.report_call(name);
  return m_.add_opaque(name, std::move(arguments));
}

void PickleCalls::build(PickleId object, PickleId state) {
  switch (m_.item(object).kind) {
    case PickleKind::Opaque: m_.opaques_[m_.item(object).size_or_index].arguments.push_back(state); return;
    case PickleKind::Dict:    // the attributes of a dict subclass (an OrderedDict's _metadata)
    case PickleKind::Tensor:  // the attributes of a Parameter
    case PickleKind::List:
    case PickleKind::Set: return;
    case PickleKind::Global: m_.report_call(std::string(m_.text(object)) + ".__setstate__"); return;
    default: m_.fail("BUILD on a value that has no state");
  }
}

// ('storage', <storage class>, '<key>', '<location>', <number of elements>)
PickleId PickleCalls::persistent(PickleId id) {
  calling_ = "persistent id";
  // Legacy files: ('module', <class>, <source file>, <source>) stands for the class.
  if (m_.item(id).kind == PickleKind::Tuple && m_.list(id).size() >= 2 && m_.item(m_.list(id)[0]).kind == PickleKind::String && m_.text(m_.list(id)[0]) == "module") return m_.list(id)[1];
  expect(m_.item(id).kind == PickleKind::Tuple && m_.list(id).size() >= 5, "a tuple of storage, class, key, location and size");
  const auto& parts = m_.list(id);
  expect(m_.item(parts[0]).kind == PickleKind::String && m_.text(parts[0]) == "storage", "the word storage");
  expect(m_.item(parts[1]).kind == PickleKind::Global && m_.item(parts[2]).kind == PickleKind::String && m_.item(parts[3]).kind == PickleKind::String, "class, key and location");
  if (parts.size() > 5 && m_.item(parts[5]).kind != PickleKind::None) m_.fail("a storage that is a part of another, as PyTorch wrote before 0.4");
  const auto known = storage_dtype(m_.text(parts[1]));
  if (!known) m_.fail("the storage class " + std::string(m_.text(parts[1]).substr(0, 200)) + " is not known");
  const int64_t count = integer(parts[4]);
  const auto bytes = checked_multiply<int64_t>(count, *known == DType::Unknown ? 1 : item_size(*known));
  const std::string key(m_.text(parts[2]));
  if (count < 0 || !bytes) m_.fail("storage \"" + key + "\" is said to have " + with_commas(count) + " elements");
  PickledStorage storage{key, device_from_text(m_.text(parts[3])), *known, std::string(m_.text(parts[1])), static_cast<uint64_t>(*bytes)};
  const auto [it, fresh] = m_.storage_by_key_.try_emplace(key, static_cast<uint32_t>(m_.storages_.size()));
  if (fresh) {
    m_.storages_.push_back(std::move(storage));
  } else if (const PickledStorage& first = m_.storages_[it->second]; first.size_bytes != storage.size_bytes || first.dtype != storage.dtype) {
    m_.fail("storage \"" + key + "\" is " + first.class_name + " of " + with_commas(first.size_bytes) + " bytes at first and " + storage.class_name + " of " + with_commas(storage.size_bytes) + " bytes here");
  }
  PickleItem item;
  item.kind = PickleKind::Storage;
  item.size_or_index = it->second;
  return m_.add(item);
}

// ---- tensors

PickledTensor PickleCalls::strided(Arguments a, size_t requires_grad_at) {
  expect(a.size() >= 4 && m_.item(a[0]).kind == PickleKind::Storage, "a storage, its offset, sizes and strides");
  PickledTensor result;
  result.storage = m_.item(a[0]).size_or_index;
  result.dtype = m_.storages_[*result.storage].dtype;
  result.device = m_.storages_[*result.storage].device;
  result.offset = integer(a[1]);
  result.sizes = shape(a[2]);
  result.strides = shape(a[3]);
  if (a.size() > requires_grad_at) result.requires_grad = boolean(a[requires_grad_at]);
  return result;
}

PickleId PickleCalls::rebuild_tensor(std::string_view, Arguments a) {
  PickledTensor result = strided(a, 4);
  if (result.dtype == DType::Unknown) result.dtype = DType::UInt8;
  if (a.size() > 6) apply_metadata(result, a[6]);
  return add_tensor(std::move(result));
}

PickleId PickleCalls::rebuild_tensor_v3(std::string_view, Arguments a) {
  expect(a.size() >= 7, "seven arguments");
  PickledTensor result = strided(a, 4);
  result.dtype = dtype(a[6]);
  if (result.dtype == DType::Unknown) result.note = "of the type " + std::string(m_.text(a[6]).substr(0, 100)) + ", which is not known here";
  if (a.size() > 7) apply_metadata(result, a[7]);
  return add_tensor(std::move(result));
}

PickleId PickleCalls::rebuild_parameter(std::string_view, Arguments a) {
  expect(a.size() >= 2, "a tensor and requires_grad");
  PickledTensor copy = tensor(a[0]);
  copy.is_parameter = true;
  copy.requires_grad = boolean(a[1]);
  return add_tensor(std::move(copy));
}

PickleId PickleCalls::rebuild_qtensor(std::string_view, Arguments a) {
  expect(a.size() >= 6 && m_.item(a[4]).kind == PickleKind::Tuple && m_.list(a[4]).size() >= 3, "a storage, offset, sizes, strides and a quantizer");
  PickledTensor result = strided(a, 5);
  const auto& quantizer = m_.list(a[4]);
  const std::string scheme = m_.item(quantizer[0]).kind == PickleKind::Global ? std::string(m_.text(quantizer[0])) : "an unknown scheme";
  result.note = "quantized, " + (scheme.starts_with("torch.") ? scheme.substr(6) : scheme);
  if (quantizer.size() == 3) {
    result.note += ", scale " + number_text(quantizer[1]) + ", zero point " + number_text(quantizer[2]);
  } else {
    result.note += ", axis " + number_text(quantizer[3]);
    const char* names[] = {"", "scales", "zero_points"};
    for (size_t i = 1; i <= 2; ++i)
      if (m_.item(quantizer[i]).kind == PickleKind::Tensor) result.parts.emplace_back(names[i], m_.item(quantizer[i]).size_or_index);
  }
  result.note += "; values are the stored integers";
  return add_tensor(std::move(result));
}

PickleId PickleCalls::rebuild_sparse(std::string_view, Arguments a) {
  expect(a.size() == 2 && m_.item(a[1]).kind == PickleKind::Tuple, "a layout and its tensors");
  PickledTensor result;
  result.layout = layout(a[0]);
  const auto& data = m_.list(a[1]);
  const bool coordinates = result.layout == TensorLayout::SparseCoo;
  const size_t tensors = coordinates ? 2 : 3;
  expect(data.size() > tensors, "indices, values and a size");
  const bool by_row = result.layout == TensorLayout::SparseCsr || result.layout == TensorLayout::SparseBsr;
  const char* names[] = {coordinates ? "indices" : by_row ? "crow_indices" : "ccol_indices", coordinates ? "values" : by_row ? "col_indices" : "row_indices", "values"};
  for (size_t i = 0; i < tensors; ++i) {
    tensor(data[i]);
    result.parts.emplace_back(names[i], m_.item(data[i]).size_or_index);
  }
  const PickledTensor& values = m_.tensors_[result.parts.back().second];
  result.dtype = values.dtype;
  result.device = values.device;
  result.sizes = shape(data[tensors]);
  result.note = "sparse (" + std::string(layout_name(result.layout)) + "), made of the parts listed below it";
  return add_tensor(std::move(result));
}

PickleId PickleCalls::rebuild_nested(std::string_view, Arguments a) {
  expect(a.size() == 4, "a buffer, sizes, strides and offsets");
  PickledTensor result;
  const char* names[] = {"buffer", "sizes", "strides", "offsets"};
  for (size_t i = 0; i < 4; ++i) {
    tensor(a[i]);
    result.parts.emplace_back(names[i], m_.item(a[i]).size_or_index);
  }
  result.dtype = tensor(a[0]).dtype;
  result.device = tensor(a[0]).device;
  result.sizes = tensor(a[0]).sizes;
  result.note = "nested, made of the parts listed below it";
  return add_tensor(std::move(result));
}

PickleId PickleCalls::rebuild_meta(std::string_view, Arguments a) {
  expect(a.size() >= 4, "dtype, sizes, strides and requires_grad");
  PickledTensor result;
  result.dtype = dtype(a[0]);
  result.sizes = shape(a[1]);
  result.strides = shape(a[2]);
  result.requires_grad = boolean(a[3]);
  result.device = {"meta", -1};
  result.note = "no data (meta tensor)";
  return add_tensor(std::move(result));
}

// (class, dtype, sizes, strides, offset, layout, device, requires_grad): the class holds its data elsewhere.
PickleId PickleCalls::rebuild_wrapper_subclass(std::string_view, Arguments a) {
  expect(a.size() >= 8 && m_.item(a[0]).kind == PickleKind::Global, "a class, dtype, sizes, strides and so on");
  PickledTensor result;
  result.dtype = dtype(a[1]);
  result.sizes = shape(a[2]);
  result.strides = shape(a[3]);
  result.offset = integer(a[4]);
  result.device = device(a[6]);
  result.requires_grad = boolean(a[7]);
  result.note = "subclass " + std::string(m_.text(a[0]).substr(0, 200)) + ", which keeps its data in its own way";
  return add_tensor(std::move(result));
}

// (func, type, args, state): func(*args) is the plain tensor.
PickleId PickleCalls::rebuild_from_type(std::string_view, Arguments a) {
  expect(a.size() >= 3 && m_.item(a[0]).kind == PickleKind::Global && m_.item(a[1]).kind == PickleKind::Global && m_.item(a[2]).kind == PickleKind::Tuple, "a function, a type and its arguments");
  const std::string type(m_.text(a[1]).substr(0, 200));
  if (m_.text(a[0]) == "torch._tensor._rebuild_from_type_v2") m_.fail("a tensor subclass rebuilt from itself");
  const PickleId made = call(a[0], m_.list(a[2]));
  if (m_.item(made).kind != PickleKind::Tensor) return made;
  PickledTensor copy = tensor(made);
  if (type == "torch.nn.parameter.Parameter") copy.is_parameter = true;
  else if (type != "torch.Tensor" && type != "torch.nn.parameter.Buffer" && copy.note.empty()) copy.note = "subclass " + type + ", shown as its plain tensor";
  return add_tensor(std::move(copy));
}

PickleId PickleCalls::rebuild_from_cpu_tensor(std::string_view, Arguments a) {
  expect(a.size() >= 3, "a tensor, dtype and device");
  PickledTensor copy = tensor(a[0]);
  if (const DType declared = dtype(a[1]); declared != copy.dtype) copy.note = "saved as " + std::string(dtype_name(copy.dtype)) + " of a " + std::string(dtype_name(declared)) + " tensor";
  copy.device = device(a[2]);
  if (a.size() > 3) copy.requires_grad = boolean(a[3]);
  return add_tensor(std::move(copy));
}

PickleId PickleCalls::rebuild_from_numpy(std::string_view, Arguments a) {
  expect(a.size() >= 3, "an array, dtype and device");
  PickledTensor result;
  result.dtype = dtype(a[1]);
  result.device = device(a[2]);
  result.note = "no data here: saved from another device as a NumPy array";
  return add_tensor(std::move(result));
}

// (bytes of a TensorMeta in JSON, is_parameter)
PickleId PickleCalls::reconstruct_fake(std::string_view, Arguments a) {
  expect(a.size() >= 2 && (m_.item(a[0]).kind == PickleKind::Bytes || m_.item(a[0]).kind == PickleKind::String), "a TensorMeta and is_parameter");
  PickledTensor result;
  const auto meta = parse_tensor_meta(m_.text(a[0]));
  if (!meta) m_.fail("the TensorMeta of a fake tensor: " + meta.error().message);
  result.dtype = meta->dtype;
  result.sizes = meta->sizes;
  result.strides = meta->strides;
  result.offset = meta->offset;
  result.device = meta->device;
  result.layout = meta->layout;
  result.requires_grad = meta->requires_grad;
  result.is_parameter = boolean(a[1]);
  result.note = "no data (fake tensor)";
  return add_tensor(std::move(result));
}

void PickleCalls::apply_metadata(PickledTensor& result, PickleId metadata) const {
  if (m_.item(metadata).kind != PickleKind::Dict) return;
  const auto& items = m_.list(metadata);
  for (size_t i = 0; i + 1 < items.size(); i += 2) {
    if (m_.item(items[i]).kind != PickleKind::String || m_.item(items[i + 1]).kind != PickleKind::Bool) continue;
    if (m_.text(items[i]) == "conj") result.conjugate = boolean(items[i + 1]);
    if (m_.text(items[i]) == "neg") result.negate = boolean(items[i + 1]);
  }
}

PickleId PickleCalls::add_tensor(PickledTensor result) {
  PickleItem item;
  item.kind = PickleKind::Tensor;
  item.size_or_index = static_cast<uint32_t>(m_.tensors_.size());
  m_.tensors_.push_back(std::move(result));
  return m_.add(item);
}

// ---- plain data

PickleId PickleCalls::make_sequence(std::string_view name, Arguments a) {
  std::vector<PickleId> items;
  if (!a.empty() && m_.item(a[0]).kind != PickleKind::None) {
    const PickleKind kind = m_.item(a[0]).kind;
    expect(kind == PickleKind::List || kind == PickleKind::Tuple || kind == PickleKind::Set, "a list");
    items = m_.list(a[0]);
  }
  const PickleKind kind = name == "torch.Size" || name == "builtins.tuple" ? PickleKind::Tuple : name.ends_with("set") ? PickleKind::Set : PickleKind::List;
  return m_.add_list(kind, std::move(items));
}

PickleId PickleCalls::make_dict(std::string_view name, Arguments a) {
  std::vector<PickleId> flat;
  if (name == "collections.OrderedDict" && !a.empty()) {
    const PickleKind kind = m_.item(a[0]).kind;
    expect(kind == PickleKind::List || kind == PickleKind::Tuple || kind == PickleKind::Dict, "a list of pairs");
    if (kind == PickleKind::Dict) flat = m_.list(a[0]);
    else
      for (const PickleId pair : m_.list(a[0])) {
        expect((m_.item(pair).kind == PickleKind::Tuple || m_.item(pair).kind == PickleKind::List) && m_.list(pair).size() == 2, "pairs of key and value");
        flat.insert(flat.end(), m_.list(pair).begin(), m_.list(pair).end());
      }
  }
  return m_.add_list(PickleKind::Dict, std::move(flat));
}

PickleId PickleCalls::make_complex(std::string_view, Arguments a) {
  expect(a.size() == 2, "two numbers");
  const auto number = [&](PickleId id) {
    const PickleItem& item = m_.item(id);
    expect(item.kind == PickleKind::Float || item.kind == PickleKind::Int, "two numbers");
    return item.kind == PickleKind::Float ? item.number : static_cast<double>(item.integer);
  };
  PickleItem item;
  item.kind = PickleKind::Complex;
  item.size_or_index = static_cast<uint32_t>(m_.complexes_.size());
  m_.complexes_.emplace_back(number(a[0]), number(a[1]));
  return m_.add(item);
}

// Protocol 2 has no bytes: it writes them as text in which each character stands for a byte, to be encoded as latin1.
PickleId PickleCalls::make_bytes(std::string_view, Arguments a) {
  if (a.empty()) return m_.add_text(PickleKind::Bytes, "");
  const PickleKind kind = m_.item(a[0]).kind;
  expect(kind == PickleKind::String || kind == PickleKind::Bytes, "text");
  const std::string_view text = m_.text(a[0]);
  if (kind == PickleKind::Bytes) return m_.add_text(PickleKind::Bytes, text);
  std::string bytes;
  for (size_t i = 0; i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    if (c < 0x80) bytes += text[i];
    else if ((c == 0xC2 || c == 0xC3) && i + 1 < text.size()) bytes += static_cast<char>((c & 3) << 6 | (text[++i] & 0x3F));
    else m_.fail("text with a character that is no byte");
  }
  return m_.add_owned(PickleKind::Bytes, std::move(bytes));
}

// getattr(class, "NAME"): how members of an Enum and nested classes are written. Only the name is made.
PickleId PickleCalls::make_attribute(std::string_view, Arguments a) {
  expect(a.size() == 2 && m_.item(a[1]).kind == PickleKind::String, "an object and a name");
  const PickleItem& object = m_.item(a[0]);
  const std::string name = "." + std::string(m_.text(a[1]));
  if (object.kind == PickleKind::Opaque) return m_.add_opaque(m_.opaque(a[0]).dotted_name + name, {});
  expect(object.kind == PickleKind::Global, "a class and a name");
  return m_.add_owned(PickleKind::Global, std::string(m_.text(a[0])) + name);
}

PickleId PickleCalls::make_layout(std::string_view, Arguments a) {
  expect(a.size() == 1 && m_.item(a[0]).kind == PickleKind::String, "the name of a layout");
  return m_.add_owned(PickleKind::Global, std::string(m_.text(a[0])));
}

PickleId PickleCalls::make_opaque(std::string_view name, Arguments a) { return m_.add_opaque(std::string(name), {a.begin(), a.end()}); }

// ---- arguments

void PickleCalls::expect(bool condition, const char* what) const {
  if (!condition) m_.fail(std::string(calling_) + ": expected " + what);
}

int64_t PickleCalls::integer(PickleId id) const {
  expect(m_.item(id).kind == PickleKind::Int || m_.item(id).kind == PickleKind::Bool, "an integer");
  return m_.item(id).integer;
}

bool PickleCalls::boolean(PickleId id) const { return integer(id) != 0; }

Shape PickleCalls::shape(PickleId id) const {
  expect(m_.item(id).kind == PickleKind::Tuple || m_.item(id).kind == PickleKind::List, "a tuple of integers");
  Shape sizes;
  for (const PickleId size : m_.list(id)) sizes.push_back(integer(size));
  return sizes;
}

DType PickleCalls::dtype(PickleId id) const {
  expect(m_.item(id).kind == PickleKind::Global, "a dtype");
  return dtype_from_name(m_.text(id)).value_or(DType::Unknown);
}

TensorLayout PickleCalls::layout(PickleId id) const {
  expect(m_.item(id).kind == PickleKind::Global, "a layout");
  const auto found = layout_from_name(m_.text(id));
  expect(found.has_value(), "a layout");
  return *found;
}

Device PickleCalls::device(PickleId id) const {
  if (m_.item(id).kind == PickleKind::String) return device_from_text(m_.text(id));
  expect(m_.item(id).kind == PickleKind::Opaque && m_.opaque(id).dotted_name == "torch.device" && !m_.opaque(id).arguments.empty(), "a device");
  const auto& arguments = m_.opaque(id).arguments;
  expect(m_.item(arguments[0]).kind == PickleKind::String, "a device");
  Device result = device_from_text(m_.text(arguments[0]));
  if (arguments.size() > 1) result.index = static_cast<int>(integer(arguments[1]));
  return result;
}

PickledTensor& PickleCalls::tensor(PickleId id) const {
  expect(m_.item(id).kind == PickleKind::Tensor, "a tensor");
  return m_.tensors_[m_.item(id).size_or_index];
}

std::string PickleCalls::number_text(PickleId id) const {
  const PickleItem& item = m_.item(id);
  if (item.kind == PickleKind::Int) return std::to_string(item.integer);
  if (item.kind != PickleKind::Float) return "?";
  char text[32];
  std::snprintf(text, sizeof text, "%.9g", item.number);
  return text;
}

}  // namespace pt2
