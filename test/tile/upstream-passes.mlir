// Do passes of MLIR work through loops and branches? Motion of invariants and propagation of
// constants ask the interfaces of tile/ops/ControlInterfaces.cpp; elimination of common
// subexpressions needs no more than that an operation has no effect.
//
// RUN: tilewright-opt %s --loop-invariant-code-motion | FileCheck %s --check-prefix=LICM
// RUN: tilewright-opt %s --sccp | FileCheck %s --check-prefix=SCCP
// RUN: tilewright-opt %s --cse | FileCheck %s --check-prefix=CSE

cuda_tile.module @kernels {
  // What does not depend on the iteration leaves the loop. A division that may be undefined stays:
  // the loop may have no iteration.
  // LICM-LABEL: entry @invariant
  // LICM: mulf
  // LICM-NEXT: {{.*}} for
  // LICM: divi
  // LICM: store_ptr_tko
  entry @invariant(%p: tile<ptr<f32>>, %x: tile<f32>, %n: tile<i32>, %d: tile<i32>) {
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    for %i in (%zero to %n, step %one) : tile<i32> {
      %square = mulf %x, %x : tile<f32>
      %q = divi %n, %d signed : tile<i32>
      %to = offset %p, %q : tile<ptr<f32>>, tile<i32> -> tile<ptr<f32>>
      %t = store_ptr_tko weak %to, %square : tile<ptr<f32>>, tile<f32> -> token
    }
  }

  // The same out of the body of a reduction.
  // LICM-LABEL: entry @aggregate
  // LICM: muli
  // LICM-NEXT: reduce
  entry @aggregate(%p: tile<ptr<i32>>, %x: tile<i32>) {
    %t = iota : tile<8xi32>
    %sum = reduce %t dim=0 identities=[0 : i32] : tile<8xi32> -> tile<i32>
    (%e: tile<i32>, %acc: tile<i32>) {
      %square = muli %x, %x : tile<i32>
      %more = addi %e, %square : tile<i32>
      %next = addi %more, %acc : tile<i32>
      yield %next : tile<i32>
    }
    %token = store_ptr_tko weak %p, %sum : tile<ptr<i32>>, tile<i32> -> token
  }

  // A value that every iteration carries on unchanged is the constant that it began with.
  // SCCP-LABEL: entry @carried
  // SCCP: %[[FIVE:.*]] = constant <i32: 5>
  // SCCP: store_ptr_tko weak %{{.*}}, %[[FIVE]]
  entry @carried(%p: tile<ptr<i32>>, %n: tile<i32>) {
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %five = constant <i32: 5> : tile<i32>
    %last = for %i in (%zero to %n, step %one) : tile<i32>
        iter_values(%k = %five) -> (tile<i32>) {
      continue %k : tile<i32>
    }
    %token = store_ptr_tko weak %p, %last : tile<ptr<i32>>, tile<i32> -> token
  }

  // An early `continue` carries something else: neither the value nor the result is 5.
  // SCCP-LABEL: entry @carried_early
  // SCCP: %[[LAST:.*]] = for
  // SCCP: %[[TWICE:.*]] = addi %[[LAST]], %[[LAST]]
  // SCCP: store_ptr_tko weak %{{.*}}, %[[TWICE]]
  entry @carried_early(%p: tile<ptr<i32>>, %n: tile<i32>) {
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %five = constant <i32: 5> : tile<i32>
    %last = for %i in (%zero to %n, step %one) : tile<i32>
        iter_values(%k = %five) -> (tile<i32>) {
      %odd = cmpi equal %i, %one, signed : tile<i32> -> tile<i1>
      if %odd {
        continue %i : tile<i32>
      }
      continue %k : tile<i32>
    }
    %twice = addi %last, %last : tile<i32>
    %token = store_ptr_tko weak %p, %twice : tile<ptr<i32>>, tile<i32> -> token
  }

  // What a `break` in an `if` hands over is not known to analyses, and what a branch yields is not
  // taken for the only value because the other one is unknown.
  // SCCP-LABEL: entry @broken
  // SCCP: %[[LEFT:.*]] = loop
  // SCCP: %[[CHOSEN:.*]] = if
  // SCCP: store_ptr_tko weak %{{.*}}, %[[CHOSEN]]
  entry @broken(%p: tile<ptr<i32>>, %n: tile<i32>, %c: tile<i1>) {
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %five = constant <i32: 5> : tile<i32>
    %left = loop iter_values(%k = %zero) : tile<i32> -> tile<i32> {
      %next = addi %k, %one : tile<i32>
      %end = cmpi equal %next, %n, signed : tile<i32> -> tile<i1>
      if %end {
        break %next : tile<i32>
      }
      continue %next : tile<i32>
    }
    %chosen = if %c -> (tile<i32>) {
      yield %left : tile<i32>
    } else {
      yield %five : tile<i32>
    }
    %token = store_ptr_tko weak %p, %chosen : tile<ptr<i32>>, tile<i32> -> token
  }

  // A branch that leaves the loop has no part in what the `if` gives.
  // SCCP-LABEL: entry @leaves
  // SCCP: %[[FIVE:.*]] = constant <i32: 5>
  // SCCP: store_ptr_tko weak %{{.*}}, %[[FIVE]]
  entry @leaves(%p: tile<ptr<i32>>, %c: tile<i1>) {
    %five = constant <i32: 5> : tile<i32>
    loop {
      %chosen = if %c -> (tile<i32>) {
        break
      } else {
        yield %five : tile<i32>
      }
      %token = store_ptr_tko weak %p, %chosen : tile<ptr<i32>>, tile<i32> -> token
      continue
    }
  }

  // Both branches yield the same constant.
  // SCCP-LABEL: entry @branches
  // SCCP: %[[FIVE:.*]] = constant <i32: 5>
  // SCCP: store_ptr_tko weak %{{.*}}, %[[FIVE]]
  entry @branches(%p: tile<ptr<i32>>, %c: tile<i1>) {
    %five = constant <i32: 5> : tile<i32>
    %chosen = if %c -> (tile<i32>) {
      %same = constant <i32: 5> : tile<i32>
      yield %same : tile<i32>
    } else {
      yield %five : tile<i32>
    }
    %token = store_ptr_tko weak %p, %chosen : tile<ptr<i32>>, tile<i32> -> token
  }

  // A loop that breaks in its own body hands its value over.
  // SCCP-LABEL: entry @once
  // SCCP: %[[SEVEN:.*]] = constant <i32: 7>
  // SCCP: store_ptr_tko weak %{{.*}}, %[[SEVEN]]
  entry @once(%p: tile<ptr<i32>>) {
    %seven = constant <i32: 7> : tile<i32>
    %left = loop : tile<i32> {
      break %seven : tile<i32>
    }
    %token = store_ptr_tko weak %p, %left : tile<ptr<i32>>, tile<i32> -> token
  }

  // A computation inside of a loop that stands in front of it already is reused.
  // CSE-LABEL: entry @common
  // CSE: %[[SUM:.*]] = addi
  // CSE-NOT: addi
  // CSE: store_ptr_tko weak %{{.*}}, %[[SUM]]
  entry @common(%p: tile<ptr<i32>>, %n: tile<i32>) {
    %one = constant <i32: 1> : tile<i32>
    %sum = addi %n, %one : tile<i32>
    for %i in (%one to %sum, step %one) : tile<i32> {
      %again = addi %n, %one : tile<i32>
      %token = store_ptr_tko weak %p, %again : tile<ptr<i32>>, tile<i32> -> token
    }
  }
}
