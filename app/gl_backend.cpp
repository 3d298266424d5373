#include "app/gl_backend.h"

#define GL_GLEXT_PROTOTYPES
#include <GL/gl.h>
#include <GL/glext.h>

#include "backends/imgui_impl_opengl3.h"
#include "imgui.h"

namespace pt2::app {

std::unique_ptr<GlBackend> GlBackend::make(Lookup lookup) {
  if (!ImGui_ImplOpenGL3_Init("#version 330 core")) return nullptr;
  std::unique_ptr<GlBackend> backend(new GlBackend);
  for (const char* name : {"glGetGraphicsResetStatus", "glGetGraphicsResetStatusARB", "glGetGraphicsResetStatusKHR"})
    if (!backend->reset_status_) backend->reset_status_ = reinterpret_cast<unsigned (*)()>(lookup(name));
  return backend;
}

GlBackend::~GlBackend() { ImGui_ImplOpenGL3_Shutdown(); }

void GlBackend::prepare(int fonts_revision) {
  if (fonts_revision != fonts_revision_ && fonts_revision_ >= 0) {
    ImGui_ImplOpenGL3_DestroyFontsTexture();
    ImGui_ImplOpenGL3_CreateFontsTexture();  // NewFrame() makes one the first time only
  }
  fonts_revision_ = fonts_revision;
  ImGui_ImplOpenGL3_NewFrame();
}

void GlBackend::draw(int width, int height) {
  glViewport(0, 0, width, height);
  glClearColor(0.08f, 0.09f, 0.12f, 1);
  glClear(GL_COLOR_BUFFER_BIT);
  ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
}

bool GlBackend::lost() const { return told_lost_ || (reset_status_ && reset_status_() != GL_NO_ERROR); }

}  // namespace pt2::app
