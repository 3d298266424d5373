#include "core/decode/decode.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <limits>
#include <map>
#include <new>
#include <stdexcept>

#include "core/base/display.h"
#include "core/base/limits.h"
#include "core/decode/decode_graph.h"
#include "core/decode/decode_signature.h"
#include "core/graph/tree_spec.h"
#include "core/graph/unbound_symbols.h"

namespace pt2 {

namespace decode {
namespace {

constexpr int64_t kNewestMajor = 8, kNewestMinor = 20;
// What means infinity in files up to 2.5: sys.maxsize, its negative, and floating-point numbers about as large.
constexpr int64_t kUnbounded = std::numeric_limits<int64_t>::max();
constexpr double kUnboundedFrom = 0x1p62;

// Decodes the members of the program in the order that suits: what the graph needs comes first, whatever the order in the file.
class ProgramDecoder {
 public:
  ProgramDecoder(Program& program, std::string_view json, const std::string& place, std::stop_token stop)
      : reader_(json, limits::kJsonDepth), context_(program, reader_, place, std::move(stop)), program_(program) {}

  void decode();

 private:
  using Members = std::map<std::string, size_t, std::less<>>;  // key → offset of its value; without nulls

  Members members(const std::string& where);
  bool enter(const Members& members, std::string_view key);
  void require(const Members& members, std::string_view key, const std::string& where);
  // Runs `read` on the member, where it is there; what is wrong inside is a finding, for the graph can be shown without.
  template <class Read>
  void section(const Members& members, std::string_view key, const std::string& prefix, Read&& read);
  void odd(std::string rule, std::string message, std::string where, std::string advice = {}) {
    context_.finding(Severity::Warning, std::move(rule), std::move(message), std::move(where), std::move(advice));
  }

  void read_text(const Members& members, std::string_view key, std::string_view& out);
  void read_texts(const Members& members, std::string_view key, std::vector<std::string_view>& out);
  void read_schema_version(const Members& root);
  void read_range(JsonCursor range);
  void read_module_call(JsonCursor entry);
  void read_graphs();
  void check_tree_specs();

