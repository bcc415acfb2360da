; Bits of elements, as InstCombine makes them of `trunci` to i1. LLVM 22 aborted on such vectors of i1
; for AVX-512, but 22.1.8 compiles what is known of that: this test does not show a bug; if it fails, it does
; (tilewright/codegen/workarounds/ExtractBits.cpp).
; RUN: llc -mtriple=x86_64-linux-gnu -mcpu=znver4 %s -o - | FileCheck %s
; CHECK: kmovq
; CHECK: kshiftrq $40

define i1 @bit(<16 x i32> %x) {
  %bits = bitcast <16 x i32> %x to <512 x i1>
  %bit = extractelement <512 x i1> %bits, i32 40
  ret i1 %bit
}
