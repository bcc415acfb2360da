; LLVM 22.1.8 crashes on a shuffle of zeros with lanes of a wide integer, for AVX-512.
; If this fails, tilewright/codegen/workarounds/ExtractLanes.cpp can go.
; RUN: not --crash llc -mtriple=x86_64-linux-gnu -mcpu=sapphirerapids %s -o %t.s 2>&1 | FileCheck %s
; CHECK: Running pass 'X86 DAG->DAG Instruction Selection' on function '@interleave'
; As the rewrite makes it, it compiles.
; RUN: sed 's/^;shuffle //; /i256/d' %s | llc -mtriple=x86_64-linux-gnu -mcpu=sapphirerapids -o %t.s

define <8 x i32> @interleave(<16 x i32> %x) {
  %w = bitcast <16 x i32> %x to <2 x i256>
  %h = extractelement <2 x i256> %w, i64 0
  %v = bitcast i256 %h to <8 x i32>
;shuffle   %v = shufflevector <16 x i32> %x, <16 x i32> poison, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %s = shufflevector <8 x i32> %v, <8 x i32> zeroinitializer, <8 x i32> <i32 0, i32 8, i32 1, i32 9, i32 2, i32 10, i32 3, i32 11>
  ret <8 x i32> %s
}
