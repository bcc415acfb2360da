; A true i1 is -1 as a signed number. LLVM 22.1.8 converts +1 to bf16 where cvt.rn.bf16.s32 exists,
; while f16 is right.
; If this fails, tilewright/codegen/workarounds/SelectConvertedBits.cpp can go.
; RUN: llc -mtriple=nvptx64-nvidia-cuda -mcpu=sm_90 -mattr=+ptx80 %s -o - | FileCheck %s

; CHECK-LABEL: .func {{.*}} to_bf16(
; Right: selp.b32 %r1, -1, 0
; CHECK: selp.b32 %r1, 1, 0, %p1;
; CHECK-NEXT: cvt.rn.bf16.s32 %{{.*}}, %r1;
define bfloat @to_bf16(i1 %x) {
  %y = sitofp i1 %x to bfloat
  ret bfloat %y
}

; CHECK-LABEL: .func {{.*}} to_f16(
; CHECK: selp.b32 %r1, -1, 0, %p1;
; CHECK-NEXT: cvt.rn.f16.s32 %{{.*}}, %r1;
define half @to_f16(i1 %x) {
  %y = sitofp i1 %x to half
  ret half %y
}
