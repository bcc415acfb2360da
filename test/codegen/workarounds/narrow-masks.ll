; LLVM widens masked accesses of 8 bytes to 16. The lanes that it adds must be disabled; that LLVM 22
; enables them was seen once, and is not reproduced with 22.1.8 (MaskedAccesses.cpp in
; tilewright/codegen/workarounds/). This test does not show a bug; if it fails, it does.
; RUN: llc -mtriple=x86_64-linux-gnu -mcpu=x86-64-v3 %s -o - | FileCheck %s

; The last two bytes of the shuffle are out of range, which makes zeros of lanes 2 and 3.
; CHECK: .byte 0 # 0x0
; CHECK: .byte 128 # 0x80
; CHECK: .byte 128 # 0x80
; CHECK-LABEL: store:
; CHECK: vpshufb {{.*}}, %xmm1, %xmm1 # xmm1 = xmm1[0,u,u,u,0,u,u,u],zero,xmm1[u,u,u],zero,xmm1[u,u,u]
; CHECK-NEXT: vpslld $31, %xmm1, %xmm1
; CHECK-NEXT: vpmaskmovd %xmm0, %xmm1, (%rdi)
define void @store(ptr %p, i1 %all, <2 x i32> %x) {
  %first = insertelement <2 x i1> poison, i1 %all, i64 0
  %mask = shufflevector <2 x i1> %first, <2 x i1> poison, <2 x i32> zeroinitializer
  call void @llvm.masked.store.v2i32.p0(<2 x i32> %x, ptr align 1 %p, <2 x i1> %mask)
  ret void
}
