// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Renders the table as SVG. A picture of 64 x 64 elements has thousands of cells, so neighbours
// with one colour become one rectangle, the grid is one path, and the labels of a row are one text.
//
// Everything outside the cells is mid-grey, which is readable on white and on black: the page may
// be dark although the reader prefers light, or vice versa.

#include "tilewright/draw/Groups.h"
#include "tilewright/draw/Palette.h"
#include "tilewright/draw/Writers.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Unicode.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace tilewright::draw {

// In pixels, for a monospaced font of 11 pixels.
static constexpr double charWidth = 6.7, lineHeight = 13, margin = 12, noteHeight = 16,
                        titleHeight = 20;
/// Captions need a minimum width, even for a small table.
static constexpr double minWidth = 560;

/// Pictures with more rows or columns are compact: their cells are squares without labels, which
/// would be unreadable when the whole picture fits on a screen.
static constexpr size_t mostLabeled = 64;
static constexpr double compactCell = 8;
static constexpr StringLiteral compactNote =
    "too many elements for a label each: a page (.html) tells about the one under the pointer";

static bool isCompact(const Picture &picture) {
  return std::max(picture.rows(), picture.columns()) > mostLabeled;
}

static size_t widthOf(StringRef text) { return std::max(0, sys::unicode::columnWidthUTF8(text)); }

static std::string escaped(StringRef text) {
  std::string result;
  raw_string_ostream stream(result);
  printHTMLEscaped(text, stream);
  return result;
}

/// Wraps text at blanks into lines of at most `width` characters.
static std::vector<std::string> wrapped(StringRef text, size_t width) {
  std::vector<std::string> lines(1);
  SmallVector<StringRef> words;
  text.split(words, ' ');
  for (StringRef word : words) {
    if (!lines.back().empty() && widthOf(lines.back()) + 1 + widthOf(word) > width)
      lines.emplace_back();
    lines.back() += (lines.back().empty() ? "" : " ") + word.str();
  }
  return lines;
}

namespace {

/// The lines above and below the table, and the geometry.
struct Frame {
  Geometry geometry;
  std::vector<std::string> title, notes;
};

class SvgWriter {
public:
  explicit SvgWriter(const Picture &picture);
  std::string write();

private:
  double x(size_t column) const { return at.left + column * at.cellWidth; }
  double y(size_t row) const { return at.top + row * at.cellHeight; }
  const Part *partAt(size_t row, size_t column, size_t layer) const {
    const Cell *cell = picture.at(row, column);
    return cell ? &cell->parts[layer] : nullptr;
  }
  double layerHeight() const { return at.cellHeight / layers; }

  void writeCaption();
  void writeHeads();
  void writeColors();
  void writeHatching();
  void writeGrid();
  void writeEdges();
  void writeLabels();
  void writeGroupLabels();
  void writeLabelsOf(size_t row, size_t layer, std::string Part::*text, StringRef style, double y);
  void writeLegend();

  const Picture &picture;
  Frame frame;
  const Geometry &at;
  size_t layers;
  std::string out;
  raw_string_ostream os;
};

} // namespace

// ===-- Geometry --------------------------------------------------------------------------===//

static bool hasDetails(const Picture &picture) {
  return any_of(picture.cells, [](const Cell &cell) {
    return any_of(cell.parts, [](const Part &part) { return !part.detail.empty(); });
  });
}

