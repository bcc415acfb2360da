// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Options for exploring a kernel (Explore.h).

#ifndef TILEWRIGHT_API_EXPLORE_EXPLOREOPTIONS_H
#define TILEWRIGHT_API_EXPLORE_EXPLOREOPTIONS_H

#include "tilewright/api/Entry.h"

#include <atomic>
#include <string>
#include <vector>

namespace tilewright::api {

/// The text of a file.
struct SourceText {
  /// As locations name it.
  std::string file;
  std::string text;
};

struct ExploreOptions {
  /// A GPU like `sm_90a`; empty: `sm_90a`.
  std::string target = {};
  /// Add the text of Python files that locations name. The program decides which files: set it only
  /// for programs that you trust.
  bool readsSources = false;
  /// The text of files that are not read: notebook cells, for example, which are no files.
  std::vector<SourceText> sources = {};
  /// Another version of the kernel with the same parameters. The document compares: this is the
  /// version before, the explored entry the one after.
  std::optional<Entry> compare = std::nullopt;
  /// As in CompileOptions, for each launch.
  int64_t maxSteps = 0;
  /// Cancels the launches, and what follows them. Any thread or signal handler may set it at any
  /// time. May be null.
  const std::atomic<bool> *cancelled = nullptr;

  bool isCancelled() const { return cancelled && *cancelled; }
};

} // namespace tilewright::api

#endif // TILEWRIGHT_API_EXPLORE_EXPLOREOPTIONS_H
