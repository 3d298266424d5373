#include "core/diff/align.h"

#include <algorithm>
#include <limits>
#include <map>

namespace pt2::diff {

namespace {

constexpr double kImpossible = -1e9;
constexpr size_t kWholeTableCells = 6'000'000;  // above, operators are aligned module by module
constexpr size_t kBand = 1'500;                 // and within a module of many operators, near the diagonal only
constexpr int kRounds = 4;

// Weights, found by holding the alignment against the provenance of a few thousand operators.
constexpr double kStackTrace = 4, kModulePath = 2, kTorchFn = 3, kSourceFn = 3;
constexpr double kSameTarget = 4, kSameBase = 3, kSimilarBase = 1.5, kReplay = 1.5, kStaleView = 3;
constexpr double kSameConstants = 1, kSameShape = 1, kSegmentEnd = 2, kSameValue = 1.5;
constexpr double kOperand = 1.5, kInput = 1;
constexpr double kOtherNumber = -20;  // one line of code computes many sizes

double extension_score(Expansion expansion) {  // for each further operator on the right
  switch (expansion) {
    case Expansion::One: return -3;
    case Expansion::Few: return -1.5;
    case Expansion::Many: return 0.5;
    case Expansion::InPlace: return 0.5;
  }
  return 0;
}

double metadata_score(uint32_t left, uint32_t right, double weight) {
  if (!left || !right) return 0;
  return left == right ? weight : -weight;
}

bool replays_views(std::string_view base) {
  static const std::vector<std::string_view> kViews = {"view", "select", "slice", "permute", "transpose", "t", "unsqueeze", "squeeze", "expand",
                                                       "diagonal", "as_strided", "alias", "split", "unbind", "clone", "copy", "split_with_sizes"};
  return std::find(kViews.begin(), kViews.end(), base) != kViews.end() || base.find("scatter") != std::string_view::npos;
}

class Aligner {
 public:
  Aligner(const GraphOperators& left, const GraphOperators& right, const std::vector<int32_t>& fixed, const std::vector<bool>& taken,
          const std::function<bool(NodeId, NodeId)>& same_value)
      : left_(left), right_(right), same_value_(same_value), left_of_(fixed), confidence_(fixed.size(), 0), feeds_(left.ops.size()) {
    for (size_t i = 0; i < left.ops.size(); ++i)
      if (!taken[i]) free_left_.push_back(static_cast<int32_t>(i));
    for (size_t j = 0; j < right.ops.size(); ++j)
      if (fixed[j] < 0) free_right_.push_back(static_cast<int32_t>(j));
    for (const Operator& op : right.ops) replays_.push_back(replays_views(op.base));
  }

  Alignment run() && {
    for (int round = 0; round < kRounds; ++round) {
      operands_count_ = round > 0 || free_right_.size() < right_.ops.size();
      if (operands_count_) find_feeds();
      const std::vector<int32_t> before = left_of_;
      for (const auto& [ls, rs] : buckets()) align_sequence(ls, rs);
      if (left_of_ == before) break;
    }
    return {std::move(left_of_), std::move(confidence_)};
  }

 private:
  using Sequence = std::vector<int32_t>;

  // Checks and symbolic numbers stand anywhere before what relies on them: each are aligned by themselves.
  using Place = std::pair<bool, bool>;
  static Place place_of(const Operator& op) { return {op.check, op.number}; }