static Frame frameOf(const Picture &picture) {
  size_t label = 2, head = 0, layers = 1;
  for (const Cell &cell : picture.cells) {
    layers = cell.parts.size();
    for (const Part &part : cell.parts)
      label = std::max({label, widthOf(part.label), widthOf(part.detail)});
  }
  for (const std::string &text : picture.columnHeads)
    label = std::max(label, widthOf(text));
  for (const std::string &text : picture.rowHeads)
    head = std::max(head, widthOf(text));

  Frame frame;
  Geometry &at = frame.geometry;
  at.cellWidth = label * charWidth + 9;
  at.cellHeight = layers * (lineHeight * (hasDetails(picture) ? 2 : 1) + 5);
  if (isCompact(picture)) {
    at.cellWidth = compactCell;
    at.cellHeight = std::max(compactCell, layers * compactCell / 2);
  }
  at.left = margin + (head ? head * charWidth + 6 : 0);
  double inner = std::max(minWidth, at.left + picture.columns() * at.cellWidth - margin);
  at.width = inner + 2 * margin;
  frame.title = wrapped(picture.title, inner / 8.2); // the font is bolder and larger
  for (const std::string &note : picture.notes)
    append_range(frame.notes, wrapped(note, inner / charWidth));
  if (isCompact(picture))
    append_range(frame.notes, wrapped(compactNote, inner / charWidth));
  at.top = margin + frame.title.size() * titleHeight + frame.notes.size() * noteHeight +
           noteHeight + lineHeight;
  at.height = at.top + picture.rows() * at.cellHeight + margin;
  if (!picture.legend.empty())
    at.height += (picture.legend.size() + 1) * noteHeight;
  return frame;
}

Geometry geometryOf(const Picture &picture) { return frameOf(picture).geometry; }

SvgWriter::SvgWriter(const Picture &picture)
    : picture(picture), frame(frameOf(picture)), at(frame.geometry),
      layers(picture.cells.empty() ? 1 : picture.cells.front().parts.size()), os(out) {}

//===-- Styles -------------------------------------------------------------------------===//

/// Restricts CSS rules to this picture: the page that contains it may have classes with the same
/// names.
static std::string scoped(StringRef rules) {
  std::string result;
  char before = '}';
  for (char character : rules) {
    if (character == '.' && StringRef("{},").contains(before)) // a class, not a decimal point
      result += ".tw ";
    result += before = character;
  }
  return result;
}

static std::string styles() {
  std::string light, dark;
  for (auto [index, color] : enumerate(palette)) {
    light += formatv(".f{0}{{fill:{1}}", index, color.light).str();
    dark += formatv(".f{0}{{fill:{1}}", index, color.dark).str();
  }
  return ".tw{font:11px ui-monospace,Menlo,Consolas,'DejaVu Sans Mono',monospace}" +
         scoped(".t{font-size:13px;font-weight:bold}"
                ".t,.n,.h{fill:#7a7a7a}.h,.l,.d{text-anchor:middle}.e{text-anchor:end}"
                ".l{fill:#111}.d{fill:#333;font-size:9px}"
                ".g{fill:none;stroke:#7a7a7a;stroke-opacity:.35;stroke-width:.5}"
                ".b{fill:none;stroke:#555;stroke-width:1}"
                ".x{stroke:#555;stroke-width:1.2;stroke-opacity:.55}" +
                light + "@media (prefers-color-scheme:dark){.l{fill:#fff}.d{fill:#ddd}" +
                ".b,.x{stroke:#aaa}" + dark + "}");
}

//===-- The table ----------------------------------------------------------------------===//

/// Calls `write(class, first, count)` for each run of neighbours with the same class. Classes below
/// 0 are skipped.
template <typename ClassOf, typename Write>
static void forRuns(size_t count, ClassOf classOf, Write write) {
  for (size_t first = 0; first < count;) {
    int kind = classOf(first);
    size_t end = first + 1;
    while (end < count && classOf(end) == kind)
      ++end;
    if (kind >= 0)
      write(kind, first, end - first);
    first = end;
  }
}

void SvgWriter::writeColors() {
  for (size_t row = 0; row < picture.rows(); ++row)
    for (size_t layer = 0; layer < layers; ++layer) {
      auto colorAt = [&](size_t column) {
        const Part *part = partAt(row, column, layer);
        return part && !part->isEmpty() ? part->color : Part::noColor;
      };
      forRuns(picture.columns(), colorAt, [&](int color, size_t first, size_t count) {
        os << formatv("<rect class='f{0}' x='{1:f1}' y='{2:f1}' width='{3:f1}' height='{4:f1}'/>\n",
                      color, x(first), y(row) + layer * layerHeight(), count * at.cellWidth,
                      layerHeight());
      });
    }
}

