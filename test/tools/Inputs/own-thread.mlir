func.func @by_thread(%a: memref<32xindex>) {
  %t = gpu.thread_id x
  memref.store %t, %a[%t] : memref<32xindex>
  return
}
