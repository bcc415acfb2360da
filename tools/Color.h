// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Colours are for terminals, unless the environment says otherwise: NO_COLOR (no-color.org) that is
// not empty switches them off, CLICOLOR_FORCE that is neither empty nor 0 on.

#ifndef TILEWRIGHT_TOOLS_COLOR_H
#define TILEWRIGHT_TOOLS_COLOR_H

#include "llvm/Support/raw_ostream.h"

namespace tilewright::tools {

/// Does this stream get colours? Only standard streams do.
bool wantsColor(const llvm::raw_ostream &stream);

/// From now on, diagnostics and findings follow wantsColor.
void chooseColors();

} // namespace tilewright::tools

#endif // TILEWRIGHT_TOOLS_COLOR_H
