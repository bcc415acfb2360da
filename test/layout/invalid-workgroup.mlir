// A workgroup has three dimensions.
// RUN: tilewright-opt %s --verify-diagnostics --tw-distribute-vectors="threads=2,2,2,2"

// expected-error@+1 {{a workgroup has at most 3 dimensions, not 4}}
module {}
