// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Ledger.h.

#include "Ledger.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

using namespace tilewright::fuzz;

size_t Ledger::pageOf(size_t size) {
  return std::min<size_t>(llvm::bit_width(size), std::tuple_size_v<decltype(pages)> - 1);
}

bool Ledger::isRecord(size_t size, double seconds) const {
  return seconds > pages[pageOf(size)].slowestSeconds;
}

void Ledger::note(llvm::ArrayRef<uint8_t> input, Cost cost, bool valid) {
  Page &page = pages[pageOf(input.size())];
  ++page.inputs;
  page.valid += valid;
  page.validSeconds += valid ? cost.seconds : 0;
  page.mostHeap = std::max(page.mostHeap, cost.heap);
  if (cost.seconds > page.slowestSeconds) {
    page.slowestSeconds = cost.seconds;
    page.slowest = input.vec();
  }
}

/// Mean time of the valid inputs on this page, or on the nearest page that has some; smaller sizes
/// are preferred, which only makes the comparison stricter.
double Ledger::validSecondsNear(size_t page) const {
  auto mean = [&](size_t at) { return pages[at].validSeconds / pages[at].valid; };
  for (size_t at = page + 1; at-- > 0;)
    if (pages[at].valid)
      return mean(at);
  for (size_t at = page; at < pages.size(); ++at)
    if (pages[at].valid)
      return mean(at);
  return 0;
}

void Ledger::close(llvm::StringRef name, llvm::StringRef prefix) const {
  uint64_t inputs = 0, valid = 0;
  double worstRatio = 0;
  const Page *worst = nullptr;
  llvm::errs() << "  bytes up to     inputs      valid  mean of valid    slowest  heap at most\n";
  for (auto [at, page] : llvm::enumerate(pages)) {
    if (!page.inputs)
      continue;
    inputs += page.inputs;
    valid += page.valid;
    double usual = validSecondsNear(at);
    llvm::errs() << llvm::formatv("{0,13} {1,10} {2,10} {3,11:f3} ms {4,7:f2} ms {5,9} KiB\n",
                                  (uint64_t(1) << at) - 1, page.inputs, page.valid,
                                  page.valid ? 1e3 * page.validSeconds / page.valid : 0.0,
                                  1e3 * page.slowestSeconds, page.mostHeap / 1024);
    if (usual > 0 && page.slowestSeconds / usual > worstRatio) {
      worstRatio = page.slowestSeconds / usual;
      worst = &page;
    }
  }
  llvm::errs() << llvm::formatv("fuzz_{0}: {1} inputs, {2} valid", name, inputs, valid);
  if (worst) {
    std::string path = (prefix + "slowest-" + name).str();
    llvm::errs() << llvm::formatv(", slowest {0:f1} times a valid one of its size", worstRatio);
    std::error_code error;
    llvm::raw_fd_ostream file(path, error);
    if (error)
      llvm::errs() << " (cannot write " << path << ": " << error.message() << ")";
    else
      file.write(reinterpret_cast<const char *>(worst->slowest.data()), worst->slowest.size());
  }
  llvm::errs() << "\n";
}
