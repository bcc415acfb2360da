# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Unit tests of the page's functions: expressions, and their values, worked out by hand."""

# Block 0 stores x (line 1) and then the flag (line 2); block 1 loads the flag (line 3) and then x (line 4). `change` edits the
# trace; the result is what would order the accesses of x. `visits` have been made for other races.
MISSING_ORDER = """((change, visits = 0) => {
  const at = (step, block, kind, array, after, ordering) => ({step, block: [block, 0, 0], operation: kind + '_ptr_tko',
    location: {file: 'a', line: step + 1}, memory: [{array, kind, elements: [[0, 1, 1, 1]]}], after, ...(ordering && {ordering, scope: 'device'})});
  const trace = [at(0, 0, 'store', 0, []), at(1, 0, 'store', 1, [0], 'relaxed'), at(2, 1, 'load', 1, [], 'relaxed'), at(3, 1, 'load', 0, [2])];
  const finding = {check: 'race', device: 'reference', block: [1, 0, 0], location: {file: 'a', line: 4}, array: 'x', array_element: 0,
    message: '', related: [{message: 'the earlier access: store_ptr_tko by block (0, 0, 0)', location: {file: 'a', line: 1}}]};
  change(trace, at, finding);
  const model = new Model({sources: [{file: 'a'}], arrays: [{name: 'x'}, {name: 'flag'}], trace, findings: [finding]});
  model.visitsForRaces = visits;
  const found = missingOrder(model, finding);
  return found && describeMissingOrder(found);
})"""
ORDERS = ": then the release in block (0, 0, 0) and the acquire in block (1, 0, 0) order the two accesses"
BOTH = "make store_ptr_tko at line 2 release instead of relaxed, and load_ptr_tko at line 3 acquire instead of relaxed" + ORDERS

