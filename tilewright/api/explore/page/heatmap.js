// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Draws a grid on a canvas, with zoom, tiles and marked cells.

// Blue for one sign; blue, grey and ochre around zero. NaN, infinite, unwritten and undefined cells have colours that
// occur in neither, differ in lightness, and get a sign of their own when there is room.
const palettes = {
  light: {sequential: ['#f0f4fa', '#9dbce0', '#3f78b5', '#0b2f63'],
          diverging: ['#0b3d84', '#8fb4dd', '#f2f2f0', '#d3a24c', '#6e4600'],
          states: ['', '#e0007a', '#ffe000', '#c4c7cb', '#15171a'],
          line: '#1d2530', halo: '#ffffff', mark: '#111111', first: '#c0005a', second: '#00695c'},
  dark: {sequential: ['#1b2637', '#2f5c93', '#6fa3dc', '#e3efff'],
         diverging: ['#8fc0ff', '#2f5f9c', '#25282d', '#94692a', '#ffcf80'],
         states: ['', '#ff4fa8', '#fff04a', '#5d646e', '#000000'],
         line: '#eef2f8', halo: '#000000', mark: '#ffffff', first: '#ff8f70', second: '#5ad1ff'},
};
const largestCell = 28; // pixels
const signs = ['', 'N', '∞', '/', '?'];
const namesOfStates = ['', 'NaN', 'infinite', 'never written', 'undefined'];

const parseColour = text => [1, 3, 5].map(at => parseInt(text.slice(at, at + 2), 16));

/** The colour of a value, as three bytes. */
function colourOf(value, grid, palette) {
  const isDiverging = grid.minimum < 0 && grid.maximum > 0;
  const stops = (isDiverging ? palette.diverging : palette.sequential).map(parseColour);
  const largest = Math.max(-grid.minimum, grid.maximum), range = grid.maximum - grid.minimum;
  const share = isDiverging ? (value / largest + 1) / 2 : range ? (value - grid.minimum) / range : 0.35;
  const at = Math.min(share, 0.99999) * (stops.length - 1), lower = Math.floor(at);
  return stops[lower].map((byte, i) => byte + (at - lower) * (stops[lower + 1][i] - byte));
}

/** What all numbers of a grid are, if they are equal. */
function describeConstant(grid) {
  const hasOthers = grid.states.some((state, cell) => state && grid.describe(cell));
  return `${grid.values.length > 1 ? `all ${hasOthers ? 'numbers ' : ''}equal ` : ''}${formatValue(grid.maximum)}`;
}

class HeatMap {
  /** Options: `label`, `width`, `highest` in pixels, `isStatic` for a small picture without zoom, `note(cell)`. */
  constructor(grid, options) {
    this.grid = grid;
    this.options = options;
    this.outlines = []; // {last, style: 'tiles' | 'first' | 'second'}, as from ownersOf
    this.hovered = -1;  // the owner under the pointer
    this.marks = [];    // {cell, label, kind}
    this.canvas = element('canvas', {role: 'img', 'aria-label': options.label, tabindex: options.isStatic ? -1 : 0});
    this.text = element('output', {'aria-live': 'polite'}, '');
    this.root = element('div.heat', {}, this.canvas, !options.isStatic && element('div.below', {}, this.legend(), this.text));
    Object.assign(this, this.sizeFor(options));
    this.reset();
    this.canvas.addEventListener('pointermove', event => this.hover(event));
    if (!options.isStatic) this.listen();
  }

  /** Cells are squares unless that makes the picture too narrow or too low. */
  sizeFor({width, highest, isStatic}) {
    const {rows, columns} = this.grid, cell = Math.min(width / columns, highest / rows, largestCell);
    const extent = (count, least) => Math.round(Math.max(count * cell, Math.min(least, count * largestCell)));
    return {width: extent(columns, isStatic ? 12 : 160), height: extent(rows, isStatic ? 12 : 48)};
  }

  reset() { this.window = {row: 0, column: 0, rows: this.grid.rows, columns: this.grid.columns}; }

  draw() {
    const palette = palettes[isDark() ? 'dark' : 'light'], scale = window.devicePixelRatio || 1;
    Object.assign(this.canvas, {width: this.width * scale, height: this.height * scale});
    Object.assign(this.canvas.style, {width: `${this.width}px`, height: `${this.height}px`});
    const context = this.canvas.getContext('2d');
    context.scale(scale, scale);
    context.imageSmoothingEnabled = false;
    const {row, column, rows, columns} = this.window;
    this.high = this.height / rows;
    this.wide = this.width / columns;
    if (this.grid.rows && this.grid.columns)
      context.drawImage(this.image(palette), column, row, columns, rows, 0, 0, this.width, this.height);
    this.drawSigns(context, palette);
    for (const outline of this.outlines) this.drawOutline(context, palette, outline);
    const tiles = this.outlines.find(({style}) => style === 'tiles');
    if (tiles && this.hovered >= 0) this.drawOutline(context, palette, {last: tiles.last, style: 'hovered', only: this.hovered});
    for (const mark of this.marks) this.drawMark(context, palette, mark);
  }

