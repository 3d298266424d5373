#include "app/application.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>

#include "app/bundle.h"
#include "app/picture/saved_page.h"
#include "core/base/display.h"
#include "core/layout/layout_engine.h"
#include "core/tensor/tensor_files.h"
#include "embedded/sample_program.h"
#include "imgui.h"
#include "imgui_internal.h"
#include "interp/input_set.h"
#include "views/workspace/debug_session.h"
#include "views/workspace/titles.h"

namespace pt2::app {

namespace {

constexpr unsigned kWorkers = 4;
constexpr double kFilesInterval = 1;  // seconds between two looks at the files on disk
constexpr double kSettingsDelay = 1;  // seconds after a change
constexpr double kFlushDelay = 0.5;   // seconds after an action: until then a power cut may take it

// The bundled example is in the binary; documents are files, so it is written where caches are.
Result<std::string> sample_file() {
  const auto bytes = embedded::sample_program();
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  std::string folder = cache_folder();
  if (folder.empty()) folder = std::filesystem::temp_directory_path().string() + "/pt2scope";
  const std::string path = folder + "/conv_bn_relu.pt2";
  std::ifstream in(path, std::ios::binary);
  if (in && std::string(std::istreambuf_iterator<char>(in), {}) == text) return path;
  if (const std::string problem = replace_file(path, text); !problem.empty()) return Error{ErrorKind::Failed, problem, {}, {}};
  return path;
}

// Says of recent files which are no longer there; a folder of the network may take its time.
void look_for_recent_files(views::Workspace& workspace) {
  if (workspace.recent.empty()) return;
  workspace.jobs().submit(
      "recent", "",
      [recent = workspace.recent](Job&) {
        std::set<std::string> missing;
        std::error_code error;
        for (const views::RecentFile& file : recent)
          if (!std::filesystem::exists(file.path, error)) missing.insert(file.path);
        return missing;
      },
      [&workspace](const std::set<std::string>& missing) {
        for (views::RecentFile& file : workspace.recent) file.missing = missing.count(file.path) > 0;
      });
}

}  // namespace

Application::Application(ApplicationOptions options)
    : options_(std::move(options)), jobs_(std::make_unique<JobQueue>(kWorkers)), disk_(std::make_unique<DiskQueue>(*jobs_)), workspace_(*jobs_), derived_(std::make_unique<views::DerivedCache>(*jobs_)) {
  workspace_.ui.version = PT2_VERSION;
  workspace_.sample = sample_file;
  workspace_.describe = describe_session;
  workspace_.write_picture = save_picture;
  workspace_.write_report = save_report;
  LayoutEngineOptions layout_options;
  layout_options.child_program = options_.layout_program;
  workspace_.layout_engine = std::make_shared<LayoutEngine>(layout_options);
  workspace_.save_session = [this](const views::Document& document, const std::string& path, std::function<void(Result<void>)> done) {
    const auto it = sessions_.find(document.id);
    if (it == sessions_.end()) return done(Error{ErrorKind::Failed, "there is no program to keep a session of", {}, {}});
    it->second.save_as(document, path, std::move(done));
  };
  workspace_.on_loaded = [this](views::Document& document) { document_loaded(document); };
  jobs_->on_bug = [this](const std::string& title, const std::string& what) { workspace_.log(views::LogLevel::Error, "Bug in \"" + title + "\": " + what); };

  // Loading starts before anything else: it goes on while fonts and window are made.
  std::vector<views::DocumentId> opened;
  for (const std::string& file : options_.files) opened.push_back(workspace_.open(file));
  std::vector<std::string> notes;
  if (options_.keep_settings) settings_.load(workspace_, shell_.layout, registry_, notes);
  for (std::string& note : notes) workspace_.toast(std::move(note), views::LogLevel::Warning);
  look_for_recent_files(workspace_);
  if (options_.files.empty())
    for (const std::string& file : workspace_.ui.last_documents) workspace_.open(file);
  if (options_.theme) workspace_.ui.theme = *options_.theme;
  if (options_.reduced_motion) workspace_.ui.reduced_motion = true;
  workspace_.ui.bottom = false;
  if (opened.size() == 2) {
    workspace_.compare(opened[0], opened[1]);
    workspace_.ui.shown_pane = "compare";
  } else if (!opened.empty()) {
    workspace_.activate(opened[0]);
  }
  if (!options_.layout.empty()) commands_.push("view.layout_" + options_.layout);

  IMGUI_CHECKVERSION();
  imgui_ = ImGui::CreateContext();
  ImGuiIO& io = ImGui::GetIO();
  io.IniFilename = io.LogFilename = nullptr;
  io.ConfigFlags |= ImGuiConfigFlags_NavEnableKeyboard;
  io.BackendFlags |= ImGuiBackendFlags_RendererHasVtxOffset;  // as GL 3.3 can, and who draws nothing does not mind: long texts need it
  io.ConfigInputTextCursorBlink = true;
  io.ConfigWindowsMoveFromTitleBarOnly = true;
  views::prepare_imgui_input();
  probe_.set_on(options_.probes);
  if (options_.scale) display_scale_ = *options_.scale;
  update_theme();
}

Application::~Application() {
  save_sessions();
  if (options_.keep_settings) save_settings();
  sessions_.clear();
  // Documents cancel their jobs as they go: while there still is a queue.
  while (!workspace_.documents().empty()) workspace_.close(workspace_.documents().front()->id);
  disk_->finish();
  jobs_.reset();  // workers end before what they report to
  ImGui::SetCurrentContext(imgui_);
  ImGui::DestroyContext(imgui_);
}

void Application::set_display_scale(float scale) {
  if (!options_.scale) display_scale_ = std::clamp(scale, 0.5f, 4.0f);
}

void Application::update_theme() {
  theme_.scale = display_scale_ * float(workspace_.ui.font_percent) / 100;
  theme_.name = workspace_.ui.theme;
  if (theme_.scale != built_scale_) {
    views::build_fonts(theme_);
    unsigned char* pixels = nullptr;
    int width = 0, height = 0;
    ImGui::GetIO().Fonts->GetTexDataAsRGBA32(&pixels, &width, &height);
    built_scale_ = theme_.scale;
    ++fonts_revision_;
  } else if (theme_.name == styled_) {
    return;
  }
  styled_ = theme_.name;
  views::apply_style(theme_);
}

views::ShellContext Application::shell_context() {
  return {workspace_, registry_, commands_, *derived_, theme_, probe_, frame_input_, requests_, images};
}

namespace {

// A menu, a context menu or a drop-down list, also one of a dialog; or Alt led into the menu bar. Dialogs have keys of their own.
bool menu_has_keyboard() {
  const ImGuiContext& imgui = *ImGui::GetCurrentContext();
  if (imgui.OpenPopupStack.empty()) return imgui.NavLayer == ImGuiNavLayer_Menu && ImGui::IsAnyItemFocused();
  const ImGuiWindow* top = imgui.OpenPopupStack.back().Window;
  return top && !(top->Flags & ImGuiWindowFlags_Modal);
}

// ImGui walks in an open menu, presses its entries and closes it, all before anything else of a frame: then keys are spent.
void leave_keys_to_menus(views::FrameInput& input) {
  using Type = views::InputEvent::Type;
  if (!menu_has_keyboard()) return;
  for (views::InputEvent& event : input.events)
    if ((event.type == Type::Key && event.down && !(event.chord.ctrl && event.chord.key == views::Key::Q)) || event.type == Type::Char) event.used = true;
}

}  // namespace

void Application::frame(views::FrameInput input) {
  ImGui::SetCurrentContext(imgui_);
  frame_input_ = std::move(input);
  workspace_.now = frame_input_.time;
  requests_ = {};
  if (frames_wanted_ > 0) --frames_wanted_;
  // ImGui needs up to three frames until sizes and hover have settled.
  if (!frame_input_.events.empty()) happened();
  if (jobs_->deliver() > 0) {
    happened();
    record_sessions();
    compare_anew();  // what was compared may not be there any more
    for (const auto& document : workspace_.documents()) refresh_search(*document);
  }
  update_theme();

  leave_keys_to_menus(frame_input_);
  views::feed_imgui(frame_input_);
  ImGui::NewFrame();
  probe_.begin_frame();
  views::ShellContext context = shell_context();
  shell_.draw(context);
  ImGui::Render();

  run_commands();
  look_at_files_when_due();
  flush_sessions();
  save_settings_when_due();
}

// Nobody watches an idle window's files: what happens next shows whether they changed.
void Application::look_at_files_when_due() {
  if (!something_happened_ || workspace_.now < files_looked_at_ + kFilesInterval) return;
  something_happened_ = false;
  files_looked_at_ = workspace_.now;
  workspace_.look_at_files();
}

void Application::run_commands() {
  // Commands may push further ones; those run now as well.
  for (int round = 0; round < 8 && !commands_.empty(); ++round) {
    for (const views::CommandCall& call : commands_.take()) {
      if (auto result = run_call(call); !result) workspace_.toast(result.error().message, views::LogLevel::Warning);
      happened();
    }
  }
  compare_anew();
  if (workspace_.comparison.active()) carrier_.carry(workspace_);
  if (!workspace_.ui.clipboard.empty()) {
    ImGui::SetClipboardText(workspace_.ui.clipboard.c_str());
    workspace_.ui.clipboard.clear();
  }
  if (requests_.again) request_frames(1);
}

void Application::compare_anew() {
  const auto before = workspace_.comparison.result;
  views::update_comparison(workspace_, *derived_);
  if (workspace_.comparison.result != before) request_frames();
  select_asked();
}

void Application::save_settings_when_due() {
  if (!options_.keep_settings) return;
  // A change is written a second later, so that a drag writes once.
  std::string now = std::to_string(int(workspace_.ui.theme)) + std::to_string(workspace_.ui.font_percent) + std::to_string(workspace_.recent.size()) + workspace_.ui.editor +
                    workspace_.ui.source_roots + std::to_string(workspace_.ui.wheel_scrolls) + std::to_string(workspace_.ui.tour_seen) + std::to_string(workspace_.ui.reduced_motion) + (workspace_.recent.empty() ? "" : workspace_.recent.front().path);
  for (const views::PreferenceRow& row : views::preference_rows()) now += row.text(workspace_.ui.preferences) + ' ';
  for (const auto& document : workspace_.documents()) now += std::to_string(document->id.index) + ' ';
  for (const views::AreaLayout* area : {&shell_.layout.left, &shell_.layout.right, &shell_.layout.bottom}) {
    now += area->active + std::to_string(area->size);
    for (const std::string& pane : area->panes) now += pane;
  }
  if (settings_text_.empty()) {
    settings_text_ = now;
    settings_.begin(workspace_);
  }
  if (now != settings_text_) {
    settings_text_ = std::move(now);
    settings_due_ = workspace_.now + kSettingsDelay;
  }
  if (workspace_.now < settings_due_) return requests_.wake_at(settings_due_);
  settings_due_ = 1e30;
  save_settings();
}

void Application::save_settings() {
  settings_.save(workspace_, shell_.layout, *disk_, [this](std::string note) { workspace_.toast(std::move(note), views::LogLevel::Warning); });
}

// What cannot be kept is said once; the status bar goes on saying it.
void Application::session_reported(views::DocumentId id, const std::string& problem) {
  views::Document* document = workspace_.document(id);
  if (document && document->session_problem == problem) return;
  if (document) document->session_problem = problem;
  if (!problem.empty()) workspace_.toast("What you set up is not kept: " + problem, views::LogLevel::Warning);
}

void Application::record_sessions() {
  std::erase_if(sessions_, [this](const auto& entry) { return !workspace_.document(entry.first); });
  for (auto& [id, session] : sessions_) session.record(*workspace_.document(id));
  flush_due_ = std::min(flush_due_, workspace_.now + kFlushDelay);
}

void Application::flush_sessions() {
  if (workspace_.now < flush_due_) return requests_.wake_at(flush_due_);
  flush_due_ = 1e30;
  for (auto& entry : sessions_) entry.second.flush();
}

void Application::save_sessions() {
  for (auto& [id, session] : sessions_)
    if (const views::Document* document = workspace_.document(id)) session.save(*document);
}

void Application::document_loaded(views::Document& document) {
  if (!document.program()) return;
  // --session and --inputs are for the first file given, whichever is read first.
  const bool first = document.id == views::DocumentId(0);
  const std::string path = first && !options_.session.empty() ? options_.session : options_.keep_settings ? Session::path_for(document.path, document.program()->name) : std::string();
  const auto report = [this, id = document.id](const std::string& problem) { session_reported(id, problem); };
  sessions_.erase(document.id);
  Session& session = sessions_.try_emplace(document.id, path, *disk_, report).first->second;
  session.open(document, [this, id = document.id, first](Session::Opened opened) { session_opened(id, std::move(opened), first); });
}

void Application::session_opened(views::DocumentId id, Session::Opened opened, bool first) {
  views::Document* found = workspace_.document(id);
  if (!found || !found->program()) return;  // closed, or read again
  views::Document& document = *found;
  sessions_.at(id).restore(document, opened);
  if (looks_like_bundle(*document.file())) open_bundle(document, opened.first_time);
  for (std::string& note : opened.notes) workspace_.toast(std::move(note), views::LogLevel::Warning);
  if (first && document.debug) {
    if (interp::is_input_set(options_.inputs)) commands_.push("debug.load_inputs", options_.inputs, document.id);
    else if (!options_.inputs.empty()) document.debug->request.tensors_path = options_.inputs;
    if (!options_.reference.empty()) document.debug->load_reference(options_.reference);
  }
  if (!first) return;
  for (const std::string& name : std::exchange(options_.breakpoints, {})) commands_.push("debug.toggle_breakpoint", name, document.id);
  node_asked_ = std::exchange(options_.select, {});
  select_asked();
}

// The node of --select, once its file is there; of two files once they are compared, so that the other graph follows.
void Application::select_asked() {
  const views::Document* document = workspace_.document(views::DocumentId(0));
  if (node_asked_.empty() || !document || !document->program()) return;
  const auto fails = [this](views::DocumentId id) {
    const views::Document* side = workspace_.document(id);
    return !side || std::holds_alternative<views::LoadFailed>(side->state);
  };
  const views::Comparison& pair = workspace_.comparison;
  if (pair.active() && !pair.result && !fails(pair.left) && !fails(pair.right)) return;
  const std::string name = std::exchange(node_asked_, {});
  const NodeRef node = views::find_node(*document->program(), name);
  if (node.node) commands_.push("go.node", node, document->id);
  else workspace_.toast("The program has no node \"" + name + "\"", views::LogLevel::Warning);
}

void Application::open_bundle(const views::Document& document, bool first_time) {
  jobs_->submit(
      "bundle:" + std::to_string(document.id.index), "Reading the bundle", [path = document.path](Job&) { return read_bundle(path); },
      [this, id = document.id, program = document.program(), first_time](Result<BundleContent> content) {
        views::Document* opened = workspace_.document(id);
        if (!opened || opened->program() != program) return;
        if (!content) return workspace_.toast("What the bundle brings cannot be read: " + content.error().message, views::LogLevel::Warning);
        std::vector<std::string> notes;
        const bool values = !content->values.tensors.empty();
        if (first_time) workspace_.toast(values ? "A bundle: breakpoints, notes and view are as its maker left them, and its values are the reference" : "A bundle: breakpoints, notes and view are as its maker left them");
        else if (values) workspace_.toast("A bundle: its values are the reference");
        apply_bundle(std::move(*content), *opened, first_time, notes);
        for (std::string& note : notes) workspace_.toast(std::move(note), views::LogLevel::Warning);
      });
}

void Application::dropped(const std::vector<std::string>& paths) {
  for (const std::string& path : paths) commands_.push("file.open", path);
  if (paths.size() == 2) workspace_.log(views::LogLevel::Info, "Two files were dropped; Compare shows them side by side");
  request_frames();
}

void Application::graphics_lost() {
  save_sessions();
  if (options_.keep_settings) save_settings();
  workspace_.toast("The graphics driver was reset. The window was made again, and nothing is lost", views::LogLevel::Warning);
  request_frames();
}

bool Application::wants_frame() const {
  return frames_wanted_ > 0 || !input.empty() || !commands_.empty() || requests_.at <= workspace_.now;
}

bool Application::idle() const { return jobs_->idle() && !wants_frame() && !requests_.again; }

std::string Application::window_title() const {
  const views::Document* document = workspace_.active();
  return document ? display(views::distinct_title(workspace_, *document)) + " – pt2scope" : "pt2scope";
}

Result<void> Application::run_command(const std::string& line) {
  const size_t space = line.find(' ');
  views::CommandCall call{line.substr(0, space), {}, {}, {}};
  if (space != std::string::npos) call.argument = line.substr(space + 1);
  auto result = run_call(call);
  request_frames();
  return result;
}

Result<void> Application::run_call(const views::CommandCall& call) {
  if (call.id == "file.close" || call.id == "file.reload" || call.id == "file.quit") save_sessions();
  auto result = registry_.run(workspace_, call);
  record_sessions();
  return result;
}

}  // namespace pt2::app
