#include "views/workspace/labels.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "core/base/display.h"

namespace pt2::views {
namespace {

std::string float_text(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
  char buffer[32];
  for (int digits : {6, 12, 15, 17}) {
    std::snprintf(buffer, sizeof buffer, "%.*g", digits, value);
    if (std::strtod(buffer, nullptr) == value) break;
  }
  std::string text = buffer;
  if (text.find_first_of(".en") == text.npos) text += ".0";
  return text;
}

constexpr size_t kMaxLabelBytes = 64 * 1024;

// Appends text to the last plain piece, or starts one.
void append(std::vector<LabelPiece>& pieces, std::string_view text) {
  if (pieces.empty() || pieces.back().node) pieces.push_back({});
  pieces.back().text += text;
}

std::string scalar_text(const Argument& argument) {
  if (argument.is_none()) return "None";
  if (auto* v = argument.as<bool>()) return *v ? "True" : "False";
  if (auto* v = argument.as<int64_t>()) return std::to_string(*v);
  if (auto* v = argument.as<double>()) return float_text(*v);
  if (auto* v = argument.as<std::complex<double>>())
    return "(" + float_text(v->real()) + (std::signbit(v->imag()) ? "" : "+") + float_text(v->imag()) + "j)";
  if (auto* v = argument.as<std::string_view>()) return "'" + display(*v) + "'";
  if (auto* v = argument.as<DType>()) return "torch." + std::string(dtype_name(*v));
  if (auto* v = argument.as<MemoryFormat>()) return std::string(memory_format_name(*v));
  if (auto* v = argument.as<TensorLayout>()) return std::string(layout_name(*v));
  if (auto* v = argument.as<Device>()) return "device '" + display(device_text(*v)) + "'";
  if (auto* v = argument.as<OperatorArg>()) return display(v->name);
  if (auto* v = argument.as<UnknownArg>()) return display(v->json);
  return "";
}

}  // namespace

std::string shape_label(const TensorMeta& meta) {
  std::string text = "[";
  for (const SymInt& size : meta.sizes) {
    if (text.size() > 1) text += ',';
    text += size.is_symbolic() ? display(size.text()) : std::to_string(size.value);
  }
  return text + ']';
}

std::string type_label(const ValueMeta& meta) {
  if (auto* tensor = tensor_meta(meta)) return std::string(dtype_short_name(tensor->dtype)) + shape_label(*tensor);
  if (auto* sym = sym_meta(meta)) {
    const char* kind = sym->kind == SymKind::Int ? "SymInt" : sym->kind == SymKind::Float ? "SymFloat" : "SymBool";
    return std::string(kind) + "(" + (sym->expr ? display(sym->expr->text) : scalar_text(sym->constant)) + ")";
  }
  if (auto* object = std::get_if<std::shared_ptr<const CustomObjMeta>>(&meta)) return "obj " + display((*object)->class_fqn);
  if (auto* constant = std::get_if<std::shared_ptr<const ConstantMeta>>(&meta)) return scalar_text((*constant)->value);
  return "";
}

std::vector<LabelPiece> argument_pieces(const Graph& graph, const Argument& argument, size_t max_pieces) {
  // A work item is an argument still to write, or a text that closes or separates.
  struct Item { const Argument* argument; std::string text; };
  std::vector<LabelPiece> pieces;
  std::vector<Item> pending{{&argument, ""}};
  auto push_list = [&pending](const std::vector<Argument>& items, const char* close) {
    pending.push_back({nullptr, close});
    for (size_t i = items.size(); i-- > 0;) {
      pending.push_back({&items[i], ""});
      if (i) pending.push_back({nullptr, ", "});
    }
  };
  while (!pending.empty()) {
    if (pieces.size() >= max_pieces || (!pieces.empty() && pieces.back().text.size() > kMaxLabelBytes)) {
      append(pieces, " …");
      break;
    }
    Item item = std::move(pending.back());
    pending.pop_back();
    if (!item.argument) {
      append(pieces, item.text);
    } else if (auto* id = item.argument->as<NodeId>()) {
      pieces.push_back({display(graph.node(*id).name), *id});
    } else if (auto* list = item.argument->as<ListArg>()) {
      append(pieces, "[");
      push_list(list->items, "]");
    } else if (auto* tuple = item.argument->as<TupleArg>()) {
      append(pieces, "(");
      push_list(tuple->items, tuple->items.size() == 1 ? ",)" : ")");
    } else if (auto* dict = item.argument->as<DictArg>()) {
      append(pieces, "{");
      pending.push_back({nullptr, "}"});
      for (size_t i = dict->items.size(); i-- > 0;) {
        pending.push_back({&dict->items[i].second, ""});
        pending.push_back({nullptr, (i ? ", '" : "'") + display(dict->items[i].first) + "': "});
      }
    } else {
      append(pieces, scalar_text(*item.argument));
    }
  }
  return pieces;
}

std::string argument_label(const Graph& graph, const Argument& argument) {
  std::string text;
  for (const LabelPiece& piece : argument_pieces(graph, argument)) text += piece.text;
  return text;
}

std::string_view class_label(std::string_view type) {
  size_t dot = type.rfind('.');
  return dot == type.npos ? type : type.substr(dot + 1);
}

std::string fold_case(std::string_view text) {
  std::string out(text);
  for (char& c : out)
    if (c >= 'A' && c <= 'Z') c = char(c + 32);
  return out;
}

std::string number_label(double value, int digits) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
  char buffer[48];
  std::snprintf(buffer, sizeof buffer, "%.*g", digits, value);
  return buffer;
}

std::string part_label(int64_t part, int64_t whole) {
  const double percent = whole > 0 ? 100 * double(part) / double(whole) : 0;
  if (part > 0 && percent < 0.05) return "< 0.1 %";
  if (part < whole && percent >= 99.95) return "> 99.9 %";
  char text[32];
  std::snprintf(text, sizeof text, "%.1f %%", percent);
  return text;
}

std::string duration_label(double microseconds) {
  char buffer[48];
  if (microseconds < 1000) std::snprintf(buffer, sizeof buffer, "%.0f µs", microseconds);
  else if (microseconds < 1e6) std::snprintf(buffer, sizeof buffer, "%.3g ms", microseconds / 1000);
  else std::snprintf(buffer, sizeof buffer, "%.3g s", microseconds / 1e6);
  return buffer;
}

}  // namespace pt2::views
