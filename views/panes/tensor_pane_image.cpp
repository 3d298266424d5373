// A tensor as a picture: channels, range of values, zoom, what is under the pointer.
#include <algorithm>
#include <cmath>

#include "core/tensor/element.h"
#include "core/tensor/view.h"
#include "views/compat.h"
#include "views/panes/tensor_pane.h"
#include "views/shell/images.h"
#include "views/workspace/labels.h"

namespace pt2::views {
namespace {

// The value below which a part of the elements lies, by the histogram.
double quantile(const Histogram& histogram, double part) {
  int64_t total = 0, seen = 0;
  for (const int64_t count : histogram.counts) total += count;
  for (size_t i = 0; i < histogram.counts.size(); ++i) {
    if (double(seen + histogram.counts[i]) >= part * double(total) && histogram.counts[i]) {
      const double inside = (part * double(total) - double(seen)) / double(histogram.counts[i]);
      return histogram.edges[i] + std::clamp(inside, 0.0, 1.0) * (histogram.edges[i + 1] - histogram.edges[i]);
    }
    seen += histogram.counts[i];
  }
  return histogram.edges.empty() ? 0 : histogram.edges.back();
}

}  // namespace

// The whole range; around zero where values have both signs.
void TensorPane::fit_range() {
  if (!stats_) return;
  const TensorStats& s = stats_->stats;
  const Histogram& h = s.histogram;
  image_options_.low = h.edges.empty() ? 0 : h.edges.front();
  image_options_.high = h.edges.empty() ? 1 : h.edges.back();
  if (image_options_.low < 0 && image_options_.high > 0) {
    image_options_.palette = Palette::Diverging;
    image_options_.high = s.max_magnitude;
    image_options_.low = -s.max_magnitude;
  } else {
    image_options_.palette = Palette::Viridis;
  }
}

void TensorPane::image_bar(PaneContext& context) {
  const Theme& theme = context.theme;
  const ImageShape shape = image_shape(*tensor_, image_options_.channels_last);
  constexpr const char* kModes[] = {"single", "RGB", "tiles"};
  for (int i = 0; i < 3; ++i) {
    if (i) ImGui::SameLine(0, theme.px(2));
    const bool active = image_options_.mode == ImageMode(i), possible = i == 0 || (i == 1 ? shape.channels >= 3 : shape.channels >= 2);
    ImGui::BeginDisabled(!possible);
    ImGui::PushStyleColor(ImGuiCol_Button, theme.color(active ? Role::SelectionRow : Role::Raised));
    if (ImGui::SmallButton(kModes[i])) image_options_.mode = ImageMode(i), image_zoom_ = 0;
    ImGui::PopStyleColor();
    ImGui::EndDisabled();
    context.probe.item(std::string("tensor/image/") + kModes[i], kModes[i], possible);
  }
  if (tensor_->sizes.size() >= 3) {
    ImGui::SameLine();
    if (ImGui::Checkbox("NHWC", &image_options_.channels_last)) image_zoom_ = 0;
    if (ImGui::IsItemHovered()) ImGui::SetTooltip("The last dimension is the channel");
  }
  auto slider = [&](const char* title, int64_t& index, int64_t count) {
    if (count <= 1) return void(index = 0);
    const int64_t low = 0, high = count - 1;
    ImGui::AlignTextToFramePadding();
    ImGui::TextColored(theme.color4(Role::Text2), "%s", title);
    ImGui::SameLine();
    ImGui::SetNextItemWidth(-1);
    ImGui::PushID(title);
    ImGui::SliderScalar("##index", ImGuiDataType_S64, &index, &low, &high, nullptr, ImGuiSliderFlags_AlwaysClamp);
    ImGui::PopID();
    index = std::clamp<int64_t>(index, 0, high);
  };
  slider("batch", image_options_.batch, shape.batches);
  if (image_options_.mode != ImageMode::Tiles) slider("channel", image_options_.channel, shape.channels);
}

void TensorPane::range_bar(PaneContext& context) {
  const Theme& theme = context.theme;
  if (auto_range_ && ranged_ != key_) fit_range(), ranged_ = key_;
  const float width = theme.px(72), speed = float(std::max(1e-9, (image_options_.high - image_options_.low) / 200));
  ImGui::SetNextItemWidth(width);
  if (ImGui::DragScalar("##low", ImGuiDataType_Double, &image_options_.low, speed, nullptr, nullptr, "%.4g")) auto_range_ = false;
  ImGui::SameLine(0, theme.px(4));
  ImGui::TextColored(theme.color4(Role::Text2), "…");
  ImGui::SameLine(0, theme.px(4));
  ImGui::SetNextItemWidth(width);
  if (ImGui::DragScalar("##high", ImGuiDataType_Double, &image_options_.high, speed, nullptr, nullptr, "%.4g")) auto_range_ = false;
  ImGui::SameLine();
  if (ImGui::SmallButton("fit")) fit_range(), auto_range_ = true, ranged_ = key_;
  if (ImGui::IsItemHovered()) ImGui::SetTooltip("All values; also for the next ones shown");
  ImGui::SameLine();
  if (ImGui::SmallButton("1–99 %")) {
    image_options_.low = quantile(stats_->stats.histogram, 0.01);
    image_options_.high = quantile(stats_->stats.histogram, 0.99);
    auto_range_ = false;
  }
  ImGui::SameLine();
  constexpr const char* kPalettes[] = {"gray", "viridis", "blue–orange"};
  ImGui::SetNextItemWidth(theme.px(84));
  if (ImGui::BeginCombo("##palette", kPalettes[int(image_options_.palette)], ImGuiComboFlags_NoArrowButton)) {
    for (int i = 0; i < 3; ++i)
      if (ImGui::Selectable(kPalettes[i], int(image_options_.palette) == i)) image_options_.palette = Palette(i);
    ImGui::EndCombo();
  }
  if (image_options_.mode == ImageMode::Rgb) return;
  // The scale itself.
  const ImVec2 at = ImGui::GetCursorScreenPos(), size{ImGui::GetContentRegionAvail().x, theme.px(8)};
  ImDrawList* list = ImGui::GetWindowDrawList();
  constexpr int kSteps = 48;
  for (int i = 0; i < kSteps; ++i)
    list->AddRectFilled({at.x + size.x * float(i) / kSteps, at.y}, {at.x + size.x * float(i + 1) / kSteps, at.y + size.y}, palette_color(image_options_.palette, (i + 0.5) / kSteps));
  ImGui::Dummy(size);
}

void TensorPane::draw_image(PaneContext& context, const TensorImage& image) {
  const Theme& theme = context.theme;
  const ImVec2 at = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
  const float line = ImGui::GetTextLineHeightWithSpacing();
  const ImVec2 size{std::max(room.x, 1.0f), std::max(room.y - line, theme.px(40))};
  const float fitted = std::min(size.x / float(image.width), size.y / float(image.height));
  if (image_zoom_ <= 0) image_pan_ = {0, 0};
  const float zoom = image_zoom_ > 0 ? image_zoom_ : fitted > 1 ? std::floor(fitted) : fitted;
  ImGui::InvisibleButton("##image", size);
  const bool hovered = ImGui::IsItemHovered();
  const ImGuiIO& io = ImGui::GetIO();
  ImVec2 corner{std::floor(at.x + (size.x - float(image.width) * zoom) / 2 + image_pan_.x), std::floor(at.y + (size.y - float(image.height) * zoom) / 2 + image_pan_.y)};
  if (hovered && io.MouseWheel != 0) {
    const float to = std::clamp(zoom * std::pow(1.25f, io.MouseWheel), std::min(fitted, 0.25f), 64.0f);
    // The pixel under the pointer stays there.
    const ImVec2 pixel{(io.MousePos.x - corner.x) / zoom, (io.MousePos.y - corner.y) / zoom};
    image_pan_ = {io.MousePos.x - pixel.x * to - at.x - (size.x - float(image.width) * to) / 2, io.MousePos.y - pixel.y * to - at.y - (size.y - float(image.height) * to) / 2};
    image_zoom_ = to;
  }
  if (ImGui::IsItemActive() && ImGui::IsMouseDragging(ImGuiMouseButton_Left)) {
    image_zoom_ = zoom;
    image_pan_ = {image_pan_.x + io.MouseDelta.x, image_pan_.y + io.MouseDelta.y};
  }
  if (hovered && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) image_zoom_ = 0;
  ImDrawList* list = ImGui::GetWindowDrawList();
  list->PushClipRect(at, {at.x + size.x, at.y + size.y}, true);
  list->AddRectFilled(at, {at.x + size.x, at.y + size.y}, theme.color(Role::Canvas));
  const ImVec2 end{corner.x + float(image.width) * zoom, corner.y + float(image.height) * zoom};
  if (context.images) list->AddImage(context.images->texture(key_ + image_options_.text(), image.width, image.height, image.pixels), corner, end);
  compat::add_rect(list, {corner.x - 1, corner.y - 1}, {end.x + 1, end.y + 1}, theme.color(Role::Border), 0);
  list->PopClipRect();
  context.probe.add("tensor/image", corner, end, std::to_string(image.width) + "×" + std::to_string(image.height));
  std::string where = image.step > 1 ? "every " + std::to_string(image.step) + "th element is drawn" : " ";
  if (hovered) {
    const int x = int(std::floor((io.MousePos.x - corner.x) / zoom)), y = int(std::floor((io.MousePos.y - corner.y) / zoom));
    if (const auto index = pixel_index(*tensor_, image_options_, image, x, y); !index.empty() || (tensor_->sizes.empty() && x == 0 && y == 0))
      where = shape_text(index) + " = " + element_text(tensor_->dtype, element_at(*tensor_, index));
  }
  ImGui::TextUnformatted(where.c_str());
}

void TensorPane::image(PaneContext& context) {
  if (!stats_ || tensor_->numel() == 0) return;
  const ImageShape shape = image_shape(*tensor_, image_options_.channels_last);
  if ((image_options_.mode == ImageMode::Tiles && shape.channels < 2) || (image_options_.mode == ImageMode::Rgb && shape.channels < 3)) image_options_.mode = ImageMode::Single;
  image_bar(context);
  range_bar(context);
  auto image = context.derived.get<TensorImage>("image:" + key_ + image_options_.text(), "Drawing", [tensor = *tensor_, options = image_options_](Job&) { return tensor_image(tensor, options); });
  if (!image) {
    ImGui::TextDisabled("Drawing…");
    return;
  }
  if (image->width > 0) draw_image(context, *image);
}

}  // namespace pt2::views
