// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Helper for tests of conversions: runs one instruction on many values.

#ifndef TILEWRIGHT_PTX_INSTRUCTIONS_CONVERTTESTING_H
#define TILEWRIGHT_PTX_INSTRUCTIONS_CONVERTTESTING_H

#include "tilewright/ptx/Testing.h"

#include <algorithm>

namespace tilewright::ptx::testing {

inline std::string typeOfMemory(unsigned bits) { return "b" + std::to_string(bits); }

/// Values of 8 bits are in registers of 16 bits.
inline std::string typeOfRegister(unsigned bits) {
  return "b" + std::to_string(std::max(bits, 16u));
}

/// The results of `instruction d, a;` for each value; elements of both arrays have 8 bytes.
inline std::vector<uint64_t> converted(const std::string &instruction, unsigned from, unsigned to,
                                       const std::vector<uint64_t> &values,
                                       const std::string &operands = "d, a") {
  Kernel kernel(header() + ".visible .entry k(.param .u64 out, .param .u64 in)\n{\n.reg ." +
                typeOfRegister(to) + " d;\n.reg ." + typeOfRegister(from) +
                " a;\n.reg .b32 %r<4>;\n.reg .b64 %rd<4>;\nld.param.u64 %rd1, [out];\n"
                "ld.param.u64 %rd2, [in];\nmov.u32 %r1, %tid.x;\nmov.u32 %r2, %ctaid.x;\n"
                "mad.lo.u32 %r1, %r2, 256, %r1;\nmad.wide.u32 %rd1, %r1, 8, %rd1;\n"
                "mad.wide.u32 %rd2, %r1, 8, %rd2;\nld.global." +
                typeOfMemory(from) + " a, [%rd2];\n" + instruction + " " + operands +
                ";\nst.global." + typeOfMemory(to) + " [%rd1], d;\nret;\n}\n");
  const size_t blocks = (values.size() + 255) / 256;
  std::vector<uint64_t> padded = values;
  padded.resize(blocks * 256);
  Region &out = kernel.array(std::vector<uint64_t>(padded.size()));
  kernel.array(padded);
  kernel.launch.grid = {uint32_t(blocks), 1, 1};
  kernel.launch.block = {256, 1, 1};
  EXPECT_TRUE(kernel.run().empty()) << instruction << kernel.findings.front().message;
  std::vector<uint64_t> results = Kernel::values<uint64_t>(out);
  results.resize(values.size());
  return results;
}

} // namespace tilewright::ptx::testing

#endif // TILEWRIGHT_PTX_INSTRUCTIONS_CONVERTTESTING_H