  /** One pixel for each cell. */
  image(palette) {
    if (this.painted?.palette === palette) return this.painted.image;
    const {grid} = this, image = element('canvas', {width: grid.columns, height: grid.rows});
    const pixels = new ImageData(grid.columns, grid.rows);
    for (let cell = 0; cell < grid.values.length; ++cell) {
      const state = grid.states[cell];
      pixels.data.set(state ? parseColour(palette.states[state]) : colourOf(grid.values[cell], grid, palette), 4 * cell);
      pixels.data[4 * cell + 3] = grid.describe(cell) ? 255 : 0;
    }
    image.getContext('2d').putImageData(pixels, 0, 0);
    this.painted = {palette, image};
    return image;
  }

  /** Signs of special cells, and the values when all that are visible fit into their cells. */
  drawSigns(context, palette) {
    if (this.wide < 9 || this.high < 9) return;
    context.textAlign = 'center';
    context.textBaseline = 'middle';
    const showsValues = this.high > 13 && this.valuesFit();
    this.eachVisible((cell, x, y) => {
      const state = this.grid.states[cell];
      const text = state ? signs[state] : showsValues ? formatValue(this.grid.values[cell], 3) : '';
      if (!text || !this.grid.describe(cell)) return;
      const [red, green, blue] = state ? parseColour(palette.states[state]) : colourOf(this.grid.values[cell], this.grid, palette);
      context.fillStyle = 0.3 * red + 0.59 * green + 0.11 * blue > 135 ? '#000' : '#fff';
      context.font = `${Math.min(11, this.high - 2)}px ui-monospace, monospace`;
      context.fillText(text, x + this.wide / 2, y + this.high / 2);
    });
  }

  valuesFit() {
    let longest = 0;
    this.eachVisible(cell => {
      if (!this.grid.states[cell]) longest = Math.max(longest, formatValue(this.grid.values[cell], 3).length);
    });
    return this.wide > 7 * longest + 4;
  }

  eachVisible(visit) {
    const {row, column, rows, columns} = this.window, {grid} = this;
    for (let r = Math.max(0, Math.floor(row)); r < Math.min(grid.rows, row + rows); ++r)
      for (let c = Math.max(0, Math.floor(column)); c < Math.min(grid.columns, column + columns); ++c)
        visit(r * grid.columns + c, (c - column) * this.wide, (r - row) * this.high, r, c);
  }

  /** Lines where the owner of a cell differs from that of its neighbour. */
  drawOutline(context, palette, {last, style, only, isDense}) {
    const isTiles = style === 'tiles', {grid, wide, high} = this;
    const ownerOf = cell => only === undefined || last[cell] === only ? last[cell] : -1;
    context.strokeStyle = palette[style] ?? palette.line;
    context.lineWidth = isTiles ? 1 : 2.5;
    context.globalAlpha = isDense ? 0.2 : isTiles ? 0.55 : 1;
    context.setLineDash(style === 'second' ? [6, 4] : []);
    context.beginPath();
    const line = (x0, y0, x1, y1) => { context.moveTo(x0, y0); context.lineTo(x1, y1); };
    this.eachVisible((cell, x, y, r, c) => {
      const owner = ownerOf(cell), left = c ? ownerOf(cell - 1) : -1, above = r ? ownerOf(cell - grid.columns) : -1;
      if (owner !== left) line(x, y, x, y + high);
      if (owner !== above) line(x, y, x + wide, y);
      if (owner >= 0 && c === grid.columns - 1) line(x + wide - 1, y, x + wide - 1, y + high);
      if (owner >= 0 && r === grid.rows - 1) line(x, y + high - 1, x + wide, y + high - 1);
    });
    context.stroke();
    context.setLineDash([]);
    context.globalAlpha = 1;
  }

  /** A frame around a cell, which is never smaller than a pointer can hit. */
  drawMark(context, palette, {cell, label}) {
    const {row, column} = this.window, wide = Math.max(12, this.wide), high = Math.max(12, this.high);
    const clamp = (value, size, length) => Math.min(Math.max(value, 2), length - size - 2);
    const x = clamp((cell % this.grid.columns - column + 0.5) * this.wide - wide / 2, wide, this.width);
    const y = clamp((Math.floor(cell / this.grid.columns) - row + 0.5) * this.high - high / 2, high, this.height);
    for (const [colour, width] of [[palette.halo, 6], [palette.mark, 3]]) {
      context.strokeStyle = colour;
      context.lineWidth = width;
      context.strokeRect(x, y, wide, high);
    }
    if (label) this.text.textContent = label;
  }

