// What a user writes for a value or an argument, as the node wants it.
#include <charconv>
#include <filesystem>

#include "core/base/text.h"
#include "core/tensor/tensor_files.h"
#include "core/tensor/view.h"
#include "interp/allocation.h"
#include "interp/check.h"
#include "interp/edited_value.h"
#include "interp/fill_input.h"
#include "interp/input_recipe.h"
#include "interp/item.h"
#include "interp/program_inputs.h"
#include "interp/recorded_values.h"
#include "interp/value_names.h"
#include "interp/what_if.h"

namespace pt2::interp {

namespace {

Error refused(std::string message, std::string advice = {}) { return {ErrorKind::Failed, std::move(message), {}, std::move(advice)}; }

std::optional<Tensor> as_tensor(const RuntimeValue& value) {
  if (const auto* tensor = value.as<Tensor>()) return *tensor;
  return number_tensor(value);
}

// `given` in the sizes and dtype that the node holds.
Tensor fitted(const RuntimeValue& given, std::span<const int64_t> sizes, DType dtype) {
  const auto source = as_tensor(given);
  check(source.has_value(), "expected ", dtype_short_name(dtype), shape_text(sizes), ", found ", kind_text(given));
  check(source->dim() <= static_cast<int64_t>(sizes.size()), "expected ", dtype_short_name(dtype), shape_text(sizes), ", found ", shape_text(source->sizes));
  Tensor target = empty(sizes, dtype);
  copy_onto(target, *source);
  return target;
}

RuntimeValue number_fitted(const RuntimeValue& given, const RuntimeValue& like) {
  const auto tensor = as_tensor(given);
  check(tensor && tensor->numel() == 1, "expected a number, found ", kind_text(given));
  const Scalar number = item(*tensor);
  if (like.is<bool>()) return number.to_double() != 0;
  if (like.is<int64_t>()) return number.to_int();
  return number.to_double();
}

// The sizes that a node declares; with `symbols`, else as they were when it was exported.
Shape declared_sizes(const TensorMeta& meta, const std::map<std::string, int64_t>& symbols) {
  Shape sizes;
  for (const SymInt& size : meta.sizes) {
    if (!size.is_symbolic()) {
      sizes.push_back(size.value);
      continue;
    }
    const auto number = evaluate(*size.expr, [&](std::string_view name) -> std::optional<SymNumber> {
      auto it = symbols.find(std::string(name));
      return it == symbols.end() ? std::nullopt : std::optional<SymNumber>(it->second);
    });
    const auto* integer = number ? std::get_if<int64_t>(&*number) : nullptr;
    check(integer || size.has_hint, "the size ", size.text(), " is not known yet");
    sizes.push_back(integer ? *integer : size.value);
  }
  return sizes;
}

RuntimeValue fit_to(const Program& program, NodeRef ref, const RuntimeValue* current, const std::map<std::string, int64_t>& symbols, const RuntimeValue& given) {
  const Node& node = program.node(ref);
  if (current) {
    if (const auto* tensor = current->as<Tensor>()) return fitted(given, tensor->sizes, tensor->dtype);
    if (current->is<bool>() || current->is<int64_t>() || current->is<double>()) return number_fitted(given, *current);
    if (const auto* list = current->as<ListValue>()) {
      check(given.items().size() == list->items->size(), "expected ", list->items->size(), " values, found ", given.is<ListValue>() ? std::to_string(given.items().size()) : kind_text(given));
      std::vector<RuntimeValue> items;
      for (size_t i = 0; i < list->items->size(); ++i) {
        const auto* tensor = (*list->items)[i].as<Tensor>();
        items.push_back(tensor ? RuntimeValue(fitted(given.items()[i], tensor->sizes, tensor->dtype)) : given.items()[i]);
      }
      return list->is_tuple ? make_tuple(std::move(items)) : make_list(std::move(items));
    }
    fail("a ", kind_text(*current), " cannot be edited");
  }
  if (const TensorMeta* meta = tensor_meta(node.val)) return fitted(given, declared_sizes(*meta, symbols), meta->dtype);
  if (const SymMeta* meta = sym_meta(node.val))
    return number_fitted(given, meta->kind == SymKind::Int ? RuntimeValue(int64_t{0}) : meta->kind == SymKind::Bool ? RuntimeValue(false) : RuntimeValue(0.0));
  return given;
}

// The tensors of a file as what the node gives: one, or a tuple of those called NAME#0, NAME#1 …, else of all in their order.
RuntimeValue file_value(const TensorFile& file, const Program& program, NodeRef ref) {
  const std::string name(program.node(ref).name);
  check(!file.tensors.empty(), "the file holds no tensors");
  if (program.node(ref).result_count == 0) {
    const Tensor* tensor = file.find(name);
    check(tensor || file.tensors.size() == 1, "the file holds ", file.tensors.size(), " tensors and none is called \"", name, "\"");
    return tensor ? *tensor : file.tensors[0].second;
  }
  std::vector<RuntimeValue> items;
  while (const Tensor* item = file.find(name + "#" + std::to_string(items.size()))) items.emplace_back(*item);
  if (items.empty())
    for (const auto& [key, tensor] : file.tensors) items.emplace_back(tensor);
  return make_tuple(std::move(items));
}

bool names_a_file(const std::string& text) {
  for (std::string_view suffix : {".npy", ".npz", ".safetensors", ".pt", ".pth"})
    if (text.size() > suffix.size() && text.ends_with(suffix)) return true;
  std::error_code error;
  return text.find('/') != std::string::npos && std::filesystem::is_regular_file(text, error);
}

// Why a node cannot be made of what the text names: a value that its graph computes only after it.
std::optional<Error> name_after(const Program& program, NodeRef node, const std::string& text) {
  for (const std::string& name : names_in(text, program)) {
    const ValueName meant = find_value(program, name, node.graph);
    if (meant.calls.empty() && meant.node.graph == node.graph && meant.node.node.valid() && meant.node.node > node.node)
      return refused("\"" + name + "\" has no value yet when \"" + std::string(program.node(node).name) + "\" is computed", "Save that value as a file and give the file.");
  }
  return std::nullopt;
}

// ---- Arguments --------------------------------------------------------------------------------------------------------------------------

class Literal {
 public:
  explicit Literal(std::string_view text) : text_(text) {}

