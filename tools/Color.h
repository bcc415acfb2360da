// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Decides whether output is coloured: on terminals, unless the environment says otherwise. A
// nonempty NO_COLOR (no-color.org) disables colours; CLICOLOR_FORCE, unless empty or 0, enables
// them.

#ifndef TILEWRIGHT_TOOLS_COLOR_H
#define TILEWRIGHT_TOOLS_COLOR_H

#include "llvm/Support/raw_ostream.h"

namespace tilewright::tools {

/// Whether to print colours to this stream. Only standard streams are ever coloured.
bool wantsColor(const llvm::raw_ostream &stream);

/// Applies wantsColor to diagnostics and findings from now on.
void chooseColors();

} // namespace tilewright::tools

#endif // TILEWRIGHT_TOOLS_COLOR_H
