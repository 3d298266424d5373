// Edits of another run, as texts: read anew, those that need values of the run as soon as it has them.
#include <algorithm>

#include "interp/debugger.h"
#include "interp/value_names.h"

namespace pt2::interp {

namespace {

struct Waiting {
  EditText edit;
  NameLookup names;
  std::optional<RuntimeValue> current;
};
// No result: it waits for a value.
struct Attempt {
  EditText edit;
  std::optional<Result<ValueEdit>> value;
};

bool is_node(const Program& program, std::string_view name) {
  return find_value(program, name, program.root()).node.node || std::any_of(program.graphs.begin(), program.graphs.end(), [&](const Graph& graph) { return graph.find(name).valid(); });
}

Attempt attempt(const Program& program, const Waiting& waiting, const std::map<std::string, int64_t>& symbols) {
  const EditText& edit = waiting.edit;
  bool missing = !edit.part.empty() && !waiting.current;
  const NameLookup names = [&](std::string_view name) {
    auto value = waiting.names(name);
    missing = missing || (!value && is_node(program, name));
    return value;
  };
  auto value = parse_value_edit(program, edit.node, edit.part, edit.text, names, waiting.current ? &*waiting.current : nullptr, symbols);
  if (!value && missing) return {edit, std::nullopt};
  return {edit, std::move(value)};
}

}  // namespace

std::vector<EditText> Debugger::edit_texts() const {
  std::vector<EditText> texts;
  for (const InputEdit& e : edits_.inputs) texts.push_back({EditText::Kind::Input, {}, e.name, e.text, {}});
  for (const ValueEdit& e : edits_.values) texts.push_back({EditText::Kind::Value, e.node, e.index, e.text, e.call});
  for (const ArgumentEdit& e : edits_.arguments) texts.push_back({EditText::Kind::Argument, e.node, e.argument, e.text, e.call});
  texts.insert(texts.end(), waiting_.begin(), waiting_.end());
  return texts;
}

void Debugger::restore_edits(std::vector<EditText> edits, std::function<void(const EditText&, const Error&)> dropped) {
  on_dropped_ = std::move(dropped);
  for (EditText& edit : edits) {
    if (edit.kind == EditText::Kind::Value) {
      waiting_.push_back(std::move(edit));
    } else if (edit.kind == EditText::Kind::Argument) {
      auto read = parse_argument_edit(*program_, edit.node, edit.part, edit.text);
      if (!read) {
        on_dropped_(edit, read.error());
        continue;
      }
      read->call = std::move(edit.call);
      edits_.arguments.push_back(std::move(*read));
    } else if (const auto error = check_input_edit(*program_, edit.part, edit.text)) {
      on_dropped_(edit, *error);
    } else {
      edits_.inputs.push_back({edit.part, edit.text});
    }
  }
  read_waiting();
  edits_changed();
}

// They were made one after the other, each in sight of what those before had changed: of those that use values, one at a time.
void Debugger::read_waiting() {
  if (waiting_.empty() || now_.state == RunState::Running) return;
  std::vector<Waiting> all;
  for (const EditText& edit : waiting_) all.push_back({edit, names_for(edit.text, edit.node.graph), value(edit.node)});
  auto work = [program = program_, all = std::move(all), symbols = inputs_ ? inputs_->symbols : request_.symbols](Job&) {
    std::vector<Attempt> attempts;
    for (const Waiting& waiting : all) {
      attempts.push_back(attempt(*program, waiting, symbols));
      if (attempts.back().value && *attempts.back().value && (!waiting.edit.part.empty() || !names_in(waiting.edit.text, *program).empty())) break;
    }
    return attempts;
  };
  jobs_.submit(job_tag_ + "/waiting", "Reading edits", std::move(work), [this](std::vector<Attempt> attempts) {
    if (now_.state == RunState::Running) return;  // when it stands they are read again
    bool read = false;
    for (Attempt& done : attempts) {
      if (!done.value || !std::erase(waiting_, done.edit)) continue;
      if (!*done.value) {
        on_dropped_(done.edit, done.value->error());
        continue;
      }
      (*done.value)->call = std::move(done.edit.call);
      set_value_edit(std::move(**done.value));
      read = true;
    }
    if (read) edits_changed();
    else changed();
  });
}

}  // namespace pt2::interp
