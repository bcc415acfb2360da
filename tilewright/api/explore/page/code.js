// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shows a text of any length, with columns of figures before the code. Only the visible lines are in the page:
// machine code has tens of thousands.

const lineHeight = 19; // pixels, as in style.css
const linesAround = 20; // kept beyond the visible ones

let codeViews = 0; // for the ids of lines

class CodeView {
  /** `text` is one of Model.texts; `columns` a list of {title, help, width, render(line)}; `choose(line)` is called when
      the reader picks a line, from 0. */
  constructor(text, columns, choose) {
    Object.assign(this, {text, columns, choose, current: 0, lit: new Set(), chosen: new Set(), labels: new Map()});
    const widths = [columns.length ? '6ch' : '4ch', ...columns.map(column => column.width)], gutter = widths.join(' ');
    this.rows = element('div.rows', {style: `height: ${text.lines.length * lineHeight}px`});
    this.head = columns.length > 0 && element('div.row.head', {},
      element('div.gutter', {style: `grid-template-columns: ${gutter}`}, element('span'),
              columns.map(column => element('span', {title: column.help}, column.title))));
    this.root = element('div.code', {tabindex: 0, role: 'listbox', 'aria-label': text.hint, onkeydown: event => this.key(event),
                                     onscroll: () => this.draw()}, this.head, this.rows);
    this.gutter = gutter;
    this.number = ++codeViews;
    const widest = text.lines.reduce((most, line) => Math.max(most, line.length), 0);
    for (const part of [this.rows, this.head].filter(Boolean))
      part.style.minWidth = `calc(${widest + 2}ch + ${widths.join(' + ')} + ${6 * widths.length + 30}px)`;
    this.drawn = new Map();
    new ResizeObserver(() => this.draw()).observe(this.root);
  }

  draw() {
    const first = Math.max(0, Math.floor(this.root.scrollTop / lineHeight) - linesAround);
    const last = Math.min(this.text.lines.length,
                          Math.ceil((this.root.scrollTop + this.root.clientHeight) / lineHeight) + linesAround);
    for (const [line, row] of this.drawn)
      if (line < first || line >= last) {
        row.remove();
        this.drawn.delete(line);
      }
    for (let line = first; line < last; ++line)
      if (!this.drawn.has(line)) {
        this.drawn.set(line, this.row(line));
        this.rows.append(this.drawn.get(line));
      }
  }

  row(line) {
    const code = element('code', {}, highlight(this.text.lines[line], this.text.language).map(
      ([kind, token]) => kind ? element(`span.${kind}`, {}, token) : token));
    const row = element('div.row', {
      style: `top: ${line * lineHeight}px`, role: 'option', id: this.idOf(line), 'data-line': line + 1,
      onclick: () => this.pick(line),
    }, element('div.gutter', {style: `grid-template-columns: ${this.gutter}`}, element('span.number', {}, String(line + 1)),
               this.columns.map(column => element('span', {}, column.render(line)))), code);
    this.mark(line, row);
    return row;
  }

  /** Labels the lines of accesses, which have a place and a label each. */
  labelAccesses(accesses) {
    this.labels = new Map();
    for (const {place, label} of accesses)
      for (const line of this.linesOf(place)) this.labels.set(line, this.labels.has(line) ? `${this.labels.get(line)},${label}` : label);
    for (const [line, row] of this.drawn) this.mark(line, row);
  }

  linesOf(place) {
    return place ? this.text.places.flatMap((places, line) => places.some(each => samePlace(each, place)) ? [line] : []) : [];
  }

  idOf(line) { return `code-${this.number}-${line + 1}`; }

  mark(line, row) {
    const label = this.labels.get(line), {dataset} = row.querySelector('.number');
    if (label) dataset.access = label;
    else delete dataset.access;
    row.classList.toggle('lit', this.lit.has(line));
    row.classList.toggle('chosen', this.chosen.has(line));
    row.classList.toggle('linked', this.text.places[line]?.length > 0);
    row.setAttribute('aria-selected', this.chosen.has(line));
  }

  /** Lights up the lines of a place. `scroll` brings the first one into view if none is visible. */
  show(place, scroll) {
    const lines = this.linesOf(place);
    const isSource = this.text.kind === 'source';
    this.lit = new Set(isSource ? [] : lines);
    this.chosen = new Set(isSource ? lines : []);
    if (lines.length && scroll) this.scrollTo(lines);
    if (lines.length && isSource) this.current = lines[0];
    for (const [line, row] of this.drawn) this.mark(line, row);
    return lines.length;
  }

  scrollTo(lines) {
    const top = this.root.scrollTop / lineHeight, height = this.root.clientHeight / lineHeight - 2;
    if (!lines.some(line => line >= top && line < top + height))
      this.root.scrollTop = Math.max(0, (lines[0] - height / 3) * lineHeight);
    this.draw();
  }

  pick(line) {
    this.current = line;
    this.root.setAttribute('aria-activedescendant', this.idOf(line));
    this.choose(line);
  }

  key(event) {
    const page = Math.max(1, Math.floor(this.root.clientHeight / lineHeight) - 2);
    const line = indexAfterKey(event.key, this.current, this.text.lines.length, page);
    if (line === null || (line === this.current && this.chosen.has(line))) return;
    event.preventDefault();
    this.pick(line);
    this.scrollTo([line]);
  }
}
