// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Supports loaded data that is aligned to more than a page. JITLink allocates pages from the system
// and refuses larger alignments. So such a block is extended by the padding that alignment may
// need, and its contents are moved when its address is known.

#ifndef TILEWRIGHT_CODEGEN_OVERALIGNED_H
#define TILEWRIGHT_CODEGEN_OVERALIGNED_H

#include "llvm/ExecutionEngine/Orc/LinkGraphLinkingLayer.h"

namespace tilewright::codegen {

/// A plugin for blocks that are aligned to more than `pageBytes`.
std::shared_ptr<llvm::orc::LinkGraphLinkingLayer::Plugin> overAlignment(uint64_t pageBytes);

} // namespace tilewright::codegen

#endif // TILEWRIGHT_CODEGEN_OVERALIGNED_H
