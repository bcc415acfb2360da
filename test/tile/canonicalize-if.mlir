// RUN: tilewright-opt --canonicalize --split-input-file %s | FileCheck %s
// `if`: one kernel per sentence of the list in operations, 13, and what must stay.

cuda_tile.module @known_condition {
  // CHECK-LABEL: entry @inlined(
  // CHECK-SAME: %[[A:.*]]: tile<f32>, %[[B:.*]]: tile<f32>)
  // CHECK-NEXT: print_tko "then"
  // CHECK-NEXT: print_tko "%f", %[[A]]
  // CHECK-NEXT: return
  entry @inlined(%a: tile<f32>, %b: tile<f32>) {
    %true = constant <i1: true> : tile<i1>
    %r = if %true -> (tile<f32>) {
      %t0 = print_tko "then" -> token
      yield %a : tile<f32>
    } else {
      %t1 = print_tko "else" -> token
      yield %b : tile<f32>
    }
    %t2 = print_tko "%f", %r : tile<f32> -> token
  }

  // CHECK-LABEL: entry @no_else()
  // CHECK-NEXT: return
  entry @no_else() {
    %false = constant <i1: false> : tile<i1>
    if %false {
      %t0 = print_tko "then" -> token
    }
  }

  // What follows a branch that leaves is never reached.
  // CHECK-LABEL: entry @leaves()
  // CHECK-NEXT: print_tko "then"
  // CHECK-NEXT: return
  // CHECK-NEXT: }
  entry @leaves() {
    %true = constant <i1: true> : tile<i1>
    if %true {
      %t0 = print_tko "then" -> token
      return
    }
    %t1 = print_tko "after" -> token
  }

  // CHECK-LABEL: entry @breaks(
  // CHECK-SAME: %[[A:.*]]: tile<f32>)
  // CHECK-NEXT: loop : tile<f32> {
  // CHECK-NEXT: break %[[A]] : tile<f32>
  // CHECK-NEXT: }
  // CHECK-NEXT: print_tko
  entry @breaks(%a: tile<f32>) {
    %true = constant <i1: true> : tile<i1>
    %r = loop : tile<f32> {
      if %true {
        break %a : tile<f32>
      }
      %t1 = print_tko "after" -> token
    }
    %t2 = print_tko "%f", %r : tile<f32> -> token
  }

  // A condition that only looks known.
  // CHECK-LABEL: entry @unknown(
  // CHECK: if
  entry @unknown(%c: tile<i1>) {
    %false = constant <i1: false> : tile<i1>
    %d = andi %c, %false : tile<i1>
    if %d {
      %t0 = print_tko "then" -> token
    }
  }
}

// -----

cuda_tile.module @negated_condition {
  // CHECK-LABEL: entry @swapped(
  // CHECK-SAME: %[[C:.*]]: tile<i1>)
  // CHECK-NEXT: if %[[C]] {
  // CHECK-NEXT: print_tko "else"
  // CHECK: } else {
  // CHECK-NEXT: print_tko "then"
  entry @swapped(%c: tile<i1>) {
    %true = constant <i1: true> : tile<i1>
    %n = xori %c, %true : tile<i1>
    if %n {
      %t0 = print_tko "then" -> token
    } else {
      %t1 = print_tko "else" -> token
    }
  }

  // Nothing to swap with.
  // CHECK-LABEL: entry @no_else(
  // CHECK: %[[N:.*]] = xori
  // CHECK-NEXT: if %[[N]] {
  // CHECK-NOT: else
  // CHECK: return
  entry @no_else(%c: tile<i1>) {
    %true = constant <i1: true> : tile<i1>
    %n = xori %c, %true : tile<i1>
    if %n {
      %t0 = print_tko "then" -> token
    }
  }
}

// -----

