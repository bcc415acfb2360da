// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Options for exploring a kernel (Explore.h).

#ifndef TILEWRIGHT_API_EXPLORE_EXPLOREOPTIONS_H
#define TILEWRIGHT_API_EXPLORE_EXPLOREOPTIONS_H

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
};

} // namespace tilewright::api

#endif // TILEWRIGHT_API_EXPLORE_EXPLOREOPTIONS_H
