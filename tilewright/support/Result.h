// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How does a library function of ours say "no"? It returns a Result: the value, or
// one Failure whose message names the thing, what was expected and what was found.
// Nothing is thrown and nothing aborts; whoever called decides what happens next.

#ifndef TILEWRIGHT_SUPPORT_RESULT_H
#define TILEWRIGHT_SUPPORT_RESULT_H

#include <cassert>
#include <optional>
#include <string>
#include <utility>
#include <variant>

namespace tilewright::support {

/// Why something was refused: one line, without a trailing full stop or newline.
struct Failure {
  std::string message;

  /// The same with the place it belongs to in front: `place: message`.
  Failure at(const std::string &place) const { return {place + ": " + message}; }
};

/// A T, or the Failure that stands in its place.
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

/// Success, or a Failure: `return {};` says that all went well.
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
