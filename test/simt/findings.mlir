// Each finding comes with its kind and its source line, and a race with both lines.
// RUN: %python %S/../tools/Inputs/status.py 3 %tilewright simt %s --threads=64 --function=race --arg 'zeros(64xf32)' 2> %t.race
// RUN: FileCheck %s --check-prefix=RACE --implicit-check-not=error < %t.race
// RUN: %python %S/../tools/Inputs/status.py 3 %tilewright simt %s --threads=8,8 --function=diverge 2> %t.diverge
// RUN: FileCheck %s --check-prefix=DIVERGE --implicit-check-not=error < %t.diverge
// RUN: %python %S/../tools/Inputs/status.py 3 %tilewright simt %s --threads=8 --function=outside --arg 'iota(6xi32)' 2> %t.outside
// RUN: FileCheck %s --check-prefix=OUTSIDE --implicit-check-not=error < %t.outside
// RUN: %python %S/../tools/Inputs/status.py 3 %tilewright simt %s --function=unwritten --arg 'empty(4xf32)' 2> %t.unwritten
// RUN: FileCheck %s --check-prefix=UNWRITTEN --implicit-check-not=error < %t.unwritten

// RACE: findings.mlir:[[@LINE+6]]:{{[0-9]+}}: error: race: race on element [0] of argument 0: write by thread 1 ('memref.store') and, with no barrier between, write by thread 0 ('memref.store' at {{.*}}findings.mlir:[[@LINE+6]]:
// RACE-NEXT: memref.store %x, %m[%c0]
// RACE: note: the other access
func.func @race(%m: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %x = arith.constant 1.0 : f32
  memref.store %x, %m[%c0] : memref<64xf32>
  return
}

// DIVERGE: findings.mlir:[[@LINE+6]]:{{[0-9]+}}: error: divergent barrier: 'gpu.barrier' is reached by 32 of the 64 threads of the workgroup; 'scf.if' at {{.*}}findings.mlir:[[@LINE+5]]:3 went on with 32 of 64
func.func @diverge() {
  %y = gpu.thread_id y
  %c4 = arith.constant 4 : index
  %upper = arith.cmpi ult, %y, %c4 : index
  scf.if %upper {
    gpu.barrier
  }
  return
}

// OUTSIDE: findings.mlir:[[@LINE+3]]:{{[0-9]+}}: error: out of bounds: thread 6 accesses argument 0 at index 6 of dimension 0, which has extent 6
func.func @outside(%m: memref<6xi32>) {
  %t = gpu.thread_id x
  %x = memref.load %m[%t] : memref<6xi32>
  return
}

// UNWRITTEN: findings.mlir:[[@LINE+3]]:{{[0-9]+}}: error: uninitialized read: thread 0 reads element [2] of argument 0, which nobody has written
func.func @unwritten(%m: memref<4xf32>) {
  %c2 = arith.constant 2 : index
  %x = memref.load %m[%c2] : memref<4xf32>
  return
}