  JsonReader reader_;
  Context context_;
  Program& program_;
  JsonTree tree_;
};

ProgramDecoder::Members ProgramDecoder::members(const std::string& where) {
  if (reader_.peek() != JsonKind::Object)
    throw DecodeError{"expected an object", where, "This is not a program as torch.export.save writes it."};
  Members found;
  reader_.begin_object();
  std::string_view key;
  while (reader_.next_member(key)) {
    std::string name(key);
    if (reader_.peek() != JsonKind::Null) found.insert_or_assign(std::move(name), reader_.offset());
    else found.erase(name);
    reader_.skip();
  }
  return found;
}

bool ProgramDecoder::enter(const Members& members, std::string_view key) {
  auto it = members.find(key);
  if (it != members.end()) reader_.seek(it->second);
  return it != members.end();
}

void ProgramDecoder::require(const Members& members, std::string_view key, const std::string& where) {
  if (!enter(members, key))
    throw DecodeError{"\"" + std::string(key) + "\" is missing", where, "This is not a program as torch.export.save writes it. Export it again."};
}

template <class Read>
void ProgramDecoder::section(const Members& members, std::string_view key, const std::string& prefix, Read&& read) {
  if (!enter(members, key)) return;
  try {
    read(tree_.read(reader_));
  } catch (const JsonError& error) {
    const bool dot = !error.path.empty() && error.path[0] != '[';
    odd("format.program", error.message, prefix + std::string(key) + (dot ? "." : "") + error.path);
  }
}

void ProgramDecoder::decode() {
  const Members root = members("");
  try {
    reader_.expect_end();
  } catch (const JsonError& error) {
    odd("format.json", error.message, "", "It was ignored.");
  }
  if (const auto bad = invalid_utf8(reader_.text()))
    odd("format.json", "byte " + std::to_string(*bad) + ": the text is not UTF-8 there", "", "Such bytes are shown as U+FFFD.");
  read_schema_version(root);
  read_text(root, "torch_version", program_.torch_version);
  read_text(root, "dialect", program_.dialect);
  read_texts(root, "verifiers", program_.verifiers);
  if (program_.dialect.empty() && !program_.verifiers.empty()) program_.dialect = program_.verifiers.front();
  read_texts(root, "guards_code", program_.guards_code);
  section(root, "opset_version", "", [&](JsonCursor opsets) {
    for (JsonCursor opset : opsets.members()) program_.opset_versions.emplace_back(context_.intern(opset.key()), opset.as_int());
  });
  section(root, "range_constraints", "", [&](JsonCursor ranges) {
    for (JsonCursor range : ranges.members()) read_range(range);
  });

  require(root, "graph_module", "");
  const Members module = members("graph_module");
  const std::string prefix = "graph_module.";
  section(module, "treespec_namedtuple_fields", prefix, [&](JsonCursor types) {
    for (JsonCursor type : types.members())
      for (JsonCursor field : type.at("field_names").elements())
        program_.namedtuple_fields[std::string(type.key())].emplace_back(field.as_string());
  });
  section(module, "metadata", prefix, [&](JsonCursor metadata) {
    if (auto custom = metadata.find("custom")) program_.graph_metadata_custom = context_.intern(custom->as_string());
  });
  section(module, "module_call_graph", prefix, [&](JsonCursor calls) {
    for (JsonCursor call : calls.elements()) read_module_call(call);
  });
  section(module, "call_spec", prefix, [&](JsonCursor specs) {  // 2.1
    ModuleCall root_call;
    root_call.has_signature = true;
    root_call.in_spec = context_.intern(specs.at("in_spec").as_string());
    root_call.out_spec = context_.intern(specs.at("out_spec").as_string());
    if (program_.module_call_graph.empty()) program_.module_call_graph.push_back(std::move(root_call));
  });

  SignatureDecoder signature(context_);
  require(module, "signature", "graph_module");
  signature.read();
  require(module, "graph", "graph_module");
  read_graphs();
  signature.link();
  check_tree_specs();
  for (const UnboundSymbol& unbound : unbound_symbols(program_))
    context_.finding(Severity::Warning, "symbol.unbound", "the symbol \"" + unbound.symbol + "\" in the expression " + unbound.expression.substr(0, 200) + " is declared nowhere",
                     "the value \"" + std::string(program_.node(unbound.node).name) + "\"", "Its value is unknown; sizes that depend on it are, too.", unbound.node);
  context_.finish_findings();
}

void ProgramDecoder::read_text(const Members& members, std::string_view key, std::string_view& out) {
  section(members, key, "", [&](JsonCursor value) { out = context_.intern(value.as_string()); });
}

void ProgramDecoder::read_texts(const Members& members, std::string_view key, std::vector<std::string_view>& out) {
  section(members, key, "", [&](JsonCursor values) {
    for (JsonCursor value : values.elements()) out.push_back(context_.intern(value.as_string()));
  });
}

void ProgramDecoder::read_schema_version(const Members& root) {
  SchemaVersion& version = program_.schema_version;
  if (!root.count("schema_version")) {
    odd("format.schema-version", "\"schema_version\" is missing", "", "The program is read as the newest schema.");
    return;
  }
  section(root, "schema_version", "", [&](JsonCursor value) {
    if (value.is_object()) {
      version.major = value.at("major").as_int();
      version.minor = value.at("minor").as_int();
    } else {
      version.major = value.as_int();  // up to 2.2
    }
  });
  const std::string text = std::to_string(version.major) + "." + std::to_string(version.minor);
  const std::string newest = std::to_string(kNewestMajor) + "." + std::to_string(kNewestMinor);
  if (version.major > kNewestMajor || (version.major == kNewestMajor && version.minor > kNewestMinor))
    odd("format.schema-version", "schema version " + text + " is newer than " + newest + ", the newest this program knows", "schema_version",
        "What it does not know is kept and shown as the file has it.");
  else if (version.major < 1)
    odd("format.schema-version", "schema version " + text + " is none that PyTorch has used", "schema_version", "");
}

void ProgramDecoder::read_range(JsonCursor range) {
  Range result;
  auto bound = [&](std::string_view key) -> std::optional<double> {
    const auto value = range.find(key);
    if (!value) return {};
    const double number = value->as_float();
    if (value->kind() == JsonKind::Float && std::isfinite(number)) result.is_float = true;
    if (value->kind() == JsonKind::Int) {
      const int64_t whole = value->as_int();
      return whole <= -kUnbounded || whole == kUnbounded ? std::nullopt : std::optional(number);
    }
    if (!std::isfinite(number) || std::abs(number) >= kUnboundedFrom) return {};
    return number;
  };
  result.min = bound("min_val");
  result.max = bound("max_val");
  const std::string_view symbol = context_.intern(range.key());
  if (symbol.starts_with("zf") || symbol.starts_with("zuf")) result.is_float = true;
  if (result.min && result.max && *result.min > *result.max)
    odd("symbol.range", "the range of \"" + std::string(symbol) + "\" is empty: its minimum is above its maximum", "range_constraints",
        "No size can satisfy it. Export the program again.");
  program_.range_constraints.emplace_back(symbol, result);
}

void ProgramDecoder::read_module_call(JsonCursor entry) {
  ModuleCall call;
  call.fqn = context_.intern(entry.at("fqn").as_string());
  if (auto signature = entry.find("signature")) {
    call.has_signature = true;
    auto text = [&](std::string_view key) {
      auto spec = signature->find(key);
      return spec ? context_.intern(spec->as_string()) : std::string_view();
    };
    call.in_spec = text("in_spec");
    call.out_spec = text("out_spec");
    if (auto names = signature->find("forward_arg_names"))
      for (JsonCursor name : names->elements()) call.forward_arg_names.push_back(context_.intern(name.as_string()));
  }
  program_.module_call_graph.push_back(std::move(call));
}

void ProgramDecoder::read_graphs() {
  MetaDecoder metas(context_);
  ModuleTreeBuilder modules(program_.strings);
  std::deque<PendingGraph> pending;
  pending.push_back({program_.graphs.push_back({}), reader_.offset(), "", 0});
  while (!pending.empty()) {
    const PendingGraph next = std::move(pending.front());
    pending.pop_front();
    GraphDecoder(context_, metas, modules, pending).decode(next);
  }
  program_.modules = std::move(modules).finish(program_.root_graph());
}

void ProgramDecoder::check_tree_specs() {
  const auto& signature = program_.signature;
  const auto user_inputs = std::count_if(signature.inputs.begin(), signature.inputs.end(), [](const InputSpec& s) { return s.kind == InputKind::UserInput; });
  const auto user_outputs = std::count_if(signature.outputs.begin(), signature.outputs.end(), [](const OutputSpec& s) {
    return s.kind == OutputKind::UserOutput || s.kind == OutputKind::LossOutput;
  });
  size_t index = 0;
  for (const ModuleCall& call : program_.module_call_graph) {
    const std::string where = "graph_module.module_call_graph[" + std::to_string(index++) + "].signature.";
    auto check = [&](std::string_view text, const std::string& key, size_t expected) {
      if (text.empty()) return;
      const auto spec = parse_tree_spec(text);
      if (!spec) {
        odd("format.tree-spec", spec.error().message, where + key + (spec.error().where.empty() ? "" : ": " + spec.error().where), spec.error().advice);
      } else if (call.fqn.empty() && spec->leaf_count() != expected) {
        odd("format.tree-spec", "it has " + std::to_string(spec->leaf_count()) + " leaves, the signature has " + std::to_string(expected) + " user " +
            (key == "in_spec" ? "inputs" : "outputs"), where + key, "How " + std::string(key == "in_spec" ? "inputs" : "outputs") + " are nested is not known.");
      }
    };
    check(call.in_spec, "in_spec", size_t(user_inputs));
    check(call.out_spec, "out_spec", size_t(user_outputs));
  }
}

}  // namespace
}  // namespace decode

Result<std::shared_ptr<const Program>> decode_program(std::string name, std::string_view json, const std::string& place, std::stop_token stop) {
  auto at = [&](const std::string& where) { return where.empty() ? place : place + ": " + where; };
  try {
    auto program = std::make_shared<Program>();
    program->name = std::move(name);
    decode::ProgramDecoder(*program, json, place, std::move(stop)).decode();
    return std::shared_ptr<const Program>(std::move(program));
  } catch (const decode::DecodeError& error) {
    return Error{error.limit ? ErrorKind::Limit : ErrorKind::CannotOpen, error.message, at(error.where), error.advice};
  } catch (const JsonError& error) {
    return Error{error.limit ? ErrorKind::Limit : ErrorKind::CannotOpen, error.message, at(error.path), "The program's JSON text is damaged. Export the program again."};
  } catch (const decode::DecodeStopped&) {
    return Error{ErrorKind::Stopped, "loading was cancelled", place, ""};
  } catch (const std::bad_alloc&) {
    return Error{ErrorKind::Limit, "there is not enough memory to read the program", place, ""};
  } catch (const std::length_error&) {
    return Error{ErrorKind::Limit, "there is not enough memory to read the program", place, ""};
  }
}

}  // namespace pt2
