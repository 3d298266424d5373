#pragma once
// Programs for tests, written as the JSON that torch.export.save writes, and decoded as files are.
#include <doctest/doctest.h>

#include <memory>
#include <string>
#include <vector>

#include "core/decode/decode.h"

namespace pt2::test {

class JsonProgram {
 public:
  // `sizes`: "2, s0"; words are symbols. A graph input with its entry in the signature.
  JsonProgram& input(const std::string& name, const std::string& sizes = "2, 3", const std::string& kind = "user_input", const std::string& target = "", int dtype = 7) {
    add(inputs_, tensor(name));
    const std::string key = kind == "tensor_constant" ? "tensor_constant_name" : kind + "_name";
    const std::string arg = kind == "user_input" ? tensor(name) : R"({"name": ")" + name + R"("})";
    add(input_specs_, R"({")" + kind + R"(": {"arg": )" + arg + (target.empty() ? "" : R"(, ")" + key + R"(": ")" + target + R"(")") +
                          (kind == "buffer" ? R"(, "persistent": true)" : "") + "}}");
    return value(name, sizes, dtype);
  }
  // A tensor that the graph names without an input, as PyTorch 2.1 writes constants.
  JsonProgram& constant(const std::string& name, const std::string& sizes = "2, 3") {
    add(constants_, "\"" + name + "\": {}");
    return value(name, sizes);
  }
  // A graph input that the signature knows by another name.
  JsonProgram& misnamed_input(const std::string& name, const std::string& in_signature) {
    add(inputs_, tensor(name));
    add(input_specs_, R"({"user_input": {"arg": )" + tensor(in_signature) + "}}");
    return value(name, "2, 3");
  }
  // A call with one tensor result. `arguments`: `self=x, dim=1, size=[2; 3]`: names of values, numbers, True, lists of numbers.
  JsonProgram& call(const std::string& name, const std::string& target, const std::string& arguments, const std::string& sizes = "2, 3", int dtype = 7) {
    add(nodes_, R"({"target": "torch.ops.)" + target + R"(", "inputs": [)" + argument_list(arguments) + R"(], "outputs": [)" + tensor(name) +
                    R"(], "metadata": {"stack_trace": "File \"net.py\", line 7, in forward\n    y = f"}, "name": ")" + name + R"("})");
    return sizes.empty() ? *this : value(name, sizes, dtype);
  }
  JsonProgram& node(const std::string& json) { add(nodes_, json); return *this; }
  JsonProgram& value(const std::string& name, const std::string& sizes, int dtype = 7) {
    add(values_, "\"" + name + "\": " + meta(sizes, dtype));
    return *this;
  }
  // A symbolic number: what it is as an expression.
  JsonProgram& symbol(const std::string& name, const std::string& expression) {
    add(symbols_, "\"" + name + "\": " + size(expression));
    return *this;
  }
  JsonProgram& output(const std::string& name, const std::string& kind = "user_output", const std::string& target = "") {
    add(outputs_, tensor(name));
    const std::string key = kind == "buffer_mutation" ? "buffer_name" : kind == "user_input_mutation" ? "user_input_name" : "parameter_name";
    add(output_specs_, R"({")" + kind + R"(": {"arg": )" + (kind == "user_output" ? tensor(name) : R"({"name": ")" + name + R"("})") +
                           (target.empty() ? "" : R"(, ")" + key + R"(": ")" + target + R"(")") + "}}");
    return *this;
  }
  JsonProgram& range(const std::string& symbol, const std::string& min, const std::string& max) {
    add(ranges_, "\"" + symbol + R"(": {"min_val": )" + min + R"(, "max_val": )" + max + "}");
    return *this;
  }
  JsonProgram& verifier(const std::string& name) { verifier_ = name; return *this; }

  std::string json() const {
    return R"({"graph_module": {"graph": )" + graph() + R"(, "signature": {"input_specs": [)" + input_specs_ + R"(], "output_specs": [)" + output_specs_ +
                             R"(]}, "module_call_graph": []}, "opset_version": {"aten": 10}, "range_constraints": {)" + ranges_ +
                             R"(}, "schema_version": {"major": 8, "minor": 20}, "verifiers": [")" + verifier_ + R"("]})";
  }
  std::shared_ptr<const Program> decode() const {
    auto program = decode_program("model", json(), "models/model.json");
    REQUIRE_MESSAGE(program.has_value(), (program ? "" : program.error().where + ": " + program.error().message));
    return *program;
  }
  // The graph's JSON, to be nested in another program.
  std::string graph() const {
    return R"({"inputs": [)" + inputs_ + R"(], "outputs": [)" + outputs_ + R"(], "nodes": [)" + nodes_ + R"(], "tensor_values": {)" + values_ + R"(}, "sym_int_values": {)" + symbols_ + R"(}, "constants": {)" + constants_ + "}}";
  }
  static std::string tensor(const std::string& name) { return R"({"as_tensor": {"name": ")" + name + R"("}})"; }

 private:
  static void add(std::string& list, const std::string& item) { list += (list.empty() ? "" : ", ") + item; }
  static bool is_number(const std::string& text) { return !text.empty() && text.find_first_not_of("-0123456789.") == std::string::npos; }
  static std::vector<std::string> split(const std::string& text, char separator) {
    std::vector<std::string> parts;
    for (size_t begin = 0; begin < text.size();) {
      const size_t end = std::min(text.find(separator, begin), text.size());
      const size_t first = text.find_first_not_of(' ', begin);
      if (first < end) parts.push_back(text.substr(first, text.find_last_not_of(' ', end - 1) + 1 - first));
      begin = end + 1;
    }
    return parts;
  }
  static std::string size(const std::string& text) {
    return is_number(text) ? R"({"as_int": )" + text + "}" : R"({"as_expr": {"expr_str": ")" + text + R"(", "hint": {"as_int": 4}}})";
  }
  // Strides are those of a contiguous tensor; `sizes` may end in "/ strides".
  static std::string meta(const std::string& text, int dtype) {
    const std::vector<std::string> parts = split(text, '/');
    const std::vector<std::string> sizes = parts.empty() ? std::vector<std::string>() : split(parts[0], ',');
    std::string size_list, stride_list;
    for (const std::string& s : sizes) add(size_list, size(s));
    if (parts.size() > 1) {
      for (const std::string& s : split(parts[1], ',')) add(stride_list, size(s));
    } else {
      for (size_t d = 0; d < sizes.size(); ++d) {
        int64_t stride = 1;
        for (size_t k = d + 1; k < sizes.size(); ++k) stride *= is_number(sizes[k]) ? std::stoll(sizes[k]) : 4;
        add(stride_list, size(std::to_string(stride)));
      }
    }
    return R"({"dtype": )" + std::to_string(dtype) + R"(, "sizes": [)" + size_list + R"(], "requires_grad": false, "device": {"type": "cpu", "index": null}, "strides": [)" +
           stride_list + R"(], "storage_offset": {"as_int": 0}, "layout": 7})";
  }
  static std::string argument_list(const std::string& text) {
    std::string list;
    for (const std::string& part : split(text, ',')) {
      const size_t equals = part.find('=');
      const std::string name = part.substr(0, equals), value = part.substr(equals + 1);
      std::string arg = tensor(value);
      if (value == "True" || value == "False") arg = std::string(R"({"as_bool": )") + (value == "True" ? "true}" : "false}");
      else if (is_number(value)) arg = std::string(value.find('.') == std::string::npos ? R"({"as_int": )" : R"({"as_float": )") + value + "}";
      else if (value[0] == '[') {
        std::string numbers;
        for (const std::string& number : split(value.substr(1, value.size() - 2), ';')) add(numbers, number);
        arg = R"({"as_ints": [)" + numbers + "]}";
      }
      add(list, R"({"name": ")" + name + R"(", "arg": )" + arg + R"(, "kind": 1})");
    }
    return list;
  }

  std::string inputs_, input_specs_, nodes_, values_, symbols_, constants_, outputs_, output_specs_, ranges_, verifier_ = "TRAINING";
};

}  // namespace pt2::test
