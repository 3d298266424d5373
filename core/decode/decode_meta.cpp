#include "core/decode/decode_meta.h"

#include <algorithm>
#include <iterator>

namespace pt2::decode {

namespace {

constexpr std::string_view kTables[] = {"tensor_values", "sym_int_values", "sym_float_values", "sym_bool_values", "custom_obj_values"};
constexpr size_t kMostDimensions = 64;

Argument number_or_none(std::optional<JsonCursor> value) {
  if (!value) return {};
  switch (value->kind()) {
    case JsonKind::Bool: return {value->as_bool()};
    case JsonKind::Int: return {value->as_int()};
    default: return {value->as_float()};
  }
}

// SymExprHint, or in 2.1 the number itself.
Argument hint_of(JsonCursor expr) {
  if (!expr.is_object()) return {};
  auto hint = expr.find("hint");
  if (!hint || !hint->is_object()) return number_or_none(hint);
  auto set = union_member(*hint);
  return set ? number_or_none(set->value) : Argument{};
}

}  // namespace

std::shared_ptr<const SymExpr> MetaDecoder::expression(std::string_view text, JsonCursor at) {
  auto it = expressions_.find(text);
  if (it == expressions_.end()) {
    auto expr = std::make_shared<const SymExpr>(parse_sym_expr(text));
    it = expressions_.emplace(context_.intern(text), expr).first;
    if (!expr->tree)
      context_.finding(Severity::Warning, "symbol.not-understood",
                       "the size expression \"" + expr->source.substr(0, 200) + "\" is not understood: " + expr->problem.value_or("unknown form"), at.path(),
                       "It is shown as text; sizes that depend on it are unknown.");
  }
  return it->second;
}

SymInt MetaDecoder::sym_int(JsonCursor value) {
  SymInt result;
  if (!value.is_object()) {  // storage_offset up to 2.2
    result.value = value.as_int();
    return result;
  }
  auto set = union_member(value);
  if (!set) value.fail("expected as_int or as_expr, found an empty union");
  if (set->key == "as_int") {
    result.value = set->value.as_int();
  } else if (set->key == "as_expr") {
    const JsonCursor expr = set->value;
    result.expr = expression(expr.is_string() ? expr.as_string() : expr.at("expr_str").as_string(), expr);
    const Argument hint = hint_of(expr);
    result.has_hint = hint.is<int64_t>();
    if (result.has_hint) result.value = *hint.as<int64_t>();
  } else {
    set->value.fail("expected as_int or as_expr, found \"" + std::string(set->key) + "\"");
  }
  return result;
}

DType MetaDecoder::dtype(JsonCursor value) {
  const int64_t number = value.as_int();
  if (auto known = dtype_from_schema(number)) return *known;
  context_.finding(Severity::Warning, "format.unknown-dtype", "the element type number " + std::to_string(number) + " is unknown", value.path(),
                   "The file may come from a newer PyTorch. Tensors of this type cannot be read.");
  return DType::Unknown;
}

Device MetaDecoder::device(JsonCursor value) {
  Device device;
  device.type = value.at("type").as_string();
  if (auto index = value.find("index")) device.index = static_cast<int>(index->as_int());
  return device;
}

ValueMeta MetaDecoder::tensor_meta(JsonCursor value) {
  if (auto inner = value.find("meta")) value = *inner;  // 2.1
  auto meta = std::make_shared<TensorMeta>();
  meta->dtype = dtype(value.at("dtype"));
  for (JsonCursor size : value.at("sizes").elements()) meta->sizes.push_back(sym_int(size));
  for (JsonCursor stride : value.at("strides").elements()) meta->strides.push_back(sym_int(stride));
  if (meta->sizes.size() > kMostDimensions)
    value.at("sizes").fail(std::to_string(meta->sizes.size()) + " dimensions, the limit is " + std::to_string(kMostDimensions));
  if (meta->strides.size() != meta->sizes.size())
    value.at("strides").fail(std::to_string(meta->sizes.size()) + " sizes but " + std::to_string(meta->strides.size()) + " strides");
  for (const SymInt& size : meta->sizes)
    if (!size.is_symbolic() && size.value < 0) value.at("sizes").fail("the size " + std::to_string(size.value) + " is negative");
  if (auto offset = value.find("storage_offset")) meta->storage_offset = sym_int(*offset);
  if (auto device_value = value.find("device")) meta->device = device(*device_value);
  if (auto grad = value.find("requires_grad")) meta->requires_grad = grad->as_bool();
  if (auto layout = value.find("layout")) {
    const int64_t number = layout->as_int();
    meta->layout = number >= 0 && number <= int64_t(TensorLayout::Strided) ? TensorLayout(number) : TensorLayout::Unknown;
  }
  return std::shared_ptr<const TensorMeta>(std::move(meta));
}

ValueMeta MetaDecoder::sym_meta(SymKind kind, JsonCursor value) {
  auto meta = std::make_shared<SymMeta>();
  meta->kind = kind;
  auto set = union_member(value);
  if (!set) value.fail("expected an expression or a number, found an empty union");
  if (set->key == "as_expr") {
    const JsonCursor expr = set->value;  // SymBool of 2.1: the text itself
    meta->expr = expression(expr.is_string() ? expr.as_string() : expr.at("expr_str").as_string(), expr);
    meta->hint = hint_of(expr);
  } else {
    meta->constant = number_or_none(set->value);
  }
  return std::shared_ptr<const SymMeta>(std::move(meta));
}

ValueMeta MetaDecoder::custom_obj_meta(JsonCursor value) {
  auto meta = std::make_shared<CustomObjMeta>();
  if (auto name = value.find("name")) meta->name = context_.intern(name->as_string());
  if (auto fqn = value.find("class_fqn")) meta->class_fqn = context_.intern(fqn->as_string());
  return std::shared_ptr<const CustomObjMeta>(std::move(meta));
}

void MetaDecoder::read_table(std::string_view key, const std::string& where, Table& table) {
  const size_t kind = std::find(std::begin(kTables), std::end(kTables), key) - std::begin(kTables);
  PT2_ASSERT(kind < std::size(kTables));
  JsonReader& reader = context_.reader;
  std::string_view name_text;
  reader.begin_object();
  while (reader.next_member(name_text)) {
    const std::string_view name = context_.intern(name_text);
    const size_t begin = reader.offset();
    const std::string_view raw = reader.skip();
    auto [entry, is_new] = by_text_[kind].try_emplace(raw);
    if (is_new) {
      const size_t behind = reader.offset();
      reader.seek(begin);
      try {
        const JsonCursor value = tree_.read(reader);
        switch (kind) {
          case 0: entry->second = tensor_meta(value); break;
          case 1: entry->second = sym_meta(SymKind::Int, value); break;
          case 2: entry->second = sym_meta(SymKind::Float, value); break;
          case 3: entry->second = sym_meta(SymKind::Bool, value); break;
          default: entry->second = custom_obj_meta(value);
        }
      } catch (const JsonError& error) {
        context_.finding(Severity::Warning, "format.value-meta", error.message,
                         where + std::string(key) + "[\"" + std::string(name) + "\"]" + (error.path.empty() ? "" : "." + error.path),
                         "What the file declares about this value is not known.");
      }
      reader.seek(behind);
    }
    table.insert_or_assign(name, entry->second);
  }
}

const NodeMeta* MetaDecoder::no_node_meta() { return read_node_meta("{}"); }

const NodeMeta* MetaDecoder::read_node_meta(std::string_view raw) {
  auto [entry, is_new] = node_metas_.try_emplace(raw);
  if (!is_new) return entry->second;
  NodeMeta& meta = context_.program.node_metas.emplace_back();
  entry->second = &meta;
  JsonReader reader(raw, context_.reader.max_depth());
  const JsonCursor object = tree_.read(reader);
  if (object.is_null()) return &meta;
  for (JsonCursor member : object.members()) {
    if (member.is_null()) continue;
    const std::string_view key = member.key();
    const std::string_view text = context_.intern(member.is_string() ? member.text() : std::string_view(member.dump()));
    if (key == "stack_trace") meta.stack_trace = text;
    else if (key == "nn_module_stack") meta.nn_module_stack = text;
    else if (key == "torch_fn") meta.torch_fn = text;
    else if (key == "source_fn_stack" || key == "source_fn") meta.source_fn_stack = text;
    else if (key == "from_node") meta.from_node = text;
    else if (key == "custom") meta.custom = text;
    else meta.other.emplace_back(context_.intern(key), text);
  }
  return &meta;
}

}  // namespace pt2::decode