cuda_tile.module @results {
  // CHECK-LABEL: entry @unused(
  // CHECK: %[[R:.*]] = if %{{.*}} -> (tile<i32>) {
  // CHECK: yield %{{.*}} : tile<i32>
  // CHECK: } else {
  // CHECK: yield %{{.*}} : tile<i32>
  // CHECK: print_tko "%d", %[[R]]
  entry @unused(%c: tile<i1>, %a: tile<i32>) {
    %r:2 = if %c -> (tile<f32>, tile<i32>) {
      %x = constant <f32: 1.0> : tile<f32>
      %y = addi %a, %a : tile<i32>
      yield %x, %y : tile<f32>, tile<i32>
    } else {
      %x = constant <f32: 2.0> : tile<f32>
      %y = muli %a, %a : tile<i32>
      yield %x, %y : tile<f32>, tile<i32>
    }
    %t = print_tko "%d", %r#1 : tile<i32> -> token
  }

  // A tile that is too large for a select by a scalar is forwarded all the same.
  // CHECK-LABEL: entry @equal(
  // CHECK: %[[V:.*]] = iota : tile<4xi32>
  // CHECK: if %{{.*}} {
  // CHECK-NEXT: print_tko "then"
  // CHECK-NEXT: }
  // CHECK-NEXT: print_tko "%d", %[[V]]
  entry @equal(%c: tile<i1>) {
    %v = iota : tile<4xi32>
    %r = if %c -> (tile<4xi32>) {
      %t0 = print_tko "then" -> token
      yield %v : tile<4xi32>
    } else {
      yield %v : tile<4xi32>
    }
    %t = print_tko "%d", %r : tile<4xi32> -> token
  }

  // CHECK-LABEL: entry @truth(
  // CHECK-SAME: %[[C:.*]]: tile<i1>)
  // CHECK: %[[TRUE:.*]] = constant <i1: true>
  // CHECK: %[[N:.*]] = xori %[[C]], %[[TRUE]]
  // CHECK: if %[[C]] {
  // CHECK: }
  // CHECK-NEXT: assert %[[C]], "c"
  // CHECK-NEXT: assert %[[N]], "not c"
  entry @truth(%c: tile<i1>) {
    %r:2 = if %c -> (tile<i1>, tile<i1>) {
      %t0 = print_tko "then" -> token
      %true = constant <i1: true> : tile<i1>
      %false = constant <i1: false> : tile<i1>
      yield %true, %false : tile<i1>, tile<i1>
    } else {
      %true = constant <i1: true> : tile<i1>
      %false = constant <i1: false> : tile<i1>
      yield %false, %true : tile<i1>, tile<i1>
    }
    assert %r#0, "c" : tile<i1>
    assert %r#1, "not c" : tile<i1>
  }

  // CHECK-LABEL: entry @selected(
  // CHECK-SAME: %[[C:.*]]: tile<i1>, %[[A:.*]]: tile<f32>, %[[B:.*]]: tile<f32>)
  // CHECK-NEXT: %[[R:.*]] = select %[[C]], %[[A]], %[[B]] : tile<i1>, tile<f32>
  // CHECK-NEXT: print_tko "%f", %[[R]]
  entry @selected(%c: tile<i1>, %a: tile<f32>, %b: tile<f32>) {
    %r = if %c -> (tile<f32>) {
      yield %a : tile<f32>
    } else {
      yield %b : tile<f32>
    }
    %t = print_tko "%f", %r : tile<f32> -> token
  }

  // Only the value that both branches take from outside.
  // CHECK-LABEL: entry @selected_partly(
  // CHECK-SAME: %[[C:.*]]: tile<i1>, %[[A:.*]]: tile<f32>, %[[B:.*]]: tile<f32>)
  // CHECK-NEXT: %[[S:.*]] = select %[[C]], %[[A]], %[[B]] : tile<i1>, tile<f32>
  // CHECK-NEXT: %[[R:.*]] = if %[[C]] -> (tile<f32>) {
  // CHECK: print_tko "%f %f", %[[S]], %[[R]]
  entry @selected_partly(%c: tile<i1>, %a: tile<f32>, %b: tile<f32>) {
    %r:2 = if %c -> (tile<f32>, tile<f32>) {
      %s = addf %a, %b : tile<f32>
      yield %a, %s : tile<f32>, tile<f32>
    } else {
      yield %b, %a : tile<f32>, tile<f32>
    }
    %t = print_tko "%f %f", %r#0, %r#1 : tile<f32>, tile<f32> -> token
  }

  // `select` takes no scalar condition for a larger tile, and no token.
  // CHECK-LABEL: entry @not_selected(
  // CHECK-NOT: select
  // CHECK: if %{{.*}} -> (tile<4xi32>, token) {
  entry @not_selected(%c: tile<i1>) {
    %v = iota : tile<4xi32>
    %w = addi %v, %v : tile<4xi32>
    %t0 = make_token : token
    %t1 = print_tko "" -> token
    %r, %t = if %c -> (tile<4xi32>, token) {
      yield %v, %t0 : tile<4xi32>, token
    } else {
      yield %w, %t1 : tile<4xi32>, token
    }
    %t2 = print_tko "%d", %r token=%t : tile<4xi32> -> token
  }

  // A branch that leaves yields nothing to select from.
  // CHECK-LABEL: entry @leaving_branch(
  // CHECK: %[[R:.*]] = if %{{.*}} -> (tile<f32>) {
  // CHECK-NEXT: yield
  // CHECK-NEXT: } else {
  // CHECK-NEXT: return
  // CHECK-NEXT: }
  // CHECK-NEXT: print_tko "%f", %[[R]]
  entry @leaving_branch(%c: tile<i1>, %a: tile<f32>) {
    %r = if %c -> (tile<f32>) {
      yield %a : tile<f32>
    } else {
      return
    }
    %t = print_tko "%f", %r : tile<f32> -> token
  }
}

