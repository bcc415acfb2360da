// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What do we read of 13.4? All that says nothing new, although parts of it are stored in another
// way; what is new is refused by name (bytecode format, 14.2 and 14.3).

#include "test/support/bytecode/Assembler.h"

using namespace tilewright;
using namespace tilewright::bytecode;

using Preview = BytecodeTest;

/// What 13.4 can leave unsaid reads as in 13.3 (bytecode format, 14.2): no pointer attribute
/// in ptr and tensor_view, no saturation, no assumption that an access is in bounds.
TEST_F(Preview, SilenceIsRead) {
  Kernel kernel;
  kernel.minorVersion = 4;
  uint8_t f32 = kernel.addType({0x07}), ptr = kernel.addType({0x0C, 0, f32});
  uint8_t base = kernel.addType({0x0D, ptr, 0}), scalar = kernel.addType({0x0D, f32, 0});
  uint8_t tensor =
      kernel.addType(RawBytes{0x0E, 0, f32, 1} + fixed(8, 8) + RawBytes{1} + fixed(1, 8));
  uint8_t view =
      kernel.addType(RawBytes{0x0F, 0, 1} + fixed(4, 4) + RawBytes{tensor, 1} + fixed(0, 4));
  uint8_t tile = kernel.addType(RawBytes{0x0D, f32, 1} + fixed(4, 8));
  uint8_t token = kernel.addType({0x11});
  kernel.signature = kernel.addType({0x10, 3, base, tileI32, scalar, 0});
  kernel.body = RawBytes{0x43, 1, tensor, 0, 0, 0} +                  // make_tensor_view
                RawBytes{0x42, view, 3} +                             // make_partition_view
                RawBytes{0x3E, 2, tile, token, 0, 0, 1, 0, 4, 1, 1} + // load_view_tko
                RawBytes{0x66, 1, token, 0, 0, 1, 0, 5, 4, 1, 1} +    // store_view_tko
                RawBytes{0x2B, tileI32, 0, 1, 6, 2} + returnOp;       // ftoi
  EXPECT_EQ(listProgram(kernel.file()),
            "entry k(%0: tile<ptr<f32>>, %1: tile<i32>, %2: tile<f32>)\n"
            "  %3 = make_tensor_view base=%0 dynamicShape=[] dynamicStrides=[] : "
            "tensor_view<8xf32, strides=[1]>\n"
            "  %4 = make_partition_view tensor_view=%3 : partition_view<tile=[4], "
            "tensor_view<8xf32, strides=[1]>, dim_map=[0], pad=none>\n"
            "  %5, %6 = load_view_tko view=%4 index=[%1] {memory_ordering_semantics=weak} : "
            "tile<4xf32>, token\n"
            "  %7 = store_view_tko tile=%5 view=%4 index=[%1] {memory_ordering_semantics=weak} : "
            "token\n"
            "  %8 = ftoi from=%2 {signedness=signed; rounding_mode=nearest_int_to_zero} : "
            "tile<i32>\n"
            "  return\n");
}

TEST_F(Preview, OperationsAreRefused) {
  struct Case {
    uint64_t opcode;
    const char *name;
  };
  for (Case test :
       {Case{0x76, "insert"}, Case{0x77, "gdc_launch_dependents_tko"}, Case{0x78, "gdc_wait_tko"},
        Case{0x79, "fpowi"}, Case{0x7A, "memory_fence_alias_tko"},
        Case{0x80, "multimem_reduce_view_tko"}, Case{0x81, "multimem_store_view_tko"},
        Case{0x82, "fpowi"}, Case{0x83, "memory_fence_alias_tko"}}) {
    Kernel kernel;
    kernel.minorVersion = 4;
    kernel.body = varint(test.opcode) + RawBytes{tileI32, 0} + returnOp;
    expectRefused(kernel.file(), {"byte 0x16, function section", test.name, "13.4"});
  }
}

TEST_F(Preview, TypesAreRefused) {
  // An f8E5M3FNU, a pointer and a tensor view with the attribute `default`
  expectRefused(kernelWithType(4, {0x82, 0x01}), {"type section", "f8E5M3FNU", "13.4"});
  expectRefused(kernelWithType(4, {0x0C, 1, i32, 0}), {"type section", "pointer", "13.4"});
  expectRefused(kernelWithType(4, RawBytes{0x0E, 1, i32, 1} + fixed(8, 8) + RawBytes{1} +
                                      fixed(1, 8) + RawBytes{0}),
                {"type section", "pointer attribute", "13.4"});
  // In 13.3 there is no such type.
  expectRefused(kernelWithType(3, {0x82, 0x01}), {"type section", "tag 130"});
}

TEST_F(Preview, PartsAreRefused) {
  auto refuse = [&](const RawBytes &body, const std::vector<const char *> &named) {
    Kernel kernel;
    kernel.minorVersion = 4;
    kernel.body = body + returnOp;
    expectRefused(kernel.file(), named);
  };
  refuse({0x2A, tileI32, 7, 0}, {"byte 0x18, function section", "nearest_away", "13.4"}); // ftof
  refuse({0x2B, tileI32, 1, 1, 6, 0}, {"byte 0x18, function section", "saturating", "13.4"});
  refuse({0x2B, tileI32, 2, 1, 6, 0}, {"byte 0x18, function section", "ftoi", "0x2"});
  // load_view_tko: two results, no flags, weak; store_view_tko: one result
  refuse({0x3E, 2, tileI32, tileI32, 0, 0, 1, 1, 0, 1, 0},
         {"function section", "inbounds", "load_view_tko", "13.4"});
  refuse({0x66, 1, tileI32, 0, 0, 2, 0, 1, 0, 0, 2, 0, 0},
         {"function section", "inbounds", "store_view_tko", "13.4"});
}
