#include "views/workspace/selection.h"

namespace pt2::views {

namespace {
constexpr size_t kHistoryLimit = 200;
}

void SelectionHistory::select(Selection selection, std::string_view origin) {
  if (selection == current_) return;
  // What was on screen before anything was selected is a place to come back to as well.
  if (!current_.empty() || back_.empty()) {
    back_.push_back(std::move(current_));
    if (back_.size() > kHistoryLimit) back_.erase(back_.begin());
  }
  forward_.clear();
  current_ = std::move(selection);
  origin_ = origin;
  ++revision_;
}

void SelectionHistory::back() {
  if (back_.empty()) return;
  if (!current_.empty()) forward_.push_back(std::move(current_));
  current_ = std::move(back_.back());
  back_.pop_back();
  origin_.clear();
  ++revision_;
}

void SelectionHistory::forward() {
  if (forward_.empty()) return;
  if (!current_.empty() || back_.empty()) back_.push_back(std::move(current_));
  current_ = std::move(forward_.back());
  forward_.pop_back();
  origin_.clear();
  ++revision_;
}

}  // namespace pt2::views