FUNCTIONS = [
    # 1.0 is 0x3F800000; -0.5 is 0xBFE0000000000000 as f64. Both little-endian.
    ("[...decodeNumbers('AACAPw==', 'f32')]", [1]),
    ("[...decodeNumbers('AAAAAAAA4L8=', 'f64')]", [-0.5]),
    ("[0, 999, 1234, 12345, 1.5, 2.5e9].map(x => formatSI(x))", ["0", "999", "1,234", "12.3 k", "1.50", "2.50 G"]),
    ("[512, 1024, 49152, 1536].map(formatKiB)", ["512 B", "1 KiB", "48 KiB", "1.5 KiB"]),
    ("[0, 0.0004, 0.004, 0.0996, 0.35, 1].map(formatShare)", ["0 %", "<0.1 %", "0.4 %", "10 %", "35 %", "100 %"]),
    ("[NaN, Infinity, -Infinity, 3, 0.1 + 0.2].map(formatValue)", ["NaN", "+∞", "−∞", "3", "0.3"]),
    ("unravel(17, [2, 3, 4])", [1, 1, 1]),
    ("ravel([1, 1, 1], [2, 3, 4])", 17),
    # 3 x 4 elements in columns: element [1, 2] is at 1 + 2 * 3.
    ("elementAt(7, [3, 4], [1, 3])", 6),
    # Rows of 4 that are 6 apart: nothing is at 4.
    ("elementAt(4, [3, 4], [6, 1])", None),
    ("elementAt(13, [3, 4], [6, 1])", 9),
    ("covers([[10, 2, 8, 3]], 27) && !covers([[10, 2, 8, 3]], 28) && !covers([[10, 2, 8, 3]], 34)", True),
    ("(() => { const all = []; forEachOffset([[10, 2, 8, 2], [40, 6, 0, 1]], x => all.push(x)); return all; })()",
     [10, 11, 18, 19, 40, 41, 42, 43, 44, 45]),
    ("(() => { const all = []; forEachOffset([[10, 2, 8, 2], [40, 6, 0, 1]], x => all.push(x), x => x + 3); return all; })()",
     [10, 18, 40, 43]),
    ("[[1, 'finding'], [3, 'finding'], [2, 'access']].map(pair => plural(...pair))", ["1 finding", "3 findings", "2 accesses"]),
    # One dimension is folded into rows: 1.5 * sqrt(2500) = 75, so 128 columns.
    ("[[2, 3, 8], [40], [2500], [0]].map(matrixOf)", [{"rows": 6, "columns": 8}, {"rows": 1, "columns": 40},
                                                     {"rows": 20, "columns": 128}, {"rows": 0, "columns": 1}]),
    ("['tile<4x8xf32>', '1024xf32', 'f32', 'tile<i32>'].map(shapeOfType)", [[4, 8], [1024], [1], [1]]),
    ("[...gridOfElements([4], [1, NaN, Infinity, 9], new Map([[3, State.undefined]])).states]", [0, 1, 2, 4]),
    ("gridOfElements([2, 2], [1, 2, 3, NaN]).describe(2)", "[1, 0] = 3"),
    # A tile of rows 1 and 2 in an array of 3 x 2 elements.
    ("[...ownersOf(gridOfElements([3, 2], [0, 0, 0, 0, 0, 0]), {shape: [3, 2], strides: [2, 1]}, "
     "[{elements: [[2, 2, 2, 2]]}]).last]", [-1, -1, 0, 0, 0, 0]),
    # 300 x 200 elements in cells of 3 x 2: element [299, 1] is in row 99, column 0 of 100 x 100 cells.
    ("gridOfCells({shape: [300, 200]}, {matrix: [300, 200], shape: [1, 1], extents: [3, 2], minimum: 'AACAPw==', "
     "maximum: 'AACAPw==', mean: 'AACAPw=='}).cellOf(299 * 200 + 1)", 99),
    # Rows of 5 in cells of 2: the last cell of a row has one element.
    ("(next => [0, 1, 4, 5].map(next))(gridOfCells({shape: [10]}, {matrix: [2, 5], shape: [1, 1], extents: [1, 2], "
     "minimum: 'AACAPw==', maximum: 'AACAPw==', mean: 'AACAPw=='}).next)", [2, 2, 5, 7]),
    ("highlight('  %a = addi %b // c', 'tile')", [["", "  "], ["value", "%a"], ["", " = "], ["operation", "addi"],
                                                 ["", " "], ["value", "%b"], ["", " "], ["comment", "// c"]]),
    ("highlight('x = 0x1F # y', 'python')", [["", "x = "], ["number", "0x1F"], ["", " "], ["comment", "# y"]]),
    ("highlight('no such language', 'x')", [["", "no such language"]]),
    # Order is transitive.
    ("(() => { const model = new Model({trace: [{step: 0, after: []}, {step: 1, after: [0]}, {step: 2, after: [1]}, "
     "{step: 3, after: []}]}); return [[...model.stepsBefore(2)].sort(), [...model.stepsAfter(0)], [...model.stepsAfter(3)]]; })()", [[0, 1], [1, 2], []]),
    # Block 1 reads an element that block 0 has stored, but not its own, nor that of another array.
    ("(() => { const at = (step, block, kind, array) => ({step, block: [block, 0, 0], memory: [{array, kind, "
     "elements: [[7, 1, 1, 1]]}]}); return Model.communication([at(0, 0, 'store', 0), at(1, 0, 'load', 0), "
     "at(2, 1, 'update', 0), at(3, 1, 'load', 0), at(4, 1, 'load', 1)]); })()", [[2, 0]]),
    # 32 threads read 4 bytes each: a column of rows of 256 bytes; 128 bytes in a row, 4 bytes after a sector boundary;
    # rows of 4 threads.
    ("[[4, 4, 256, false, 0], [4, 128, 0, true, 4], [4, 16, -64, false, 0], [2, 0, 0, false, 0], [0, 48, 200, true, 16]]"
     ".map(([bytes, run_bytes, stride, unaligned, start]) => describePattern({bytes, run_bytes, stride, unaligned, start}, 'sector'))",
     ["neighbouring threads access elements of 4 bytes, 256 bytes apart", "128 bytes in a row start 4 bytes after a sector boundary",
      "groups of 4 neighbouring threads access rows of 16 bytes, 64 bytes apart",
      "threads access 2 bytes each at irregular addresses", "it copies rows of 48 bytes, 200 bytes apart, not aligned to sectors"]),
    ("countsByName([['reshape', 4], ['mulf', 2000], ['reshape', 8]].map(([operation, count]) => ({operation, count})))",
     "reshape: 12×, mulf: 2,000×"),
    ("trafficOf({sectors: 24, ideal_sectors: 12, data_sectors: 4})", {"access": 2, "repeats": 3, "all": 6}),
    ("trafficOf({sectors: 0, ideal_sectors: 0, data_sectors: 0})", None),
    ("[[24, 12, 4], [24, 12, 12], [12, 12, 4], [12, 12, 12], [0, 0, 0]].map(([sectors, ideal_sectors, data_sectors]) => "
     "describeTraffic({sectors, ideal_sectors, data_sectors}))",
     ["2.0× coalesced accesses, 3.0× repeats: together 6.0× the data", "2.0× coalesced accesses", "3.0× repeats", "", ""]),
    ("[64, 32].map(bank_cycles => describeCost('Shared memory', {bank_cycles, ideal_bank_cycles: 32}, 'bank'))",
     ["Shared memory: 64 cycles, 2.0× accesses without bank conflicts (32).", "Shared memory: 32 cycles without bank conflicts."]),
    ("[[[[2, 3], [0, 1]], 4], [[[2, 3], [0, 1]], 3], [[[5, 5]], 1], [[], 1]].map(all => describeBounds(...all))",
     [": those in [2–3, 0–1]", ", within [2–3, 0–1]", ": that at [5]", ""]),
    ("[{complete: true}, {complete: true, unlisted_findings: 1}, {complete: false, unlisted_findings: 1}, {failure: 'no'}]"
     ".map(ptx => doubtAbout({ptx}, 'ptx'))", ["", "has findings that are not listed", "did not run to its end", "cannot run on the PTX machine"]),
    ("['ArrowDown', 'ArrowUp', 'PageDown', 'PageUp', 'Home', 'End', 'x'].map(key => indexAfterKey(key, 1, 9, 5))",
     [2, 0, 6, 0, 0, 8, None]),
    # Equal peaks share a label, and labels are 13 pixels apart.
    ("peakLabels({peak: {f64: 1, f32: 8, tf32: 8, f16: 16}}, value => 100 - value)",
     [{"value": 16, "name": "f16 products", "at": 84}, {"value": 8, "name": "f32, tf32 products", "at": 97},
      {"value": 1, "name": "f64", "at": 110}]),
    # The first finding in the text, or else its line with most instructions.
    ("(() => { const line = (number, share) => ({file: 'a', line: number, counters: {instruction_share: share}}); "
     "const at = findings => new Model({sources: [{file: 'a'}], lines: [line(3, 0.2), line(5, 0.7), line(9, 0.1)], findings}); "
     "const found = [{location: null}, {location: {file: 'a', line: 9}}]; "
     "return [at([]).placeToStart(() => true), at(found).placeToStart(() => true), at(found).placeToStart(place => place[1] < 9), "
     "at(found).placeToStart(() => false)]; })()", [[0, 5], [0, 9], [0, 5], None]),
    # HTML in the document stays text.
    ("element('p', {}, '<b>x</b>').innerHTML", "&lt;b&gt;x&lt;/b&gt;"),
    # A kernel at the ridge: 2 op/B at 10 B/s is 20 op/s.
    ("attainable({bandwidth: 10, peak: {f32: 100}}, 'f32', 2)", 20),
    ("attainable({bandwidth: 10, peak: {f32: 15}}, 'f32', 2)", 15),
    ("[[4, 3], [3, 4], [5, 5], [0, 7], [2, 5000], [200, 203], [null, 1]].map(([a, b]) => describeChange(a, b))",
     ["−25 %", "+33 %", "same", "+7", "2500×", "+1.5 %", None]),
    ("[[1, 2, 1], [2, 1, 1], [1, 2, -1], [1, 1, 1], [1, 2, 0]].map(all => judge(...all))", ["worse", "better", "better", "", ""]),
    ("describeBlocks([1, 2, 2, 3, 4].map(x => ({block: [x, 0, 0]})), [0, 1, 2, 3, 4])", " in blocks (1, 0, 0), (2, 0, 0), (3, 0, 0) and 1 other"),
    # 4 op/B at 10 B/s are 40 op/s; of 400 operations, 300 are products.
    ("describeUnits({name: 'G', bandwidth: 10, peak: {f16: 100}}, {bytes_moved: 100, units: 'f16', operations_by_units: {f16: 300, f32: 100}})",
     "75 % of the operations are f16 or bf16 products. At 4 op/B, memory bandwidth limits the kernel on the G, to 40 op/s."),
    ("describeUnits({name: 'G', bandwidth: 10, peak: {f16: 20}, idle_multiprocessors: 3}, {bytes_moved: 100, units: 'f16', operations_by_units: {f16: 400}})",
     "100 % of the operations are f16 or bf16 products. Once the grid fills the GPU, at 4 op/B, arithmetic limits the kernel on the G, to 20 op/s."),
    ("describeUnits({name: 'G', bandwidth: 10, peak: {}}, {bytes_moved: 100, units: 'f4', operations_by_units: {f4: 300}})",
     "100 % of the operations are f4 products, for which the G has no units, or their peak is not known."),
    ("describeWaves(5, {name: 'G', multiprocessors: 8, idle_multiprocessors: 3, waves: 1})",
     "The grid has fewer tile blocks than the G has multiprocessors: 3 of 8 are idle. Smaller tiles make more tile blocks."),
    ("['sm_90a', 'sm_80', 'sm_86', 'sm_1'].map(sm => nameOfTarget({gpus: [{name: 'H100 SXM', sm: 'sm_90a'}, {name: 'H200 SXM', sm: 'sm_90a'}, "
     "{name: 'A100 SXM 80 GB', sm: 'sm_80'}]}, sm))", ["H100, H200 (sm_90a)", "A100 (sm_80)", "RTX 3090 (sm_86)", "sm_1"]),
    ("nameOfTarget(null, 'sm_90a')", "sm_90a"),
    ("[1, 2].map(blocks => FindingsView.prototype.costNotes.call({app: {model: new Model({grid: [blocks, 1, 1], target: 'sm_90a', cost: "
     "{gpus: [{name: 'G', sm: 'sm_90a', multiprocessors: 132, idle_multiprocessors: 132 - blocks}]}})}})[0][1].split(': ')[1])",
     ["1 tile block leaves 131 of the 132 multiprocessors of the G idle", "2 tile blocks leave 130 of the 132 multiprocessors of the G idle"]),
    # One block on each of 4 multiprocessors, which have room for 2: the grid comes before the registers.
    ("FindingsView.prototype.costNotes.call({app: {model: new Model({grid: [4, 1, 1], target: 'sm_90a', cost: {registers: 80, gpus: "
     "[{name: 'G', sm: 'sm_90a', multiprocessors: 4, idle_multiprocessors: 0}], occupancy: [{sm: 'sm_90a', blocks: 2, share: 0.25, "
     "limiter: 'registers', also: [], registers_for_another: null}]}})}}).map(([what, text]) => [what, text.split('. ').slice(1)])",
     [["the grid", []], ["occupancy", ["A larger grid comes first", "Registers are the limit", "Smaller tiles need fewer."]]]),
    # -2 and NaN, little-endian; the operation of a product combines several elements.
    *((f"""(() => {{ const value = (name, values) => ({{name, type: 'tile<1xf32>', value_type: 'f32', values}}), location = {{file: 'a', line: 1}};
      const trace = [{{step: 0, block: [0, 0, 0], location, operation: 'x', operands: [value('%a', '{operand}')], results: [value('%r', 'AADAfw==')]}}];
      return new Model({{trace}}).operandsOfOrigin({{block: [0, 0, 0], location, check: 'origin', element: '[0]', message: '{message}'}}); }})()""", found)
      for operand, message, found in [
          ("AAAAwA==", "x: element [0]: of -2 the result is NaN", [{"name": "%a", "index": [0], "number": -2}]),
          ("AADAfw==", "x: element [0]: of NaN the result is unspecified", []),
          ("AAAAwA==", "x: element [0]: all 8 elements that it combines are finite, and the result is NaN", []),
          ("AAAAwA==", "x: element [0]: of 8 elements, some of which are inf, the result is NaN", [])]),
    # 65,536 registers for 11 blocks of 160 threads: 37, and 32 in units of 8.
    ("adviceFor({limiter: 'registers', also: [], blocks: 10, registers_for_another: 32}, 39)",
     "Registers are the limit. With 32 registers per thread instead of 39, 11 thread blocks would fit: smaller tiles need fewer "
     "registers, and so does the hint occupancy=11, but it may cause spills."),
    ("adviceFor({limiter: 'registers', also: [], blocks: 1, registers_for_another: null}, 39)", "Registers are the limit. Smaller tiles need fewer."),
    # Fewer registers alone do not help, and nothing helps if a multiprocessor takes no more blocks.
    ("adviceFor({limiter: 'registers', also: ['shared memory'], blocks: 2, registers_for_another: 80}, 96)",
     "Registers are the limit. 3 thread blocks would need at most 80 registers per thread instead of 96. "
     "More than one limit is reached: registers and shared memory; another thread block needs less of each."),
    ("adviceFor({limiter: 'registers', also: ['blocks'], blocks: 32, registers_for_another: 56}, 64)",
     "The number of thread blocks per multiprocessor is the limit. Larger tiles would fill it with fewer of them."),
    # 9 blocks on 8 multiprocessors: at most 2 of 4 that fit.
    ("describeReached({blocks: 4, share: 0.5}, 9, {name: 'G', multiprocessors: 8})",
     " The grid does not reach that: its 9 tile blocks put at most 2 on each of the 8 multiprocessors of the G, which is an occupancy of 25 %. "
     "A larger grid comes first: room for more thread blocks on a multiprocessor does not speed up this one."),
    ("describeReached({blocks: 2, share: 0.5}, 9, {name: 'G', multiprocessors: 8})", ""),
    ("[...groupsOf([{group: 0}, {group: 1}, {group: 0}]).values()].flat()", [0, 2, 1]),
    ("[[3, 3], [3, NaN], [3]].map(elements => describeConstant(gridOfElements([elements.length], elements)))",
     ["all equal 3", "all numbers equal 3", "3"]),
    ("[gridOfElements([2], [3, 4]).isConstant, gridOfElements([2], [3, 3]).isConstant]", [False, True]),
    # A mean of 2 in both cells, of equal elements only in the second.
    ("gridOfCells({shape: [4]}, {matrix: [1, 4], shape: [1, 2], extents: [1, 2], minimum: 'AACAPwAAAEA=', maximum: 'AABAQAAAAEA=', "
     "mean: 'AAAAQAAAAEA='}).isConstant", False),
    ("[[{run_bytes: 4, stride: 256}], [{run_bytes: 128, stride: 0, unaligned: true}], [{run_bytes: 0}], []].map(patterns => "
     "fixOf({patterns}, 'sector').split(',')[0])", [" Fix: use tiles that are wide in the dimension along which the array is contiguous",
                                                    " Fix: let rows begin at multiples of 32 bytes", "", ""]),
    # The first note is about the array; the message and the other notes are about causes.
    ("['2 elements are NaN, the first is x[0] is NaN', 'x[0] is an infinity', 'x[0] is imprecise: 1, and 2 in f64', 'x[0] is unspecified', '']"
     ".map(message => titleOfFinding({check: 'origin', message: 'ftoi: of NaN the result is unspecified', "
     "related: [{message}, {message: 'NaN from here: subf: of inf and inf the result is NaN'}]}))",
     ["first NaN", "first infinity", "lost digits", "first unspecified value", "origin"]),
    ("titleOfFinding({check: 'race', related: []})", "race"),
    (f"{MISSING_ORDER}(() => {{}})", BOTH),
    (f"{MISSING_ORDER}(trace => trace[1].ordering = 'release')", "make load_ptr_tko at line 3 acquire instead of relaxed" + ORDERS),
    # An update by another block goes on with the release sequence; an acquiring one that releases, too, is acq_rel.
    (f"{MISSING_ORDER}((trace, at) => {{ trace[2].step = 4; trace[3].step = 5; trace[3].after = [4]; "
     "trace.splice(2, 0, at(2, 2, 'update', 1, [], 'relaxed')); })", BOTH),
    (f"{MISSING_ORDER}(trace => Object.assign(trace[1], {{memory: [{{array: 1, kind: 'update', elements: [[0, 1, 1, 1]]}}], ordering: 'acquire'}}))",
     "make store_ptr_tko at line 2 acq_rel instead of acquire, and load_ptr_tko at line 3 acquire instead of relaxed" + ORDERS),
    # A tile of 100 elements beside the flag is stored in between.
    (f"{MISSING_ORDER}((trace, at) => {{ trace[2].step = 4; trace[3].step = 5; trace[3].after = [4]; "
     "trace.splice(2, 0, {...at(2, 2, 'store', 1, []), memory: [{array: 1, kind: 'store', elements: [[1, 100, 1, 1]]}]}); })", BOTH),
    # The flag is loaded before 200 atomics on another element, which block 0 updates 200 times and then stores: less than 200
    # walks back over 201 writes, 3 passes over 405 operations, and 201 elements.
    (f"{MISSING_ORDER}((trace, at) => {{ const update = (step, block) => at(step, block, 'update', 2, [step - 1], 'relaxed'); "
     "const many = [...Array(200).keys()]; trace[2].step = 203; Object.assign(trace[3], {step: 404, after: [403]}); "
     "trace.splice(3, 0, ...many.map(i => update(204 + i, 1))); "
     "trace.splice(2, 0, ...many.map(i => update(2 + i, 0)), at(202, 0, 'store', 2, [])); }, mostVisitsForRaces - 45000)", BOTH),
    (f"{MISSING_ORDER}(() => {{}}, mostVisitsForRaces)", None),
    # Nothing certain: another store in between, also of a tile; a scope of one block; weak; no token from x to the flag, or from the flag to x;
    # another element; a compare-and-swap, which may not write; an unknown element; the PTX machine; no race.
    *((f"{MISSING_ORDER}((trace, at, finding) => {{ {change} }})", None) for change in [
        "trace[2].step = 4; trace[3].step = 5; trace[3].after = [4]; trace.splice(2, 0, at(2, 2, 'store', 1, [], 'relaxed'))",
        "trace[2].step = 4; trace[3].step = 5; trace[3].after = [4]; trace.splice(2, 0, "
        "{...at(2, 2, 'store', 1, []), memory: [{array: 1, kind: 'store', elements: [[0, 100, 1, 1]]}]})",
        "trace[1].scope = 'tl_blk'", "delete trace[2].ordering", "trace[1].after = []", "trace[3].after = []",
        "trace[2].memory[0].elements = [[1, 1, 1, 1]]", "trace[1].operation = 'atomic_cas_tko'", "finding.array_element = null",
        "finding.device = 'ptx'", "finding.check = 'undefined'"]),
    # The other access of a race is in the block that a message names, by whatever it is made.
    ("['thread 3 of block (1, 0, 0)', 'an asynchronous operation of block (1, 0, 0)', 'block (1, 0, 0)', 'thread 3'].map(by => new Model({})"
     ".accessesOf({block: [2, 0, 0], location: null, message: '', related: [{message: `the earlier access: a write by ${by}`}]})[0].block)",
     [[1, 0, 0], [1, 0, 0], [1, 0, 0], [2, 0, 0]]),
    # The ends of a long run stay.
    ("withoutLongRuns([0, 0, 0, 0, 0, 0, 1, 0, 0], item => item === 0)", [0, {"skipped": 4}, 0, 1, 0, 0]),
]
