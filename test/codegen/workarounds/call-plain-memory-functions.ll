; LLVM's ThreadSanitizer calls __tsan_memcpy, which GCC's runtime lacks. If this fails,
; tilewright/codegen/workarounds/CallPlainMemoryFunctions.cpp can go.
; RUN: opt -passes=tsan-module,tsan -S %s | FileCheck %s
; CHECK-LABEL: define void @copy(
; CHECK: call ptr @__tsan_memcpy(
; RUN: cc -print-file-name=libtsan.so | xargs nm -D | FileCheck %s --check-prefix=GCC --implicit-check-not=__tsan_memcpy
; GCC: __tsan_func_entry

define void @copy(ptr %to, ptr %from) sanitize_thread {
  call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr %from, i64 100, i1 false)
  ret void
}
