; Right code shifts, and stores 4 bytes: vpextrd $2, or movl as for AVX2. LLVM 22.1.8 stores the 8
; bytes before truncation for AVX-512, and overwrites the element beside it.
; If this fails, tilewright/codegen/workarounds/StoreSingleLanes.cpp can go.
; RUN: llc -mtriple=x86_64-linux-gnu -mcpu=x86-64-v4 %s -o - | FileCheck %s
; RUN: llc -mtriple=x86_64-linux-gnu -mcpu=x86-64-v3 %s -o - | FileCheck %s --check-prefix=RIGHT

; CHECK-LABEL: second:
; CHECK: vpextrq $1, %xmm0, 4(%rdi)
; RIGHT-LABEL: second:
; RIGHT: movl %eax, 4(%rdi)
define void @second(<4 x i64> %x, ptr %p) {
  %t = trunc <4 x i64> %x to <4 x i32>
  call void @llvm.masked.store.v4i32.p0(<4 x i32> %t, ptr align 1 %p, <4 x i1> <i1 false, i1 true, i1 false, i1 false>)
  ret void
}
