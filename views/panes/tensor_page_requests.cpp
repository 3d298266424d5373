// What commands ask of a page; and what it writes: files, pictures, texts for the clipboard.
#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <sstream>

#include "core/base/display.h"
#include "core/base/png.h"
#include "core/base/text.h"
#include "core/tensor/tensor_files.h"
#include "views/panes/tensor_page.h"
#include "views/workspace/index_text.h"
#include "views/workspace/tensor_code.h"

namespace pt2::views {
namespace {

std::optional<double> real(const std::string& text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc{} && end == text.data() + text.size() ? std::optional(value) : std::nullopt;
}

std::vector<std::string> words(std::string_view text) {
  std::istringstream in{std::string(text)};
  std::vector<std::string> out;
  for (std::string word; in >> word;) out.push_back(word);
  return out;
}

// "on", "off", or the other way round.
bool switched(const std::string& word, bool now) { return word == "on" || (word != "off" && !now); }

}  // namespace

// What needs no value; false: something else.
bool TensorPage::quick_request(const std::string& verb, const std::string& argument) {
  const std::vector<std::string> parts = words(argument);
  const std::string first = parts.empty() ? "" : parts[0];
  if (verb == "tab") {
    for (int i = 0; i < kTensorTabs; ++i)
      if (argument == kTensorTabNames[i]) tab = TensorTab(i);
  } else if (verb == "format") {
    for (int i = 0; i < kNumberFormats; ++i)
      if (first == kNumberFormatNames[i]) grid_.format = NumberFormat(i);
    if (const auto digits = parts.size() > 1 ? integers(parts[1]) : std::nullopt; digits && digits->size() == 1) grid_.digits = int(std::clamp<int64_t>(digits->front(), 1, 17));
  } else if (verb == "heat") {
    grid_.heat = switched(argument, grid_.heat);
  } else if (verb == "histogram") {
    bool& on = first == "log" ? log_counts_ : first == "symlog" ? symlog_ : trim_;
    on = switched(parts.size() > 1 ? parts[1] : "", on);
    tab = TensorTab::Histogram;
  } else if (verb == "diff") {
    for (int i = 0; i < kDiffParts; ++i)
      if (argument == kDiffPartNames[i]) diff_part_ = DiffPart(i);
    tab = TensorTab::Diff;
  } else if (verb == "tolerance") {
    rtol_text_ = first == "-" ? "" : first;
    atol_text_ = parts.size() < 2 || parts[1] == "-" ? "" : parts[1];
    tolerance_ = {real(rtol_text_), real(atol_text_)};
  } else if (verb == "compare_with") {
    if (const auto with = compare_from_text(argument)) compare_ = *with, compare_chosen_ = true;
    else message_ = "Write: reference, step N, value NAME, other, original, kept, file PATH or none";
    if (compare_.kind != CompareWith::Kind::None) tab = TensorTab::Diff;
  } else {
    return false;
  }
  return true;
}

void TensorPage::image_request(std::string_view argument) {
  const std::vector<std::string> parts = words(argument);
  const std::string first = parts.empty() ? "" : parts[0];
  const bool difference = tab == TensorTab::Diff;
  if (difference) diff_part_ = DiffPart::Image;
  else tab = TensorTab::Image;
  ImageRange& range = difference ? error_range_ : range_;
  auto number = [&](size_t i) -> std::optional<int64_t> {
    const auto found = i < parts.size() ? integers(parts[i]) : std::nullopt;
    return found && found->size() == 1 && found->front() >= 0 ? std::optional(found->front()) : std::nullopt;
  };
  if (first == "single") image_.mode = ImageMode::Single, image_.channel = number(1).value_or(image_.channel);
  else if (first == "tiles") image_.mode = ImageMode::Tiles;
  else if (first == "batch") image_.batch = number(1).value_or(image_.batch);
  else if (first == "nhwc") image_.channels_last = switched(parts.size() > 1 ? parts[1] : "", image_.channels_last);
  else if (first == "auto") range.always_fit = switched(parts.size() > 1 ? parts[1] : "", range.always_fit), wanted_range_ = range.always_fit ? "fit" : "";
  else if (first == "fit" || first == "percentiles" || first == "symmetric") wanted_range_ = first;
  if (first == "rgb") {
    image_.mode = ImageMode::Rgb;
    for (size_t c = 0; c < 3; ++c) image_.rgb[c] = number(c + 1).value_or(image_.rgb[c]);
  }
  if (first == "palette" && parts.size() > 1) range.palette = parts[1] == "gray" ? Palette::Gray : parts[1] == "viridis" ? Palette::Viridis : Palette::Diverging;
  if (first == "range" && parts.size() > 2) {
    if (const auto low = real(parts[1]), high = real(parts[2]); low && high) {
      range.low = std::min(*low, *high);
      range.high = std::max(*low, *high);
      range.always_fit = false;
    }
  }
  image_zoom_ = first == "single" || first == "rgb" || first == "tiles" || first == "nhwc" ? 0 : image_zoom_;
}

bool TensorPage::request(PaneContext& context, const TensorRequest& request) {
  const std::string &verb = request.verb, &argument = request.argument;
  if (quick_request(verb, argument)) return true;
  if (verb == "image") return image_request(argument), true;
  if (loading_) return false;
  message_.clear();
  if (!tensor_) {
    message_ = name_.empty() ? "" : "There is no tensor here.";
    context.push("tensor.failed", std::string("There is no tensor here."), "tensor");
    return true;
  }
  if (verb == "slice") {
    set_slice(argument);
  } else if (verb == "dims") {
    apply_slice();
    const auto dims = integers(argument);
    const auto rank = int64_t(slice_->view.sizes.size());
    if (dims && dims->size() == 2 && dims->at(0) != dims->at(1) && std::all_of(dims->begin(), dims->end(), [&](int64_t d) { return d >= 0 && d < rank; })) rows_dim_ = int(dims->at(0)), columns_dim_ = int(dims->at(1));
    else message_ = "Two different dimensions of what the slice leaves are needed, such as 0 1";
  } else if (verb == "go_to") {
    if (tab != TensorTab::Diff) tab = TensorTab::Grid;
    if (const auto index = integers(argument)) go_to(*index);
    else index_problem_ = "\"" + display_cut(argument, 40) + "\" is no index";
  } else if (verb == "ask_index") {
    if (tab != TensorTab::Diff) tab = TensorTab::Grid;
    else diff_part_ = DiffPart::Grid;
    focus_index_ = true;
  } else if (verb == "jump") {
    // The largest error is known once both values are compared.
    if (argument == "error" && compare_.kind != CompareWith::Kind::None && !errors_ && other_state_ == "Comparing…") return false;
    jump(argument);
  } else if (verb == "keep") {
    kept_ = tensor_;
    kept_key_ = key_;
    kept_name_ = name_;
    message_ = "Kept to compare with";
  } else if (verb == "copy") {
    copy(context, argument);
  } else if (verb == "export") {
    write(context, *tensor_, argument);
  } else if (verb == "export_slice") {
    apply_slice();
    write(context, slice_->view, argument);
  } else if (verb == "export_image") {
    const bool difference = tab == TensorTab::Diff && errors_;
    if (tensor_->numel() && !range_histogram(difference) && !(stats_ && !stats_->problem.empty())) return false;  // the range is not known yet
    write_image(context, argument);
  } else if (verb == "show_producer") {
    const std::string element = marked_nonfinite();
    if (!element.empty()) context.push("debug.show_producer_of", name_ + element, "tensor");
    else context.push("debug.show_producer", name_, "tensor");
  } else if (verb == "ask_path") {
    context.push("tensor.pick_path", argument + " " + file_name(argument == "export_image" ? ".png" : ".npy"), "tensor");
  }
  return true;
}

// A name that any file system takes.
std::string TensorPage::file_name(const char* suffix) const {
  std::string plain;
  for (const char c : name_) plain += (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '.' || c == '-' ? c : '_';
  if (plain.empty() || plain.front() == '.') plain = "value" + plain;
  return plain.substr(0, 100) + suffix;
}

void TensorPage::copy(PaneContext& context, const std::string& what) {
  apply_slice();
  if (what == "value") {
    const std::byte* bytes = tensor_->sizes.empty() ? tensor_->bytes() : grid_.selected_index(grid_source()).empty() ? nullptr : grid_.selected_bytes(grid_source());
    if (!bytes) message_ = "No element is marked";
    else context.push("edit.copy", element_text(tensor_->dtype, read_element(tensor_->dtype, bytes)), "tensor");
    return;
  }
  auto message = std::make_shared<std::string>();
  message_from_job_ = message;
  context.jobs.submit(
      "", "Copying",
      [view = slice_->view, what](Job&) -> Result<std::string> {
        if (what == "torch") return torch_text(view);
        if (what == "tsv") return tsv_text(view);
        return list_text(view);
      },
      [message, count = slice_->view.numel(), commands = &context.commands](Result<std::string> text) {
        if (text) commands->push("edit.copy", std::move(*text));
        *message = text ? "Copied " + with_commas(uint64_t(count)) + (count == 1 ? " element" : " elements") : display(text.error().message) + ". " + display(text.error().advice);
      });
}

void TensorPage::write(PaneContext& context, const Tensor& tensor, const std::string& path) {
  auto message = std::make_shared<std::string>();
  message_from_job_ = message;
  context.jobs.submit(
      "", "Writing " + display_cut(path, 60),
      [path, tensor, name = name_](Job&) {
        TensorFile file;
        file.tensors.emplace_back(name, tensor);
        return write_tensor_file(path, file);
      },
      [message, path, commands = &context.commands](Result<void> written) {
        *message = written ? "Written to " + display(path) : "Not written: " + display(written.error().message) + (written.error().advice.empty() ? "" : ". " + display(written.error().advice));
        if (!written) commands->push("tensor.failed", *message);
      });
}

void TensorPage::write_image(PaneContext& context, const std::string& path) {
  const bool difference = tab == TensorTab::Diff && errors_ && errors_->problem.empty();
  if (tensor_->numel() == 0 || !range_histogram(difference)) {
    message_ = "There is no picture of it.";
    return;
  }
  update_range(difference);
  auto message = std::make_shared<std::string>();
  message_from_job_ = message;
  context.jobs.submit(
      "", "Writing " + display_cut(path, 60),
      [path, tensor = *tensor_, minus = difference ? other_.tensor : std::nullopt, options = image_options(context.theme, difference)](Job&) -> Result<void> {
        const TensorImage image = tensor_image(tensor, options, minus ? &*minus : nullptr);
        return write_png(path, image.width, image.height, image.pixels);
      },
      [message, path, commands = &context.commands](Result<void> written) {
        *message = written ? "Written to " + display(path) : "Not written: " + display(written.error().message);
        if (!written) commands->push("tensor.failed", *message);
      });
}

}  // namespace pt2::views
