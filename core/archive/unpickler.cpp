#include "core/archive/unpickler.h"

#include <bit>
#include <cstring>
#include <limits>

#include "core/archive/pickle_calls.h"
#include "core/base/display.h"
#include "core/base/limits.h"
#include "core/base/text.h"

namespace pt2 {

namespace {

constexpr PickleId kNoValue = std::numeric_limits<PickleId>::max();

// Names of pickletools, those that are met.
enum Opcode : unsigned char {
  Mark = '(', Stop = '.', Pop = '0', PopMark = '1', Dup = '2', BinFloat = 'G', Int = 'I', BinInt = 'J', BinInt1 = 'K', Long = 'L', BinInt2 = 'M',
  None = 'N', PersId = 'P', BinPersId = 'Q', Reduce = 'R', BinString = 'T', ShortBinString = 'U', BinUnicode = 'X', Append = 'a', Build = 'b', Global = 'c',
  Dict = 'd', Appends = 'e', BinGet = 'h', Inst = 'i', LongBinGet = 'j', List = 'l', Obj = 'o', BinPut = 'q', LongBinPut = 'r', SetItem = 's', Tuple = 't',
  SetItems = 'u', EmptyTuple = ')', EmptyList = ']', EmptyDict = '}', BinBytes = 'B', ShortBinBytes = 'C', Proto = 0x80, NewObj = 0x81, Ext1 = 0x82,
  Ext2 = 0x83, Ext4 = 0x84, Tuple1 = 0x85, Tuple2 = 0x86, Tuple3 = 0x87, NewTrue = 0x88, NewFalse = 0x89, Long1 = 0x8a, Long4 = 0x8b, ShortBinUnicode = 0x8c,
  BinUnicode8 = 0x8d, BinBytes8 = 0x8e, EmptySet = 0x8f, AddItems = 0x90, FrozenSet = 0x91, NewObjEx = 0x92, StackGlobal = 0x93, Memoize = 0x94, Frame = 0x95,
  ByteArray8 = 0x96,
};
constexpr int kNewestProtocol = 5;

}  // namespace

void Unpickler::fail(std::string message, ErrorKind kind) const {
  throw Failure{{kind, std::move(message), at_byte(opcode_at_), "Nothing of this pickle was run. Ask where this file comes from, or export it again."}};
}

Result<void> Unpickler::run() {
  try {
    uint64_t opcodes = 0;
    while (!stopped_) {
      opcode_at_ = at_;
      if (at_ == bytes_.size()) fail("the pickle ends without STOP");
      if (++opcodes > limits::kPickleOpcodes) fail("more than " + with_commas(limits::kPickleOpcodes) + " opcodes (limit)", ErrorKind::Limit);
      step(static_cast<unsigned char>(bytes_[at_++]));
      if (stack_.size() > limits::kPickleStack) fail("the stack holds more than " + with_commas(limits::kPickleStack) + " values (limit)", ErrorKind::Limit);
    }
    if (reported_.size() > limits::kListedProblems)
      findings_.push_back({Severity::Warning, std::string(kPickleCallRule), "calls " + with_commas(uint64_t{reported_.size() - limits::kListedProblems}) + " more that are no constructors of plain data. None was run.", "", "", {}});
    return {};
  } catch (const Failure& failure) {
    return failure.error;
  } catch (const std::bad_alloc&) {
    return Error{ErrorKind::Limit, "there is no memory for the values of this pickle", at_byte(opcode_at_), ""};
  }
}

void Unpickler::step(unsigned char opcode) {
  PickleItem item;
  switch (opcode) {
    case Proto:
      if (const int protocol = static_cast<unsigned char>(take(1)[0]); protocol > kNewestProtocol) fail("pickle protocol " + std::to_string(protocol) + " is not known (newest: 5)");
      return;
    case Frame:
      if (const auto size = take_number<uint64_t>(); size > bytes_.size() - at_) fail("a frame of " + with_commas(size) + " bytes, " + with_commas(uint64_t{bytes_.size() - at_}) + " are left");
      return;
    case Mark: return marks_.push_back(stack_.size());
    case Stop:
      root_ = pop();
      stopped_ = true;
      return;
    case Pop:
      if (!marks_.empty() && marks_.back() == stack_.size()) return marks_.pop_back();
      pop();
      return;
    case PopMark: pop_to_mark(); return;
    case Dup: return push(top());

    case None: return push(add(item));
    case NewTrue:
    case NewFalse:
      item.kind = PickleKind::Bool;
      item.integer = opcode == NewTrue;
      return push(add(item));
    case BinInt:
    case BinInt1:
    case BinInt2:
      item.kind = PickleKind::Int;
      item.integer = opcode == BinInt ? take_number<int32_t>() : opcode == BinInt1 ? take_number<uint8_t>() : take_number<uint16_t>();
      return push(add(item));
    case Long1: return push_long(take(take_number<uint8_t>()));
    case Long4: return push_long(take(take_number<uint32_t>()));
    case BinFloat: {
      uint64_t bits = 0;  // the one big-endian number of the format
      for (const char c : take(8)) bits = bits << 8 | static_cast<unsigned char>(c);
      item.kind = PickleKind::Float;
      item.number = std::bit_cast<double>(bits);
      return push(add(item));
    }
    case ShortBinString:
    case ShortBinUnicode: return push(add_text(PickleKind::String, take(take_number<uint8_t>())));
    case BinString:
    case BinUnicode: return push(add_text(PickleKind::String, take(take_number<uint32_t>())));
    case BinUnicode8: return push(add_text(PickleKind::String, take(take_number<uint64_t>())));
    case ShortBinBytes: return push(add_text(PickleKind::Bytes, take(take_number<uint8_t>())));
    case BinBytes: return push(add_text(PickleKind::Bytes, take(take_number<uint32_t>())));
    case BinBytes8:
    case ByteArray8: return push(add_text(PickleKind::Bytes, take(take_number<uint64_t>())));

    case EmptyTuple: return push(add_list(PickleKind::Tuple, {}));
    case Tuple1:
    case Tuple2:
    case Tuple3: {
      std::vector<PickleId> items(opcode - Tuple1 + 1);
      for (size_t i = items.size(); i-- > 0;) items[i] = pop();
      return push(add_list(PickleKind::Tuple, std::move(items)));
    }
    case Tuple: return push(add_list(PickleKind::Tuple, pop_to_mark()));
    case EmptyList: return push(add_list(PickleKind::List, {}));
    case List: return push(add_list(PickleKind::List, pop_to_mark()));
    case EmptySet: return push(add_list(PickleKind::Set, {}));
    case FrozenSet: return push(add_list(PickleKind::Set, pop_to_mark()));
    case EmptyDict: return push(add_list(PickleKind::Dict, {}));
    case Dict: {
      auto items = pop_to_mark();
      if (items.size() % 2) fail("DICT with a key without value");
      return push(add_list(PickleKind::Dict, std::move(items)));
    }
    case Append: {
      const PickleId value = pop();
      return container(top(), PickleKind::List, "APPEND").push_back(value);
    }
    case Appends: {
      const auto values = pop_to_mark();
      auto& list = container(top(), PickleKind::List, "APPENDS");
      list.insert(list.end(), values.begin(), values.end());
      return;
    }
    case AddItems: {
      const auto values = pop_to_mark();
      auto& set = container(top(), PickleKind::Set, "ADDITEMS");
      set.insert(set.end(), values.begin(), values.end());
      return;
    }
    case SetItem: {
      const PickleId value = pop(), key = pop();
      auto& dict = container(top(), PickleKind::Dict, "SETITEM");
      dict.push_back(key);
      dict.push_back(value);
      return;
    }
    case SetItems: {
      const auto values = pop_to_mark();
      if (values.size() % 2) fail("SETITEMS with a key without value");
      auto& dict = container(top(), PickleKind::Dict, "SETITEMS");
      dict.insert(dict.end(), values.begin(), values.end());
      return;
    }

    case BinPut: return remember(take_number<uint8_t>());
    case LongBinPut: return remember(take_number<uint32_t>());
    case Memoize: return remember(memo_.size());
    case BinGet: return recall(take_number<uint8_t>());
    case LongBinGet: return recall(take_number<uint32_t>());

    case Global: {
      const std::string_view module = take_line(), name = take_line();
      return push(add_owned(PickleKind::Global, std::string(module) + "." + std::string(name)));
    }
    case StackGlobal: {
      const PickleId name = pop(), module = pop();
      if (items_[name].kind != PickleKind::String || items_[module].kind != PickleKind::String) fail("STACK_GLOBAL without two strings");
      return push(add_owned(PickleKind::Global, std::string(text(module)) + "." + std::string(text(name))));
    }
    case Reduce:
    case NewObj: {
      const PickleId arguments = pop(), callable = pop();
      if (items_[arguments].kind != PickleKind::Tuple) fail(opcode == Reduce ? "REDUCE without a tuple of arguments" : "NEWOBJ without a tuple of arguments");
      return push(call(callable, list(arguments)));
    }
    case NewObjEx: {
      const PickleId keywords = pop(), arguments = pop(), callable = pop();
      if (items_[arguments].kind != PickleKind::Tuple || items_[keywords].kind != PickleKind::Dict) fail("NEWOBJ_EX without a tuple and a dict of arguments");
      auto all = list(arguments);
      if (!list(keywords).empty()) all.push_back(keywords);
      return push(call(callable, std::move(all)));
    }
    case Inst: {
      const std::string_view module = take_line(), name = take_line();
      const PickleId callable = add_owned(PickleKind::Global, std::string(module) + "." + std::string(name));
      return push(call(callable, pop_to_mark()));
    }
    case Obj: {
      auto values = pop_to_mark();
      if (values.empty()) fail("OBJ without a class");
      const PickleId callable = values.front();
      values.erase(values.begin());
      return push(call(callable, std::move(values)));
    }
    case Build: {
      const PickleId state = pop();
      return build(top(), state);
    }
    case BinPersId: return push(persistent(pop()));

    case Ext1:
    case Ext2:
    case Ext4: fail("an opcode of the extension registry, which names code outside the file. It was NOT run.");
    default: {
      char name[8];
      std::snprintf(name, sizeof name, "0x%02x", opcode);
      fail("opcode " + std::string(name) + " is not one that PyTorch writes");
    }
  }
}

std::string_view Unpickler::take(uint64_t count) {
  if (count > bytes_.size() - at_) fail("an opcode needs " + with_commas(count) + " bytes, " + with_commas(uint64_t{bytes_.size() - at_}) + " are left");
  const std::string_view taken = bytes_.substr(at_, count);
  at_ += count;
  return taken;
}

std::string_view Unpickler::take_line() {
  const size_t end = bytes_.find('\n', at_);
  if (end == bytes_.npos) fail("a name without an end");
  const std::string_view line = bytes_.substr(at_, end - at_);
  at_ = end + 1;
  return line;
}

template <class T>
T Unpickler::take_number() {
  T value;
  std::memcpy(&value, take(sizeof(T)).data(), sizeof(T));
  return value;
}

void Unpickler::push_long(std::string_view digits) {
  const bool negative = !digits.empty() && (digits.back() & 0x80);
  uint64_t value = negative ? ~uint64_t{0} : 0;
  for (size_t i = 0; i < digits.size(); ++i) {
    const auto digit = static_cast<unsigned char>(digits[i]);
    if (i < 8) value = (value & ~(uint64_t{0xFF} << (8 * i))) | uint64_t{digit} << (8 * i);
    else if (digit != (negative ? 0xFF : 0)) fail("an integer of " + with_commas(uint64_t{digits.size()}) + " bytes (limit: 64 bits)", ErrorKind::Limit);
  }
  PickleItem item;
  item.kind = PickleKind::Int;
  item.integer = static_cast<int64_t>(value);
  if (digits.size() > 8 && (item.integer < 0) != negative) fail("an integer beyond 64 bits (limit)", ErrorKind::Limit);
  push(add(item));
}

void Unpickler::push(PickleId id) { stack_.push_back(id); }

PickleId Unpickler::pop() {
  if (stack_.size() == (marks_.empty() ? 0 : marks_.back())) fail("an opcode takes a value from an empty stack");
  const PickleId id = stack_.back();
  stack_.pop_back();
  return id;
}

PickleId Unpickler::top() {
  if (stack_.size() == (marks_.empty() ? 0 : marks_.back())) fail("an opcode takes a value from an empty stack");
  return stack_.back();
}

std::vector<PickleId> Unpickler::pop_to_mark() {
  if (marks_.empty()) fail("an opcode looks for a mark, there is none");
  std::vector<PickleId> values(stack_.begin() + static_cast<ptrdiff_t>(marks_.back()), stack_.end());
  stack_.resize(marks_.back());
  marks_.pop_back();
  return values;
}

void Unpickler::remember(uint64_t slot) {
  if (slot >= limits::kPickleMemo) fail("memo slot " + with_commas(slot) + " (limit " + with_commas(limits::kPickleMemo) + ")", ErrorKind::Limit);
  if (slot >= memo_.size()) memo_.resize(slot + 1, kNoValue);
  memo_[slot] = top();
}

void Unpickler::recall(uint64_t slot) {
  if (slot >= memo_.size() || memo_[slot] == kNoValue) fail("memo slot " + with_commas(slot) + " was never written");
  push(memo_[slot]);
}

PickleId Unpickler::add(PickleItem item) {
  items_.push_back(item);
  return static_cast<PickleId>(items_.size() - 1);
}

PickleId Unpickler::add_text(PickleKind kind, std::string_view text) {
  PickleItem item;
  item.kind = kind;
  item.size_or_index = static_cast<uint32_t>(text.size());  // a pickle has at most 64 MiB
  item.text = text.data();
  return add(item);
}

PickleId Unpickler::add_owned(PickleKind kind, std::string text) { return add_text(kind, owned_texts_.emplace_back(std::move(text))); }

PickleId Unpickler::add_list(PickleKind kind, std::vector<PickleId> items) {
  PickleItem item;
  item.kind = kind;
  item.size_or_index = static_cast<uint32_t>(lists_.size());
  lists_.push_back(std::move(items));
  return add(item);
}

PickleId Unpickler::add_opaque(std::string dotted_name, std::vector<PickleId> arguments) {
  PickleItem item;
  item.kind = PickleKind::Opaque;
  item.size_or_index = static_cast<uint32_t>(opaques_.size());
  opaques_.push_back({std::move(dotted_name), std::move(arguments)});
  return add(item);
}

std::vector<PickleId>& Unpickler::container(PickleId id, PickleKind kind, const char* opcode) {
  if (items_[id].kind == kind) return lists_[items_[id].size_or_index];
  if (items_[id].kind == PickleKind::Opaque) return opaques_[items_[id].size_or_index].arguments;  // an object that takes items itself
  const char* wanted = kind == PickleKind::List ? "list" : kind == PickleKind::Dict ? "dict" : "set";
  fail(std::string(opcode) + " on what is no " + wanted);
}

std::string pickle_call_message(std::string_view dotted_name) {
  return "calls " + display_cut(dotted_name, limits::kLabelCharacters) + ", which is not a constructor of plain data. It was NOT run.";
}

void Unpickler::report_call(std::string_view dotted_name) {
  const auto [it, fresh] = reported_.try_emplace(std::string(dotted_name), findings_.size());
  if (!fresh || findings_.size() >= limits::kListedProblems) return;
  findings_.push_back({Severity::Warning, std::string(kPickleCallRule), pickle_call_message(dotted_name), at_byte(opcode_at_),
                       "Its result is kept as an object of that name. If this is not a class of the exported program, ask where this file comes from.", {}});
}

PickleId Unpickler::call(PickleId callable, std::vector<PickleId> arguments) { return PickleCalls(*this).call(callable, std::move(arguments)); }
void Unpickler::build(PickleId object, PickleId state) { PickleCalls(*this).build(object, state); }
PickleId Unpickler::persistent(PickleId id) { return PickleCalls(*this).persistent(id); }

}  // namespace pt2