  /** Which values the colours stand for. */
  legend() {
    const palette = palettes[isDark() ? 'dark' : 'light'], {grid} = this;
    const stops = grid.minimum < 0 && grid.maximum > 0 ? palette.diverging : palette.sequential;
    const limit = grid.minimum < 0 && grid.maximum > 0 ? Math.max(-grid.minimum, grid.maximum) : null;
    const scale = grid.isConstant ? [element('span', {}, describeConstant(grid))] :
      [element('span', {}, formatValue(limit === null ? grid.minimum : -limit)),
       element('i.gradient', {style: `background: linear-gradient(to right, ${stops.join(', ')})`}),
       element('span', {}, formatValue(limit ?? grid.maximum))];
    return element('div.legend', {}, grid.has(State.number) ? scale : [],
      [1, 2, 3, 4].filter(state => grid.has(state) && (state !== State.unwritten || this.hasUnwritten())).map(state =>
        element('span.state', {}, element('i', {style: `background: ${palette.states[state]}`}), namesOfStates[state])));
  }

  hasUnwritten() { return this.grid.states.some((state, cell) => state === State.unwritten && this.grid.describe(cell)); }

  refreshLegend() { this.root.querySelector('.legend')?.replaceWith(this.legend()); }

  // --- Pointer and keys ---------------------------------------------------------------

  /** Where the pointer is in the picture, from 0 to 1; a narrow page shrinks the picture. */
  shareOf({offsetX, offsetY}) { return [offsetX / this.canvas.clientWidth, offsetY / this.canvas.clientHeight]; }

  cellAt(event) {
    const [x, y] = this.shareOf(event), view = this.window;
    const row = Math.floor(view.row + y * view.rows), column = Math.floor(view.column + x * view.columns);
    const isInside = row >= 0 && row < this.grid.rows && column >= 0 && column < this.grid.columns;
    return isInside ? row * this.grid.columns + column : null;
  }

  hover(event) {
    const cell = this.cellAt(event);
    const text = cell === null ? '' : this.grid.describe(cell) + (this.options.note?.(cell) ?? '');
    if (this.options.isStatic) this.canvas.title = text;
    else this.text.textContent = text;
    const owner = this.outlines[0]?.style === 'tiles' && cell !== null ? this.outlines[0].last[cell] : -1;
    if (owner !== this.hovered) {
      this.hovered = owner;
      this.draw();
    }
    if (event.buttons && !this.options.isStatic)
      this.move(-event.movementX / this.wide, -event.movementY / this.high);
  }

  listen() {
    const {canvas} = this;
    canvas.addEventListener('wheel', event => {
      event.preventDefault();
      this.zoom(event.deltaY < 0 ? 1.25 : 0.8, ...this.shareOf(event));
    }, {passive: false});
    canvas.addEventListener('dblclick', () => { this.reset(); this.draw(); });
    canvas.addEventListener('keydown', event => {
      const step = this.window.columns / 10, high = this.window.rows / 10;
      const moves = {ArrowLeft: [-step, 0], ArrowRight: [step, 0], ArrowUp: [0, -high], ArrowDown: [0, high]};
      if (event.key in moves) { if (!this.move(...moves[event.key])) return; }
      else if (event.key === '+' || event.key === '-') this.zoom(event.key === '+' ? 1.5 : 1 / 1.5, 0.5, 0.5);
      else if (event.key === '0') { this.reset(); this.draw(); }
      else return;
      event.preventDefault();
      event.stopPropagation();
    });
  }

  zoom(factor, x, y) {
    const {window: view, grid} = this;
    const least = (count, shown) => Math.min(count, Math.max(2, shown / factor));
    const rows = least(grid.rows, view.rows), columns = least(grid.columns, view.columns);
    this.window = {row: view.row + (view.rows - rows) * y, column: view.column + (view.columns - columns) * x, rows, columns};
    this.move(0, 0);
  }

  /** Returns whether the picture moves. */
  move(columns, rows) {
    const view = this.window, before = {...view};
    view.row = Math.min(Math.max(0, view.row + rows), this.grid.rows - view.rows);
    view.column = Math.min(Math.max(0, view.column + columns), this.grid.columns - view.columns);
    this.draw();
    return view.row !== before.row || view.column !== before.column;
  }
}
