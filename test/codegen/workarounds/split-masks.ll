; For AVX2, LLVM 22.1.8 splits this load, and loads the upper half without a mask, although no lane of
; it is enabled. Right code returns zeros there: vxorps %xmm1, %xmm1, %xmm1.
; If this fails, a condition on all lanes may be a mask (partsOf in tilewright/cpu/emit/MemoryAccess.cpp,
; tilewright/codegen/workarounds/MaskedAccesses.cpp).
; RUN: llc -mtriple=x86_64-linux-gnu -mcpu=x86-64-v3 %s -o - | FileCheck %s

; CHECK-LABEL: lower:
; CHECK: vmaskmovpd (%rdi), %ymm0, %ymm0
; CHECK-NEXT: vmovups 32(%rdi), %ymm1
; CHECK-NEXT: retq
define <8 x double> @lower(ptr %p, i1 %all) {
  %first = insertelement <8 x i1> poison, i1 %all, i64 0
  %splat = shufflevector <8 x i1> %first, <8 x i1> poison, <8 x i32> zeroinitializer
  %mask = and <8 x i1> %splat, <i1 true, i1 true, i1 true, i1 true, i1 false, i1 false, i1 false, i1 false>
  %x = call <8 x double> @llvm.masked.load.v8f64.p0(ptr align 1 %p, <8 x i1> %mask, <8 x double> zeroinitializer)
  ret <8 x double> %x
}

; With the condition as a branch, the mask is constant.
; CHECK-LABEL: constant:
; CHECK-NOT: 32(%rdi)
; CHECK: retq
define <8 x double> @constant(ptr %p) {
  %x = call <8 x double> @llvm.masked.load.v8f64.p0(ptr align 1 %p, <8 x i1> <i1 true, i1 true, i1 true, i1 true, i1 false, i1 false, i1 false, i1 false>, <8 x double> zeroinitializer)
  ret <8 x double> %x
}
