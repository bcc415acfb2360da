// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks the registers of `wgmma` in PTX text. From a `wgmma.mma_async` until a wait for its group,
// no instruction may access its accumulators or write its lhs (PTX ISA, 9.7.16.6): they are in
// flight. The statements of inline PTX of delayed products tell LLVM what they access
// (emit/DelayedProducts.h), but LLVM may copy their results at once, or not allocate one register
// for all of them.
//
// The text is read in order. Instructions with something in flight must be entered at a `wgmma` and
// left at a wait: there is no branch into them or out of them, nor one across a commit or wait, nor
// one back across a `wgmma`. So each `wgmma` comes before what follows it in the text.

#ifndef TILEWRIGHT_NVIDIA_INFLIGHT_H
#define TILEWRIGHT_NVIDIA_INFLIGHT_H

#include <string>
#include <string_view>

namespace tilewright::nvidia {

/// What is wrong in the functions of a PTX module, or cannot be excluded; else empty.
std::string problemInFlight(std::string_view ptx);

} // namespace tilewright::nvidia

#endif // TILEWRIGHT_NVIDIA_INFLIGHT_H
