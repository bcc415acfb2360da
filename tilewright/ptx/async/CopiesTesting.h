// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// PTX snippets for tests of copies: an mbarrier `bar`, bulk groups, the proxy fence; and kernels
// with a tensor map.

#ifndef TILEWRIGHT_PTX_ASYNC_COPIESTESTING_H
#define TILEWRIGHT_PTX_ASYNC_COPIESTESTING_H

#include "tilewright/ptx/async/AsyncTesting.h"
#include "tilewright/ptx/async/TensorMap.h"

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

/// A kernel with an array `out` of 128 words, and a map of a tensor with these words.
struct MappedKernel : Kernel {
  MappedKernel(const std::string &code, const Words &words, TensorMap map, Schedule order)
      : Kernel(mappedText(code)) {
    EXPECT_EQ(refused, "");
    array(Words(128));
    tensor = &memory.allocate("tensor", Space::Global, 4 * words.size());
    std::memcpy(tensor->bytes.data(), words.data(), 4 * words.size());
    tensor->defineAll();
    map.address = tensor->base;
    const TensorMapBytes bytes = encode(map);
    launch.parameters.resize(64);
    launch.parameters.insert(launch.parameters.end(), bytes.begin(), bytes.end());
    schedule = order;
  }

  Region *tensor = nullptr;

private:
  /// The address of the map is in %rd2.
  static std::string mappedText(const std::string &code) {
    std::string text = textOf("mov.u64 %rd2, map;\ncvta.param.u64 %rd2, %rd2;\n" + code);
    text.replace(text.find("(.param .u64 out)"), 17,
                 "(.param .u64 out, .param .align 64 .b8 map[128])");
    return text;
  }
};

inline TensorMap mapOf(uint64_t address) {
  TensorMap map;
  map.rank = 2;
  map.type = *tensorTypeNamed("u32");
  map.address = address;
  map.dims = {6, 3};
  map.strides = {32};
  map.box = {4, 2};
  return map;
}

/// A kernel with a tensor of 3 x 6 numbers 10 * row + column, in rows of 8, and a map of it.
inline MappedKernel tensorKernel(const std::string &code, const TensorMap &map, Schedule schedule) {
  Words tensor(24);
  for (uint32_t at = 0; at < 24; ++at)
    tensor[at] = 10 * (at / 8) + at % 8;
  return MappedKernel(code, tensor, map, schedule);
}

inline std::string findingOf(const std::string &code, const TensorMap &map, uint32_t ctas = 1) {
  std::string found;
  for (const Schedule &schedule : Schedules::all()) {
    MappedKernel kernel = tensorKernel(code, map, schedule);
    kernel.launch.grid = {ctas, 1, 1};
    kernel.run();
    const std::string now = kernel.firstFinding();
    EXPECT_TRUE(found.empty() || found == now) << found << "\n" << now;
    found = now;
  }
  return found;
}

} // namespace tilewright::ptx::testing

#endif // TILEWRIGHT_PTX_ASYNC_COPIESTESTING_H
