// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions that generated code calls. They report to the launch, through twLaunch::host; if
// that is null, to the standard streams.

#include "tilewright/runtime/Host.h"
#include "tilewright/runtime/Waiting.h"
#include "tilewright/support/Shape.h"

#include <algorithm>
#include <cstdio>

using namespace tilewright;
using namespace tilewright::runtime;

static Host *hostOf(const twLaunch *launch) { return static_cast<Host *>(launch->host); }

static std::string_view toView(const twText &text) { return {text.data, size_t(text.size)}; }

//===-- Printing ------------------------------------------------------------------------------===//

/// An element behind a pointer from generated code.
static PromotedElement elementAt(const void *values, int64_t kind, int64_t number) {
  if (kind == twDoubles)
    return static_cast<const double *>(values)[number];
  return static_cast<const int64_t *>(values)[number];
}

static void printPieces(const TextSink &out, const twPrintFormat &format,
                        const void *const *values) {
  for (int64_t i = 0; i < format.pieceCount; ++i) {
    const twPrintPiece &piece = format.pieces[i];
    if (piece.kind == twPlainText) {
      out(toView(piece.text));
      continue;
    }
    const void *elements = *values++;
    const Specifier specifier = parseSpecifier(toView(piece.text));
    if (specifier.isRefused)
      out(toView(piece.text));
    else
      printTile(out, specifier, {piece.extents, size_t(piece.rank)},
                [&](int64_t number) { return elementAt(elements, piece.kind, number); });
  }
}

void tw_print(const twLaunch *launch, const twPrintFormat *format, int64_t block,
              const void *const *values) {
  auto write = [&](const TextSink &out) {
    printWhole(out, [&](const TextSink &part) { printPieces(part, *format, values); });
  };
  if (Host *host = hostOf(launch))
    return host->output.print(host->rangeOf(block), write);
  // Without a host there is no order to keep.
  write(standardOutput());
}

//===-- Assertions ----------------------------------------------------------------------------===//

static constexpr size_t listedAsserts = 1000;

void AssertList::add(FailedAssert failed) {
  std::lock_guard lock(mutex);
  std::vector<FailedAssert> &list = result.failedAsserts;
  // The list keeps the lowest block numbers, whichever threads came first.
  auto place = std::upper_bound(
      list.begin(), list.end(), failed.block.number,
      [](int64_t number, const FailedAssert &other) { return number < other.block.number; });
  list.insert(place, std::move(failed));
  if (list.size() <= listedAsserts)
    return;
  list.pop_back();
  ++result.unlistedAsserts;
}

void tw_assert_failed(const twLaunch *launch, const twAssertSite *site, int64_t block,
                      int64_t element) {
  FailedAssert failed{blockOf(launch->grid, block), std::string(toView(site->message)),
                      std::string(toView(site->location)),
                      support::coordinateText({site->extents, size_t(site->rank)}, element)};
  if (Host *host = hostOf(launch))
    return host->asserts.add(std::move(failed));
  std::fprintf(stderr, "%s\n", toString(failed).c_str());
}

//===-- Waiting -------------------------------------------------------------------------------===//

void tw_yield(const twLaunch *launch) { yieldBlock(); }
