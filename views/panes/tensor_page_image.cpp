// A tensor as a picture: channels, range of values, zoom, what is under the pointer.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "core/base/text.h"
#include "core/tensor/element.h"
#include "core/tensor/view.h"
#include "views/compat.h"
#include "views/panes/tensor_page.h"
#include "views/shell/images.h"
#include "views/widgets/check_box.h"
#include "views/widgets/copy_menu.h"
#include "views/workspace/labels.h"

namespace pt2::views {
namespace {

constexpr const char* kNonfiniteWords[] = {"nan", "inf", "-inf"};  // as the grid has them

constexpr float kLeastSigned = 4;  // pixels of an element that has room for a line

void infinity_line(ImDrawList* list, const Theme& theme, ImVec2 at, float side, double value) {
  if (std::isnan(value)) return;
  const float low = at.y + 1, high = at.y + side - 1;
  list->AddLine({at.x + 1, value > 0 ? high : low}, {at.x + side - 1, value > 0 ? low : high}, theme.nonfinite_text());
}

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

const Histogram* TensorPage::range_histogram(bool difference) const {
  if (difference) return errors_ && errors_->problem.empty() ? &errors_->errors.errors : nullptr;
  return stats_ && stats_->problem.empty() ? &stats_->stats.histogram : nullptr;
}

// The whole range; around zero and in two colours where values have both signs.
void TensorPage::update_range(bool difference) {
  const Histogram* histogram = range_histogram(difference);
  if (!histogram) return;
  ImageRange& range = difference ? error_range_ : range_;
  const std::string of = difference ? key_ + "|" + other_.key : key_;
  std::string wanted = std::exchange(wanted_range_, {});
  if (wanted.empty() && range.always_fit && range.of != of) wanted = "fit";
  range.of = of;
  if (wanted == "fit") {
    range.low = histogram->edges.empty() ? 0 : histogram->edges.front();
    range.high = histogram->edges.empty() ? 1 : histogram->edges.back();
    const bool both_signs = range.low < 0 && range.high > 0;
    if (both_signs) wanted = "symmetric";
    range.palette = both_signs ? Palette::Diverging : Palette::Viridis;
  }
  if (wanted == "percentiles") {
    range.low = quantile(*histogram, 0.01);
    range.high = quantile(*histogram, 0.99);
    range.always_fit = false;
  }
  if (wanted == "symmetric") {
    range.high = std::max(std::abs(range.low), std::abs(range.high));
    range.low = -range.high;
    range.palette = Palette::Diverging;
  }
}

ImageOptions TensorPage::image_options(const Theme& theme, bool difference) const {
  const ImageRange& range = difference ? error_range_ : range_;
  ImageOptions options = image_;
  options.low = range.low;
  options.high = range.high;
  options.palette = range.palette;
  options.theme = theme.name;
  const ImageShape shape = image_shape(*tensor_, options.channels_last);
  if ((options.mode == ImageMode::Tiles && shape.channels < 2) || (options.mode == ImageMode::Rgb && shape.channels < 3)) options.mode = ImageMode::Single;
  return options;
}

void TensorPage::image_bar(PaneContext& context) {
  const Theme& theme = context.theme;
  const ImageShape shape = image_shape(*tensor_, image_.channels_last);
  const ImageMode mode = image_options(theme, false).mode;
  constexpr const char* kModes[] = {"single", "RGB", "tiles"};
  for (int i = 0; i < 3; ++i) {
    if (i) ImGui::SameLine(0, theme.px(2));
    const bool possible = i == 0 || (i == 1 ? shape.channels >= 3 : shape.channels >= 2);
    ImGui::BeginDisabled(!possible);
    ImGui::PushStyleColor(ImGuiCol_Button, theme.color(mode == ImageMode(i) ? Role::SelectionRow : Role::Raised));
    if (ImGui::SmallButton(kModes[i])) image_.mode = ImageMode(i), image_zoom_ = 0;
    ImGui::PopStyleColor();
    ImGui::EndDisabled();
    context.probe.item(std::string("tensor/image/") + kModes[i], kModes[i], possible);
  }
  if (tensor_->sizes.size() >= 3) {
    ImGui::SameLine();
    if (check_box("NHWC", &image_.channels_last)) image_zoom_ = 0;
    if (ImGui::IsItemHovered()) ImGui::SetTooltip("The last dimension is the channel");
    context.probe.item("tensor/image/nhwc", image_.channels_last ? "on" : "off");
  }
  auto slider = [&](const char* title, int64_t& index, int64_t count, float width = -1) {
    const int64_t low = 0, high = count - 1;
    index = std::clamp<int64_t>(index, 0, std::max<int64_t>(high, 0));
    if (count <= 1) return;
    ImGui::AlignTextToFramePadding();
    ImGui::TextColored(theme.color4(Role::Text2), "%s", title);
    ImGui::SameLine();
    ImGui::SetNextItemWidth(width);
    ImGui::PushID(title);
    ImGui::SliderScalar("##index", ImGuiDataType_S64, &index, &low, &high, nullptr, ImGuiSliderFlags_AlwaysClamp);
    ImGui::PopID();
    context.probe.item(std::string("tensor/image/") + title, std::to_string(index));
  };
  slider("batch", image_.batch, shape.batches);
  if (mode == ImageMode::Single) slider("channel", image_.channel, shape.channels);
  if (mode != ImageMode::Rgb) return;
  constexpr const char* kColors[] = {"R", "G", "B"};
  const float third = std::max(theme.px(40), ImGui::GetContentRegionAvail().x / 3 - theme.px(24));
  for (size_t c = 0; c < 3; ++c) {
    if (c) ImGui::SameLine();
    slider(kColors[c], image_.rgb[c], shape.channels, third);
  }
}

void TensorPage::range_bar(PaneContext& context, bool difference) {
  const Theme& theme = context.theme;
  ImageRange& range = difference ? error_range_ : range_;
  const float width = theme.px(72), speed = float(std::max(1e-9, (range.high - range.low) / 200));
  auto end = [&](const char* id, double& value, const char* name) {
    ImGui::SetNextItemWidth(width);
    if (ImGui::DragScalar(id, ImGuiDataType_Double, &value, speed, nullptr, nullptr, "%.4g")) range.always_fit = false;
    context.probe.item(std::string("tensor/image/range/") + name + "/value", number_label(value, 6));
  };
  end("##low", range.low, "low");
  ImGui::SameLine(0, theme.px(4));
  ImGui::TextColored(theme.color4(Role::Text2), "…");
  ImGui::SameLine(0, theme.px(4));
  end("##high", range.high, "high");
  ImGui::SameLine();
  ImGui::PushStyleColor(ImGuiCol_Button, theme.color(range.always_fit ? Role::SelectionRow : Role::Raised));
  if (ImGui::SmallButton(range.always_fit ? "fit always" : "fit")) wanted_range_ = "fit";
  ImGui::PopStyleColor();
  if (ImGui::IsItemClicked(ImGuiMouseButton_Right)) {
    range.always_fit = !range.always_fit;
    if (range.always_fit) wanted_range_ = "fit";
  }
  if (ImGui::IsItemHovered()) ImGui::SetTooltip("All values; a right click: always, also for the next ones shown");
  context.probe.item("tensor/image/fit", range.always_fit ? "always" : "once");
  auto button = [&](const char* title, const char* what, const char* help) {
    ImGui::SameLine(0, theme.px(4));
    if (ImGui::GetContentRegionAvail().x < theme.px(48)) ImGui::NewLine();
    if (ImGui::SmallButton(title)) wanted_range_ = what;
    if (ImGui::IsItemHovered()) ImGui::SetTooltip("%s", help);
    context.probe.item(std::string("tensor/image/") + what, title);
  };
  button("1–99 %", "percentiles", "From the first to the last percentile of the values");
  button("±", "symmetric", "As far below zero as above");
  ImGui::SameLine(0, theme.px(4));
  constexpr const char* kPalettes[] = {"gray", "viridis", "blue–orange"};
  ImGui::SetNextItemWidth(theme.px(84));
  if (ImGui::GetContentRegionAvail().x < theme.px(84)) ImGui::NewLine();
  if (ImGui::BeginCombo("##palette", kPalettes[int(range.palette)], ImGuiComboFlags_NoArrowButton)) {
    for (int i = 0; i < 3; ++i)
      if (ImGui::Selectable(kPalettes[i], int(range.palette) == i)) range.palette = Palette(i);
    ImGui::EndCombo();
  }
  context.probe.item("tensor/image/palette", kPalettes[int(range.palette)]);
  const Histogram* histogram = range_histogram(difference);
  if (!histogram || histogram->edges.empty()) return;
  // The histogram with the scale below.
  const ImVec2 at = ImGui::GetCursorScreenPos(), size{ImGui::GetContentRegionAvail().x, theme.px(36)};
  const bool colors = image_options(theme, difference).mode == ImageMode::Rgb;
  RangeScale scale{histogram->edges.front(), histogram->edges.back(), false, histogram, [&](double part) { return ImU32(palette_color(colors ? Palette::Gray : range.palette, part)); }};
  const float inset = theme.px(5);
  switch (range_control_.draw(context, {at.x + inset, at.y}, {at.x + size.x - inset, at.y + size.y}, scale, range.low, range.high, "tensor/image/range")) {
    case RangeControl::Change::Range: range.always_fit = false; break;
    case RangeControl::Change::Reset: wanted_range_ = "fit"; break;
    case RangeControl::Change::None: break;
  }
  if (range_control_.active()) context.draw_again_in(0);
  ImGui::Dummy({size.x, size.y + inset});
}

// Of the element, or of its difference from the other value.
double TensorPage::image_value(const std::vector<int64_t>& index, bool difference) const {
  const Element element = element_at(*tensor_, index);
  if (difference) return element_difference(element, element_at(*other_.tensor, index));
  return std::holds_alternative<std::monostate>(element) ? 0 : as_double(element);
}

// Where a pixel has room for it, its word stands in it as in the grid; else a line tells infinities from the palette, rising for inf and falling for
// -inf. `low` and `high`: what is in sight.
void TensorPage::name_nonfinite(const Theme& theme, const TensorImage& image, const ImageOptions& options, bool difference, ImVec2 corner, float zoom, ImVec2 low, ImVec2 high) const {
  if (options.mode == ImageMode::Rgb || image.nan + image.positive_inf + image.negative_inf == 0) return;
  const ImFont* font = theme.fonts.caption;
  auto width = [&](const char* word) { return font->CalcTextSizeA(font->FontSize, FLT_MAX, 0, word).x; };
  const bool words = zoom >= std::max(width(kNonfiniteWords[2]), font->FontSize) + 2;
  if (zoom < kLeastSigned) return;
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const ImU32 colors[] = {theme.color(nonfinite_role(std::nan(""))), theme.color(nonfinite_role(kInfinity)), theme.color(nonfinite_role(-kInfinity))};
  ImDrawList* list = ImGui::GetWindowDrawList();
  const int x0 = std::max(0, int((low.x - corner.x) / zoom)), x1 = std::min(image.width - 1, int((high.x - corner.x) / zoom));
  const int y0 = std::max(0, int((low.y - corner.y) / zoom)), y1 = std::min(image.height - 1, int((high.y - corner.y) / zoom));
  for (int y = y0; y <= y1; ++y)
    for (int x = x0; x <= x1; ++x) {
      const uint32_t pixel = image.pixels[size_t(y) * size_t(image.width) + size_t(x)];
      if (std::find(std::begin(colors), std::end(colors), pixel) == std::end(colors)) continue;
      const auto index = pixel_index(*tensor_, options, image, x, y);
      if (index.empty() && !tensor_->sizes.empty()) continue;
      const double value = image_value(index, difference);
      if (std::isfinite(value)) continue;
      const ImVec2 at{corner.x + float(x) * zoom, corner.y + float(y) * zoom};
      if (!words) {
        infinity_line(list, theme, at, zoom, value);
        continue;
      }
      const char* word = kNonfiniteWords[std::isnan(value) ? 0 : value > 0 ? 1 : 2];
      list->AddText(font, font->FontSize, {std::floor(at.x + (zoom - width(word)) / 2), std::floor(at.y + (zoom - font->FontSize) / 2)}, theme.nonfinite_text(), word);
    }
}

// What the colours outside the palette are, and how many of them the picture shows; of a tensor with more, how many it has.
void TensorPage::image_legend(PaneContext& context, const TensorImage& image, bool difference) const {
  const Theme& theme = context.theme;
  const TensorStats* all = !difference && stats_ && stats_->problem.empty() ? &stats_->stats : nullptr;
  struct Row { int64_t shown, all; double value; };
  constexpr double kInf = std::numeric_limits<double>::infinity();
  const Row rows[] = {{image.nan, all ? all->nan : image.nan, std::nan("")}, {image.positive_inf, all ? all->positive_inf : image.positive_inf, kInf}, {image.negative_inf, all ? all->negative_inf : image.negative_inf, -kInf}};
  std::string legend;
  const float side = std::floor(ImGui::GetTextLineHeight());
  for (int i = 0; i < 3; ++i) {
    const Row& row = rows[i];
    if (!row.all && !row.shown) continue;
    if (!legend.empty()) ImGui::SameLine(0, theme.px(12));
    const ImVec2 at = ImGui::GetCursorScreenPos();
    ImGui::GetWindowDrawList()->AddRectFilled(at, {at.x + side, at.y + side}, theme.color(nonfinite_role(row.value)), 2);
    infinity_line(ImGui::GetWindowDrawList(), theme, at, side, row.value);
    ImGui::Dummy({side, side});
    ImGui::SameLine(0, theme.px(4));
    const std::string text = std::string(kNonfiniteWords[i]) + " " + with_commas(row.shown) + (row.all != row.shown ? " of " + with_commas(row.all) : "");
    ImGui::TextUnformatted(text.c_str());
    if (row.all != row.shown && ImGui::IsItemHovered()) ImGui::SetTooltip("In this picture, and in the whole tensor");
    legend += (legend.empty() ? "" : "  ") + text;
  }
  if (!legend.empty()) copied_probe(context, "tensor/image/legend", legend);
}

void TensorPage::draw_image(PaneContext& context, const TensorImage& image, const std::string& key, bool difference) {
  const Theme& theme = context.theme;
  const ImageOptions options = image_options(theme, difference);
  image_legend(context, image, difference);
  const ImVec2 at = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
  const float line = ImGui::GetTextLineHeightWithSpacing();
  const ImVec2 size{std::max(room.x, 1.0f), std::max(room.y - line, theme.px(40))};
  const float fitted = std::min(size.x / float(image.width), size.y / float(image.height));
  if (image_zoom_ <= 0) image_pan_ = {0, 0};
  const float zoom = image_zoom_ > 0 ? image_zoom_ : fitted > 1 ? std::floor(fitted) : fitted;
  compat::invisible_button("##image", size);
  const bool hovered = ImGui::IsItemHovered();
  const ImGuiIO& io = ImGui::GetIO();
  const ImVec2 corner{std::floor(at.x + (size.x - float(image.width) * zoom) / 2 + image_pan_.x), std::floor(at.y + (size.y - float(image.height) * zoom) / 2 + image_pan_.y)};
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
  if (context.images) {
    if (const ImTextureID texture = context.images->texture(key, image.width, image.height, image.pixels)) list->AddImage(texture, corner, end);
    else list->AddText({at.x + theme.px(8), at.y + theme.px(8)}, theme.color(Role::Warning), "The graphics device has no room for this picture");
  }
  name_nonfinite(theme, image, options, difference, corner, zoom, at, {at.x + size.x, at.y + size.y});
  compat::add_rect(list, {corner.x - 1, corner.y - 1}, {end.x + 1, end.y + 1}, theme.color(Role::Border), 0);
  list->PopClipRect();
  context.probe.add("tensor/image", corner, end, std::to_string(image.width) + "×" + std::to_string(image.height));
  std::string where = image.step > 1 ? "one element of " + std::to_string(image.step) + " is drawn, each way" : " ";
  if (hovered) {
    const int x = int(std::floor((io.MousePos.x - corner.x) / zoom)), y = int(std::floor((io.MousePos.y - corner.y) / zoom));
    auto value_text = [&](const std::vector<int64_t>& index) {
      return difference ? number_label(image_value(index, true), 6) : element_text(tensor_->dtype, element_at(*tensor_, index));
    };
    if (auto index = pixel_index(*tensor_, options, image, x, y); !index.empty() || (tensor_->sizes.empty() && x == 0 && y == 0)) {
      where = shape_text(index) + (difference ? " differs by " : " = ") + value_text(index);
      // Of a colour all three.
      const ImageShape shape = image_shape(*tensor_, options.channels_last);
      for (size_t c = 1; options.mode == ImageMode::Rgb && c < 3; ++c) {
        index[size_t(tensor_->sizes.size() - (options.channels_last ? 1 : 3))] = std::clamp<int64_t>(options.rgb[c], 0, shape.channels - 1);
        where += ", " + value_text(index);
      }
    }
  }
  ImGui::TextUnformatted(where.c_str());
  copied_probe(context, "tensor/image/pixel", where);
}

void TensorPage::image(PaneContext& context, bool difference) {
  if (tensor_->numel() == 0 || !range_histogram(difference)) return;
  image_bar(context);
  range_bar(context, difference);
  update_range(difference);
  const ImageOptions options = image_options(context.theme, difference);
  const std::string key = "image:" + key_ + (difference ? "-" + other_.key : "") + ":" + options.text();
  const auto image = context.derived.get<TensorImage>(key, "Drawing", [tensor = *tensor_, minus = difference ? other_.tensor : std::nullopt, options](Job&) {
    return tensor_image(tensor, options, minus ? &*minus : nullptr);
  });
  if (!image) {
    ImGui::TextDisabled("Drawing…");
    return;
  }
  if (image->width > 0) draw_image(context, *image, key, difference);
}

}  // namespace pt2::views
