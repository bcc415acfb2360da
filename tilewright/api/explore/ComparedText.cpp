// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See ComparedText.h.

#include "tilewright/api/explore/ComparedText.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace tilewright;
using namespace tilewright::api;
using llvm::StringRef;
namespace json = llvm::json;

static const json::Object &objectAt(const json::Array &list, size_t index) {
  return *list[index].getAsObject();
}

/// A source without figures is of no use: locations of the program name another file, which was not
/// read. The printed program has its figures.
static std::optional<int64_t> sourceToShow(const json::Object &document) {
  llvm::StringSet<> files;
  for (const json::Value &row : *document.getArray("lines"))
    files.insert(*row.getAsObject()->getString("file"));
  const json::Array &sources = *document.getArray("sources");
  std::optional<int64_t> first;
  for (size_t index = 0; index < sources.size(); ++index) {
    const json::Object &source = objectAt(sources, index);
    if (!source.getString("text") || !files.contains(*source.getString("file")))
      continue;
    if (source.getString("language") == "python")
      return int64_t(index);
    first = first.value_or(int64_t(index));
  }
  return first;
}

ComparedText::ComparedText(const json::Object &document) {
  const json::Array &sources = *document.getArray("sources");
  const json::Object &program = *document.getObject("program");
  sourceIndex = sourceToShow(document);
  text = sourceIndex ? *objectAt(sources, size_t(*sourceIndex)).getString("text")
                     : *program.getString("text");
  text.consume_back("\n");
  text.split(allLines, '\n');
  if (sourceIndex) {
    const StringRef file = *objectAt(sources, size_t(*sourceIndex)).getString("file");
    for (size_t line = 0; line < allLines.size(); ++line)
      lineOfPlace[{file, int64_t(line + 1)}] = line;
  } else {
    usePlaces(document, *program.getArray("lines"));
  }
  figures.resize(allLines.size());
  for (const json::Value &row : *document.getArray("lines"))
    if (const std::optional<size_t> line = lineOf(*row.getAsObject()))
      figures[*line] = row.getAsObject();
}

void ComparedText::usePlaces(const json::Object &document, const json::Array &places) {
  const json::Array &sources = *document.getArray("sources");
  for (auto [line, list] : llvm::enumerate(places))
    for (const json::Value &place : *list.getAsArray()) {
      const json::Array &pair = *place.getAsArray();
      const json::Object &source = objectAt(sources, size_t(*pair[0].getAsInteger()));
      lineOfPlace.try_emplace({*source.getString("file"), *pair[1].getAsInteger()}, line);
    }
}

std::optional<size_t> ComparedText::lineOf(const json::Object &location) const {
  const std::optional<StringRef> file = location.getString("file");
  const std::optional<int64_t> line = location.getInteger("line");
  if (!file || !line)
    return std::nullopt;
  const auto found = lineOfPlace.find({*file, *line});
  return found == lineOfPlace.end() ? std::nullopt : std::optional(found->second);
}

LineRange ComparedText::kernel() const {
  const auto isUsed = [](const json::Object *row) { return row != nullptr; };
  const auto first = llvm::find_if(figures, isUsed);
  if (first == figures.end())
    return {0, allLines.size()};
  const auto last = std::find_if(figures.rbegin(), figures.rend(), isUsed).base();
  return {size_t(first - figures.begin()), size_t(last - first)};
}
