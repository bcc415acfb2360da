// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes the SVG into a page that is well-formed XML, with the hover text of each cell. The script
// computes the cell under the pointer from its position, so the SVG needs no changes.

#include "tilewright/draw/Writers.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace tilewright::draw {

static constexpr StringLiteral pageStyle = R"(
body { margin: 1em; background: #fff; color: #222; font: 13px ui-monospace, Menlo, Consolas, monospace }
#tip { position: fixed; display: none; max-width: 40em; padding: .4em .6em; pointer-events: none;
       background: #222; color: #fff; border: 1px solid #888 }
#mark { fill: none; stroke: #d40000; stroke-width: 2 }
@media (prefers-color-scheme: dark) {
  body { background: #111; color: #ddd }
  #mark { stroke: #ff6 }
}
)";

static constexpr StringLiteral pageScript = R"(
const svg = document.querySelector('svg'), tip = document.getElementById('tip');
const mark = document.createElementNS(svg.namespaceURI, 'path');
mark.id = 'mark';
svg.append(mark);

function cellAt(event) {
  const box = svg.getBoundingClientRect(), view = svg.viewBox.baseVal;
  const x = (event.clientX - box.left) * view.width / box.width;
  const y = (event.clientY - box.top) * view.height / box.height;
  const column = Math.floor((x - picture.left) / picture.cellWidth);
  const row = Math.floor((y - picture.top) / picture.cellHeight);
  if (column < 0 || column >= picture.columns || row < 0) return -1;
  const place = row * picture.columns + column;
  return picture.cells[place] ? place : -1;
}

function outline(place) {
  const x = picture.left + place % picture.columns * picture.cellWidth;
  const y = picture.top + Math.floor(place / picture.columns) * picture.cellHeight;
  return `M${x} ${y}h${picture.cellWidth}v${picture.cellHeight}h${-picture.cellWidth}z`;
}

let shown = -1;
svg.addEventListener('pointermove', event => {
  const place = cellAt(event);
  tip.style.display = place < 0 ? 'none' : 'block';
  tip.style.left = Math.min(event.clientX + 14, innerWidth - tip.offsetWidth - 8) + 'px';
  tip.style.top = Math.min(event.clientY + 14, innerHeight - tip.offsetHeight - 8) + 'px';
  if (place === shown) return;
  shown = place;
  tip.textContent = place < 0 ? '' : picture.cells[place].text;
  const groups = place < 0 ? [] : picture.cells[place].groups;
  mark.setAttribute('d', picture.cells.map((cell, other) =>
    cell && (other === place || cell.groups.some(group => groups.includes(group))) && place >= 0
      ? outline(other) : '').join(''));
});
svg.addEventListener('pointerleave', () => {
  shown = -1;
  tip.style.display = 'none';
  mark.setAttribute('d', '');
});
)";

static json::Value cellsAsJson(const Picture &picture) {
  json::Array cells;
  for (const Cell &cell : picture.cells) {
    if (cell.absent) {
      cells.push_back(nullptr);
      continue;
    }
    json::Array groups;
    for (const Part &part : cell.parts)
      if (!part.isEmpty())
        groups.push_back(part.group);
    cells.push_back(json::Object{{"text", cell.hover}, {"groups", std::move(groups)}});
  }
  return cells;
}

/// Escapes `<`, which occurs only in strings, so that it cannot end the script.
static std::string withoutTags(std::string text) {
  std::string safe;
  for (char c : text)
    safe += c == '<' ? std::string("\\u003c") : std::string(1, c);
  return safe;
}

std::string toHtml(const Picture &picture) {
  Geometry at = geometryOf(picture);
  json::Value data = json::Object{{"left", at.left},
                                  {"top", at.top},
                                  {"cellWidth", at.cellWidth},
                                  {"cellHeight", at.cellHeight},
                                  {"columns", int64_t(picture.columns())},
                                  {"cells", cellsAsJson(picture)}};
  std::string title;
  raw_string_ostream stream(title);
  printHTMLEscaped(picture.title, stream);
  return formatv("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
                 "<title>{0}</title>\n<style>{1}</style>\n</head>\n<body>\n{2}"
                 "<div id=\"tip\"></div>\n<script>\n//<![CDATA[\nconst picture = {3};\n{4}//]]>\n"
                 "</script>\n"
                 "</body>\n</html>\n",
                 title, pageStyle, toSvg(picture), withoutTags(formatv("{0}", data)), pageScript);
}

} // namespace tilewright::draw
