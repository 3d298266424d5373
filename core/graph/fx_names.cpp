#include "core/graph/fx_names.h"

#include <algorithm>
#include <cstdlib>
#include <iterator>

namespace pt2 {

namespace {

// keyword.kwlist, sorted.
constexpr std::string_view kKeywords[] = {
    "False", "None", "True", "and", "as", "assert", "async", "await", "break", "class", "continue", "def", "del", "elif", "else",
    "except", "finally", "for", "from", "global", "if", "import", "in", "is", "lambda", "nonlocal", "not", "or", "pass", "raise",
    "return", "try", "while", "with", "yield",
};

// Python's builtins, and the names FX puts into every graph's globals; sorted.
constexpr std::string_view kBuiltins[] = {
    "ArithmeticError", "AssertionError", "AttributeError", "BaseException", "BaseExceptionGroup", "BlockingIOError",
    "BrokenPipeError", "BufferError", "BytesWarning", "ChildProcessError", "ConnectionAbortedError", "ConnectionError",
    "ConnectionRefusedError", "ConnectionResetError", "DeprecationWarning", "EOFError", "Ellipsis", "EncodingWarning",
    "EnvironmentError", "Exception", "ExceptionGroup", "FileExistsError", "FileNotFoundError", "FloatingPointError",
    "FutureWarning", "GeneratorExit", "IOError", "ImportError", "ImportWarning", "IndentationError", "IndexError",
    "InterruptedError", "IsADirectoryError", "KeyError", "KeyboardInterrupt", "LookupError", "MemoryError", "ModuleNotFoundError",
    "NameError", "NoneType", "NotADirectoryError", "NotImplemented", "NotImplementedError", "OSError", "OverflowError",
    "PendingDeprecationWarning", "PermissionError", "ProcessLookupError", "RecursionError", "ReferenceError", "ResourceWarning",
    "RuntimeError", "RuntimeWarning", "StopAsyncIteration", "StopIteration", "SyntaxError", "SyntaxWarning", "SystemError",
    "SystemExit", "TabError", "TimeoutError", "TypeError", "UnboundLocalError", "UnicodeDecodeError", "UnicodeEncodeError",
    "UnicodeError", "UnicodeTranslateError", "UnicodeWarning", "UserWarning", "ValueError", "Warning", "ZeroDivisionError",
    "__build_class__", "__debug__", "__doc__", "__import__", "__loader__", "__name__", "__package__", "__spec__", "abs", "aiter",
    "all", "anext", "any", "ascii", "bin", "bool", "breakpoint", "bytearray", "bytes", "callable", "chr", "classmethod",
    "compile", "complex", "copyright", "credits", "delattr", "device", "dict", "dir", "divmod", "enumerate", "eval", "exec",
    "exit", "filter", "float", "format", "frozenset", "fx_pytree", "getattr", "globals", "hasattr", "hash", "help", "hex", "id",
    "inf", "input", "int", "isinstance", "issubclass", "iter", "len", "license", "list", "locals", "map", "max", "memoryview",
    "min", "nan", "next", "object", "oct", "open", "ord", "pow", "print", "property", "pytree", "quit", "range", "repr",
    "reversed", "round", "set", "setattr", "slice", "sorted", "staticmethod", "str", "sum", "super", "torch", "tuple", "type",
    "vars", "zip",
};

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
bool is_word(char c) { return is_digit(c) || is_lower(c) || is_upper(c) || c == '_'; }

bool is_illegal(std::string_view name) {
  return is_python_keyword(name) || std::binary_search(std::begin(kBuiltins), std::end(kBuiltins), name);
}

// Runs of other characters become one underscore.
std::string identifier(std::string_view text) {
  std::string out;
  bool in_run = false;
  for (const char c : text) {
    if (is_word(c)) out += c;
    else if (!in_run) out += '_';
    in_run = !is_word(c);
  }
  if (out.empty()) out = "_unnamed";
  if (is_digit(out[0])) out.insert(out.begin(), '_');
  return out;
}

std::string snake_case(std::string_view text) {
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    if (i > 0 && is_lower(text[i - 1]) && is_upper(text[i])) out += '_';
    out += is_upper(text[i]) ? char(text[i] - 'A' + 'a') : text[i];
  }
  return out;
}

}  // namespace

bool is_python_keyword(std::string_view word) { return std::binary_search(std::begin(kKeywords), std::end(kKeywords), word); }

std::string_view FxNames::create(std::string_view wanted) {
  std::string candidate = identifier(wanted);
  // "conv_12" is the base "conv" and the number 12.
  size_t digits = candidate.size();
  while (digits > 0 && is_digit(candidate[digits - 1])) --digits;
  const bool numbered = digits < candidate.size() && digits >= 2 && candidate[digits - 1] == '_';
  const std::string base = numbered ? candidate.substr(0, digits - 1) : candidate;
  unsigned long long number = 0;
  if (!numbered || used_.count(candidate)) {
    if (auto it = last_number_.find(base); it != last_number_.end()) number = it->second;
    if (is_illegal(candidate)) candidate = base + "_" + std::to_string(++number);
  } else {
    number = std::strtoull(candidate.c_str() + digits, nullptr, 10);
  }
  std::string_view kept = strings_.intern(candidate);
  while (!used_.insert(kept).second) {
    candidate = base + "_" + std::to_string(++number);
    kept = strings_.intern(candidate);
  }
  if (number > 0 || numbered) last_number_[base] = number;
  return kept;
}

std::string name_from_target(std::string_view target) {
  // Operators are called "op.overload", everything else by its last part.
  size_t begin = target.rfind('.');
  if (target.starts_with("torch.ops.") && !target.starts_with("torch.ops.higher_order.") && begin != std::string_view::npos && begin > 0)
    if (const size_t previous = target.rfind('.', begin - 1); previous != std::string_view::npos && previous > 9) begin = previous;
  return snake_case(begin == std::string_view::npos ? target : target.substr(begin + 1));
}

std::string name_from_placeholder(std::string_view target) {
  const bool magic = target.starts_with("__") && target.ends_with("__") && target.size() >= 4;
  return snake_case(magic ? target.substr(2, target.size() - 4) : target);
}

}  // namespace pt2
