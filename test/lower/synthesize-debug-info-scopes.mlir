// RUN: tilewright-opt --synthesize-debug-info-scopes --mlir-print-debuginfo --mlir-print-local-scope %s | FileCheck %s
// Positions in files become positions in a subprogram (types, 10.2).

#f = #cuda_tile.di_file<"own.py" in "/proj">
#cu = #cuda_tile.di_compile_unit<file = #f>
#sp = #cuda_tile.di_subprogram<file = #f, line = 7, name = "own", linkageName = "own", compileUnit = #cu, scopeLine = 7>
#own = loc(#cuda_tile.di_loc<loc("own.py":7:1) in #sp>)

cuda_tile.module @m {
  // Position of the operation in the subprogram of the entry. Folder and name are split.
  // CHECK-LABEL: entry @k(
  // CHECK: assert {{.*}} loc(#cuda_tile.di_loc<loc("/src/k.py":4:2) in #cuda_tile.di_subprogram<file = <"k.py" in "/src">, line = 3, name = "k", linkageName = "k", compileUnit = <file = <"m.py" in "">>, scopeLine = 3>>)
  // No position of its own: that of the entry.
  // CHECK-NEXT: return loc(#cuda_tile.di_loc<loc("/src/k.py":3:0) in {{.*}} name = "k"
  // CHECK-NEXT: } loc(#cuda_tile.di_loc<loc("/src/k.py":3:0) in {{.*}} name = "k"
  entry @k(%c: tile<i1>) {
    assert %c, "c" : tile<i1> loc("/src/k.py":4:2)
    return loc(unknown)
  } loc("/src/k.py":3:0)

  // No position at all: line 1 of the file of the module.
  // CHECK-LABEL: entry @nowhere(
  // CHECK: return loc(#cuda_tile.di_loc<loc("m.py":1:0) in #cuda_tile.di_subprogram<file = <"m.py" in "">, line = 1, name = "nowhere"
  entry @nowhere() {
    return loc(unknown)
  } loc(unknown)

  // Behind a name, too.
  // CHECK-LABEL: entry @named(
  // CHECK: return loc(#cuda_tile.di_loc<loc("k.py":9:1) in {{.*}} line = 8, name = "named"
  entry @named() {
    return loc("leave"("k.py":9:1))
  } loc("kernel"("k.py":8:1))

  // Debug information that is there stays as it is.
  // CHECK-LABEL: entry @own(
  // CHECK: assert {{.*}} loc("k.py":12:1)
  // CHECK: return loc(#cuda_tile.di_loc<loc("own.py":7:1) in {{.*}} compileUnit = <file = <"own.py" in "/proj">>
  entry @own(%c: tile<i1>) {
    assert %c, "c" : tile<i1> loc("k.py":12:1)
    return loc(#own)
  } loc(#own)
} loc("m.py":1:1)
