// RUN: tilewright-opt --evaluate-constants %s | FileCheck %s
// Control flow by known conditions, and what has effects (operations, 5 and 6).

cuda_tile.module @control {
  // The condition is computed; the branch it leaves is evaluated too: 3 < 4, 3 + 4 = 7.
  // CHECK-LABEL: entry @branch()
  // CHECK-NEXT: %[[C:.*]] = constant <i32: 7> : tile<i32>
  // CHECK-NEXT: print_tko "%d", %[[C]]
  // CHECK-NEXT: return
  entry @branch() {
    %a = constant <i32: 3> : tile<i32>
    %b = constant <i32: 4> : tile<i32>
    %c = cmpi less_than %a, %b, signed : tile<i32> -> tile<i1>
    %r = if %c -> (tile<i32>) {
      %s = addi %a, %b : tile<i32>
      yield %s : tile<i32>
    } else {
      %t0 = print_tko "never" -> token
      yield %a : tile<i32>
    }
    %t = print_tko "%d", %r : tile<i32> -> token
  }

  // CHECK-LABEL: entry @leaving_branch(
  // CHECK: loop : tile<i32> {
  // CHECK-NEXT: break %{{.*}} : tile<i32>
  // CHECK-NEXT: }
  // CHECK-NEXT: print_tko
  entry @leaving_branch(%n: tile<i32>) {
    %r = loop : tile<i32> {
      %same = cmpi equal %n, %n, signed : tile<i32> -> tile<i1>
      if %same {
        break %n : tile<i32>
      }
      %t0 = print_tko "never" -> token
    }
    %t = print_tko "%d", %r : tile<i32> -> token
  }

  // 5 to 5; -1 to 1 when read as unsigned, 0xFF to 1.
  // CHECK-LABEL: entry @no_iteration(
  // CHECK-SAME: %[[X:.*]]: tile<f32>)
  // CHECK-NEXT: print_tko "%f %f", %[[X]], %[[X]]
  entry @no_iteration(%x: tile<f32>) {
    %five = constant <i32: 5> : tile<i32>
    %m1 = constant <i8: -1> : tile<i8>
    %one = constant <i8: 1> : tile<i8>
    %r = for %i in (%five to %five, step %five) : tile<i32> iter_values(%s = %x) -> (tile<f32>) {
      %s2 = addf %s, %s : tile<f32>
      continue %s2 : tile<f32>
    }
    %q = for unsigned %i in (%m1 to %one, step %one) : tile<i8> iter_values(%s = %r) -> (tile<f32>) {
      %s2 = addf %s, %s : tile<f32>
      continue %s2 : tile<f32>
    }
    %t = print_tko "%f %f", %r, %q : tile<f32>, tile<f32> -> token
  }

  // -1 to 1 when read as signed; and a step that is an error, which must be reported.
  // CHECK-LABEL: entry @iterations(
  // CHECK: for %
  // CHECK: for %
  entry @iterations(%x: tile<f32>) {
    %zero = constant <i8: 0> : tile<i8>
    %m1 = constant <i8: -1> : tile<i8>
    %one = constant <i8: 1> : tile<i8>
    for %i in (%m1 to %one, step %one) : tile<i8> {
      %t0 = print_tko "%d", %i : tile<i8> -> token
    }
    for %i in (%one to %one, step %zero) : tile<i8> {
      %t0 = print_tko "%d", %i : tile<i8> -> token
    }
  }

  // Effects stay; what only served dropped operations goes. An assumption that has no
  // user goes by no rule here.
  // CHECK-LABEL: entry @effects(
  // CHECK: assert
  // CHECK: load_ptr_tko
  // CHECK-NOT: addi
  // CHECK: assume
  // CHECK-NEXT: return
  entry @effects(%p: tile<ptr<f32>>, %n: tile<i32>) {
    %true = constant <i1: true> : tile<i1>
    assert %true, "holds" : tile<i1>
    %v, %t0 = load_ptr_tko weak %p : tile<ptr<f32>> -> tile<f32>, token
    %unused = addi %n, %n : tile<i32>
    %a = assume bounded<0, 4>, %n : tile<i32>
  }
}