void SvgWriter::writeHatching() {
  for (size_t row = 0; row < picture.rows(); ++row) {
    auto isHatched = [&](size_t column) {
      const Cell *cell = picture.at(row, column);
      return cell && cell->hatched ? 0 : -1;
    };
    forRuns(picture.columns(), isHatched, [&](int, size_t first, size_t count) {
      os << formatv("<rect fill='url(#hatch)' x='{0:f1}' y='{1:f1}' width='{2:f1}' "
                    "height='{3:f1}'/>\n",
                    x(first), y(row), count * at.cellWidth, at.cellHeight);
    });
  }
}

/// Thin lines around all cells.
void SvgWriter::writeGrid() {
  os << "<path class='g' d='";
  for (size_t row = 0; row < picture.rows(); ++row) {
    auto exists = [&](size_t column) { return picture.at(row, column) ? 0 : -1; };
    forRuns(picture.columns(), exists, [&](int, size_t first, size_t count) {
      os << formatv("M{0:f1} {1:f1}h{2:f1}v{3:f1}h-{2:f1}z", x(first), y(row), count * at.cellWidth,
                    at.cellHeight);
      for (size_t column = first + 1; column < first + count; ++column)
        os << formatv("M{0:f1} {1:f1}v{2:f1}", x(column), y(row), at.cellHeight);
    });
  }
  os << "'/>\n";
}

/// Whether two cells belong to the same threads or tiles.
static bool belongTogether(const Cell *a, const Cell *b) {
  if (!a || !b)
    return a == b;
  return all_of(zip_equal(a->parts, b->parts),
                [](auto parts) { return std::get<0>(parts).group == std::get<1>(parts).group; });
}

/// Strong lines at the borders of groups.
void SvgWriter::writeEdges() {
  // Row and column -1 wrap around to an index far outside the table, where no cell exists.
  auto cellAt = [&](size_t row, size_t column) {
    bool exists = row < picture.rows() && column < picture.columns();
    return exists ? picture.at(row, column) : nullptr;
  };
  os << "<path class='b' d='";
  for (size_t row = 0; row <= picture.rows(); ++row) {
    auto isEdge = [&](size_t column) {
      return belongTogether(cellAt(row, column), cellAt(row - 1, column)) ? -1 : 0;
    };
    forRuns(picture.columns(), isEdge, [&](int, size_t first, size_t count) {
      os << formatv("M{0:f1} {1:f1}h{2:f1}", x(first), y(row), count * at.cellWidth);
    });
  }
  for (size_t column = 0; column <= picture.columns(); ++column) {
    auto isEdge = [&](size_t row) {
      return belongTogether(cellAt(row, column), cellAt(row, column - 1)) ? -1 : 0;
    };
    forRuns(picture.rows(), isEdge, [&](int, size_t first, size_t count) {
      os << formatv("M{0:f1} {1:f1}v{2:f1}", x(column), y(first), count * at.cellHeight);
    });
  }
  os << "'/>\n";
}

void SvgWriter::writeLabelsOf(size_t row, size_t layer, std::string Part::*text, StringRef style,
                              double y) {
  std::string spans;
  for (size_t column = 0; column < picture.columns(); ++column)
    if (const Part *part = partAt(row, column, layer); part && !(part->*text).empty())
      spans += formatv("<tspan x='{0:f1}'>{1}</tspan>", x(column) + at.cellWidth / 2,
                       escaped(part->*text))
                   .str();
  if (!spans.empty())
    os << formatv("<text class='{0}' y='{1:f1}'>{2}</text>\n", style, y, spans);
}

void SvgWriter::writeLabels() {
  for (size_t row = 0; row < picture.rows(); ++row)
    for (size_t layer = 0; layer < layers; ++layer) {
      double top = y(row) + layer * layerHeight();
      writeLabelsOf(row, layer, &Part::label, "l", top + lineHeight);
      writeLabelsOf(row, layer, &Part::detail, "d", top + 2 * lineHeight - 1);
    }
}

