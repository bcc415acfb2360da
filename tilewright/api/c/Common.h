// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Helpers for the functions of Tilewright.h. Each handle holds the object of this room that it
// stands for, and the data that it hands out. Each function checks its arguments, calls that
// object, and converts the result to C.

#ifndef TILEWRIGHT_API_C_COMMON_H
#define TILEWRIGHT_API_C_COMMON_H

#include "tilewright/api/Launch.h"
#include "tilewright/api/Tilewright.h"

#include "llvm/ADT/StringRef.h"
#include <algorithm>
#include <cstring>

struct twDiagnostics {
  tilewright::api::Diagnostics all;
};

struct twContext {
  tilewright::api::Context settings;
};

struct twEntry {
  tilewright::api::Entry entry;
};

struct twModule {
  tilewright::api::Module module;
  std::vector<twEntry> entries;
};

struct twKernelHandle {
  tilewright::api::Kernel kernel;
};

struct twReport {
  tilewright::api::Report report;
};

struct twLaunchHandle {
  tilewright::api::Launch launch;
  tilewright::api::LaunchResult result;
};

struct twCancellation {
  std::atomic<bool> isRequested = false;
};
static_assert(std::atomic<bool>::is_always_lock_free, "signal handlers may request it");

namespace tilewright::api::c {

/// A copy with a terminating 0 byte, to be released with twFree.
char *copyOf(llvm::StringRef bytes);

/// Passes the diagnostics to the caller, unless `diagnostics` is null.
void report(api::Diagnostics all, twDiagnostics **diagnostics);

/// The same for a failure without a place in a program. Returns `status`.
twStatus fail(twStatus status, const std::string &why, twDiagnostics **diagnostics);
twStatus wrongUsage(const std::string &why, twDiagnostics **diagnostics);

/// Copies a struct of the caller, which may be shorter or longer than ours. Failures call it
/// `type`.
template <typename Struct>
support::Result<Struct> readStruct(const Struct *given, const char *type) {
  Struct known;
  std::memset(&known, 0, sizeof known);
  if (!given)
    return known;
  if (given->size < sizeof given->size)
    return support::Failure{std::string("the size of the ") + type + " is not set"};
  std::memcpy(&known, given, std::min(given->size, sizeof known));
  return known;
}

template <typename Struct> twStatus fillStruct(Struct *given, Struct known) {
  if (given->size < sizeof given->size)
    return TW_USAGE;
  known.size = given->size;
  std::memcpy(given, &known, std::min(given->size, sizeof known));
  return TW_SUCCESS;
}

twStatus statusOf(api::Outcome outcome);

/// Converts a finding. The strings belong to `found`.
twStatus fillFinding(const api::Finding &found, twFinding *finding);

/// The strings belong to `place`.
twPlace placeOf(const api::Place &place);

twVersion packed(tile::Version version);

/// None if there is no such version.
std::optional<tile::Version> unpacked(twVersion version);

inline constexpr const char *noSuchVersion = "the version is none of 13.1 to 13.5";

/// What a kernel runs on. The arrays refer to the caller's memory. Arguments.cpp defines it.
struct GridAndArguments {
  runtime::Grid grid;
  std::vector<api::Argument> arguments;

  /// Extents of 0 count as 1.
  static support::Result<GridAndArguments> of(const int64_t (&extents)[3],
                                              const twArgument *arguments, size_t count);
};

/// Returns TW_NO_ELEMENT for none.
twElementType typeOf(std::optional<numerics::Format> format);
support::Result<numerics::Format> formatOf(twElementType type);

} // namespace tilewright::api::c

#endif
