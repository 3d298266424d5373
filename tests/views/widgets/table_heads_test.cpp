#include "views/widgets/table_heads.h"

#include <doctest/doctest.h>

#include <initializer_list>

#include "imgui.h"

using namespace pt2::views;

TEST_CASE("a list of which less than a pixel is in sight is left out") {
  ImGuiContext* imgui = ImGui::CreateContext();
  ImGuiIO& io = ImGui::GetIO();
  io.IniFilename = nullptr;
  io.DisplaySize = ImVec2(400, 400);
  io.Fonts->Build();
  ImGui::GetStyle().WindowPadding = ImVec2(0, 0);
  ImGui::GetStyle().WindowBorderSize = 0;
  constexpr float kTop = 100, kHeight = 40;
  int begun = 0;
  for (float below : {0.6f, 12.0f})
    for (int frame = 0; frame < 4; ++frame) {
      ImGui::NewFrame();
      ImGui::SetNextWindowPos(ImVec2(0, kTop));
      ImGui::SetNextWindowSize(ImVec2(200, 200));
      ImGui::Begin("window", nullptr, ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoSavedSettings);
      ImGui::SetCursorScreenPos(ImVec2(0, kTop - kHeight + below));
      if (begin_list("list", 2, kTableLook | ImGuiTableFlags_ScrollY, ImVec2(0, kHeight))) {
        ++begun;
        ImGui::TableSetupColumn("a");
        ImGui::TableSetupColumn("b");
        table_heads();
        ImGui::EndTable();
      }
      ImGui::End();
      ImGui::Render();
    }
  CHECK(begun == 4);  // those of which twelve pixels are in sight
  ImGui::DestroyContext(imgui);
}
