// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Maps a choice per dimension to rows and columns: of the dimensions that are not fixed at a
// coordinate, the first one is drawn downwards and the last one to the right.

#include "tilewright/draw/Section.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace tilewright::draw {

std::string listText(ArrayRef<int64_t> numbers, StringRef separator) {
  std::string text;
  for (auto [place, number] : enumerate(numbers))
    text += (place ? separator.str() : "") + std::to_string(number);
  return text;
}

std::string shapeText(ArrayRef<int64_t> shape) { return listText(shape, "x"); }

// --- Text -----------------------------------------------------------------------------

static std::optional<Choice> parseChoice(StringRef text) {
  if (text == "*")
    return Choice{};
  Choice choice;
  int64_t number;
  auto [head, tail] = text.split(':');
  if (head.trim().getAsInteger(10, number) || number < 0)
    return std::nullopt;
  choice.first = number;
  if (!text.contains(':'))
    return choice;
  if (tail.trim().getAsInteger(10, number) || number <= *choice.first)
    return std::nullopt;
  choice.end = number;
  return choice;
}

Result<Section> parseSection(StringRef text) {
  Section section;
  SmallVector<StringRef> items;
  text.split(items, ',');
  for (StringRef item : items) {
    std::optional<Choice> choice = parseChoice(item.trim());
    if (!choice)
      return Failure{formatv("expected '*', a coordinate or a range FIRST:END for each dimension, "
                             "but got '{0}'",
                             item.trim())};
    section.push_back(*choice);
  }
  return section;
}

static std::string textOf(const Section &section) {
  std::string text;
  for (const Choice &choice : section) {
    text += text.empty() ? "[" : ", ";
    if (choice.isAll())
      text += "*";
    else if (choice.isSingle())
      text += std::to_string(*choice.first);
    else
      text += formatv("{0}:{1}", *choice.first, *choice.end).str();
  }
  return text + "]";
}

// --- Choosing -------------------------------------------------------------------------

/// Checks that a choice selects existing coordinates.
static Result<void> check(const Choice &choice, const Span &span, size_t dim) {
  if (choice.isAll())
    return {};
  int64_t last = choice.end ? *choice.end - 1 : *choice.first;
  if (last < span.extent || is_contained(span.beyond, last))
    return {};
  return Failure{formatv("the slice asks for coordinate {0} along dimension {1}, which has {2}",
                         last, dim, span.extent)};
}

/// The number of coordinates that a choice selects, without enumerating them.
static int64_t countOf(const Choice &choice, const Span &span) {
  if (choice.isSingle())
    return 1;
  if (choice.isAll())
    return span.extent + int64_t(span.beyond.size());
  return *choice.end - *choice.first;
}

static Numbers coordinatesOf(const Choice &choice, const Span &span) {
  Numbers coordinates;
  int64_t first = choice.first.value_or(0);
  int64_t end = choice.isSingle() ? first + 1 : choice.end.value_or(span.extent);
  for (int64_t at = first; at < std::min(end, span.extent); ++at)
    coordinates.push_back(at);
  for (int64_t at : span.beyond)
    if (choice.isAll() || (at >= first && at < end))
      coordinates.push_back(at);
  return coordinates;
}

static Result<void> checkSize(ArrayRef<Span> spans, const Section &section) {
  int64_t total = 1;
  for (auto [dim, choice, span] : enumerate(section, spans)) {
    if (Result<void> checked = check(choice, span, dim); !checked)
      return checked;
    // Both factors are bounded, so the product cannot overflow.
    total *= std::min(countOf(choice, span), Sheet::maxElements + 1);
    total = std::min(total, Sheet::maxElements + 1);
  }
  if (total > Sheet::maxElements)
    return Failure{formatv("a picture has at most {0} elements: choose a range FIRST:END of some "
                           "dimension with --slice",
                           Sheet::maxElements)};
  return {};
}

/// The dimensions that are drawn as rows and columns.
static Result<Numbers> drawnDims(const Section &section) {
  Numbers drawn;
  std::string example;
  for (auto [dim, choice] : enumerate(section)) {
    if (choice.isSingle())
      continue;
    drawn.push_back(dim);
    example += drawn.size() > 2 ? "0," : "";
  }
  if (drawn.size() > 2)
    return Failure{formatv("a picture shows two dimensions, not {0}: fix the others with --slice, "
                           "such as '{1}*,*'",
                           drawn.size(), example)};
  return drawn;
}

Result<Sheet> Sheet::of(ArrayRef<Span> spans, const Section &section) {
  Section choices = section;
  if (choices.empty())
    choices.resize(spans.size());
  if (choices.size() != spans.size())
    return Failure{
        formatv("the slice has {0} dimensions, but there are {1}", choices.size(), spans.size())};
  Result<Numbers> drawn = drawnDims(choices);
  if (!drawn)
    return drawn.failure();
  if (Result<void> checked = checkSize(spans, choices); !checked)
    return checked.failure();

  Sheet sheet;
  if (!section.empty())
    sheet.text = textOf(section);
  Numbers corner;
  for (const Choice &choice : choices)
    corner.push_back(choice.first.value_or(0));
  auto along = [&](size_t dim) { return coordinatesOf(choices[dim], spans[dim]); };
  if (drawn->size() == 2)
    sheet.addRows(along((*drawn)[0]), along((*drawn)[1]), *drawn, corner);
  else if (drawn->size() == 1)
    sheet.addLine(along(drawn->front()), drawn->front(), corner);
  else
    sheet.addLine({}, 0, corner);
  return sheet;
}

void Sheet::addRows(ArrayRef<int64_t> rows, ArrayRef<int64_t> columns, ArrayRef<int64_t> dims,
                    Numbers element) {
  for (int64_t column : columns)
    columnHeads.push_back(std::to_string(column));
  for (int64_t row : rows) {
    rowHeads.push_back(std::to_string(row));
    for (int64_t column : columns) {
      element[dims[0]] = row;
      element[dims[1]] = column;
      elements.push_back(element);
    }
  }
}

/// Adds one row. A long row is folded, and its column heads then count from the start of each line.
void Sheet::addLine(ArrayRef<int64_t> coordinates, size_t dim, Numbers element) {
  constexpr size_t longest = 64, folded = 32;
  if (coordinates.empty()) { // rank 0, or all dimensions are fixed
    rowHeads = columnHeads = {""};
    elements.push_back(element);
    return;
  }
  bool fold = coordinates.size() > longest;
  for (size_t column = 0; column < (fold ? folded : coordinates.size()); ++column)
    columnHeads.push_back(fold ? "+" + std::to_string(column)
                               : std::to_string(coordinates[column]));
  for (auto [place, coordinate] : enumerate(coordinates)) {
    if (place % columnHeads.size() == 0)
      rowHeads.push_back(fold ? std::to_string(coordinate) : "");
    element[dim] = coordinate;
    elements.push_back(element);
  }
}

} // namespace tilewright::draw
