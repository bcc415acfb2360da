// Which hints are reported, and in which mode? By default none; on request each problem is a
// warning, or the operation fails at its first architecture key with one (types, 9.3); the
// switch for errors implies the check (types, 14, point 17).
// RUN: %tilewright check %s 2>&1 | count 0
// RUN: tilewright-opt %s 2>&1 >/dev/null | count 0
// RUN: %tilewright check --hints=warn %s 2>&1 | FileCheck %s
// RUN: tilewright-opt %s -Wunsupported-hints 2>&1 >/dev/null | FileCheck %s
// RUN: not %tilewright check --hints=error %s 2>&1 | FileCheck %s --check-prefix=ERROR
// RUN: not tilewright-opt %s -Wunsupported-hints -Werr-hints 2>&1 | FileCheck %s --check-prefix=ERROR
// RUN: not tilewright-opt %s -Werr-hints 2>&1 | FileCheck %s --check-prefix=ERROR

// An error stops its operation at the first key.
// ERROR: warning: {{.*}}unknown hint key pluto
// ERROR-NOT: hint key sm_100a
// ERROR: error: 'cuda_tile.entry' op Optimization hints verification failed

cuda_tile.module @hints {
  // CHECK-DAG: :[[# @LINE + 1]]:{{.*}}warning: {{.*}}unknown hint key pluto
  entry @keys() optimization_hints=<pluto = {occupancy = 1}, sm_100a = {occupancy = 1}> { }
  // CHECK-DAG: warning: {{.*}}unknown hint key sm_100a
  // CHECK-DAG: :[[# @LINE + 1]]:{{.*}}warning: {{.*}}num_qqq is not known hint for current Operation
  entry @name() optimization_hints=<sm_90 = {num_qqq = 1}> { }
  // A hint of memory operations is unknown to an entry.
  // CHECK-DAG: :[[# @LINE + 1]]:{{.*}}warning: {{.*}}latency is not known hint for current Operation
  entry @place() optimization_hints=<sm_90 = {latency = 1}> { }
  // CHECK-DAG: warning: {{.*}}integer value expected for sm_100.num_cta_in_cga
  entry @type() optimization_hints=<sm_100 = {num_cta_in_cga = true}> { }
  // CHECK-DAG: :[[# @LINE + 1]]:{{.*}}warning: {{.*}}expected power-of-two ≤ 16 for sm_100.num_cta_in_cga
  entry @cluster() optimization_hints=<sm_100 = {num_cta_in_cga = 3}> { }
  // CHECK-DAG: :[[# @LINE + 1]]:{{.*}}warning: {{.*}}expected power-of-two ≤ 16 for sm_103.num_cta_in_cga
  entry @big_cluster() optimization_hints=<sm_103 = {num_cta_in_cga = 32}> { }
  // CHECK-DAG: :[[# @LINE + 1]]:{{.*}}warning: {{.*}}expected 1 for sm_80.num_cta_in_cga
  entry @no_cluster() optimization_hints=<sm_80 = {num_cta_in_cga = 2}> { }
  // CHECK-DAG: :[[# @LINE + 1]]:{{.*}}warning: {{.*}}expected power-of-two ≤ 32 for sm_90.num_worker_warps_per_cta
  entry @warps() optimization_hints=<sm_90 = {num_worker_warps_per_cta = 64}> { }
  // CHECK-DAG: :[[# @LINE + 1]]:{{.*}}warning: {{.*}}integer value in the range [1, 32] is expected for default.occupancy
  entry @occupancy() optimization_hints=<default = {occupancy = 33}> { }
  entry @memory(%p: tile<ptr<f32>>, %i: tile<i32>) {
    // CHECK-DAG: :[[# @LINE + 1]]:{{.*}}warning: {{.*}}integer value in the range [1, 10] is expected for sm_90.latency
    %x, %t = load_ptr_tko weak %p optimization_hints = <sm_90 = {latency = 11}> : tile<ptr<f32>> -> tile<f32>, token
    // The copy engine is for views.
    // CHECK-DAG: :[[# @LINE + 1]]:{{.*}}warning: {{.*}}allow_tma is not known hint for current Operation
    %u = store_ptr_tko weak %p, %x optimization_hints = <sm_90 = {allow_tma = true}> : tile<ptr<f32>>, tile<f32> -> token
    %v = make_tensor_view %p, shape = [256], strides = [1] : tensor_view<256xf32, strides=[1]>
    %w = make_partition_view %v : partition_view<tile=(32), tensor_view<256xf32, strides=[1]>>
    // CHECK-DAG: :[[# @LINE + 1]]:{{.*}}warning: {{.*}}boolean value expected for sm_100.allow_tma
    %y, %o = load_view_tko weak %w[%i] optimization_hints = <sm_100 = {allow_tma = 1}> : partition_view<tile=(32), tensor_view<256xf32, strides=[1]>>, tile<i32> -> tile<32xf32>, token
    // CHECK-DAG: :[[# @LINE + 1]]:{{.*}}warning: {{.*}}integer value in the range [1, 10] is expected for sm_120.latency
    %q = store_view_tko weak %y, %w[%i] optimization_hints = <sm_120 = {latency = 0}> : tile<32xf32>, partition_view<tile=(32), tensor_view<256xf32, strides=[1]>>, tile<i32> -> token
  }
}
