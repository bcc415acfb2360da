// Inconsistent debug information (types, 10.2; the rules are numbered as there). The errors
// stand where the locations point, which is not this file.
// RUN: not tilewright-opt %s --split-input-file 2>&1 | FileCheck %s

// Rule 1: the scope of an entry is a subprogram.
// CHECK: k.py:1:1: error: 'cuda_tile.entry' op invalid function debug info scope: {{.*}}Function location must have cuda_tile.di_subprogram debug info scope.
#f = #cuda_tile.di_file<"k.py" in "/src">
#cu = #cuda_tile.di_compile_unit<file = #f>
#sp = #cuda_tile.di_subprogram<file = #f, line = 3, name = "k", linkageName = "k", compileUnit = #cu>
#lb = #cuda_tile.di_lexical_block<scope = #sp, file = #f, line = 5>
cuda_tile.module @m {
  entry @k() {
    return
  } loc(#cuda_tile.di_loc<loc("k.py":1:1) in #lb>)
}

// -----

// Rule 2: its linkage name is the entry's name.
// CHECK: k.py:2:1: error: 'cuda_tile.entry' op invalid function debug info scope: {{.*}}Function name "q" does not match subprogram scope linkage name "k".
#f = #cuda_tile.di_file<"k.py" in "/src">
#cu = #cuda_tile.di_compile_unit<file = #f>
#sp = #cuda_tile.di_subprogram<file = #f, line = 3, name = "k", linkageName = "k", compileUnit = #cu>
cuda_tile.module @m {
  entry @q() {
    return
  } loc(#cuda_tile.di_loc<loc("k.py":2:1) in #sp>)
}

// -----

// Rule 3: an entry without a scope contains none, at any depth.
// CHECK: k.py:3:1: error: 'cuda_tile.make_token' op invalid operation debug info scope: {{.*}}Operation has debug info scope, but function debug info scope is undefined.
#f = #cuda_tile.di_file<"k.py" in "/src">
#cu = #cuda_tile.di_compile_unit<file = #f>
#sp = #cuda_tile.di_subprogram<file = #f, line = 3, name = "k", linkageName = "k", compileUnit = #cu>
cuda_tile.module @m {
  entry @k() {
    loop {
      %t = make_token : token loc(#cuda_tile.di_loc<loc("k.py":3:1) in #sp>)
      break
    }
    return
  }
}

// -----

// Rule 3: a call site counts as its caller.
// CHECK: k.py:4:1: error: 'cuda_tile.make_token' op invalid operation debug info scope: {{.*}}Operation has debug info scope, but function debug info scope is undefined.
#f = #cuda_tile.di_file<"k.py" in "/src">
#cu = #cuda_tile.di_compile_unit<file = #f>
#sp = #cuda_tile.di_subprogram<file = #f, line = 3, name = "k", linkageName = "k", compileUnit = #cu>
cuda_tile.module @m {
  entry @k() {
    %t = make_token : token loc(callsite("k.py":4:1 at #cuda_tile.di_loc<loc("k.py":9:1) in #sp>))
    return
  }
}

// -----

// Rule 4: one subprogram for all operations of an entry.
// CHECK: k.py:5:1: error: 'cuda_tile.make_token' op invalid operation debug info scope: {{.*}}Operation debug info scope does not match function debug info scope:
#f = #cuda_tile.di_file<"k.py" in "/src">
#cu = #cuda_tile.di_compile_unit<file = #f>
#sp = #cuda_tile.di_subprogram<file = #f, line = 3, name = "k", linkageName = "k", compileUnit = #cu>
#other = #cuda_tile.di_subprogram<file = #f, line = 9, name = "k", linkageName = "k", compileUnit = #cu>
cuda_tile.module @m {
  entry @k() {
    %t = make_token : token loc(#cuda_tile.di_loc<loc("k.py":5:1) in #other>)
    return
  } loc(#cuda_tile.di_loc<loc("k.py":3:1) in #sp>)
}

// -----

// Rule 5: what is no entry has no scope.
// CHECK: k.py:6:1: error: 'cuda_tile.global' op invalid operation debug info scope: {{.*}}Global variables must not have scope.
#f = #cuda_tile.di_file<"k.py" in "/src">
#cu = #cuda_tile.di_compile_unit<file = #f>
#sp = #cuda_tile.di_subprogram<file = #f, line = 3, name = "k", linkageName = "k", compileUnit = #cu>
cuda_tile.module @m {
  global @g <i32: 0> : tile<1xi32> loc(#cuda_tile.di_loc<loc("k.py":6:1) in #sp>)
}

// -----

// Rule 6: an entry's location is no call site, scopes or not.
// CHECK: k.py:7:1: error: 'cuda_tile.entry' op invalid function debug info location: {{.*}}Function location must not be a CallSiteLoc.
cuda_tile.module @m {
  entry @k() {
    return
  } loc(callsite("f"("k.py":7:1) at "k.py":9:1))
}

// -----

// Malformed attributes (10.1).
// CHECK: :[[# @LINE + 1]]:{{.*}}error: expected a parameter name in struct
#cu = #cuda_tile.di_compile_unit<"k.py">

// -----

// CHECK: :[[# @LINE + 1]]:{{.*}}error: struct is missing required parameter: name
#f = #cuda_tile.di_subprogram<file = <"k.py" in "/src">, line = 3, linkageName = "k", compileUnit = <file = <"k.py" in "/src">>>

// -----

// CHECK: :[[# @LINE + 1]]:{{.*}}error: invalid kind of attribute specified
#cu = #cuda_tile.di_compile_unit<file = #cuda_tile.div_by<8>>

// -----

// A scope is a lexical block or a subprogram, a source location a file location.
// CHECK: :[[# @LINE + 2]]:{{.*}}error: invalid kind of attribute specified
#f = #cuda_tile.di_file<"k.py" in "/src">
#lb = #cuda_tile.di_lexical_block<scope = #f, file = #f, line = 5>

// -----

// CHECK: :[[# @LINE + 4]]:{{.*}}error:
#f = #cuda_tile.di_file<"k.py" in "/src">
#cu = #cuda_tile.di_compile_unit<file = #f>
#sp = #cuda_tile.di_subprogram<file = #f, line = 3, name = "k", linkageName = "k", compileUnit = #cu>
#l = loc(#cuda_tile.di_loc<loc(unknown) in #sp>)