/// Writes one label for each group that is a rectangle with the same label everywhere, such as a
/// tile, if it fits.
void SvgWriter::writeGroupLabels() {
  for (const LabeledGroup &group : labeledGroups(picture)) {
    const double width = group.columns * at.cellWidth, height = group.rows * at.cellHeight;
    if (widthOf(group.label) * charWidth <= width && lineHeight <= height)
      os << formatv("<text class='l' x='{0:f1}' y='{1:f1}'>{2}</text>\n",
                    x(group.column) + width / 2, y(group.row) + height / 2 + 4,
                    escaped(group.label));
  }
}

// ===-- Captions and heads ----------------------------------------------------------------===//

void SvgWriter::writeCaption() {
  double y = margin;
  for (const std::string &line : frame.title)
    os << formatv("<text class='t' x='{0:f1}' y='{1:f1}'>{2}</text>\n", margin,
                  y += titleHeight - 4, escaped(line));
  for (const std::string &line : frame.notes)
    os << formatv("<text class='n' x='{0:f1}' y='{1:f1}'>{2}</text>\n", margin, y += noteHeight,
                  escaped(line));
}

/// Only every step-th head is written, with a power of two as step, so that each one has room.
static size_t stepOfHeads(double needed, double there) {
  size_t step = 1;
  while (step * there < needed)
    step *= 2;
  return step;
}

void SvgWriter::writeHeads() {
  size_t widest = 1;
  for (const std::string &head : picture.columnHeads)
    widest = std::max(widest, widthOf(head));
  const size_t columnStep = stepOfHeads(widest * charWidth + 2, at.cellWidth);
  const size_t rowStep = stepOfHeads(lineHeight - 1, at.cellHeight);
  os << formatv("<text class='h' y='{0:f1}'>", at.top - 5);
  for (auto [column, head] : enumerate(picture.columnHeads))
    if (column % columnStep == 0)
      os << formatv("<tspan x='{0:f1}'>{1}</tspan>", x(column) + at.cellWidth / 2, escaped(head));
  os << "</text>\n";
  for (auto [row, head] : enumerate(picture.rowHeads))
    if (!head.empty() && row % rowStep == 0)
      os << formatv("<text class='n e' x='{0:f1}' y='{1:f1}'>{2}</text>\n", at.left - 5,
                    y(row) + std::min(at.cellHeight / 2 + 4, lineHeight + 6), escaped(head));
}

void SvgWriter::writeLegend() {
  double y = this->y(picture.rows()) + noteHeight;
  for (const LegendEntry &entry : picture.legend) {
    std::string fill =
        entry.hatched ? "fill='url(#hatch)'" : formatv("class='f{0}'", entry.color).str();
    os << formatv("<rect {0} x='{1:f1}' y='{2:f1}' width='20' height='12'/>"
                  "<rect class='g' x='{1:f1}' y='{2:f1}' width='20' height='12'/>"
                  "<text class='n' x='{3:f1}' y='{4:f1}'>{5}</text>\n",
                  fill, margin, y, margin + 27, y + 10, escaped(entry.label));
    y += noteHeight;
  }
}

std::string SvgWriter::write() {
  os << formatv("<svg xmlns='http://www.w3.org/2000/svg' class='tw' role='img' width='{0:f0}' "
                "height='{1:f0}' viewBox='0 0 {0:f0} {1:f0}'>\n"
                "<title>{2}</title>\n<style>{3}</style>\n"
                "<defs><pattern id='hatch' width='6' height='6' patternUnits='userSpaceOnUse' "
                "patternTransform='rotate(45)'><path class='x' d='M0 0v6'/></pattern></defs>\n",
                at.width, at.height, escaped(picture.title), styles());
  writeCaption();
  writeHeads();
  writeColors();
  writeHatching();
  if (!isCompact(picture))
    writeGrid();
  writeEdges();
  if (isCompact(picture))
    writeGroupLabels();
  else
    writeLabels();
  writeLegend();
  os << "</svg>\n";
  return out;
}

std::string toSvg(const Picture &picture) { return SvgWriter(picture).write(); }

} // namespace tilewright::draw
