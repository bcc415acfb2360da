// Structured control flow (operations (core), 5), written as it prints: implicit terminators
// without operands are left out, results of `for` form a group named after the first.
// RUN: %canonical %s

module {
  cuda_tile.module @control_flow {
    entry @if(%arg0: tile<i1>, %arg1: tile<i32>, %arg2: tile<f32>) {
      if %arg0 {
      }
      if %arg0 {
        %3 = addi %arg1, %arg1 : tile<i32>
      } else {
        %3 = muli %arg1, %arg1 : tile<i32>
      } {note}
      if %arg0 {
      } else {
      }
      %0 = if %arg0 -> (tile<i32>) {
        yield %arg1 : tile<i32>
      } else {
        %3 = negi %arg1 : tile<i32>
        yield %3 : tile<i32>
      }
      %1:2 = if %arg0 -> (tile<i32>, tile<f32>) {
        yield %0, %arg2 : tile<i32>, tile<f32>
      } else {
        yield {note} %arg1, %arg2 : tile<i32>, tile<f32>
      } {note}
      %2 = addi %1#0, %arg1 : tile<i32>
      return
    }
    // Tokens cross branches as tiles do; views do not.
    entry @if_token(%arg0: tile<i1>) {
      %0 = make_token : token
      %1 = if %arg0 -> (token) {
        %2 = make_token : token
        yield %2 : token
      } else {
        yield %0 : token
      }
      return
    }
    // A branch that leaves owes no values (5.1).
    entry @early_return(%arg0: tile<i1>) {
      if %arg0 {
        return
      }
      if %arg0 {
        if %arg0 {
          return {note}
        } else {
          return
        }
      }
      %0 = if %arg0 -> (tile<i1>) {
        return
      } else {
        yield %arg0 : tile<i1>
      }
      return
    }
    entry @for(%arg0: tile<i32>, %arg1: tile<i32>, %arg2: tile<i32>) {
      for %loopIdx in (%arg0 to %arg1, step %arg2) : tile<i32> {
      }
      for unsigned %loopIdx in (%arg0 to %arg1, step %arg2) : tile<i32> {
        %0 = addi %loopIdx, %arg0 : tile<i32>
      } {note}
      return
    }
    entry @for_values(%arg0: tile<i64>, %arg1: tile<f32>, %arg2: tile<i1>) {
      %for = for %loopIdx in (%arg0 to %arg0, step %arg0) : tile<i64> iter_values(%iterArg0 = %arg1) -> (tile<f32>) {
        if %arg2 {
          continue %iterArg0 : tile<f32>
        }
        %0 = addf %iterArg0, %arg1 : tile<f32>
        continue %0 : tile<f32>
      }
      %for_0:2 = for unsigned %loopIdx in (%arg0 to %arg0, step %arg0) : tile<i64> iter_values(%iterArg0 = %for, %iterArg1 = %arg0) -> (tile<f32>, tile<i64>) {
        continue {note} %iterArg0, %loopIdx : tile<f32>, tile<i64>
      } {note}
      return
    }
    entry @for_each_width(%arg0: tile<i1>, %arg1: tile<i8>, %arg2: tile<i16>) {
      for %loopIdx in (%arg0 to %arg0, step %arg0) : tile<i1> {
      }
      for %loopIdx in (%arg1 to %arg1, step %arg1) : tile<i8> {
      }
      for %loopIdx in (%arg2 to %arg2, step %arg2) : tile<i16> {
        if %arg0 {
          continue
        }
      }
      return
    }
    entry @loop(%arg0: tile<i1>, %arg1: tile<i32>, %arg2: tile<f32>) {
      loop {
        if %arg0 {
          break
        }
      }
      loop {
        break
      } {note}
      loop iter_values(%arg3 = %arg1) : tile<i32> {
        if %arg0 {
          break
        }
        continue %arg3 : tile<i32>
      }
      %0 = loop : tile<f32> {
        if %arg0 {
          continue
        }
        break %arg2 : tile<f32>
      }
      %1:2 = loop iter_values(%arg3 = %arg1) : tile<i32> -> tile<f32>, tile<i32> {
        break {note} %0, %arg3 : tile<f32>, tile<i32>
      } {note}
      // Without a way out it is still a loop with results (5.3).
      %2 = loop iter_values(%arg3 = %arg1, %arg4 = %1#0) : tile<i32>, tile<f32> -> tile<i1> {
        continue %arg3, %arg4 : tile<i32>, tile<f32>
      }
      return
    }
    entry @nested(%arg0: tile<i32>, %arg1: tile<i1>) {
      %0 = loop iter_values(%arg2 = %arg0) : tile<i32> -> tile<i32> {
        %for = for %loopIdx in (%arg0 to %arg2, step %arg0) : tile<i32> iter_values(%iterArg0 = %arg0) -> (tile<i32>) {
          for %loopIdx_0 in (%arg0 to %loopIdx, step %arg0) : tile<i32> {
          }
          continue %iterArg0 : tile<i32>
        }
        if %arg1 {
          if %arg1 {
            break %for : tile<i32>
          }
          continue %for : tile<i32>
        }
        continue %arg2 : tile<i32>
      }
      return
    }
  }
}
