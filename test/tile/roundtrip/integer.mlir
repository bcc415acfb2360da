// Integer operations, one entry each: every element type, every modifier. The file is
// written as it prints (textual format, 12.3); forms in operations (arithmetic), 4.1 to 4.9.
// RUN: %canonical %s

module {
  cuda_tile.module @integer {
    entry @addi(%arg0: tile<i1>, %arg1: tile<i8>, %arg2: tile<i16>, %arg3: tile<i32>, %arg4: tile<i64>) {
      %0 = addi %arg0, %arg0 : tile<i1>
      %1 = addi %arg1, %arg1 overflow<no_signed_wrap> : tile<i8>
      %2 = addi %arg2, %arg2 overflow<no_unsigned_wrap> : tile<i16>
      %3 = addi %arg3, %arg3 overflow<no_wrap> : tile<i32>
      %4 = addi %arg4, %arg4 {note = "kept"} : tile<i64>
      %5 = iota : tile<16xi8>
      %6 = addi %5, %5 overflow<no_wrap> {b, c = "two"} : tile<16xi8>
      return
    }
    entry @subi(%arg0: tile<i1>, %arg1: tile<i8>, %arg2: tile<i16>, %arg3: tile<i32>, %arg4: tile<i64>) {
      %0 = subi %arg0, %arg0 : tile<i1>
      %1 = subi %arg1, %arg1 overflow<no_signed_wrap> : tile<i8>
      %2 = subi %arg2, %arg2 overflow<no_unsigned_wrap> : tile<i16>
      %3 = subi %arg3, %arg3 overflow<no_wrap> : tile<i32>
      %4 = subi %arg4, %arg4 : tile<i64>
      return
    }
    entry @muli(%arg0: tile<i1>, %arg1: tile<i8>, %arg2: tile<i16>, %arg3: tile<i32>, %arg4: tile<i64>) {
      %0 = muli %arg0, %arg0 : tile<i1>
      %1 = muli %arg1, %arg1 overflow<no_signed_wrap> : tile<i8>
      %2 = muli %arg2, %arg2 overflow<no_unsigned_wrap> : tile<i16>
      %3 = muli %arg3, %arg3 overflow<no_wrap> : tile<i32>
      %4 = muli %arg4, %arg4 : tile<i64>
      return
    }
    entry @shli(%arg0: tile<i1>, %arg1: tile<i8>, %arg2: tile<i16>, %arg3: tile<i32>, %arg4: tile<i64>) {
      %0 = shli %arg0, %arg0 : tile<i1>
      %1 = shli %arg1, %arg1 overflow<no_signed_wrap> : tile<i8>
      %2 = shli %arg2, %arg2 overflow<no_unsigned_wrap> : tile<i16>
      %3 = shli %arg3, %arg3 overflow<no_wrap> : tile<i32>
      %4 = shli %arg4, %arg4 : tile<i64>
      return
    }
    // `no_unsigned_wrap` is the one assumption that negi does not take (4.2).
    entry @negi(%arg0: tile<i1>, %arg1: tile<i8>, %arg2: tile<i16>, %arg3: tile<i32>, %arg4: tile<i64>) {
      %0 = negi %arg0 : tile<i1>
      %1 = negi %arg1 overflow<no_signed_wrap> : tile<i8>
      %2 = negi %arg2 overflow<no_wrap> : tile<i16>
      %3 = negi %arg3 overflow<no_wrap> {note} : tile<i32>
      %4 = negi %arg4 : tile<i64>
      return
    }
    entry @absi(%arg0: tile<i1>, %arg1: tile<i8>, %arg2: tile<i16>, %arg3: tile<i32>, %arg4: tile<i64>) {
      %0 = absi %arg0 : tile<i1>
      %1 = absi %arg1 : tile<i8>
      %2 = absi %arg2 {note} : tile<i16>
      %3 = absi %arg3 : tile<i32>
      %4 = absi %arg4 : tile<i64>
      return
    }
    entry @mulhii(%arg0: tile<i1>, %arg1: tile<i8>, %arg2: tile<i16>, %arg3: tile<i32>, %arg4: tile<i64>) {
      %0 = mulhii %arg0, %arg0 : tile<i1>
      %1 = mulhii %arg1, %arg1 : tile<i8>
      %2 = mulhii %arg2, %arg2 {note} : tile<i16>
      %3 = mulhii %arg3, %arg3 : tile<i32>
      %4 = mulhii %arg4, %arg4 : tile<i64>
      return
    }
    entry @divi(%arg0: tile<i1>, %arg1: tile<i8>, %arg2: tile<i16>, %arg3: tile<i32>, %arg4: tile<i64>) {
      %0 = divi %arg0, %arg0 signed : tile<i1>
      %1 = divi %arg1, %arg1 unsigned : tile<i8>
      %2 = divi %arg2, %arg2 signed rounding<negative_inf> : tile<i16>
      %3 = divi %arg3, %arg3 signed rounding<positive_inf> : tile<i32>
      %4 = divi %arg4, %arg4 unsigned rounding<positive_inf> {note} : tile<i64>
      return
    }
    entry @remi(%arg0: tile<i1>, %arg1: tile<i8>, %arg2: tile<i16>, %arg3: tile<i32>, %arg4: tile<i64>) {
      %0 = remi %arg0, %arg0 signed : tile<i1>
      %1 = remi %arg1, %arg1 unsigned : tile<i8>
      %2 = remi %arg2, %arg2 signed {note} : tile<i16>
      %3 = remi %arg3, %arg3 unsigned : tile<i32>
      %4 = remi %arg4, %arg4 signed : tile<i64>
      return
    }
    entry @maxi(%arg0: tile<i1>, %arg1: tile<i8>, %arg2: tile<i16>, %arg3: tile<i32>, %arg4: tile<i64>) {
      %0 = maxi %arg0, %arg0 signed : tile<i1>
      %1 = maxi %arg1, %arg1 unsigned : tile<i8>
      %2 = maxi %arg2, %arg2 signed {note} : tile<i16>
      %3 = maxi %arg3, %arg3 unsigned : tile<i32>
      %4 = maxi %arg4, %arg4 signed : tile<i64>
      return
    }
    entry @mini(%arg0: tile<i1>, %arg1: tile<i8>, %arg2: tile<i16>, %arg3: tile<i32>, %arg4: tile<i64>) {
      %0 = mini %arg0, %arg0 signed : tile<i1>
      %1 = mini %arg1, %arg1 unsigned : tile<i8>
      %2 = mini %arg2, %arg2 signed {note} : tile<i16>
      %3 = mini %arg3, %arg3 unsigned : tile<i32>
      %4 = mini %arg4, %arg4 signed : tile<i64>
      return
    }
    entry @shri(%arg0: tile<i1>, %arg1: tile<i8>, %arg2: tile<i16>, %arg3: tile<i32>, %arg4: tile<i64>) {
      %0 = shri %arg0, %arg0 signed : tile<i1>
      %1 = shri %arg1, %arg1 unsigned : tile<i8>
      %2 = shri %arg2, %arg2 signed {note} : tile<i16>
      %3 = shri %arg3, %arg3 unsigned : tile<i32>
      %4 = shri %arg4, %arg4 signed : tile<i64>
      return
    }
    entry @bitwise(%arg0: tile<i1>, %arg1: tile<i8>, %arg2: tile<i16>, %arg3: tile<i32>, %arg4: tile<i64>) {
      %0 = andi %arg0, %arg0 : tile<i1>
      %1 = ori %arg0, %arg0 : tile<i1>
      %2 = xori %arg0, %arg0 : tile<i1>
      %3 = andi %arg1, %arg1 : tile<i8>
      %4 = ori %arg1, %arg1 : tile<i8>
      %5 = xori %arg1, %arg1 : tile<i8>
      %6 = andi %arg2, %arg2 : tile<i16>
      %7 = ori %arg2, %arg2 : tile<i16>
      %8 = xori %arg2, %arg2 : tile<i16>
      %9 = andi %arg3, %arg3 : tile<i32>
      %10 = ori %arg3, %arg3 : tile<i32>
      %11 = xori %arg3, %arg3 : tile<i32>
      %12 = andi %arg4, %arg4 {note} : tile<i64>
      %13 = ori %arg4, %arg4 {note} : tile<i64>
      %14 = xori %arg4, %arg4 {note} : tile<i64>
      return
    }
    // A comma stands before the signedness here, and only here (4.9).
    entry @cmpi(%arg0: tile<i1>, %arg1: tile<i8>, %arg2: tile<i16>, %arg3: tile<i32>, %arg4: tile<i64>) {
      %0 = cmpi equal %arg0, %arg0, signed : tile<i1> -> tile<i1>
      %1 = cmpi not_equal %arg1, %arg1, unsigned : tile<i8> -> tile<i1>
      %2 = cmpi less_than %arg2, %arg2, signed : tile<i16> -> tile<i1>
      %3 = cmpi less_than_or_equal %arg3, %arg3, unsigned : tile<i32> -> tile<i1>
      %4 = cmpi greater_than %arg4, %arg4, signed {note} : tile<i64> -> tile<i1>
      %5 = iota : tile<8xi16>
      %6 = cmpi greater_than_or_equal %5, %5, unsigned : tile<8xi16> -> tile<8xi1>
      return
    }
  }
}
