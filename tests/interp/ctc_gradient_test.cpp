// The gradient of the loss of connectionist temporal classification. From torch 2.13.
#include <doctest/doctest.h>

#include <vector>

#include "interp/ops/call.h"
#include "tests/support/tensors.h"

using namespace pt2;
using namespace pt2::interp;
using test::floats;

namespace {

const std::vector<float> kLogProbs = {  // [4 times, 2 items, 3 classes]
    -2.6247875690460205f, -0.4004715383052826f, -1.3565770387649536f, -1.4490936994552612f, -2.7805018424987793f, -0.3521002531051636f,
    -0.7456316351890564f, -1.6918823719024658f, -1.0747212171554565f, -1.505878210067749f, -0.6608918309211731f, -1.340224027633667f,
    -3.1096904277801514f, -0.1301857978105545f, -2.558084011077881f, -0.6142193078994751f, -1.240843653678894f, -1.7731534242630005f,
    -1.5065999031066895f, -0.8740718364715576f, -1.018632173538208f, -0.8023300766944885f, -0.9107249975204468f, -1.9005637168884277f};

using Lengths = std::vector<int64_t>;
Tensor integers(Shape sizes, Lengths values) { return test::tensor_of(DType::Int64, std::move(sizes), std::move(values)); }
Tensor tensor_of(const Lengths& lengths) { return integers({int64_t(lengths.size())}, lengths); }

void check_gradient(const Lengths& input_lengths, const Lengths& target_lengths, bool zero_infinity, const std::vector<float>& expected) {
  const Tensor log_probs = floats({4, 2, 3}, kLogProbs), labels = integers({2, 2}, {1, 2, 2, 2}), grad = floats({2}, {1.0f, 0.5f});
  const Results forward = call_all("aten._ctc_loss.default", log_probs, labels, input_lengths, target_lengths, int64_t(0), zero_infinity);
  const Tensor loss = Reader<Tensor>::read(forward.at(0)), log_alpha = Reader<Tensor>::read(forward.at(1));
  const Tensor of_lists = call("aten._ctc_loss_backward.default", grad, log_probs, labels, input_lengths, target_lengths, loss, log_alpha, int64_t(0), zero_infinity);
  const Tensor of_tensors = call("aten._ctc_loss_backward.Tensor", grad, log_probs, labels, tensor_of(input_lengths), tensor_of(target_lengths), loss, log_alpha, int64_t(0), zero_infinity);
  REQUIRE(of_lists.sizes == log_probs.sizes);
  REQUIRE(of_tensors.sizes == log_probs.sizes);
  for (size_t i = 0; i < expected.size(); ++i) {
    CHECK(of_lists.data<float>()[i] == doctest::Approx(expected[i]).epsilon(1e-4));
    CHECK(of_tensors.data<float>()[i] == of_lists.data<float>()[i]);
  }
}

}  // namespace

TEST_CASE("the gradient of ctc_loss is PyTorch's") {
  check_gradient({4, 3}, {2, 1}, false,
                 {-0.09596201032400131f, -0.16157889366149902f, 0.25754082202911377f, 0.019304677844047546f, 0.031003691256046295f, -0.05030825734138489f,
                  0.15369823575019836f, -0.36215025186538696f, 0.20845197141170502f, -0.06318002194166183f, 0.25819531083106995f, -0.19501520693302155f,
                  -0.056635063141584396f, 0.3049652576446533f, -0.24832996726036072f, -0.1351107954978943f, 0.14457009732723236f, -0.009459219872951508f,
                  0.07385067641735077f, 0.4172491133213043f, -0.4910997152328491f, 0, 0, 0});
}

TEST_CASE("an item of ctc_loss that cannot be aligned has no gradient where infinities are zeros") {
  check_gradient({4, 2}, {2, 2}, true,
                 {-0.09596201032400131f, -0.16157889366149902f, 0.25754082202911377f, 0, 0, 0, 0.15369823575019836f, -0.36215025186538696f, 0.20845197141170502f, 0, 0, 0,
                  -0.056635063141584396f, 0.3049652576446533f, -0.24832996726036072f, 0, 0, 0, 0.07385067641735077f, 0.4172491133213043f, -0.4910997152328491f, 0, 0, 0});
}
