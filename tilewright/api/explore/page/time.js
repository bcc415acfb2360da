// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Steps through the operations of a tile block, with operands and results as heat maps.

/** The summary of a value, with NaN as the other views write it. */
const textOfValue = ({text}) => text.replace(/\bnan\b/g, 'NaN');

class TimeView {
  constructor(app, root) {
    this.app = app;
    const {trace} = app.model;
    this.blocks = new Map(); // of traced operations, by the text of the block
    for (const event of trace) {
      const key = formatBlock(event.block);
      if (!this.blocks.has(key)) this.blocks.set(key, []);
      this.blocks.get(key).push(event);
    }
    this.select = element('select', {'aria-label': 'Tile block', onchange: () => this.go(this.blocks.get(this.select.value)[0])},
      [...this.blocks.keys()].map(key => element('option', {value: key}, `block ${key}`)));
    this.slider = element('input', {type: 'range', min: 0, step: 1, 'aria-label': 'Operation of the block',
                                    oninput: () => this.go(this.events[this.slider.value])});
    this.position = element('output.position');
    this.values = element('div.values');
    const step = (text, title, by) => element('button', {title, onclick: () => this.move(by)}, text);
    this.controls = element('div.controls', {}, this.select, step('◀', 'Previous operation', -1), this.slider,
                            step('▶', 'Next operation', 1), this.position);
    this.lanes = new LanesView(app, [...this.blocks.values()], event => this.go(event));
    root.addEventListener('keydown', event => this.key(event));
    root.append(this.controls, this.values, this.lanes.root,
      app.model.document.trace_unlisted ? element('p.note', {},
        `The trace ends here: ${plural(app.model.document.trace_unlisted, 'later operation')} not listed.`) : '');
    this.event = null;
    app.selection.listen((changed, selection) => this.follow(changed, selection));
    this.show(trace[0]);
  }

  /** Another view has selected a step, a finding or a line. */
  follow(changed, {step, place, finding}) {
    const {model} = this.app;
    if (changed.includes('step') && step !== null) this.show(model.trace.find(event => event.step === step));
    else if (changed.includes('place') && place && !samePlace(model.placeOf(this.event.location), place)) {
      const at = event => samePlace(model.placeOf(event.location), place);
      const event = this.events.find(at) ?? model.trace.find(at);
      if (event) this.show(event);
    }
    this.lanes.show(this.event, model.findings[finding]);
  }

  /** Returns whether there was an operation to go to. */
  move(by) { return this.goTo(Number(this.slider.value) + by); }

  goTo(position) {
    const event = this.events[Math.min(this.events.length - 1, Math.max(0, position))];
    const isOther = event !== this.event;
    if (isOther) this.go(event);
    return isOther;
  }

  /** Home, End and the page keys, also without the focus on the slider. Arrow keys are App's. */
  key(event) {
    const position = /^(Home|End|Page)/.test(event.key) && event.target !== this.select
      ? indexAfterKey(event.key, Number(this.slider.value), this.events.length, 10) : null;
    if (position !== null && this.goTo(position)) event.preventDefault();
  }

  /** The reader goes to an operation: the source follows. */
  go(event) {
    this.show(event);
    this.app.selection.set({step: event.step, place: this.app.model.placeOf(event.location)});
  }

  show(event) {
    if (event === this.event) return;
    this.event = event;
    const key = formatBlock(event.block);
    this.select.value = key;
    this.events = this.blocks.get(key);
    const position = this.events.indexOf(event);
    this.slider.max = this.events.length - 1;
    this.slider.value = position;
    this.position.textContent = `${formatCount(position + 1)} of ${formatCount(this.events.length)}`;
    this.drawValues();
    this.lanes.show(event, this.app.model.findings[this.app.selection.finding]);
  }

  draw() {
    this.drawValues();
    this.lanes.draw();
  }

  drawValues() {
    const {operation, location, operands, results} = this.event;
    this.values.replaceChildren(
      element('h3', {}, operation, element('span.facts', {}, location?.line ? ` line ${location.line}` : '', this.effect())),
      element('div.sides', {}, this.side('operands', operands), element('span.arrow', {'aria-hidden': true}, '→'),
              this.side('results', results)));
  }

  /** "writes parameter 2 (4xi32)[8]" */
  effect() {
    const verbs = {load: 'reads', store: 'writes', update: 'updates'};
    return (this.event.memory ?? []).map(({array, kind, elements}) => {
      const name = this.app.model.arrays[array]?.name ?? 'other memory';
      const count = countOf(elements);
      return ` · ${verbs[kind]} ${plural(count, 'element')} of ${name}` + (count ? ` from [${elements[0][0]}]` : '');
    }).join('');
  }

  /** Tiles as pictures, and below them all other values. */
  side(name, values) {
    const pictures = values.filter(value => value.values), others = values.filter(value => !value.values);
    return element(`div.side.${name}`, {}, !values.length && element('span.empty', {}, `no ${name}`),
      pictures.length > 0 && element('div.pictures', {}, pictures.map(value => this.picture(value))),
      others.map(value => element('div.other', {title: `${value.name}: ${textOfValue(value)}`}, element('code', {}, value.name), ' ',
                                  element('span.summary', {}, textOfValue(value)))));
  }

  picture(value) {
    const map = new HeatMap(gridOfValue(this.app.model, value),
                            {label: `${value.name}: ${textOfValue(value)}`, width: 148, highest: 104, isStatic: true});
    map.draw();
    return element('figure', {}, element('div.name', {title: value.name}, element('code', {}, value.name)), map.root,
                   element('figcaption.summary', {title: textOfValue(value)}, textOfValue(value)));
  }
}