  RuntimeValue all() {
    RuntimeValue value = one(0);
    skip();
    check(at_ == text_.size(), "\"", text_.substr(at_), "\" is not understood");
    return value;
  }

 private:
  void skip() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
  }
  RuntimeValue one(int depth) {
    skip();
    check(at_ < text_.size(), "expected a value");
    const char c = text_[at_];
    if (c == '[' || c == '(') {
      check(depth < 4, "lists are nested too deeply");
      const char close = c == '[' ? ']' : ')';
      ++at_;
      std::vector<RuntimeValue> items;
      for (skip(); at_ < text_.size() && text_[at_] != close; skip()) {
        items.push_back(one(depth + 1));
        skip();
        check(at_ < text_.size() && (text_[at_] == ',' || text_[at_] == close), "expected \",\" or \"", std::string(1, close), "\"");
        if (text_[at_] == ',') ++at_;
      }
      check(at_ < text_.size(), "expected \"", std::string(1, close), "\"");
      ++at_;
      return make_list(std::move(items));
    }
    if (c == '\'' || c == '"') {
      const size_t end = text_.find(c, at_ + 1);
      check(end != std::string_view::npos, "the string has no end");
      const std::string_view inside = text_.substr(at_ + 1, end - at_ - 1);
      at_ = end + 1;
      return std::string(inside);
    }
    const size_t end = text_.find_first_of(",])", at_);
    std::string_view word = text_.substr(at_, end == std::string_view::npos ? end : end - at_);
    while (word.ends_with(' ')) word.remove_suffix(1);
    at_ += word.size();
    return plain(word);
  }
  static RuntimeValue plain(std::string_view word) {
    if (word == "None" || word == "none") return {};
    if (word == "True" || word == "true") return true;
    if (word == "False" || word == "false") return false;
    int64_t integer = 0;
    if (auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), integer); error == std::errc() && end == word.data() + word.size()) return integer;
    const std::string copy(word);
    char* end = nullptr;
    const double real = std::strtod(copy.c_str(), &end);
    if (!copy.empty() && *end == '\0') return real;
    const std::string_view name = word.starts_with("torch.") ? word.substr(6) : word;
    if (auto dtype = dtype_from_name(name)) return RuntimeValue::Value(*dtype);
    for (const auto& [text, format] : {std::pair{std::string_view("contiguous_format"), MemoryFormat::Contiguous}, {"channels_last", MemoryFormat::ChannelsLast},
                                       {"channels_last_3d", MemoryFormat::ChannelsLast3d}, {"preserve_format", MemoryFormat::Preserve}})
      if (name == text) return RuntimeValue::Value(format);
    return std::string(word);
  }

  std::string_view text_;
  size_t at_ = 0;
};

bool fits_item(const RuntimeValue& value, SchemaBase base) {
  switch (base) {
    case SchemaBase::Int:
    case SchemaBase::SymInt: return value.is<int64_t>();
    case SchemaBase::Float: return value.is<double>() || value.is<int64_t>();
    case SchemaBase::Bool: return value.is<bool>();
    case SchemaBase::Scalar: return value.is<double>() || value.is<int64_t>() || value.is<bool>();
    case SchemaBase::Str: return value.is<std::string>();
    case SchemaBase::ScalarType: return value.is<DType>();
    case SchemaBase::MemoryFormat: return value.is<MemoryFormat>();
    default: return false;
  }
}

bool fits(const RuntimeValue& value, const SchemaType& type) {
  if (value.is_none()) return type.optional;
  if (!type.is_list()) return fits_item(value, type.base);
  if (!value.is<ListValue>()) return type.list_size > 0 && fits_item(value, type.base);
  for (const RuntimeValue& item : value.items())
    if (!fits_item(item, type.base) && !(item.is_none() && type.item_optional)) return false;
  return true;
}

}  // namespace

