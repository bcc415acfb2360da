// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// PTX snippets for tests of copies: an mbarrier `bar`, bulk groups, the proxy fence.

#ifndef TILEWRIGHT_PTX_ASYNC_COPIESTESTING_H
#define TILEWRIGHT_PTX_ASYNC_COPIESTESTING_H

#include "tilewright/ptx/async/AsyncTesting.h"

namespace tilewright::ptx::testing {

inline const std::string init = "mbarrier.init.shared::cta.b64 [bar], 1;\n";

inline std::string waitFor(const std::string &parity) {
  return "$wait" + parity + ":\nmbarrier.try_wait.parity.shared::cta.b64 %p2, [bar], " + parity +
         ";\n@!%p2 bra $wait" + parity + ";\n";
}

inline std::string expect(const std::string &bytes) {
  return "mbarrier.arrive.expect_tx.shared::cta.b64 _, [bar], " + bytes + ";\n";
}

inline const std::string commit = "cp.async.bulk.commit_group;\n";
inline const std::string fence = "fence.proxy.async.shared::cta;\n";
inline const std::string waitAll = "cp.async.bulk.wait_group 0;\n";

} // namespace tilewright::ptx::testing

#endif // TILEWRIGHT_PTX_ASYNC_COPIESTESTING_H