// -----

cuda_tile.module @adjacent {
  // Results of the first are known in the branches of the second.
  // CHECK-LABEL: entry @same(
  // CHECK-SAME: %[[C:.*]]: tile<i1>, %[[A:.*]]: tile<f32>)
  // CHECK-NEXT: %[[R:.*]]:2 = if %[[C]] -> (tile<f32>, tile<f32>) {
  // CHECK-NEXT: %[[X:.*]] = addf %[[A]], %[[A]]
  // CHECK-NEXT: %[[Y:.*]] = mulf %[[X]], %[[A]]
  // CHECK-NEXT: yield %[[X]], %[[Y]]
  // CHECK-NEXT: } else {
  // CHECK-NEXT: %[[X:.*]] = subf %[[A]], %[[A]]
  // CHECK-NEXT: %[[Y:.*]] = divf %[[X]], %[[A]]
  // CHECK-NEXT: yield %[[X]], %[[Y]]
  // CHECK-NEXT: }
  // CHECK-NEXT: print_tko "%f %f", %[[R]]#0, %[[R]]#1
  entry @same(%c: tile<i1>, %a: tile<f32>) {
    %r = if %c -> (tile<f32>) {
      %x = addf %a, %a : tile<f32>
      yield %x : tile<f32>
    } else {
      %x = subf %a, %a : tile<f32>
      yield %x : tile<f32>
    }
    %s = if %c -> (tile<f32>) {
      %y = mulf %r, %a : tile<f32>
      yield %y : tile<f32>
    } else {
      %y = divf %r, %a : tile<f32>
      yield %y : tile<f32>
    }
    %t = print_tko "%f %f", %r, %s : tile<f32>, tile<f32> -> token
  }

  // CHECK-LABEL: entry @negated(
  // CHECK-SAME: %[[C:.*]]: tile<i1>)
  // CHECK-NOT: xori
  // CHECK: if %[[C]] {
  // CHECK-NEXT: print_tko "yes"
  // CHECK-NEXT: } else {
  // CHECK-NEXT: print_tko "no"
  // CHECK-NEXT: }
  // CHECK-NEXT: return
  entry @negated(%c: tile<i1>) {
    %true = constant <i1: true> : tile<i1>
    %n = xori %c, %true : tile<i1>
    if %c {
      %t0 = print_tko "yes" -> token
    }
    if %n {
      %t0 = print_tko "no" -> token
    }
  }

  // The second may leave, the first must not: then the second is skipped.
  // CHECK-LABEL: entry @second_leaves(
  // CHECK-NEXT: if %{{.*}} {
  // CHECK-NEXT: print_tko "one"
  // CHECK-NEXT: return
  // CHECK-NEXT: }
  // CHECK-NEXT: print_tko "after"
  entry @second_leaves(%c: tile<i1>) {
    if %c {
      %t0 = print_tko "one" -> token
    }
    if %c {
      return
    }
    %t1 = print_tko "after" -> token
  }
  // CHECK-LABEL: entry @first_leaves(
  // CHECK-COUNT-2: if %
  entry @first_leaves(%c: tile<i1>) {
    if %c {
      return
    }
    if %c {
      %t0 = print_tko "never" -> token
    }
  }

  // CHECK-LABEL: entry @apart(
  // CHECK-COUNT-2: if %
  entry @apart(%c: tile<i1>) {
    if %c {
      %t0 = print_tko "one" -> token
    }
    %t1 = print_tko "between" -> token
    if %c {
      %t2 = print_tko "two" -> token
    }
  }
}

// -----

