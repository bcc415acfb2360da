// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Error handling: a Result holds a value, or one Failure, whose message names the thing, what was
// expected and what was found. Library functions return it; they never throw or abort, and the
// caller decides what happens next.

#ifndef TILEWRIGHT_SUPPORT_RESULT_H
#define TILEWRIGHT_SUPPORT_RESULT_H

#include <cassert>
#include <optional>
#include <string>
#include <utility>
#include <variant>

namespace tilewright::support {

/// Why something failed: one line, without a trailing full stop or newline.
struct Failure {
  std::string message;

  /// The same failure with a place in front: `place: message`.
  Failure at(const std::string &place) const { return {place + ": " + message}; }
};

/// A T, or the Failure in its place.
template <typename T> class [[nodiscard]] Result {
public:
  Result(T value) : state(std::in_place_index<0>, std::move(value)) {}
  Result(Failure why) : state(std::in_place_index<1>, std::move(why)) {}

  explicit operator bool() const { return state.index() == 0; }

  T &operator*() & { return value(); }
  const T &operator*() const & { return const_cast<Result *>(this)->value(); }
  T &&operator*() && { return std::move(value()); }
  T *operator->() { return &value(); }
  const T *operator->() const { return &**this; }

  const Failure &failure() const {
    assert(!*this && "a Result that holds a value has no failure");
    return *std::get_if<1>(&state);
  }

private:
  T &value() {
    assert(*this && "a Result that holds a failure has no value");
    return *std::get_if<0>(&state);
  }

  std::variant<T, Failure> state;
};

/// Success, or a Failure; `return {};` is success.
template <> class [[nodiscard]] Result<void> {
public:
  Result() = default;
  Result(Failure why) : refusal(std::move(why)) {}

  explicit operator bool() const { return !refusal; }

  const Failure &failure() const {
    assert(refusal && "a Result that succeeded has no failure");
    return *refusal;
  }

private:
  std::optional<Failure> refusal;
};

} // namespace tilewright::support

#endif // TILEWRIGHT_SUPPORT_RESULT_H
