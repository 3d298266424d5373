#include "views/workspace/preferences.h"

#include <algorithm>
#include <charconv>

#include "views/workspace/labels.h"

namespace pt2::views {

namespace {

template <class T>
std::optional<T> number_of(const std::string& text) {
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc{} && end == text.data() + text.size() ? std::optional(value) : std::nullopt;
}

template <class T>
bool set_number(T& into, const std::string& text, T low, T high) {
  const auto value = number_of<T>(text);
  if (!value || !(*value >= low && *value <= high)) return false;
  into = *value;
  return true;
}

// "auto", or a number.
template <class T>
bool set_optional(std::optional<T>& into, const std::string& text, T low, T high) {
  if (text == "auto") return into.reset(), true;
  T value{};
  if (!set_number(value, text, low, high)) return false;
  into = value;
  return true;
}
template <class T>
std::string optional_text(const std::optional<T>& value) { return value ? number_label(double(*value), 12) : "auto"; }

bool set_flag(bool& into, const std::string& text) {
  const auto on = switch_from_text(text);
  into = on.value_or(into);
  return on.has_value();
}
std::string flag_text(bool value) { return value ? "true" : "false"; }

constexpr std::string_view kParameters[] = {"attached", "nodes", "hidden"};

bool set_parameters(Preferences& p, const std::string& text) {
  const auto it = std::find(std::begin(kParameters), std::end(kParameters), text);
  if (it == std::end(kParameters)) return false;
  p.parameters = ParameterMode(it - std::begin(kParameters));
  return true;
}
bool set_direction(Preferences& p, const std::string& text) {
  if (text != "TB" && text != "LR") return false;
  p.direction = text == "LR" ? Direction::LeftRight : Direction::TopDown;
  return true;
}

constexpr std::string_view kTextForms[] = {"compact", "readable", "graph"};

bool set_text_form(Preferences& p, const std::string& text) {
  const auto it = std::find(std::begin(kTextForms), std::end(kTextForms), text);
  if (it == std::end(kTextForms)) return false;
  p.text_form = TextForm(it - std::begin(kTextForms));
  return true;
}

constexpr PreferenceRow kRows[] = {
    {"patterns", "on or off", [](const Preferences& p) { return flag_text(p.patterns); }, [](Preferences& p, const std::string& t) { return set_flag(p.patterns, t); }},
    {"direction", "TB or LR", [](const Preferences& p) { return std::string(p.direction == Direction::LeftRight ? "LR" : "TB"); }, set_direction},
    {"parameters", "attached, nodes or hidden", [](const Preferences& p) { return std::string(kParameters[size_t(p.parameters)]); }, set_parameters},
    {"getitem", "on or off", [](const Preferences& p) { return flag_text(p.getitem); }, [](Preferences& p, const std::string& t) { return set_flag(p.getitem, t); }},
    {"text_form", "compact, readable or graph", [](const Preferences& p) { return std::string(kTextForms[size_t(p.text_form)]); }, set_text_form},
    {"max_boxes", "100 to 1000000", [](const Preferences& p) { return std::to_string(p.max_boxes); }, [](Preferences& p, const std::string& t) { return set_number(p.max_boxes, t, size_t(100), size_t(1000000)); }},
    {"value_memory", "auto or MB", [](const Preferences& p) { return optional_text(p.value_megabytes); }, [](Preferences& p, const std::string& t) { return set_optional(p.value_megabytes, t, size_t(1), size_t(1) << 30); }},
    {"threads", "auto or a number", [](const Preferences& p) { return optional_text(p.threads); }, [](Preferences& p, const std::string& t) { return set_optional(p.threads, t, 1, 1024); }},
    {"rtol", "auto or a number", [](const Preferences& p) { return optional_text(p.rtol); }, [](Preferences& p, const std::string& t) { return set_optional(p.rtol, t, 0.0, 1e300); }},
    {"atol", "auto or a number", [](const Preferences& p) { return optional_text(p.atol); }, [](Preferences& p, const std::string& t) { return set_optional(p.atol, t, 0.0, 1e300); }},
    {"recent_files", "0 to 200", [](const Preferences& p) { return std::to_string(p.recent_files); }, [](Preferences& p, const std::string& t) { return set_number(p.recent_files, t, size_t(0), size_t(200)); }},
    {"restore_documents", "on or off", [](const Preferences& p) { return flag_text(p.restore_documents); }, [](Preferences& p, const std::string& t) { return set_flag(p.restore_documents, t); }},
};

}  // namespace

std::optional<bool> switch_from_text(std::string_view text) {
  if (text == "on" || text == "true") return true;
  if (text == "off" || text == "false") return false;
  return std::nullopt;
}

std::span<const PreferenceRow> preference_rows() { return kRows; }

const PreferenceRow* find_preference(std::string_view name) {
  const auto it = std::find_if(std::begin(kRows), std::end(kRows), [&](const PreferenceRow& row) { return row.name == name; });
  return it == std::end(kRows) ? nullptr : &*it;
}

}  // namespace pt2::views
