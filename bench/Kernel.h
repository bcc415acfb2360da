// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Generates a kernel of any size, for benchmarks of code that processes whole modules.

#ifndef TILEWRIGHT_BENCH_KERNEL_H
#define TILEWRIGHT_BENCH_KERNEL_H

#include "tilewright/tile/Dialect.h"

#include "mlir/IR/MLIRContext.h"
#include "llvm/Support/FormatVariadic.h"
#include <memory>
#include <string>

namespace tilewright::bench {

inline std::unique_ptr<mlir::MLIRContext> makeContext() {
  auto context = std::make_unique<mlir::MLIRContext>(mlir::MLIRContext::Threading::DISABLED);
  context->loadDialect<tile::TileDialect>();
  return context;
}

/// A kernel with about this many operations: arithmetic, constants, views, memory accesses and
/// loops, with operands that are defined nearby or far away.
inline std::string makeModule(int64_t operations) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "cuda_tile.module @m {\n entry @k(%p: tile<ptr<f32>>, %n: tile<i32>) {\n"
        "  %x0 = constant <f32: 0.5> : tile<16x16xf32>\n"
        "  %t0 = make_token : token\n";
  const char *block = R"(
  %c{0} = constant <i32: {0}> : tile<i32>
  %i{0} = addi %c{0}, %n overflow<no_signed_wrap> : tile<i32>
  %q{0} = offset %p, %i{0} : tile<ptr<f32>>, tile<i32> -> tile<ptr<f32>>
  %l{0}, %u{0} = load_ptr_tko weak %q{0} token=%t{1} : tile<ptr<f32>> -> tile<f32>, token
  %r{0} = reshape %l{0} : tile<f32> -> tile<1x1xf32>
  %b{0} = broadcast %r{0} : tile<1x1xf32> -> tile<16x16xf32>
  %m{0} = mulf %b{0}, %x{1} rounding<zero> : tile<16x16xf32>
  %x{0} = for %j{0} in (%c{0} to %n, step %c{0}) : tile<i32> iter_values(%a{0} = %m{0}) -> (tile<16x16xf32>) {{
    %s{0} = addf %a{0}, %x{1} : tile<16x16xf32>
    continue %s{0} : tile<16x16xf32>
  }
  %t{0} = store_ptr_tko weak %q{0}, %l{0} token=%u{0} : tile<ptr<f32>>, tile<f32> -> token
  %v{0} = make_tensor_view %p, shape = [%n, 64], strides = [64, 1] : tile<i32> -> tensor_view<?x64xf32, strides=[64, 1]>
  %w{0} = make_partition_view %v{0} : partition_view<tile=(16x16), padding_value = zero, tensor_view<?x64xf32, strides=[64, 1]>>
  %y{0}, %z{0} = load_view_tko weak %w{0}[%i{0}, %c{0}] : partition_view<tile=(16x16), padding_value = zero, tensor_view<?x64xf32, strides=[64, 1]>>, tile<i32> -> tile<16x16xf32>, token
)";
  constexpr int64_t perBlock = 14;
  for (int64_t i = 1; i <= operations / perBlock; ++i)
    os << llvm::formatv(block, i, i - 1);
  os << "  return\n }\n}\n";
  return text;
}

} // namespace tilewright::bench

#endif // TILEWRIGHT_BENCH_KERNEL_H
