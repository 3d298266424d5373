#include "views/workspace/workspace.h"

#include <algorithm>
#include <filesystem>

#include "core/base/display.h"
#include "core/sample_inputs.h"
#include "core/verify/verify.h"
#include "interp/compare_runs.h"
#include "views/workspace/debug_session.h"

namespace pt2::views {

namespace {

constexpr size_t kMessageLimit = 2000;
constexpr size_t kTensorRequests = 256;
constexpr double kToastSeconds = 5;

struct LoadResult {
  std::optional<FileStamp> stamp;
  std::shared_ptr<const OpenedFile> file;
  std::shared_ptr<const Program> program;
  std::shared_ptr<const ScopeTree> scopes;
  GraphView view;
  std::optional<Error> error;
  std::vector<std::string> entries;
  std::vector<Finding> findings;
};

LoadResult load_document(const std::string& path, const std::string& program_name, Job& job) {
  LoadResult result;
  LoadOptions options;
  options.stop = job.stop();
  options.progress = [&](std::string_view stage) { job.progress(-1, std::string(stage)); };
  result.stamp = file_stamp(path);
  auto opened = open_file(path, options);
  if (!opened) {
    result.error = opened.error();
    if (auto archive = open_archive(path)) result.entries = (*archive)->entries();
    return result;
  }
  result.file = *opened;
  result.program = result.file->program(program_name);
  if (!result.program && !program_name.empty()) {
    std::string names;
    for (const auto& program : result.file->programs) names += (names.empty() ? "" : ", ") + program->name;
    result.error = Error{ErrorKind::CannotOpen, "the archive has no program called \"" + program_name + "\"", {}, names.empty() ? "It holds no program at all." : "It holds " + names + "."};
    result.entries = result.file->archive->entries();
    return result;
  }
  if (result.program) {
    result.findings = result.program->findings;
    result.scopes = std::make_shared<ScopeTree>(*result.program);
    result.view = initial_view(*result.program, *result.scopes);
  }
  for (Finding& finding : archive_findings(*result.file->archive, result.file->programs)) result.findings.push_back(std::move(finding));
  return result;
}

}  // namespace

DocumentId Workspace::open(const std::string& argument) {
  auto [path, program_name] = split_program_name(argument);
  for (const auto& open : documents_) {
    if (open->path != path || open->program_name != program_name || std::holds_alternative<LoadFailed>(open->state)) continue;
    active_ = open->id;
    return open->id;
  }
  auto document = std::make_unique<Document>();
  document->id = DocumentId(next_id_++);
  while (std::any_of(documents_.begin(), documents_.end(), [&](const auto& open) { return open->slot == document->slot; })) ++document->slot;
  document->path = path;
  document->program_name = program_name;
  active_ = document->id;
  documents_.push_back(std::move(document));
  load(*documents_.back());
  return active_;
}

void Workspace::reload(DocumentId id) {
  if (Document* d = document(id)) load(*d);
}

void Workspace::load(Document& document) {
  // What points into the program that was there goes before it.
  document.debug.reset();
  document.highlight = {};
  document.search.hits.clear();
  document.search.index.reset();
  document.problems.clear();
  document.problem.reset();
  document.selection = {};
  document.marks = {};  // the session brings them again
  if (document.data) log(LogLevel::Info, "The table of values by node is to be opened again: " + document.title() + " is read anew");
  document.data.reset();
  if (document.overlay == OverlayKind::Data) document.overlay = OverlayKind::Family;
  document.state = Loading{"Read archive"};
  log(LogLevel::Info, "Opening " + document.path);
  const DocumentId id = document.id;
  jobs_.submit(
      "load:" + std::to_string(id.index), "Opening " + document.title(),
      [path = document.path, name = document.program_name](Job& job) { return load_document(path, name, job); },
      [this, id](LoadResult result) {
        Document* d = this->document(id);
        if (!d) return;
        d->stamp = result.stamp;
        d->changed.clear();
        if (result.error) {
          log(LogLevel::Error, "Cannot open " + d->path + ": " + result.error->message);
          d->state = LoadFailed{std::move(*result.error), std::move(result.entries)};
        } else {
          d->problems = std::move(result.findings);
          d->state = Loaded{result.file, result.program, result.scopes, {}};
          if (!d->search.query.empty()) run_search(*d, d->search.query);
          // A file of tensors is of use in one pane alone.
          if (!result.program && id == active_) ui.shown_pane = "tensor";
          if (result.program) {
            d->graph = std::move(result.view);
            d->graph.direction = ui.preferences.direction;
            d->graph.parameters = ui.preferences.parameters;
            d->graph.show_getitem = ui.preferences.getitem;
            d->debug = std::make_unique<DebugSession>(result.file, result.program, jobs_);
            prepare_runs(ui.preferences, *d->debug);
            d->debug->on_log = [this](const std::string& text) { log(LogLevel::Info, text); };
            d->debug->on_problem = [this](const std::string& text, bool start_failed) {
              if (!start_failed) return toast(display(text), LogLevel::Error);
              // The dialog says it.
              log(LogLevel::Error, text);
              failed(display(text));
              ui.dialog = "inputs";
            };
            d->debug->on_run = [this, id] {
              if (Document* shown = this->document(id); shown->highlight.kind == Highlight::Kind::Origin) shown->highlight = {};
            };
            d->debug->on_stop = [this, id](NodeRef node) {
              Document* stopped = this->document(id);
              if (stopped->highlight.kind == Highlight::Kind::Origin) stopped->highlight = {};
              follow_run(*stopped, node);
              if (stopped->selection.current() == Selection::of_node(node)) go_to(*stopped, Selection::of_node(node));
            };
            d->debug->on_origin = [this, id] {
              Document* shown = this->document(id);
              const interp::NonfiniteSlice& slice = *shown->debug->debugger()->slice();
              shown->highlight = {Highlight::Kind::Origin, false, {}};
              for (const interp::SliceStep& step : slice.path) shown->highlight.nodes.insert(shown->debug->node_of(step.at));
              const NodeRef made = shown->debug->node_of(slice.producer().at);
              go_to(*shown, Selection::of_node(made));
              // It came into the program as it is: there is no way to light, and all else would be quiet.
              if (slice.path.size() > 1 || shown->program()->node(made).kind != NodeKind::Placeholder) return;
              shown->highlight = {};
              toast("No operator makes \"" + display(shown->program()->node(made).name) + "\": it holds NaN or Inf from the start");
            };
          }
          std::erase_if(recent, [&](const RecentFile& r) { return r.path == d->path && !r.pinned; });
          if (std::none_of(recent.begin(), recent.end(), [&](const RecentFile& r) { return r.path == d->path; }))
            recent.insert(recent.begin(), RecentFile{std::filesystem::absolute(d->path).string(), std::time(nullptr), d->debug ? d->debug->steps : 0, false});
          if (recent.size() > ui.preferences.recent_files) recent.resize(ui.preferences.recent_files);
        }
        if (on_loaded) on_loaded(*d);
        verify_document(*d);
      });
}

// The rules of the Export IR come after the first picture.
void Workspace::verify_document(const Document& document) {
  if (!document.program()) return;
  const auto& loaded = std::get<Loaded>(document.state);
  jobs_.submit(
      "verify:" + std::to_string(document.id.index), "Verifying " + document.title(),
      [file = loaded.file, program = loaded.program](Job&) { return std::pair(program, verify(*program, file->archive.get())); },
      [this, id = document.id](std::pair<std::shared_ptr<const Program>, std::vector<Finding>> result) {
        Document* d = this->document(id);
        if (!d || !d->program() || std::get<Loaded>(d->state).program != result.first) return;
        for (Finding& finding : result.second)
          if (std::none_of(d->problems.begin(), d->problems.end(), [&](const Finding& f) { return f.rule == finding.rule && f.node == finding.node && f.message == finding.message; }))
            d->problems.push_back(std::move(finding));
      });
}

void Workspace::look_at_files() {
  std::vector<std::pair<DocumentId, std::string>> paths;
  for (const auto& document : documents_)
    if (document->loaded() && document->stamp) paths.emplace_back(document->id, document->path);
  if (paths.empty()) return;
  jobs_.submit(
      "files", "",
      [paths](Job&) {
        std::vector<std::pair<DocumentId, std::optional<FileStamp>>> stamps;
        for (const auto& [id, path] : paths) stamps.emplace_back(id, file_stamp(path));
        return stamps;
      },
      [this](const std::vector<std::pair<DocumentId, std::optional<FileStamp>>>& stamps) {
        for (const auto& [id, stamp] : stamps) {
          Document* d = this->document(id);
          if (!d || !d->loaded() || !d->stamp) continue;
          std::string change = file_change(*d->stamp, stamp);
          if (!change.empty() && d->changed.empty()) log(LogLevel::Warning, d->path + " " + change);
          d->changed = std::move(change);
        }
      });
}

void Workspace::close(DocumentId id) {
  auto it = std::find_if(documents_.begin(), documents_.end(), [&](const auto& d) { return d->id == id; });
  if (it == documents_.end()) return;
  jobs_.cancel("load:" + std::to_string(id.index));
  const size_t at = it - documents_.begin();
  documents_.erase(it);
  if (comparison.left == id || comparison.right == id) comparison = {};
  if (active_ == id) active_ = documents_.empty() ? DocumentId() : documents_[std::min(at, documents_.size() - 1)]->id;
}

void Workspace::compare(DocumentId left, DocumentId right) {
  if (!left || !right) return;
  if (left == right) return toast("One file is one document here: pt2scope compare holds it against itself", LogLevel::Warning);
  comparison = {left, right};
  order_tabs();
  active_ = left;
  ui.layout = Layout::Compare;
  ui.left = false;
  ui.right = ui.bottom = true;
}

void Workspace::swap_sides() {
  std::swap(comparison.left, comparison.right);
  if (comparison.asked) {
    auto turned = std::make_shared<interp::CompareRunsRequest>(*comparison.asked);
    turned->inputs_of_right = !turned->inputs_of_right;
    comparison.asked = std::move(turned);
  }
  comparison.result.reset();
  comparison.step.reset();
  order_tabs();
}

// The tab of the left side stands before that of the right one, as their graphs do.
void Workspace::order_tabs() {
  auto place = [&](DocumentId id) { return std::find_if(documents_.begin(), documents_.end(), [&](const auto& d) { return d->id == id; }); };
  const auto left = place(comparison.left), right = place(comparison.right);
  if (left != documents_.end() && right < left) std::iter_swap(left, right);
}

Document* Workspace::document(DocumentId id) {
  auto it = std::find_if(documents_.begin(), documents_.end(), [&](const auto& d) { return d->id == id; });
  return it == documents_.end() ? nullptr : it->get();
}

void Workspace::log(LogLevel level, std::string text) {
  messages_.push_back({std::time(nullptr), level, std::move(text)});
  if (messages_.size() > kMessageLimit) messages_.pop_front();
}

void Workspace::ask_tensor_pane(std::string verb, std::string argument) {
  tensor_requests_.push_back({++tensor_serial_, std::move(verb), std::move(argument)});
  if (tensor_requests_.size() > kTensorRequests) tensor_requests_.pop_front();
}

void Workspace::toast(std::string text, LogLevel level) {
  toasts.push_back({text, now + kToastSeconds, level});
  if (level != LogLevel::Info) failed(text);
  log(level, std::move(text));
}

}  // namespace pt2::views