cuda_tile.module @nested {
  // CHECK-LABEL: entry @merged(
  // CHECK-SAME: %[[A:.*]]: tile<i1>, %[[B:.*]]: tile<i1>)
  // CHECK-NEXT: %[[BOTH:.*]] = andi %[[A]], %[[B]] : tile<i1>
  // CHECK-NEXT: if %[[BOTH]] {
  // CHECK-NEXT: print_tko "both"
  // CHECK-NEXT: }
  // CHECK-NEXT: return
  entry @merged(%a: tile<i1>, %b: tile<i1>) {
    if %a {
      if %b {
        %t0 = print_tko "both" -> token
      }
    }
  }

  // CHECK-LABEL: entry @merged_results(
  // CHECK-SAME: %[[A:.*]]: tile<i1>, %[[B:.*]]: tile<i1>, %[[X:.*]]: tile<f32>)
  // CHECK-NEXT: %[[BOTH:.*]] = andi %[[A]], %[[B]] : tile<i1>
  // CHECK-NEXT: %[[R:.*]] = if %[[BOTH]] -> (tile<f32>) {
  // CHECK-NEXT: %[[S:.*]] = addf %[[X]], %[[X]]
  // CHECK-NEXT: yield %[[S]]
  // CHECK-NEXT: } else {
  // CHECK-NEXT: yield %[[X]]
  // CHECK-NEXT: }
  // CHECK-NEXT: print_tko "%f", %[[R]]
  entry @merged_results(%a: tile<i1>, %b: tile<i1>, %x: tile<f32>) {
    %r = if %a -> (tile<f32>) {
      %q = if %b -> (tile<f32>) {
        %s = addf %x, %x : tile<f32>
        yield %s : tile<f32>
      } else {
        yield %x : tile<f32>
      }
      yield %q : tile<f32>
    } else {
      yield %x : tile<f32>
    }
    %t = print_tko "%f", %r : tile<f32> -> token
  }

  // Different values when one or the other fails; other operations; an else that acts.
  // CHECK-LABEL: entry @not_merged(
  // CHECK-NOT: andi
  // CHECK: return
  entry @not_merged(%a: tile<i1>, %b: tile<i1>, %x: tile<f32>, %y: tile<f32>) {
    %r = if %a -> (tile<f32>) {
      %q = if %b -> (tile<f32>) {
        %s = addf %x, %x : tile<f32>
        yield %s : tile<f32>
      } else {
        yield %y : tile<f32>
      }
      yield %q : tile<f32>
    } else {
      yield %x : tile<f32>
    }
    %t = print_tko "%f", %r : tile<f32> -> token
    if %a {
      if %b {
        %t0 = print_tko "both" -> token
      }
      %t1 = print_tko "a" -> token
    }
    %t3 = print_tko "between" -> token
    if %a {
      if %b {
        %t0 = print_tko "both" -> token
      } else {
        %t1 = print_tko "a only" -> token
      }
    }
  }
}

// -----

cuda_tile.module @else_branch {
  // CHECK-LABEL: entry @empty(
  // CHECK: if
  // CHECK-NEXT: print_tko "then"
  // CHECK-NEXT: }
  // CHECK-NEXT: return
  entry @empty(%c: tile<i1>) {
    if %c {
      %t0 = print_tko "then" -> token
    } else {
    }
  }

  // CHECK-LABEL: entry @both_leave(
  // CHECK-SAME: %[[C:.*]]: tile<i1>, %[[A:.*]]: tile<f32>)
  // CHECK-NEXT: %[[R:.*]] = loop iter_values(%[[X:.*]] = %[[A]]) : tile<f32> -> tile<f32> {
  // CHECK-NEXT: if %[[C]] {
  // CHECK-NEXT: print_tko "leave"
  // CHECK-NEXT: break %[[X]] : tile<f32>
  // CHECK-NEXT: }
  // CHECK-NEXT: %[[Y:.*]] = addf %[[X]], %[[A]]
  // CHECK-NEXT: continue %[[Y]] : tile<f32>
  // CHECK-NEXT: }
  // CHECK-NEXT: print_tko "%f", %[[R]]
  entry @both_leave(%c: tile<i1>, %a: tile<f32>) {
    %r = loop iter_values(%x = %a) : tile<f32> -> tile<f32> {
      %s = if %c -> (tile<f32>) {
        %t0 = print_tko "leave" -> token
        break %x : tile<f32>
      } else {
        %y = addf %x, %a : tile<f32>
        continue %y : tile<f32>
      }
      %t1 = print_tko "unreachable %f", %s : tile<f32> -> token
      continue %s : tile<f32>
    }
    %t2 = print_tko "%f", %r : tile<f32> -> token
  }

  // CHECK-LABEL: entry @one_leaves(
  // CHECK: if
  // CHECK: } else {
  // CHECK: }
  // CHECK-NEXT: print_tko "after"
  entry @one_leaves(%c: tile<i1>) {
    if %c {
      return
    } else {
      %t0 = print_tko "else" -> token
    }
    %t1 = print_tko "after" -> token
  }
}
