// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Prints arrays like NumPy: one pair of brackets per dimension, right-aligned columns, and lines of
// at most 75 characters. If an array has more than 1000 elements, only three at each end of each
// dimension are printed.

#include "tools/tilewright/arrays/TypedArray.h"

#include "tilewright/numerics/Convert.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"

#include <algorithm>

using namespace tilewright;
using namespace tilewright::tools;
using namespace llvm;

namespace {

/// Quiet NaNs are printed as `nan`, without sign and payload. The bits of signaling NaNs are shown,
/// because no operation returns one. Formats without infinity have no signaling NaNs.
bool isQuietNan(numerics::Element element) {
  const numerics::FormatInfo &format = numerics::info(element.format);
  return !element.poison && format.isFloat() && element.isNan() &&
         (!format.hasInf || (element.bits >> (format.mantissaBits - 1) & 1));
}

class ArrayPrinter {
public:
  ArrayPrinter(raw_ostream &os, const TypedArray &array, ArrayForm form)
      : os(os), array(array), form(form), strides(runtime::rowMajorStrides(array.shape())),
        isSummary(array.elementCount() > 1000) {}

  void print() {
    measure(0, 0);
    printDimension(0, 0);
    os << '\n';
  }

private:
  static constexpr int64_t edge = 3;
  static constexpr size_t lineWidth = 75;
  static constexpr int64_t ellipsis = -1;

  /// The positions shown along a dimension; `ellipsis` replaces those that are omitted.
  SmallVector<int64_t> shown(size_t dim) const {
    const int64_t extent = array.shape()[dim];
    SmallVector<int64_t> positions;
    for (int64_t position = 0; position < extent; ++position) {
      const bool isMiddle = position >= edge && position < extent - edge;
      if (isSummary && isMiddle) {
        positions.push_back(ellipsis);
        position = extent - edge;
      }
      positions.push_back(position);
    }
    return positions;
  }

  std::string textAt(int64_t offset) const {
    const numerics::Element element = array.load(offset);
    if (form == ArrayForm::Bits && !element.poison)
      return "0x" + utohexstr(element.bits, /*LowerCase=*/false,
                              (numerics::info(element.format).storageBits + 3) / 4);
    return isQuietNan(element) ? "nan" : numerics::toString(element);
  }

  /// Finds the widest element that is shown.
  void measure(size_t dim, int64_t offset) {
    if (dim == array.shape().size()) {
      cellWidth = std::max(cellWidth, textAt(offset).size());
      return;
    }
    for (int64_t position : shown(dim))
      if (position != ellipsis)
        measure(dim + 1, offset + position * strides[dim]);
  }

  void printDimension(size_t dim, int64_t offset) {
    const size_t rank = array.shape().size();
    if (dim == rank) {
      os << textAt(offset);
      return;
    }
    os << '[';
    if (dim + 1 == rank)
      printRow(dim, offset);
    else
      printBlocks(dim, offset);
    os << ']';
  }

  /// Prints the elements of the last dimension, broken into lines.
  void printRow(size_t dim, int64_t offset) {
    size_t column = dim + 1;
    bool isFirst = true;
    for (int64_t position : shown(dim)) {
      const std::string cell = position == ellipsis ? "..." : textAt(offset + position);
      const size_t width = position == ellipsis ? cell.size() : cellWidth;
      if (!isFirst && column + 1 + width > lineWidth) {
        os << '\n';
        os.indent(dim + 1);
        column = dim + 1;
      } else if (!isFirst) {
        os << ' ';
        ++column;
      }
      os.indent(width - cell.size()) << cell;
      column += width;
      isFirst = false;
    }
  }

  /// Prints the sub-arrays of an outer dimension. The more dimensions they have, the more blank
  /// lines separate them.
  void printBlocks(size_t dim, int64_t offset) {
    bool isFirst = true;
    for (int64_t position : shown(dim)) {
      if (!isFirst) {
        os << std::string(array.shape().size() - dim - 1, '\n');
        os.indent(dim + 1);
      }
      isFirst = false;
      if (position == ellipsis)
        os << "...";
      else
        printDimension(dim + 1, offset + position * strides[dim]);
    }
  }

  raw_ostream &os;
  const TypedArray &array;
  const ArrayForm form;
  const std::vector<int64_t> strides;
  const bool isSummary;
  size_t cellWidth = 0;
};

} // namespace

void tools::print(raw_ostream &os, const TypedArray &array, ArrayForm form) {
  // An array without elements may have huge extents: nested brackets could fill the terminal.
  if (array.elementCount() == 0)
    os << "[]\n";
  else
    ArrayPrinter(os, array, form).print();
}
