// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A picture of every array argument, with the tiles that the blocks access and the element of the selected finding.

class ArraysView {
  constructor(app, root) {
    this.app = app;
    root.append(element('p.hint', {}, 'Wheel or + and − zoom, dragging or arrow keys move, double click or 0 shows all.'));
    this.panels = app.model.arrays.map((array, index) => new ArrayPanel(app, array, index, root));
    app.selection.listen((changed, selection) => {
      if (changed.includes('place')) this.showPlace(selection.place);
      if (changed.includes('finding') || changed.includes('place')) this.showFinding(selection.finding);
    });
  }

  draw() { for (const panel of this.panels) panel.draw(); }

  showFinding(index) {
    const finding = this.app.model.findings[index];
    for (const panel of this.panels) panel.showFinding(finding && this.app.model.arrayOf(finding) === panel.index ? finding : null);
  }

  /** The tiles of the operation on the selected line. */
  showPlace(place) {
    for (const panel of this.panels) panel.showPlace(place);
  }
}

class ArrayPanel {
  constructor(app, array, index, root) {
    Object.assign(this, {app, array, index});
    this.views = app.model.views.filter(view => view.array === index);
    this.content = element('div.choices', {role: 'group', 'aria-label': 'Content'});
    this.tiles = element('select', {'aria-label': 'Tiles', onchange: () => this.choose(this.views[this.tiles.value])},
      element('option', {value: -1}, 'no tiles'),
      this.views.map((view, number) => element('option', {value: number}, this.nameOf(view))));
    this.note = element('p.note');
    this.holder = element('div');
    this.root = element('section.array', {'data-array': index},
      element('header', {}, element('h3', {}, array.name), this.content, this.views.length ? this.tiles : null),
      this.holder, this.note);
    root.append(this.root);
    this.time = 'after';
    this.view = this.views.at(-1) ?? null;
    this.tiles.value = this.views.length - 1;
    this.finding = null;
    this.open();
  }

  nameOf({operation, location, kind, accesses}) {
    const line = location?.line ? `line ${location.line}` : 'unknown line';
    return `${kind === 'load' ? 'read' : kind === 'store' ? 'written' : 'updated'} at ${line} (${operation}, ` +
      `${plural(accesses.length, 'access')})`;
  }

  open() {
    this.grid = gridOfContent(this.app.model, this.array, this.array[this.time]);
    this.map = new HeatMap(this.grid, {label: `${this.array.name}, ${this.time} the launch`, width: 520, highest: 250,
                                       note: cell => this.ownerText(cell)});
    this.holder.replaceChildren(this.map.root);
    this.content.replaceChildren(...['before', 'after'].map(time => element('button', {
      'aria-pressed': time === this.time, onclick: () => { this.time = time; this.open(); }}, time)));
    this.outline();
  }

  choose(view) {
    this.view = view ?? null;
    this.tiles.value = this.views.indexOf(view);
    this.outline();
  }

  outline() {
    this.owners = this.view && ownersOf(this.grid, this.array, this.view.accesses);
    this.map.outlines = this.owners ? [{last: this.owners.last, style: 'tiles', isDense: this.view.accesses.length > 64}] : [];
    this.map.marks = [];
    this.note.textContent = this.missing();
    if (this.finding) this.markFinding();
    this.draw();
  }

  /** What the document does not list. */
  missing() {
    const more = this.view?.accesses.reduce((sum, access) => sum + (access.more_elements ?? 0), 0);
    return (this.view?.unlisted ? `${plural(this.view.unlisted, 'more access')} not listed. ` : '') +
      (more ? `${plural(more, 'more element')} of the accesses not drawn.` : '');
  }

  draw() {
    this.map.refreshLegend();
    this.map.draw();
  }

  ownerText(cell) {
    const owner = this.owners?.last[cell] ?? -1;
    if (owner < 0) return '';
    const {block, index} = this.view.accesses[owner], others = this.owners.count[cell] - 1;
    return ` · block ${formatBlock(block)}${index ? `, tile [${index.join(', ')}]` : ''}` +
      (others > 0 ? ` and ${plural(others, 'other access')}` : '');
  }

  showPlace(place) {
    const {model} = this.app;
    const view = place && this.views.find(each => samePlace(model.placeOf(each.location), place));
    this.root.classList.toggle('lit', Boolean(view));
    if (view) this.choose(view);
  }

  showFinding(finding) {
    if (!finding && !this.finding) return;
    this.finding = finding;
    if (finding) this.root.classList.add('lit');
    this.outline();
    if (finding) this.root.scrollIntoView({block: 'nearest'});
  }

  /** Rings the element, and outlines the tiles of the accesses. */
  markFinding() {
    const {model} = this.app, {array} = this, offset = this.finding.array_element;
    const accesses = model.accessesOf(this.finding);
    accesses.forEach(access => {
      const listed = this.views.filter(view => sameLocation(view.location, access.location)).flatMap(view => view.accesses)
        .filter(({block, elements}) => sameList(block, access.block ?? []) && (offset === null || covers(elements, offset)));
      if (!listed.length) return;
      const {last} = ownersOf(this.grid, array, listed.slice(-1));
      this.map.outlines.push({last, style: access.label === '2' ? 'second' : 'first'});
    });
    const elementNumber = offset === null ? null : elementAt(offset, array.shape, array.strides);
    const cell = elementNumber === null ? null : this.grid.cellOf(elementNumber);
    if (cell !== null) this.map.marks.push({cell, label: this.grid.describe(cell) + this.ownerText(cell)});
    this.note.replaceChildren(...accesses.flatMap(({label, block, location}) => [element(`span.label.access${label}`, {}, label),
      ` ${block ? `block ${formatBlock(block)}` : 'unknown block'}${location?.line ? `, line ${location.line}` : ''} ` +
      `(${label === '1' ? 'solid' : 'dashed'}) `]));
  }
}