Result<RuntimeValue> parse_given(const Program& program, NodeRef node, const std::string& text, const NameLookup& names) {
  if (names_a_file(text)) {
    auto file = read_tensor_file(text);
    if (!file) return file.error();
    try {
      return file_value(*file, program, node);
    } catch (const KernelError& error) {
      return refused(error.message());
    }
  }
  WatchResult result = evaluate_watch(text, program, names);
  if (result.failed) return refused(result.text, "Give an expression over values, or a tensor file.");
  return std::move(*result.value);
}

Result<RuntimeValue> fit_value_edit(const Program& program, NodeRef node, std::string_view index, const RuntimeValue& given, const NameLookup& names,
                                    const RuntimeValue* current, const std::map<std::string, int64_t>& symbols) {
  try {
    if (index.empty()) return fit_to(program, node, current, symbols, given);
    const auto* tensor = current ? current->as<Tensor>() : nullptr;
    if (!tensor) return refused("its elements are not known yet", "Run the program first, or give the whole value.");
    const Tensor copy = fitted(*current, tensor->sizes, tensor->dtype);
    const std::string name(program.node(node).name);
    const WatchResult part = evaluate_watch(name + std::string(index), program, [&](std::string_view asked) { return asked == name ? std::optional<RuntimeValue>(copy) : names(asked); });
    const auto* view = part.value ? part.value->as<Tensor>() : nullptr;
    if (!view) return refused(part.failed ? part.text : "\"" + std::string(index) + "\" is no part of a tensor");
    const auto source = as_tensor(given);
    if (!source) return refused("expected a number or a tensor, found " + kind_text(given));
    copy_onto(*view, *source);
    return RuntimeValue(copy);
  } catch (const KernelError& error) {
    return refused(error.message());
  }
}

// What is written with names of values is only tried here: each run works it out from its own.
Result<ValueEdit> parse_value_edit(const Program& program, NodeRef node, std::string_view index, const std::string& text, const NameLookup& names,
                                   const RuntimeValue* current, const std::map<std::string, int64_t>& symbols) {
  const bool file = names_a_file(text);
  if (const auto later = file ? std::nullopt : name_after(program, node, text)) return *later;
  auto given = parse_given(program, node, text, names);
  if (!given) return given.error();
  auto value = fit_value_edit(program, node, index, *given, names, current, symbols);
  if (!value) return value.error();
  ValueEdit edit{node, std::string(index), text, {}, {}, {}};
  const bool constant = file || names_in(text, program).empty();
  if (constant) edit.given = std::move(*given);
  if (constant && index.empty()) edit.value = std::move(*value);
  return edit;
}

Result<ArgumentEdit> parse_argument_edit(const Program& program, NodeRef ref, const std::string& argument, const std::string& text) {
  const Node& node = program.node(ref);
  if (node.kind != NodeKind::CallFunction) return refused("\"" + std::string(node.name) + "\" is no call and has no arguments");
  const OpSchema* schema = find_op_schema(node.target);
  const SchemaParameter* parameter = schema ? schema->parameter(argument) : nullptr;
  const NodeArgument* given = nullptr;
  for (size_t i = 0; i < node.inputs.size(); ++i)
    if (node.inputs[i].name == argument || (!schema && std::to_string(i) == argument)) given = &node.inputs[i];
  if (!parameter && !given) {
    std::string known;
    if (schema)
      for (const SchemaParameter& p : schema->parameters) known += (known.empty() ? "" : ", ") + p.name;
    return refused("\"" + std::string(node.name) + "\" has no argument \"" + argument + "\"", known.empty() ? "" : "It takes " + known + ".");
  }
  const bool tensor = parameter && parameter->type.base == SchemaBase::Tensor;
  bool computed = tensor && !given;
  if (given) for_each_node(given->value, [&](NodeId) { computed = true; });
  if (computed) return refused("\"" + argument + "\" is the value of another node", "Edit the value of that node instead.");
  ArgumentEdit edit{ref, argument, text, {}, {}};
  try {
    edit.value = Literal(text).all();
  } catch (const KernelError& error) {
    return refused(error.message());
  }
  // A number may stand for a tensor: x * 2.
  if (parameter && !(tensor ? fits_item(edit.value, SchemaBase::Scalar) : fits(edit.value, parameter->type))) return refused("expected " + parameter->type.text + " for \"" + argument + "\", found " + kind_text(edit.value));
  return edit;
}

std::optional<Error> check_input_edit(const Program& program, const std::string& name, const std::string& text) {
  const Graph& root = program.root_graph();
  const NodeId id = root.find(name);
  if (!id.valid() || root.node(id).kind != NodeKind::Placeholder) return refused("the program has no input \"" + name + "\"");
  const ValueMeta& declared = root.node(id).val;
  const TensorMeta* meta = tensor_meta(declared);
  const bool value = meta ? text == kSampleText || parse_recipe(meta->dtype, text).has_value() : parse_number_input(declared, nullptr, text).has_value();
  if (value || names_a_file(text) || given_file(text)) return std::nullopt;
  return refused("\"" + text + "\" is neither a value for it nor a file");
}

}  // namespace pt2::interp
