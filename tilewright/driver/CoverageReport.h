// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How is told what of a kernel never ran? To people, the lines that did not; to programs, all
// counts as JSON; to lcov and the editors that know it, counts by line of the source.

#ifndef TILEWRIGHT_DRIVER_COVERAGEREPORT_H
#define TILEWRIGHT_DRIVER_COVERAGEREPORT_H

#include "tilewright/reference/Coverage.h"

namespace tilewright::driver {

struct CoverageReport {
  const reference::Coverage &coverage;
  llvm::StringRef kernel;
  mlir::Location location; ///< Of the entry.
  llvm::StringRef file;    ///< That holds it.

  std::string toText() const;
  std::string toJson() const;
  /// The tracefile format of lcov. Operations without a line are not in it.
  std::string toLcov() const;
  /// As the name of a file asks for: `.json`, `.info`, else text.
  std::string forFile(llvm::StringRef path) const;
};

} // namespace tilewright::driver

#endif // TILEWRIGHT_DRIVER_COVERAGEREPORT_H
