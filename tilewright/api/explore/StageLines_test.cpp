// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests how lines of generated code find their source lines.

#include "tilewright/api/explore/StageLines.h"

#include <gtest/gtest.h>

using namespace tilewright::api;

namespace {

TEST(StageLines, FollowLocInPtx) {
  const StageLines lines = linesByLoc(R"(.visible .entry k(
	.param .u64 k_param_0
)
{
	.reg .b64 	%rd<3>;
	mov.u32 	%r1, %tid.x;
	.loc	1 7 3

	ld.param.b64 	%rd1, [k_param_0];
$L__BB0_1:
	// begin inline asm
	@%p1 bra 	$L__BB0_1;
	.loc	2 1 0, function_name $L__info_string0, inlined_at 1 9 3
	ret;
}
	mov.u32 	%r1, 1;
	.file	1 "a dir/k.py"
	.file	2 "/helpers.py"
)");
  StageLines expected(18);
  expected[8] = expected[11] = {"a dir/k.py", 7, 3};
  expected[13] = {"/helpers.py", 1, 0};
  EXPECT_EQ(lines, expected);
}

TEST(StageLines, FollowLocInAssembly) {
  const StageLines lines = linesByLoc(R"(	.file	"LLVMDialectModule"
k_entry:
	.file	1 "examples" "k.mlir"
	.loc	1 20 0
	.cfi_startproc
	pushq	%rbp
	.loc	1 0 3 is_stmt 0
	movq	%rdx, %rax
	.loc	1 21 3 prologue_end
	retq
.Lfunc_end0:
	nop
)");
  StageLines expected(12);
  expected[5] = {"examples/k.mlir", 20, 0};
  expected[9] = {"examples/k.mlir", 21, 3};
  EXPECT_EQ(lines, expected);
}

TEST(StageLines, FollowCommentsInSass) {
  const StageLines lines = linesOfSass(R"(	.target	sm_90a
	.section	.text.k,"ax",@progbits
k:
	//## File "helpers.py", line 7 inlined at "k.py", line 9
	//## File "k.py", line 9
        /*0000*/                   LDC R1, c[0x0][0x28] ;
.L_x_0:
        /*0010*/              @!P0 BRA `(.L_x_1) ;
	//## File "k.py", line 10
        /*0020*/                   EXIT ;
	.section	.text.other,"ax",@progbits
        /*0000*/                   EXIT ;
)");
  StageLines expected(12);
  expected[5] = expected[7] = {"helpers.py", 7};
  expected[9] = {"k.py", 10};
  EXPECT_EQ(lines, expected);
}

TEST(StageLines, FollowMetadataInLlvmIr) {
  const StageLines lines = linesByMetadata(R"(define void @k(ptr %0) !dbg !3 {
  %2 = load i32, ptr %0, align 4, !dbg !6
  %3 = add i32 %2, 1
  store i32 %3, ptr %0, align 4, !dbg !7, !tbaa !9
  ret void, !dbg !8
}
!1 = !DIFile(filename: "k.mlir", directory: "examples")
!2 = !DIFile(filename: "h.py", directory: "")
!3 = distinct !DISubprogram(name: "k", scope: !1, file: !1, line: 26, unit: !0)
!4 = !DILexicalBlockFile(scope: !3, file: !2, discriminator: 0)
!6 = !DILocation(line: 20, column: 3, scope: !3)
!7 = !DILocation(line: 5, scope: !4)
!8 = !DILocation(line: 0, scope: !3)
)");
  StageLines expected(13);
  expected[1] = {"examples/k.mlir", 20, 3};
  expected[3] = {"h.py", 5, 0};
  EXPECT_EQ(lines, expected);
}

TEST(StageLines, FollowPositionsAndValuesInPlans) {
  const StageLines lines = linesOfPlan("entry @k: 4 bytes of arena\n"
                                       "  %a : !cuda_tile.tile<4xf32>  fused  addf at 12:5\n"
                                       "  fusion group over 4\n"
                                       "    loop of 4: addf %a, store_view_tko\n"
                                       "  mmaf at 48:15: lhs is like load at 46:27\n"
                                       "  %b : !cuda_tile.tile<4xf32>  carried\n");
  StageLines expected(6);
  expected[1] = expected[3] = {"", 12, 5};
  expected[4] = {"", 48, 15};
  EXPECT_EQ(lines, expected);
}

TEST(StageLines, NeedNoFinalLineBreak) {
  EXPECT_EQ(linesOfPlan("").size(), 0u);
  EXPECT_EQ(linesOfPlan("a\nb").size(), 2u);
}

} // namespace
