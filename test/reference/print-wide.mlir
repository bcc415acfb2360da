// A print may be larger than memory (operations, 6.3: nothing is truncated). These are 2^17
// elements of 4095 characters, 2^17 - 1 separators of two, two brackets and a line end.

// Sanitizers reserve more addresses than this limit.
// UNSUPPORTED: address, thread
// RUN: sh -c 'ulimit -v 1000000; %tilewright run --device reference %s --grid 1 | wc -c' | FileCheck %s
// CHECK: {{^ *}}537001985{{$}}
cuda_tile.module @case {
  entry @wide() {
    %all = iota : tile<131072xi32>
    %t = print_tko "%4095d\n", %all : tile<131072xi32> -> token
  }
}
