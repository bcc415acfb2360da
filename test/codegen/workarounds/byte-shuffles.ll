; Instruction selection of LLVM 22.1.8 never ends over a shuffle of 64 bytes that repeats bytes of an
; operation with one use, if there is AVX512-VBMI. Only time shows it: without VBMI, it ends at once.
; If this fails, scans and lane-shuffle programs may have bytes, and FillPoisonLanes.cpp can go
; (tilewright/codegen/workarounds/).
; RUN: split-file %s %t
; RUN: %endless llc -mtriple=x86_64-linux-gnu -mcpu=icelake-server %t/last.ll -o %t.s
; RUN: llc -mtriple=x86_64-linux-gnu -mcpu=x86-64-v4 %t/last.ll -o %t.s
; RUN: %endless llc -mtriple=x86_64-linux-gnu -mcpu=icelake-server %t/poison.ll -o %t.s
; RUN: llc -mtriple=x86_64-linux-gnu -mcpu=icelake-server %t/splat.ll -o %t.s

; A scan repeats the last byte.
;--- last.ll
define <64 x i8> @last(<64 x i8> %x, <64 x i8> %y) {
  %sum = add <64 x i8> %x, %y
  %last = shufflevector <64 x i8> %sum, <64 x i8> poison, <64 x i32> <i32 63, i32 63, i32 63, i32 63, i32 63, i32 63, i32 63, i32 63, i32 63, i32 63, i32 63, i32 63, i32 63, i32 63, i32 63, i32 63, i32 63, i32 63, i32 63, i32 63, i32 63, i32 63, i32 63, i32 63, i32 63, i32 63, i32 63, i32 63, i32 63, i32 63, i32 63, i32 63, i32 63, i32 63, i32 63, i32 63, i32 63, i32 63, i32 63, i32 63, i32 63, i32 63, i32 63, i32 63, i32 63, i32 63, i32 63, i32 63, i32 63, i32 63, i32 63, i32 63, i32 63, i32 63, i32 63, i32 63, i32 63, i32 63, i32 63, i32 63, i32 63, i32 63, i32 63, i32 63>
  ret <64 x i8> %last
}

; A product repeats four bytes.
;--- poison.ll
define <64 x i8> @group(<64 x i8> %x) {
  %signed = xor <64 x i8> %x, <i8 poison, i8 poison, i8 poison, i8 poison, i8 poison, i8 poison, i8 poison, i8 poison, i8 poison, i8 poison, i8 poison, i8 poison, i8 -128, i8 -128, i8 -128, i8 -128, i8 poison, i8 poison, i8 poison, i8 poison, i8 poison, i8 poison, i8 poison, i8 poison, i8 poison, i8 poison, i8 poison, i8 poison, i8 poison, i8 poison, i8 poison, i8 poison, i8 poison, i8 poison, i8 poison, i8 poison, i8 poison, i8 poison, i8 poison, i8 poison, i8 poison, i8 poison, i8 poison, i8 poison, i8 poison, i8 poison, i8 poison, i8 poison, i8 poison, i8 poison, i8 poison, i8 poison, i8 poison, i8 poison, i8 poison, i8 poison, i8 poison, i8 poison, i8 poison, i8 poison, i8 poison, i8 poison, i8 poison, i8 poison>
  %group = shufflevector <64 x i8> %signed, <64 x i8> poison, <64 x i32> <i32 12, i32 13, i32 14, i32 15, i32 12, i32 13, i32 14, i32 15, i32 12, i32 13, i32 14, i32 15, i32 12, i32 13, i32 14, i32 15, i32 12, i32 13, i32 14, i32 15, i32 12, i32 13, i32 14, i32 15, i32 12, i32 13, i32 14, i32 15, i32 12, i32 13, i32 14, i32 15, i32 12, i32 13, i32 14, i32 15, i32 12, i32 13, i32 14, i32 15, i32 12, i32 13, i32 14, i32 15, i32 12, i32 13, i32 14, i32 15, i32 12, i32 13, i32 14, i32 15, i32 12, i32 13, i32 14, i32 15, i32 12, i32 13, i32 14, i32 15, i32 12, i32 13, i32 14, i32 15>
  ret <64 x i8> %group
}

; As FillPoisonLanes.cpp makes it: one xor with two uses.
;--- splat.ll
define void @groups(<64 x i8> %x, ptr %p, ptr %q) {
  %signed = xor <64 x i8> %x, splat (i8 -128)
  %group = shufflevector <64 x i8> %signed, <64 x i8> poison, <64 x i32> <i32 12, i32 13, i32 14, i32 15, i32 12, i32 13, i32 14, i32 15, i32 12, i32 13, i32 14, i32 15, i32 12, i32 13, i32 14, i32 15, i32 12, i32 13, i32 14, i32 15, i32 12, i32 13, i32 14, i32 15, i32 12, i32 13, i32 14, i32 15, i32 12, i32 13, i32 14, i32 15, i32 12, i32 13, i32 14, i32 15, i32 12, i32 13, i32 14, i32 15, i32 12, i32 13, i32 14, i32 15, i32 12, i32 13, i32 14, i32 15, i32 12, i32 13, i32 14, i32 15, i32 12, i32 13, i32 14, i32 15, i32 12, i32 13, i32 14, i32 15, i32 12, i32 13, i32 14, i32 15>
  %other = shufflevector <64 x i8> %signed, <64 x i8> poison, <64 x i32> <i32 16, i32 17, i32 18, i32 19, i32 16, i32 17, i32 18, i32 19, i32 16, i32 17, i32 18, i32 19, i32 16, i32 17, i32 18, i32 19, i32 16, i32 17, i32 18, i32 19, i32 16, i32 17, i32 18, i32 19, i32 16, i32 17, i32 18, i32 19, i32 16, i32 17, i32 18, i32 19, i32 16, i32 17, i32 18, i32 19, i32 16, i32 17, i32 18, i32 19, i32 16, i32 17, i32 18, i32 19, i32 16, i32 17, i32 18, i32 19, i32 16, i32 17, i32 18, i32 19, i32 16, i32 17, i32 18, i32 19, i32 16, i32 17, i32 18, i32 19, i32 16, i32 17, i32 18, i32 19>
  store <64 x i8> %group, ptr %p
  store <64 x i8> %other, ptr %q
  ret void
}