  // Sequences that are aligned each by itself; large programs are taken module by module.
  std::vector<std::pair<Sequence, Sequence>> buckets() const {
    const bool by_module = free_left_.size() * free_right_.size() > kWholeTableCells;
    std::map<std::pair<Place, uint32_t>, std::pair<Sequence, Sequence>> buckets;
    auto key = [by_module](const Operator& op) { return std::pair(place_of(op), by_module ? op.module_path : 0); };
    for (int32_t i : free_left_) buckets[key(left_.ops[i])].first.push_back(i);
    for (int32_t j : free_right_) buckets[key(right_.ops[j])].second.push_back(j);
    // Modules that only one side knows (files without the metadata, renamed ones) are taken together.
    std::vector<std::pair<Sequence, Sequence>> result;
    std::map<Place, std::pair<Sequence, Sequence>> rest;
    for (auto& [k, sequences] : buckets) {
      auto& [ls, rs] = sequences;
      if (!ls.empty() && !rs.empty()) {
        result.push_back(std::move(sequences));
        continue;
      }
      auto& [rest_left, rest_right] = rest[k.first];
      rest_left.insert(rest_left.end(), ls.begin(), ls.end());
      rest_right.insert(rest_right.end(), rs.begin(), rs.end());
    }
    for (auto& [place, sequences] : rest) {
      std::sort(sequences.first.begin(), sequences.first.end());
      std::sort(sequences.second.begin(), sequences.second.end());
      if (!sequences.first.empty() && !sequences.second.empty()) result.push_back(std::move(sequences));
    }
    return result;
  }

  // Which left operators' values may feed each left operator on the right: its operands, and through operands that became nothing, theirs.
  void find_feeds() {
    std::vector<bool> used(left_.ops.size(), false);
    for (int32_t i : left_of_)
      if (i >= 0) used[i] = true;
    std::vector<int32_t> pending;
    for (size_t i = 0; i < left_.ops.size(); ++i) {
      std::vector<int32_t>& feeds = feeds_[i];
      feeds.clear();
      pending.clear();
      auto push_sources = [&](const Operator& op) {
        for (const Source& s : op.sources)
          if (s.op >= 0) pending.push_back(s.op);
      };
      push_sources(left_.ops[i]);
      while (!pending.empty() && feeds.size() < 64) {
        const int32_t k = pending.back();
        pending.pop_back();
        if (std::find(feeds.begin(), feeds.end(), k) != feeds.end()) continue;
        feeds.push_back(k);
        if (!used[k]) push_sources(left_.ops[k]);
      }
    }
  }

  double score(int32_t i, int32_t j) const {
    const Operator& l = left_.ops[i];
    const Operator& r = right_.ops[j];
    if (l.number && r.number && l.base != r.base && (l.symbolic || r.symbolic)) return kOtherNumber;
    double s = metadata_score(l.stack_trace, r.stack_trace, kStackTrace) + metadata_score(l.module_path, r.module_path, kModulePath) +
               metadata_score(l.torch_fn, r.torch_fn, kTorchFn) + metadata_score(l.source_fn, r.source_fn, kSourceFn);
    if (l.target == r.target) s += kSameTarget + (l.constants == r.constants ? kSameConstants : 0);
    else if (l.base == r.base) s += kSameBase;
    else if (l.base.find(r.base) != std::string_view::npos || r.base.find(l.base) != std::string_view::npos) s += kSimilarBase;
    if (l.expansion == Expansion::InPlace && replays_[j]) s += kReplay;
    if (l.stale) s -= kStaleView;
    if (!l.shape.empty() && l.shape == r.shape) s += kSameShape;
    if (operands_count_) {
      for (const Source& source : r.sources) {
        if (source.op >= 0) {
          const int32_t from = left_of_[source.op];
          const bool fits = from == i || std::find(feeds_[i].begin(), feeds_[i].end(), from) != feeds_[i].end();
          s += fits ? kOperand : -kOperand;
        } else if (source.input >= 0) {
          s += std::find(l.sources.begin(), l.sources.end(), source) != l.sources.end() ? kInput : -kInput;
        }
      }
    }
    return s;
  }

  // How well right operator j ends what left operator i became: its result is the left one's.
  double end_score(int32_t i, int32_t j) const {
    const Operator& l = left_.ops[i];
    const Operator& r = right_.ops[j];
    double s = l.shape.empty() || l.shape == r.shape ? kSegmentEnd : -kSegmentEnd;
    if (same_value_ && l.shape == r.shape && same_value_(l.node, r.node)) s += kSameValue;
    return s;
  }

