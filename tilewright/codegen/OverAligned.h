// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How does what is loaded in this process begin at a multiple of more than a page? JITLink asks the
// system for pages, and refuses larger alignments. So a block of that kind is made longer by what
// it may take to get to such a multiple, and moves there when its address is known.

#ifndef TILEWRIGHT_CODEGEN_OVERALIGNED_H
#define TILEWRIGHT_CODEGEN_OVERALIGNED_H

#include "llvm/ExecutionEngine/Orc/LinkGraphLinkingLayer.h"

namespace tilewright::codegen {

/// Aligns blocks to more than `pageBytes`.
std::shared_ptr<llvm::orc::LinkGraphLinkingLayer::Plugin> overAlignment(uint64_t pageBytes);

} // namespace tilewright::codegen

#endif // TILEWRIGHT_CODEGEN_OVERALIGNED_H
