#include "core/archive/unpickler.h"

#include <doctest/doctest.h>

using namespace pt2;

namespace {

// Opcodes, written as in Python's pickletools.
const std::string kProto("\x80\x02", 2);
std::string global(const std::string& module, const std::string& name) { return "c" + module + "\n" + name + "\n"; }
std::string text(const std::string& t) { return std::string("U") + static_cast<char>(t.size()) + t; }
std::string number(int n) { return std::string("K") + static_cast<char>(n); }
std::string storage(const std::string& type, const std::string& key, int count) {
  return "(" + text("storage") + global("torch", type) + text(key) + text("cpu") + number(count) + "tQ";
}
const std::string kOrderedDict = global("collections", "OrderedDict") + ")R";

// A value as text, for small ones.
std::string shown(const Unpickler& p, PickleId id) {
  const auto joined = [&](const std::vector<PickleId>& ids) {
    std::string s;
    for (const PickleId item : ids) s += (s.empty() ? "" : " ") + shown(p, item);
    return s;
  };
  switch (p.item(id).kind) {
    case PickleKind::None: return "None";
    case PickleKind::Bool: return p.item(id).integer ? "True" : "False";
    case PickleKind::Int: return std::to_string(p.item(id).integer);
    case PickleKind::Float: return std::to_string(p.item(id).number);
    case PickleKind::String: return "'" + std::string(p.text(id)) + "'";
    case PickleKind::Bytes: return "b'" + std::string(p.text(id)) + "'";
    case PickleKind::List: return "[" + joined(p.list(id)) + "]";
    case PickleKind::Tuple: return "(" + joined(p.list(id)) + ")";
    case PickleKind::Set: return "{" + joined(p.list(id)) + "}";
    case PickleKind::Dict: return "dict(" + joined(p.list(id)) + ")";
    case PickleKind::Complex: return "complex";
    case PickleKind::Global: return std::string(p.text(id));
    case PickleKind::Opaque: return "<" + p.opaque(id).dotted_name + ": " + joined(p.opaque(id).arguments) + ">";
    case PickleKind::Storage: return "storage";
    case PickleKind::Tensor: return "tensor " + std::to_string(p.item(id).size_or_index);
  }
  return "?";
}

std::string run(const std::string& opcodes) {
  const std::string pickle = kProto + opcodes;
  Unpickler p(pickle);
  if (auto done = p.run(); !done) return "error: " + done.error().where + ": " + done.error().message;
  std::string result = shown(p, p.root());
  for (const Finding& finding : p.findings()) result += " | " + finding.where + ": " + finding.message;
  return result;
}

}  // namespace

TEST_CASE("plain data of every kind") {
  CHECK(run("(K\x01M\x02\x01J\xff\xff\xff\xffNt.") == "(1 258 -1 None)");
  CHECK(run(std::string("\x8a\x02\xff\x00.", 5)) == "255");
  CHECK(run("\x8a\x01\xff.") == "-1");
  CHECK(run(std::string("\x8a\x00.", 3)) == "0");
  CHECK(run(std::string("G\x3f\xf0\x00\x00\x00\x00\x00\x00.", 10)) == "1.000000");
  CHECK(run("](" + number(1) + text("a") + "e.") == "[1 'a']");
  CHECK(run("}" + text("k") + "\x88s.") == "dict('k' True)");
  CHECK(run("}q\x01(" + text("k") + "h\x01" + "K\x02u0h\x01.").starts_with("error"));  // an odd number of items
  CHECK(run(kOrderedDict + ".") == "dict()");
  CHECK(run(global("__builtin__", "set") + "](K\x01K\x02" + "e\x85R.") == "{1 2}");
  CHECK(run(global("_codecs", "encode") + text("a\xc3\xbf") + text("latin1") + "\x86R.") == "b'a\xff'");
  CHECK(run(global("torch", "float32") + ".") == "torch.float32");
  CHECK(run(global("torch", "Size") + "K\x02K\x03\x86\x85R.") == "(2 3)");
}

TEST_CASE("tensors are made of their parts, shared storages are one") {
  const std::string tensor = global("torch._utils", "_rebuild_tensor_v2") + "(" + storage("FloatStorage", "0", 6) + number(2) + "K\x02K\x02\x86K\x02K\x01\x86\x89" + kOrderedDict + "tR";
  const std::string pickle = kProto + "](" + tensor + tensor + "e.";
  Unpickler p(pickle);
  REQUIRE(p.run());
  REQUIRE(p.tensors().size() == 2);
  CHECK(p.storages().size() == 1);
  CHECK(p.storages()[0].size_bytes == 24);
  const PickledTensor& t = p.tensors()[1];
  CHECK(t.dtype == DType::Float32);
  CHECK(t.offset == 2);
  CHECK(t.sizes == Shape{2, 2});
  CHECK(t.strides == Shape{2, 1});
  CHECK(p.findings().empty());
}

TEST_CASE("calls are named, never made") {
  CHECK(run(global("os", "system") + text("touch PWNED") + "\x85R.") ==
        "<os.system: 'touch PWNED'> | byte 27: calls os.system, which is not a constructor of plain data. It was NOT run.");
  CHECK(run("(ios\nsystem\n.").find("It was NOT run") != std::string::npos);
  CHECK(run("(" + global("os", "system") + "o.").find("It was NOT run") != std::string::npos);
  CHECK(run(global("subprocess", "Popen") + ")}\x92.").find("It was NOT run") != std::string::npos);
  CHECK(run(global("builtins", "getattr") + global("os", "x") + text("system") + "\x86R)R.").find("calls os.x.system") != std::string::npos);
  CHECK(run(global("corpus", "Pair") + "K\x01K\x02\x86\x81.").starts_with("<corpus.Pair: 1 2>"));
  CHECK(run(global("os", "system") + ".") == "os.system");  // a name alone does nothing
}

TEST_CASE("malformed pickles end with the place") {
  CHECK(run("K\x01") == "error: byte 4: the pickle ends without STOP");
  CHECK(run("R.") == "error: byte 2: an opcode takes a value from an empty stack");
  CHECK(run("t.") == "error: byte 2: an opcode looks for a mark, there is none");
  CHECK(run("h\x05.") == "error: byte 2: memo slot 5 was never written");
  CHECK(run("]K\x01K\x02s.") == "error: byte 7: SETITEM on what is no dict");
  CHECK(run("}K\x01" "a.") == "error: byte 5: APPEND on what is no list");
  CHECK(run("Nr\xff\xff\xff\xff.") == "error: byte 3: memo slot 4,294,967,295 (limit 1,000,000)");
  CHECK(run("\x8b\xff\xff\xff\x7f.") == "error: byte 2: an opcode needs 2,147,483,647 bytes, 1 are left");
  CHECK(run(std::string("\x8a\x09\x00\x00\x00\x00\x00\x00\x00\x80\x00.", 12)) == "error: byte 2: an integer beyond 64 bits (limit)");
  CHECK(run("\x82\x01.").find("extension registry") != std::string::npos);
  CHECK(run("\x80\x63.") == "error: byte 2: pickle protocol 99 is not known (newest: 5)");
  CHECK(run("NQ.") == "error: byte 3: persistent id: expected a tuple of storage, class, key, location and size");
  CHECK(run(global("torch._utils", "_rebuild_tensor_v2") + text("a") + text("b") + "\x86R.").find("expected a storage") != std::string::npos);
}