  void align_sequence(const Sequence& ls, const Sequence& rs) {
    const size_t n = ls.size(), m = rs.size();
    if (n == 0 || m == 0) return;
    const bool whole = n * m <= kWholeTableCells;
    auto window = [&](size_t j) -> std::pair<size_t, size_t> {  // left operators considered for right operator j
      if (whole) return {0, n};
      const size_t middle = j * n / m;
      return {middle > kBand ? middle - kBand : 0, std::min(n, middle + kBand)};
    };
    // best[k]: the best score of right operators up to j with j given to ls[k]; from[j][k]: the left operator of j - 1 in it.
    std::vector<double> best(n, kImpossible), next(n);
    std::vector<std::vector<int32_t>> from(m);
    std::vector<size_t> begins(m);
    for (size_t j = 0; j < m; ++j) {
      const auto [begin, end] = window(j);
      begins[j] = begin;
      from[j].assign(end - begin, -1);
      std::fill(next.begin(), next.end(), kImpossible);
      double run = j == 0 ? 0 : kImpossible;  // the best with j - 1 given to an earlier left operator, its segment closed
      int32_t run_from = -1;
      const size_t first = j == 0 ? begin : window(j - 1).first;
      for (size_t k = std::min(first, begin); k < end; ++k) {
        if (k >= begin) {
          double value = run;
          int32_t source = run_from;
          if (j > 0 && best[k] > kImpossible / 2) {
            const double extended = best[k] + extension_score(left_.ops[ls[k]].expansion);
            if (extended > value) { value = extended; source = static_cast<int32_t>(k); }
          }
          if (value > kImpossible / 2) {
            next[k] = value + score(ls[k], rs[j]);
            from[j][k - begin] = source;
          }
        }
        if (j > 0 && best[k] > kImpossible / 2) {
          const double closed = best[k] + end_score(ls[k], rs[j - 1]);
          if (closed > run) { run = closed; run_from = static_cast<int32_t>(k); }
        }
      }
      best.swap(next);
    }
    int32_t k = -1;
    double top = kImpossible;
    for (size_t i = 0; i < n; ++i) {
      if (best[i] <= kImpossible / 2) continue;
      const double value = best[i] + end_score(ls[i], rs[m - 1]);
      if (value > top) { top = value; k = static_cast<int32_t>(i); }
    }
    for (size_t j = m; j-- > 0 && k >= 0;) {
      const double s = score(ls[k], rs[j]);
      // Nothing speaks for it: better unmatched than wrong.
      left_of_[rs[j]] = s > 0 ? ls[k] : -1;
      confidence_[rs[j]] = std::clamp(0.3 + s / 20, 0.05, 0.95);
      k = from[j][k - begins[j]];
    }
    one_of_each(rs);
  }

  // No call becomes itself twice: of several right operators like the left one the best stays, the others were added.
  void one_of_each(const Sequence& rs) {
    std::map<int32_t, int32_t> best;  // by left operator
    for (int32_t j : rs) {
      const int32_t i = left_of_[j];
      if (i < 0 || left_.ops[i].target != right_.ops[j].target) continue;
      const auto [kept, first] = best.try_emplace(i, j);
      if (first) continue;
      const bool better = score(i, j) > score(i, kept->second);
      left_of_[better ? kept->second : j] = -1;
      if (better) kept->second = j;
    }
  }

  const GraphOperators& left_;
  const GraphOperators& right_;
  const std::function<bool(NodeId, NodeId)>& same_value_;
  Sequence free_left_, free_right_;
  std::vector<int32_t> left_of_;
  std::vector<double> confidence_;
  std::vector<std::vector<int32_t>> feeds_;
  std::vector<bool> replays_;
  bool operands_count_ = false;
};

}  // namespace

Alignment align(const GraphOperators& left, const GraphOperators& right, const std::vector<int32_t>& fixed, const std::vector<bool>& taken,
                const std::function<bool(NodeId left, NodeId right)>& same_value) {
  return Aligner(left, right, fixed, taken, same_value).run();
}

}  // namespace pt2::diff
