// Block 0 publishes a sum beside a flag; block 1 waits for the flag and reads the sum. All accesses
// are weak, so nothing orders them.
cuda_tile.module @m {
  entry @k(%data: tile<ptr<i32>>, %flag: tile<ptr<i32>>, %out: tile<ptr<i32>>) {
    %x, %y, %z = get_tile_block_id : tile<i32>
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %sum = constant <i32: 41> : tile<i32>
    %first = cmpi equal %x, %zero, signed : tile<i32> -> tile<i1>
    if %first {
      %td = store_ptr_tko weak %data, %sum : tile<ptr<i32>>, tile<i32> -> token
      %tf = store_ptr_tko weak %flag, %one token=%td : tile<ptr<i32>>, tile<i32> -> token
    } else {
      %seen = loop : token {
        %f, %tl = load_ptr_tko weak %flag : tile<ptr<i32>> -> tile<i32>, token
        %there = cmpi equal %f, %one, signed : tile<i32> -> tile<i1>
        if %there { break %tl : token }
        continue
      }
      %v, %tv = load_ptr_tko weak %data token=%seen : tile<ptr<i32>> -> tile<i32>, token
      %v1 = addi %v, %one : tile<i32>
      %to = store_ptr_tko weak %out, %v1 : tile<ptr<i32>>, tile<i32> -> token
    }
  }
}
