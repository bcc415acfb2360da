// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests what 13.4 and 13.5 store differently, and what older files must not contain (13.4, sections
// 8 to 10).

#include "test/support/bytecode/Assembler.h"

using namespace tilewright;
using namespace tilewright::bytecode;

using Preview = BytecodeTest;

/// Omitted parts of 13.4 read as in 13.3: no pointer attribute in ptr and tensor_view, no
/// saturation, no assumption that an access is in bounds.
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
            "  %5, %6 = load_view_tko view=%4 index=[%1] {memory_ordering_semantics=weak; "
            "inbounds=[0]} : "
            "tile<4xf32>, token\n"
            "  %7 = store_view_tko tile=%5 view=%4 index=[%1] {memory_ordering_semantics=weak; "
            "inbounds=[0]} : "
            "token\n"
            "  %8 = ftoi from=%2 {signedness=signed; rounding_mode=nearest_int_to_zero} : "
            "tile<i32>\n"
            "  return\n");
}

/// Numbers of the 13.4 developer preview (13.4, section 10). In 13.5, and for numbers that were
/// never used, the error does not mention a preview.
TEST_F(Preview, ItsNumbersAreRefused) {
  struct Case {
    uint64_t opcode;
    const char *name;
  };
  auto kernelWith = [&](uint8_t minorVersion, uint64_t opcode) {
    Kernel kernel;
    kernel.minorVersion = minorVersion;
    if (minorVersion >= 5)
      kernel.hints = {0x0B, 0, 0x06, 0};
    kernel.body = varint(opcode) + RawBytes{tileI32, 0} + returnOp;
    return kernel.file();
  };
  for (Case test : {Case{0x80, "multimem_reduce_view_tko"}, Case{0x81, "multimem_store_view_tko"},
                    Case{0x82, "fpowi"}, Case{0x83, "memory_fence_alias_tko"}}) {
    expectRefused(kernelWith(4, test.opcode),
                  {"byte 0x16, function section", "developer preview of 13.4", test.name});
    expectRefused(kernelWith(5, test.opcode),
                  {"byte 0x1A, function section", "there is no operation with opcode 0x8"});
  }
  expectRefused(kernelWith(4, 0x7E), {"there is no operation with opcode 0x7E"});
  // An operation of 13.5.
  expectRefused(kernelWith(4, 0x7B), {"multimem_load_reduce_view_tko", "13.5", "13.4"});
  expectRefused(kernelWith(5, 0x4002), {"preview$call", "0x4002", "preview feature"});
}

TEST_F(Preview, YoungerPartsAreRefused) {
  auto refuse = [&](uint8_t minorVersion, const RawBytes &body,
                    const std::vector<const char *> &named) {
    Kernel kernel;
    kernel.minorVersion = minorVersion;
    kernel.body = body + returnOp;
    expectRefused(kernel.file(), named);
  };
  // ftof: nearest_away is new in 13.4; ftoi: new flags, one of which is defined.
  refuse(3, {0x2A, tileI32, 7, 0},
         {"byte 0x18, function section", "nearest_away", "13.4", "version 13.3"});
  refuse(4, {0x2A, tileI32, 8, 0}, {"byte 0x18, function section", "rounding_mode is 8"});
  refuse(4, {0x2B, tileI32, 2, 1, 6, 0}, {"byte 0x18, function section", "ftoi", "0x2"});
  refuse(3, {0x76, 1, tileI32, 3, 0, 0, 0}, {"insert", "13.4", "13.3"});
}

TEST_F(Preview, YoungerTypesAreRefused) {
  // A pointer and a tensor view: undefined flags, an undefined attribute, an attribute of 13.5, a
  // missing one.
  expectRefused(kernelWithType(4, {0x0C, 2, i32}), {"type section", "flags of a type are 2"});
  expectRefused(kernelWithType(4, {0x0C, 1, i32, 3}), {"type section", "no pointer attribute 3"});
  expectRefused(kernelWithType(4, {0x0C, 1, i32, 1}),
                {"type section", "'unicast'", "13.5", "13.4"});
  expectRefused(kernelWithType(4, {0x0C, 1, i32}), {"type section", "pointer attribute"});
  expectRefused(kernelWithType(4, RawBytes{0x0E, 1, i32, 1} + fixed(8, 8) + RawBytes{1} +
                                      fixed(1, 8) + RawBytes{2}),
                {"type section", "'multicast'", "13.5"});
  expectRefused(kernelWithType(3, {0x0C, 1, i32, 0}), {"type section"});
}

//===-- 13.5 (section 9.1) ------------------------------------------------------------------===//

/// After the flags: the hints with their tag, then the argument attributes.
TEST_F(Preview, EntriesOf13_5SayWhatTheyHave) {
  auto kernelWith = [&](uint8_t flags, const RawBytes &parts) {
    Kernel kernel;
    kernel.minorVersion = 5;
    kernel.flags = flags;
    kernel.hints = parts;
    kernel.body = returnOp;
    return kernel.file();
  };
  const RawBytes none = {0x0B, 0, 0x06, 0};
  EXPECT_EQ(listProgram(kernelWith(2, none)), "entry k(%0: tile<i32>)\n  return\n");
  // Any number of empty dictionaries means nothing.
  EXPECT_EQ(listProgram(kernelWith(2, {0x0B, 0, 0x06, 2, 0x0A, 0, 0x0A, 0})),
            "entry k(%0: tile<i32>)\n  return\n");
  expectRefused(kernelWith(6, none), {"byte 0x13, function section", "0x6", "exactly 0x2"});
  expectRefused(kernelWith(3, none), {"byte 0x13, function section", "0x3", "exactly 0x2"});
  expectRefused(kernelWith(2, {0x0B, 0}), {"function section", "argument attributes", "tag"});
  expectRefused(kernelWith(2, {0x0B, 0, 0x06, 1, 0x05, 0}),
                {"function section", "argument attribute has tag 5", "10"});
  expectRefused(kernelWith(2, {0x0B, 0, 0x06, 1, 0x0A, 1, 0, 0x03, 1}),
                {"function section", "no argument attribute 'k'"});
  // 13.4 has no place for either.
  Kernel older;
  older.minorVersion = 4;
  older.hints = none;
  older.body = returnOp;
  expectRefused(older.file(), {"function section"});
}

TEST_F(Preview, TheTagOfTheVersionMeansSomethingIn13_5) {
  Kernel kernel;
  kernel.minorVersion = 5;
  kernel.hints = {0x0B, 0, 0x06, 0};
  kernel.body = returnOp;
  RawBytes bytes = kernel.file();
  bytes[10] = 1;
  expectRefused(bytes, {"byte 0xA", "preview features", "not supported"});
  bytes[10] = 2;
  expectRefused(bytes, {"byte 0xA", "tag of the version is 2"});
}
