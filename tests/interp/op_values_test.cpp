// Single operators against the results PyTorch computed: tests/data/ops, written by make_op_values.py.
#include <doctest/doctest.h>

#include <cmath>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>

#include "core/tensor/dtype.h"
#include "interp/bind_arguments.h"
#include "interp/check.h"
#include "interp/op_table.h"
#include "interp/tensor_map.h"

using namespace pt2;
using namespace pt2::interp;
using nlohmann::json;

namespace {

std::vector<char> file_bytes(const std::string& name) {
  std::ifstream in(std::string(PT2_TEST_DATA) + "/ops/" + name, std::ios::binary);
  return std::vector<char>(std::istreambuf_iterator<char>(in), {});
}
const std::vector<char>& blob() {
  static const std::vector<char> bytes = file_bytes("tensors.bin");
  return bytes;
}

Tensor tensor_of(const json& j) {
  Tensor t;
  t.dtype = dtype_from_name(j["t"].get<std::string>()).value();
  t.sizes = j["s"].get<Shape>();
  t.strides = j["d"].get<Shape>();
  t.offset = j["o"];
  const size_t begin = j["b"][0], size = j["b"][1];
  t.storage = allocate(size);
  if (size > 0) std::memcpy(t.storage.data(), blob().data() + begin, size);
  return t;
}
double float_of(const json& j) {
  const std::string text = j["f"];
  return text == "nan" ? NAN : text == "inf" ? INFINITY : -INFINITY;
}
RuntimeValue value_of(const json& j) {
  if (j.is_null()) return {};
  if (j.is_boolean()) return j.get<bool>();
  if (j.is_number_integer()) return j.get<int64_t>();
  if (j.is_number()) return j.get<double>();
  if (j.is_string()) return j.get<std::string>();
  if (j.is_array()) {
    std::vector<RuntimeValue> items;
    for (const json& item : j) items.push_back(value_of(item));
    return make_list(std::move(items));
  }
  if (j.contains("t")) return tensor_of(j);
  if (j.contains("f")) return float_of(j);
  if (j.contains("c")) return std::complex<double>(j["c"][0], j["c"][1]);
  if (j.contains("dtype")) return RuntimeValue::Value(dtype_from_name(j["dtype"].get<std::string>()).value());
  const std::string format = j["format"];
  return RuntimeValue::Value(format == "channels_last" ? MemoryFormat::ChannelsLast : format == "preserve_format" ? MemoryFormat::Preserve : MemoryFormat::Contiguous);
}

struct Tolerance { double relative, absolute; };
// `steps` of a half type.
Tolerance tolerance(DType dtype, int steps) {
  switch (dtype) {
    case DType::Float64: case DType::Complex128: return {1e-9, 1e-11};
    case DType::Float32: case DType::Complex64: return {2e-5, 2e-6};
    case DType::Float16: case DType::Complex32: return {1e-3 * steps, 1e-5};
    case DType::BFloat16: return {8e-3 * steps, 1e-5};
    default: return {is_floating(dtype) ? 0.13 : 0, 0};
  }
}

// "" where `got` is what PyTorch gave, layout included.
std::string difference(const Tensor& got, const Tensor& want, int steps) {
  if (got.dtype != want.dtype) return "dtype " + std::string(dtype_name(got.dtype)) + ", not " + std::string(dtype_name(want.dtype));
  if (got.sizes != want.sizes) return "sizes " + MessagePart(got.sizes).text() + ", not " + MessagePart(want.sizes).text();
  if (want.numel() == 0) return "";
  for (size_t d = 0; d < want.sizes.size(); ++d)
    if (want.sizes[d] > 1 && got.strides[d] != want.strides[d]) return "strides " + MessagePart(got.strides).text() + ", not " + MessagePart(want.strides).text();
  const Tolerance limit = tolerance(want.dtype, steps);
  const DType wide = is_complex(want.dtype) ? DType::Complex128 : is_floating(want.dtype) ? DType::Float64 : DType::Int64;
  const Tensor a = to_dtype(got, wide, MemoryFormat::Contiguous), b = to_dtype(want, wide, MemoryFormat::Contiguous);
  const int64_t numbers = a.numel() * (is_complex(wide) ? 2 : 1);
  for (int64_t i = 0; i < numbers; ++i) {
    const bool integral = wide == DType::Int64;
    const double x = integral ? static_cast<double>(a.data<int64_t>()[i]) : a.data<double>()[i];
    const double y = integral ? static_cast<double>(b.data<int64_t>()[i]) : b.data<double>()[i];
    if (integral ? a.data<int64_t>()[i] == b.data<int64_t>()[i] : x == y || (std::isnan(x) && std::isnan(y))) continue;
    if (std::isfinite(y) && std::fabs(x - y) <= limit.absolute + limit.relative * std::fabs(y)) continue;
    return "element " + std::to_string(i) + " is " + MessagePart(x).text() + ", not " + MessagePart(y).text();
  }
  return "";
}
std::string difference(const RuntimeValue& got, const json& want, int steps) {
  if (want.is_array()) {
    if (got.items().size() != want.size()) return std::to_string(got.items().size()) + " items, not " + std::to_string(want.size());
    for (size_t i = 0; i < want.size(); ++i)
      if (std::string d = difference(got.items()[i], want[i], steps); !d.empty()) return "[" + std::to_string(i) + "] " + d;
    return "";
  }
  if (want.is_object() && want.contains("t")) {
    const auto* tensor = got.as<Tensor>();
    return tensor ? difference(*tensor, tensor_of(want), steps) : "no tensor";
  }
  if (want.is_boolean()) return got.as<bool>() && *got.as<bool>() == want.get<bool>() ? "" : "not " + want.dump();
  return "";
}

std::string outcome(const json& c) {
  const Op* op = builtin_ops().find(c[0].get<std::string>());
  if (!op) return "no such operator";
  std::vector<std::pair<std::string_view, RuntimeValue>> named;
  for (size_t i = 0; i < c[1].size(); ++i) named.emplace_back(op->schema.parameters.at(i).name, value_of(c[1][i]));
  for (const auto& [name, value] : c[2].items()) named.emplace_back(op->schema.parameter(name)->name, value_of(value));
  // PyTorch rounds these to half types while it computes them.
  const int steps = c[0] == "aten.special_i0e.default" || c[0] == "aten.nansum.default" ? 4 : 1;
  const bool raises = c[3].is_object() && c[3].contains("raises");
  try {
    const auto arguments = bind_arguments(op->schema, op->defaults, named);
    const Results results = op->call(current_context(), arguments);
    if (raises) return "nothing raised; PyTorch: " + c[3]["raises"].get<std::string>();
    if (results.size() != c[3].size()) return std::to_string(results.size()) + " results, not " + std::to_string(c[3].size());
    for (size_t i = 0; i < results.size(); ++i)
      if (std::string d = difference(results[i], c[3][i], steps); !d.empty()) return "result " + std::to_string(i) + ": " + d;
    if (c.size() > 4)
      for (const json& written : c[4])
        for (size_t i = 0; i < op->schema.parameters.size(); ++i)
          if (op->schema.parameters[i].name == written[0].get<std::string>())
            if (std::string d = difference(arguments[i], written[1], steps); !d.empty()) return "written " + op->schema.parameters[i].name + ": " + d;
  } catch (const KernelError& error) {
    return raises ? "" : "raised: " + error.message();
  }
  return "";
}

}  // namespace

TEST_CASE("operators give PyTorch's values, dtypes and layouts, and raise where it raises") {
  std::ifstream in(std::string(PT2_TEST_DATA) + "/ops/cases.json");
  const json cases = json::parse(in);
  CHECK(cases.size() > 1000);
  for (const json& c : cases)
    if (const std::string wrong = outcome(c); !wrong.empty()) FAIL_CHECK(c[0].get<std::string>() << c[1].dump() << c[2].dump() << ": " << wrong);
}
