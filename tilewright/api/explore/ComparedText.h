// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The text of an explored kernel that a comparison shows, with the figures of each line.

#ifndef TILEWRIGHT_API_EXPLORE_COMPAREDTEXT_H
#define TILEWRIGHT_API_EXPLORE_COMPAREDTEXT_H

#include "tilewright/api/explore/LineDiff.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/JSON.h"

#include <map>
#include <optional>

namespace tilewright::api {

/// Of the sources with a text and figures, the first one in Python, else the first one; else the
/// program as it is printed.
class ComparedText {
public:
  /// `document` has the members of a document, and must outlive this object.
  explicit ComparedText(const llvm::json::Object &document);

  /// Its index in `sources`; none for the printed program.
  std::optional<int64_t> source() const { return sourceIndex; }
  llvm::ArrayRef<llvm::StringRef> lines() const { return allLines; }
  /// The element of the document's `lines` for this line, which counts from 0; null if there is
  /// none. An operation that the program prints in several lines belongs to the first one.
  const llvm::json::Object *figuresOf(size_t line) const { return figures[line]; }
  /// The line that a location means; none if it is not in this text.
  std::optional<size_t> lineOf(const llvm::json::Object &location) const;
  /// From the first to the last line with figures.
  LineRange kernel() const;

private:
  using Place = std::pair<llvm::StringRef, int64_t>;
  void usePlaces(const llvm::json::Object &document, const llvm::json::Array &places);

  std::optional<int64_t> sourceIndex;
  llvm::StringRef text;
  llvm::SmallVector<llvm::StringRef> allLines;
  std::vector<const llvm::json::Object *> figures;
  std::map<Place, size_t> lineOfPlace;
};

} // namespace tilewright::api

#endif // TILEWRIGHT_API_EXPLORE_COMPAREDTEXT_H
