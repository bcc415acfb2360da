// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where does a result go that is text or bytes? To a file, all or nothing, or to standard
// output.

#ifndef TILEWRIGHT_DRIVER_WRITEFILE_H
#define TILEWRIGHT_DRIVER_WRITEFILE_H

#include "tilewright/support/Result.h"

#include "llvm/ADT/StringRef.h"

namespace tilewright::driver {

/// Writes all or nothing: `path` appears, or changes, in one step, when everything is on disk.
/// "-" is standard output; devices and pipes are written to as they are.
support::Result<void> writeFile(llvm::StringRef path, llvm::StringRef bytes);

} // namespace tilewright::driver

#endif // TILEWRIGHT_DRIVER_WRITEFILE_H
