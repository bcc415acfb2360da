// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Renders a table with one line per row, and an additional line for each further layer with a tile
// in that row.

#include "tilewright/draw/Palette.h"
#include "tilewright/draw/Writers.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Unicode.h"

using namespace llvm;

namespace tilewright::draw {

static size_t widthOf(StringRef text) { return std::max(0, sys::unicode::columnWidthUTF8(text)); }

static std::string padded(StringRef text, size_t width, bool toTheRight) {
  std::string blanks(width - std::min(width, widthOf(text)), ' ');
  return toTheRight ? blanks + text.str() : text.str() + blanks;
}

/// The text of an element on one layer, without brackets.
static std::string wordOf(const Part &part) {
  return part.detail.empty() ? part.label : part.label + ":" + part.detail;
}

namespace {

/// Writes one picture with words, cells and heads of uniform widths.
class TextWriter {
public:
  TextWriter(const Picture &picture, bool colored) : picture(picture), colored(colored) {
    for (const Cell &cell : picture.cells)
      for (const Part &part : cell.parts)
        wordWidth = std::max(wordWidth, widthOf(wordOf(part)));
    cellWidth = wordWidth + (picture.bracketed ? 2 : 0);
    for (const std::string &head : picture.columnHeads)
      cellWidth = std::max(cellWidth, widthOf(head));
    for (const std::string &head : picture.rowHeads)
      headWidth = std::max(headWidth, widthOf(head));
  }

  std::string write();

private:
  void line(std::string text) {
    while (!text.empty() && text.back() == ' ')
      text.pop_back();
    out += text + "\n";
  }
  void writeRow(size_t row);
  bool hasLayer(size_t row, size_t layer) const;
  std::string cellText(const Cell &cell, size_t layer) const;
  std::string inColor(std::string text, int color) const {
    if (!colored || color == Part::noColor)
      return text;
    return formatv("\x1b[38;5;16;48;5;{0}m{1}\x1b[0m", palette[color].terminal, text);
  }

  const Picture &picture;
  bool colored;
  size_t wordWidth = 1, cellWidth = 1, headWidth = 0;
  std::string out;
};

} // namespace

/// A cell without tile is shown as `( )` once; its other layers are blank.
std::string TextWriter::cellText(const Cell &cell, size_t layer) const {
  const Part &part = cell.parts[layer];
  bool covered = any_of(cell.parts, [](const Part &any) { return !any.isEmpty(); });
  if (part.isEmpty() && (covered || layer > 0 || !picture.bracketed))
    return std::string(cellWidth, ' ');
  std::string word = padded(wordOf(part), wordWidth, /*toTheRight=*/true);
  if (picture.bracketed)
    word = cell.hatched ? "/" + word + "/" : "(" + word + ")";
  return inColor(padded(word, cellWidth, /*toTheRight=*/true), part.color);
}

bool TextWriter::hasLayer(size_t row, size_t layer) const {
  for (size_t column = 0; column < picture.columns(); ++column)
    if (const Cell *cell = picture.at(row, column); cell && !cell->parts[layer].isEmpty())
      return true;
  return false;
}

void TextWriter::writeRow(size_t row) {
  size_t layers = picture.cells.empty() ? 0 : picture.cells.front().parts.size();
  for (size_t layer = 0; layer < layers; ++layer) {
    if (layer > 0 && !hasLayer(row, layer))
      continue;
    std::string text = padded(layer == 0 ? picture.rowHeads[row] : "", headWidth, true);
    for (size_t column = 0; column < picture.columns(); ++column) {
      const Cell *cell = picture.at(row, column);
      text += headWidth || column ? " " : "";
      text += cell ? cellText(*cell, layer) : std::string(cellWidth, ' ');
    }
    line(text);
  }
}

std::string TextWriter::write() {
  line(picture.title);
  for (const std::string &note : picture.notes)
    line(note);
  line("");
  std::string heads = std::string(headWidth, ' ');
  for (auto [column, head] : enumerate(picture.columnHeads))
    heads += (headWidth || column ? " " : "") + padded(head, cellWidth, true);
  line(heads);
  for (size_t row = 0; row < picture.rows(); ++row)
    writeRow(row);
  if (!picture.legend.empty())
    line("");
  for (const LegendEntry &entry : picture.legend) {
    std::string sample = entry.hatched ? "/ /" : colored ? inColor("   ", entry.color) : "  -";
    line(sample + " " + entry.label);
  }
  return out;
}

std::string toText(const Picture &picture, bool colored) {
  return TextWriter(picture, colored).write();
}

} // namespace tilewright::draw
