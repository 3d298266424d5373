#pragma once
// A borrowed callable: cheap to pass, valid only during the call it is passed to.
#include <memory>
#include <type_traits>
#include <utility>

namespace pt2::interp {

template <class Signature>
class FunctionRef;

template <class R, class... A>
class FunctionRef<R(A...)> {
 public:
  template <class F>
    requires(!std::is_same_v<std::remove_cvref_t<F>, FunctionRef>)
  FunctionRef(F&& f)
      : object_(const_cast<void*>(static_cast<const void*>(std::addressof(f)))),
        call_([](void* object, A... a) -> R { return (*static_cast<std::remove_reference_t<F>*>(object))(std::forward<A>(a)...); }) {}
  R operator()(A... a) const { return call_(object_, std::forward<A>(a)...); }

 private:
  void* object_;
  R (*call_)(void*, A...);
};

}  // namespace pt2::interp
