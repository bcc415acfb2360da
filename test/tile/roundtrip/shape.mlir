// Making, reshaping and picking apart tiles, and the place in the grid. The file is written
// as it prints; operations (core), 4.2 to 4.10.
// RUN: %canonical %s

module {
  cuda_tile.module @shape {
    // As many elements as the type can count: 2 for i1, 256 for i8 (4.2).
    entry @iota() {
      %0 = iota : tile<1xi1>
      %1 = iota : tile<2xi1>
      %2 = iota : tile<256xi8>
      %3 = iota : tile<65536xi16>
      %4 = iota {note} : tile<128xi32>
      %5 = iota : tile<128xi64>
      return
    }
    entry @broadcast(%arg0: tile<ptr<f32>>) {
      %reshape = reshape %arg0 : tile<ptr<f32>> -> tile<1x1xptr<f32>>
      %bcast = broadcast %reshape : tile<1x1xptr<f32>> -> tile<4x8xptr<f32>>
      %bcast_0 = broadcast %bcast {note} : tile<4x8xptr<f32>> -> tile<4x8xptr<f32>>
      %0 = iota : tile<4xi8>
      %reshape_1 = reshape %0 : tile<4xi8> -> tile<4x1xi8>
      %bcast_2 = broadcast %reshape_1 : tile<4x1xi8> -> tile<4x2xi8>
      return
    }
    entry @broadcast_scalar(%arg0: tile<i4>) {
      %bcast = broadcast %arg0 : tile<i4> -> tile<i4>
      return
    }
    entry @reshape(%arg0: tile<f8E5M2>) {
      %reshape = reshape %arg0 : tile<f8E5M2> -> tile<1x1x1xf8E5M2>
      %reshape_0 = reshape %reshape {note} : tile<1x1x1xf8E5M2> -> tile<f8E5M2>
      %0 = iota : tile<64xi16>
      %reshape_1 = reshape %0 : tile<64xi16> -> tile<2x4x8xi16>
      %reshape_2 = reshape %reshape_1 : tile<2x4x8xi16> -> tile<8x8xi16>
      return
    }
    entry @permute() {
      %0 = iota : tile<64xi16>
      %reshape = reshape %0 : tile<64xi16> -> tile<2x4x8xi16>
      %1 = permute %reshape [2, 0, 1] : tile<2x4x8xi16> -> tile<8x2x4xi16>
      %2 = permute %1 [0, 1, 2] {note} : tile<8x2x4xi16> -> tile<8x2x4xi16>
      return
    }
    entry @cat() {
      %0 = iota : tile<8xi32>
      %1 = cat %0, %0 dim = 0 : tile<8xi32>, tile<8xi32> -> tile<16xi32>
      %reshape = reshape %1 : tile<16xi32> -> tile<4x4xi32>
      %2 = cat %reshape, %reshape dim = 1 {note} : tile<4x4xi32>, tile<4x4xi32> -> tile<4x8xi32>
      return
    }
    entry @extract(%arg0: tile<i32>, %arg1: tile<f32>) {
      %0 = extract %arg1[] : tile<f32> -> tile<f32>
      %1 = iota : tile<64xi8>
      %2 = extract %1[%arg0] {note} : tile<64xi8> -> tile<16xi8>
      %reshape = reshape %1 : tile<64xi8> -> tile<8x8xi8>
      %3 = extract %reshape[%arg0, %arg0] : tile<8x8xi8> -> tile<4x8xi8>
      return
    }
    entry @offset(%arg0: tile<ptr<f16>>, %arg1: tile<i1>, %arg2: tile<i64>) {
      %0 = offset %arg0, %arg1 : tile<ptr<f16>>, tile<i1> -> tile<ptr<f16>>
      %1 = offset %0, %arg2 {note} : tile<ptr<f16>>, tile<i64> -> tile<ptr<f16>>
      %2 = iota : tile<16xi64>
      %3 = int_to_ptr %2 : tile<16xi64> -> tile<16xptr<i8>>
      %4 = iota : tile<16xi32>
      %5 = offset %3, %4 : tile<16xptr<i8>>, tile<16xi32> -> tile<16xptr<i8>>
      return
    }
    entry @grid() {
      %blockId_x, %blockId_y, %blockId_z = get_tile_block_id : tile<i32>
      %gridSize_x, %gridSize_y, %gridSize_z = get_num_tile_blocks : tile<i32>
      %blockId_x_0, %blockId_y_1, %blockId_z_2 = get_tile_block_id {note} : tile<i32>
      %gridSize_x_3, %gridSize_y_4, %gridSize_z_5 = get_num_tile_blocks {note} : tile<i32>
      return
    }
  }
}
