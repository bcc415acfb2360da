// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sees the content of an array or a tile as a matrix of cells with a value and a state each. No DOM.

const State = {number: 0, nan: 1, infinity: 2, unwritten: 3, undefined: 4};

/** A matrix of cells. `values` in row-major order; `states` a Uint8Array; `describe(cell)` is a text; `cellOf(element)`
    the cell of an element by its number in row-major order, or null. */
class Grid {
  constructor(rows, columns, values, states, describe, cellOf) {
    Object.assign(this, {rows, columns, values, states, describe, cellOf});
    this.next = index => index + 1; // the next element that may be in another cell
    this.minimum = Infinity;
    this.maximum = -Infinity;
    for (let cell = 0; cell < values.length; ++cell)
      if (states[cell] === State.number) {
        this.minimum = Math.min(this.minimum, values[cell]);
        this.maximum = Math.max(this.maximum, values[cell]);
      }
    if (this.minimum > this.maximum) this.minimum = this.maximum = 0;
    this.isConstant = this.minimum === this.maximum; // all numbers
  }

  has(state) { return this.states.includes(state); }
}

/** Rows and columns in which to draw a shape: leading dimensions together are rows; one dimension is folded. */
function matrixOf(shape) {
  const count = shape.reduce((a, b) => a * b, 1);
  if (shape.length > 1) {
    const columns = shape.at(-1);
    return {rows: columns ? count / columns : 0, columns};
  }
  const columns = count <= 64 ? Math.max(1, count) : 2 ** Math.ceil(Math.log2(1.5 * Math.sqrt(count)));
  return {rows: Math.ceil(count / columns), columns};
}

/** The grid of elements in row-major order of `shape`. `special` maps element numbers to states. */
function gridOfElements(shape, elements, special = new Map()) {
  const {rows, columns} = matrixOf(shape);
  const values = new Float64Array(rows * columns), states = new Uint8Array(rows * columns).fill(State.unwritten);
  for (let i = 0; i < elements.length; ++i) {
    values[i] = elements[i];
    states[i] = special.get(i) ?? stateOf(elements[i]);
  }
  const text = {[State.unwritten]: 'never written', [State.undefined]: 'undefined'};
  const describe = cell => cell >= elements.length ? '' :
    `[${unravel(cell, shape).join(', ')}] = ${text[states[cell]] ?? formatValue(elements[cell])}`;
  return new Grid(rows, columns, values, states, describe, index => index < elements.length ? index : null);
}

function stateOf(value) {
  if (Number.isNaN(value)) return State.nan;
  return Number.isFinite(value) ? State.number : State.infinity;
}

/** The grid of an array's content, in full or aggregated. */
function gridOfContent(model, array, content) {
  if (content.cells) return gridOfCells(array, content.cells);
  const special = new Map();
  for (const [first, last] of content.unwritten ?? [])
    for (let index = first; index <= last; ++index) special.set(index, State.unwritten);
  return gridOfElements(array.shape, model.numbersOf(content, content.values, content.type), special);
}

function gridOfCells(array, cells) {
  const [rows, columns] = cells.shape, [high, wide] = cells.extents;
  const [minimum, maximum, mean] = ['minimum', 'maximum', 'mean'].map(member => decodeNumbers(cells[member], 'f32'));
  const states = new Uint8Array(rows * columns);
  for (let cell = 0; cell < states.length; ++cell)
    states[cell] = cells.nans?.[cell] ? State.nan : cells.infinities?.[cell] ? State.infinity :
      cells.unwritten?.[cell] || Number.isNaN(mean[cell]) ? State.unwritten : State.number;
  const width = cells.matrix[1], count = array.shape.reduce((a, b) => a * b, 1);
  const describe = cell => {
    const row = Math.floor(cell / columns) * high, column = cell % columns * wide;
    if (row * width + column >= count) return '';
    const counts = [['NaN', cells.nans], ['infinite', cells.infinities], ['never written', cells.unwritten]]
      .filter(([, list]) => list?.[cell]).map(([name, list]) => `, ${formatCount(list[cell])} ${name}`).join('');
    return `rows from ${row}, columns from ${column}: ${formatValue(minimum[cell])} to ${formatValue(maximum[cell])}, ` +
      `mean ${formatValue(mean[cell])}${counts}`;
  };
  const grid = new Grid(rows, columns, mean, states, describe, index =>
    Math.floor(Math.floor(index / width) / high) * columns + Math.floor(index % width / wide));
  grid.isConstant &&= minimum.every((value, cell) => Number.isNaN(value) || value === maximum[cell]);
  grid.next = index => index + Math.min(wide - index % width % wide, width - index % width);
  return grid;
}

/** The grid of a traced value whose elements are in the document. */
function gridOfValue(model, value) {
  const shape = shapeOfType(value.type);
  const special = new Map((value.undefined ?? []).map(index => [index, State.undefined]));
  return gridOfElements(shape, model.numbersOf(value, value.values, value.value_type), special);
}

/** The extents in a tile type as traces print it: `4x8xf32`, also with `tile<>`. */
function shapeOfType(type) {
  const extents = /(?:^|<)((?:\d+x)+)/.exec(type);
  return extents ? extents[1].split('x').slice(0, -1).map(Number) : [1];
}

/** Where each access of a view lies in a grid: for each cell the number of its last access, or -1, and how many. */
function ownersOf(grid, array, accesses) {
  const last = new Int32Array(grid.rows * grid.columns).fill(-1), count = new Uint16Array(last.length);
  const isContiguous = array.shape.every((_, dim) => array.strides[dim] ===
    array.shape.slice(dim + 1).reduce((a, b) => a * b, 1));
  accesses.forEach((access, index) => forEachOffset(access.elements, offset => {
    const elementNumber = elementAt(offset, array.shape, array.strides);
    const cell = elementNumber === null ? null : grid.cellOf(elementNumber);
    if (cell === null || cell === undefined || last[cell] === index) return;
    last[cell] = index;
    ++count[cell];
  }, isContiguous ? grid.next : undefined));
  return {last, count};
}
