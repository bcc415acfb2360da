// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `tilewright explore --serve`: shows the page on a local address, and explores again when a file
// changes.

#ifndef TILEWRIGHT_TOOLS_SERVE_H
#define TILEWRIGHT_TOOLS_SERVE_H

#include "tools/tilewright/explore/Exploration.h"

namespace tilewright::tools {

/// Returns the exit status when an interrupt has ended it, or if the port cannot be used. 0: any
/// free port.
int serve(const ExploreOptions &options, uint16_t port);

} // namespace tilewright::tools

#endif // TILEWRIGHT_TOOLS_SERVE_H
