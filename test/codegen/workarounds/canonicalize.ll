; LLVM 22.1.8 crashes where it widens the vector of a llvm.canonicalize. If this fails, `quieted` in
; tilewright/elementwise/ArithmeticFloat.cpp needs no comparison for such vectors.
; RUN: not --crash llc -mtriple=x86_64-linux-gnu -mcpu=x86-64-v4 %s -o %t.s 2>&1 | FileCheck %s
; CHECK: Running pass 'X86 DAG->DAG Instruction Selection' on function '@quieted'
; A vector that fills a register compiles.
; RUN: sed 's/<2 x/<4 x/g' %s | llc -mtriple=x86_64-linux-gnu -mcpu=x86-64-v4 -o %t.s

define <2 x float> @quieted(<2 x float> %x) {
  %y = call <2 x float> @llvm.canonicalize(<2 x float> %x)
  ret <2 x float> %y
}
