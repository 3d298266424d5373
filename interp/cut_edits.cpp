#include "interp/cut_edits.h"

#include <algorithm>

#include "core/base/display.h"
#include "core/diff/diff.h"
#include "interp/capture.h"
#include "interp/value_names.h"

namespace pt2::interp {

namespace {

std::optional<Argument> constant_argument(const RuntimeValue& value, std::deque<std::string>& texts) {
  if (!value.is<ListValue>()) return argument_of(value, texts);
  ListArg list;
  for (const RuntimeValue& item : value.items()) {
    auto argument = argument_of(item, texts);
    if (!argument) return std::nullopt;
    list.items.push_back(std::move(*argument));
  }
  return Argument{std::move(list)};
}

}  // namespace

CutEdits::CutEdits(const Program& program, const Edits& edits, const std::string& call, CutRequest& request)
    : program_(program), call_(call), request_(request), edits_(edits) {
  if (!edits_.empty()) notes.push_back("the values are those of the run with its " + std::to_string(edits_.size()) + (edits_.size() == 1 ? " edit" : " edits"));
  std::erase_if(edits_.values, [this](const ValueEdit& edit) { return holds_inside(edit.node, edit.call) && !becomes_input(edit.node); });
  std::erase_if(edits_.arguments, [this](const ArgumentEdit& edit) { return holds_inside(edit.node, edit.call) && !is_written(edit); });
}

Result<std::vector<RunListener*>> CutEdits::listen(const OpenedFile& file, const std::shared_ptr<const Program>& program, InputRequest& inputs) {
  if (edits_.empty()) return std::vector<RunListener*>();
  for (const InputEdit& edit : edits_.inputs) inputs.texts.emplace_back(edit.name, edit.text);
  auto made = make_program_inputs(*program, *file.archive, inputs);
  if (!made) return made.error();
  values_.emplace(program, edits_, made->symbols);
  arguments_.emplace(*program, edits_.arguments);
  return std::vector<RunListener*>{&*values_, &*arguments_};
}

bool CutEdits::holds_inside(NodeRef node, const std::string& call) const {
  if (node.graph == request_.graph) return is_cut(node.node) && means_call(call, call_);
  for (GraphId at = node.graph; at.valid() && at != program_.root(); at = program_.graphs[at].parent)
    if (const Graph& inner = program_.graphs[at]; inner.parent == request_.graph) {
      const auto users = program_.graphs[inner.parent].users(inner.parent_node);
      return std::any_of(users.begin(), users.end(), [this](NodeId user) { return is_cut(user); });
    }
  return false;
}

bool CutEdits::becomes_input(NodeRef ref) {
  const Node& node = program_.node(ref);
  const std::string name = display(qualified_name(program_, ref));
  const bool can = ref.graph == request_.graph && request_.nodes.size() > 1 && tensor_meta(node.val) && !returns_what_it_wrote(node);
  notes.push_back(can ? "\"" + name + "\" is an input here, with the value it was edited to have" : "the edit of \"" + name + "\" is left out: it is computed here");
  if (can) std::erase(request_.nodes, ref.node);
  return can;
}

bool CutEdits::is_written(const ArgumentEdit& edit) {
  auto value = edit.node.graph == request_.graph || edit.call.empty() ? constant_argument(edit.value, texts_) : std::nullopt;
  if (value) request_.arguments.push_back({edit.node, edit.argument, std::move(*value)});
  else notes.push_back("the edited \"" + edit.argument + "\" of \"" + display(name_in_call(program_, edit.node, edit.call)) + "\" is left out");
  return value.has_value();
}

}  // namespace pt2::interp
