// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A lane for each tile block with its memory operations, their order, and the two accesses of a
// race with the missing edge between them.

const laneHeight = 50, laneStep = 34, mostLanes = 16, mostInLane = 60;

class LanesView {
  constructor(app, blocks, choose) {
    this.app = app;
    this.choose = choose;
    this.blocks = blocks.map(events => events.filter(event => event.memory?.length));
    this.names = blocks.map(events => formatBlock(events[0].block));
    this.left = 48 + 6 * Math.max(...this.names.map(name => name.length)); // pixels, room for "block (0, 0, 0)"
    this.holder = element('div.lanes');
    this.text = element('p.note', {'aria-live': 'polite'});
    this.root = element('section', {}, element('h3', {}, 'Memory operations'), this.legend(), this.holder, this.text);
  }

  legend() {
    const sample = kind => element('svg', {width: 16, height: 14, 'aria-hidden': true}, shapeOf(kind, 8, 7));
    const entry = (...parts) => element('span', {}, parts);
    return element('p.hint.key', {},
      entry(sample('load'), 'load'), entry(sample('store'), 'store'), entry(sample('update'), 'atomic'),
      entry(element('b.before', {}, '■'), ' before the current one'), entry(element('b.after', {}, '■'), ' after it'),
      entry(element('b.unordered', {}, '□'), ' no order: before or after it'), entry('lines: happens before'),
      entry('dotted: value from another block'), entry('numbers: source lines'));
  }

  show(event, finding) {
    Object.assign(this, {event, finding});
    this.draw();
  }

  draw() {
    const {model} = this.app;
    this.accesses = this.finding ? model.accessesOf(this.finding).filter(access => access.step !== null) : [];
    this.missing = this.finding ? model.missingOrderOf(this.finding) : null;
    const lanes = this.chooseLanes();
    this.at = new Map(); // where each drawn step is
    lanes.forEach((lane, row) => this.windowOf(this.blocks[lane]).forEach((event, column) =>
      this.at.set(event.step, {x: this.left + column * laneStep + 16, y: row * laneHeight + 26, event})));
    const columns = Math.max(1, ...lanes.map(lane => this.windowOf(this.blocks[lane]).length));
    const size = {width: this.left + columns * laneStep + 100, height: lanes.length * laneHeight + 14};
    this.holder.replaceChildren(element('svg', {...size, role: 'group', 'aria-label': 'Memory operations by tile block'},
      lanes.map((lane, row) => this.drawLane(lane, row, size.width)), this.drawOrder(), this.drawCommunication(),
      this.drawMissingEdge(), this.drawEvents(), this.drawRings()));
    this.text.replaceChildren(...this.sentences(lanes));
  }

  /** The blocks of the finding and of the current operation come first. */
  chooseLanes() {
    const wanted = [...this.accesses.map(access => formatBlock(access.block)), this.event && formatBlock(this.event.block)];
    const first = this.blocks.map((_, lane) => lane).slice(0, mostLanes);
    const needed = wanted.map(name => this.names.indexOf(name)).filter(lane => lane >= 0);
    return [...new Set([...needed, ...first])].slice(0, mostLanes).sort((a, b) => a - b);
  }

  /** The operations of a lane that are drawn: around the current one or an access of the finding. */
  windowOf(events) {
    const steps = new Set([this.event?.step, ...this.accesses.map(access => access.step), this.missing?.release.step,
                           this.missing?.acquire.step]);
    const centre = Math.max(0, events.findIndex(event => steps.has(event.step)));
    const first = Math.max(0, Math.min(centre - mostInLane / 2, events.length - mostInLane));
    return events.slice(first, first + mostInLane);
  }

  drawLane(lane, row, width) {
    const y = row * laneHeight + 26, hidden = this.blocks[lane].length - this.windowOf(this.blocks[lane]).length;
    return element('g.lane', {}, element('line', {x1: this.left, x2: width, y1: y, y2: y}),
      element('text', {x: 4, y: y + 4}, `block ${this.names[lane]}`),
      hidden ? element('text.hidden', {x: 4, y: y + 17}, `${hidden} more`) : null);
  }

  drawOrder() {
    const {model} = this.app;
    return [...this.at.values()].flatMap(({x, y, event}) => (event.after ?? []).filter(step => this.at.has(step)).map(step => {
      const from = this.at.get(step), lift = from.y === y ? 10 + Math.min(8, Math.abs(x - from.x) / 20) : 0;
      return element('path.order', {d: `M${from.x + 6},${from.y - 4} Q${(from.x + x) / 2},${(from.y + y) / 2 - 4 - 2 * lift} ` +
        `${x - 6},${y - 4}`}, element('title', {}, `${model.nameOfStep(step)} happens before ${model.nameOfStep(event.step)}`));
    }));
  }

  /** From a store or update to the operation of another block that reads its value. */
  drawCommunication() {
    const {model} = this.app;
    const events = [...this.at.values()].map(({event}) => event).sort((a, b) => a.step - b.step);
    return Model.communication(events).map(([reader, writer]) => {
      const from = this.at.get(writer), to = this.at.get(reader);
      return element('path.reads', {d: `M${from.x},${from.y} L${to.x},${to.y}`},
                     element('title', {}, `${model.nameOfStep(reader)} reads what ${model.nameOfStep(writer)} has written`));
    });
  }

  drawEvents() {
    const {model} = this.app, current = this.event?.step;
    const before = model.stepsBefore(current), after = model.stepsAfter(current);
    return [...this.at.values()].map(({x, y, event}) => {
      const order = event.step === current ? 'current' : before.has(event.step) ? 'before' :
        after.has(event.step) ? 'after' : 'unordered';
      return element(`g.event.${order}`, {'data-step': event.step, onclick: () => this.choose(event)},
        element('title', {}, this.describe(event)), element('rect.target', {x: x - 15, y: y - 12, width: 30, height: 38}),
        shapeOf(event.memory[0].kind, x, y), element('text', {x, y: y + 22}, event.location?.line ?? ''));
    });
  }

  describe({step, operation, location, memory}) {
    const array = this.app.model.arrays[memory[0].array]?.name ?? 'other memory';
    return `${this.app.model.nameOfStep(step)}: ${operation}${location?.line ? ` at line ${location.line}` : ''}, ${memory[0].kind} of ${array}`;
  }

  /** The edge that is missing: between the atomics that could order the accesses of a race, or else between the accesses. */
  drawMissingEdge() {
    const steps = this.missing ? [this.missing.release, this.missing.acquire] : this.accesses;
    const [from, to] = steps.map(({step}) => this.at.get(step)).filter(Boolean);
    this.hasMissingEdge = Boolean(from && to) && this.finding?.check === 'race';
    if (!this.hasMissingEdge) return [];
    const middle = {x: (to.x + from.x) / 2 + bendOf(from, to), y: (to.y + from.y) / 2 - (to.y === from.y ? 26 : 0)};
    return [element('path.missing', {d: `M${from.x},${from.y} Q${middle.x},${middle.y} ${to.x},${to.y}`},
                    element('title', {}, this.missing ? describeMissingOrder(this.missing) : 'Nothing orders these two accesses')),
            element('text.missing', placeBeside(from, to), this.missing ? '✕ does not synchronize' : '✕ no order')];
  }

  /** Rings with the numbers of the accesses. */
  drawRings() {
    const ends = this.accesses.map(access => ({...access, ...this.at.get(access.step)})).filter(({x}) => x !== undefined);
    return ends.map(({x, y, label}) => element(`g.ring.access${label}`, {}, element('circle', {cx: x, cy: y, r: 12}),
      element('text', {x: x - 11, y: y - 10, 'text-anchor': 'middle'}, label)));
  }

  /** The race in words. */
  sentences(lanes) {
    const hidden = this.blocks.length - lanes.length;
    const parts = hidden > 0 ? [`${plural(hidden, 'more block')} not drawn. `] : [];
    if (this.finding?.check === 'race' && this.accesses.length === 2) {
      const name = ({label, location, block}) => [element(`span.label.access${label}`, {}, label),
                                                  `line ${location.line} by block ${formatBlock(block)}`];
      parts.unshift(...name(this.accesses[0]), ' and ', ...name(this.accesses[1]),
                    ' access the same element, and nothing orders them. ', this.hasMissingEdge ? 'The dashed line is where an order is missing. ' : '',
                    this.missing ? `Fix: ${describeMissingOrder(this.missing)}. ` : '');
    }
    return parts;
  }
}

/** How far to the right an edge is bent that would hide operations of the lanes between. */
const bendOf = (from, to) => Math.abs(to.y - from.y) > laneHeight && Math.abs(to.x - from.x) < laneStep ? 40 : 0;

/** Where a text beside the edge between two operations covers neither operations nor their lines: between two lanes. */
function placeBeside(from, to) {
  if (from.y === to.y) return {x: (from.x + to.x) / 2 + 8, y: Math.max(8, from.y - 20)};
  const [upper, lower] = from.y < to.y ? [from, to] : [to, from];
  const lanes = (lower.y - upper.y) / laneHeight, y = upper.y + Math.floor((lanes - 1) / 2) * laneHeight + 34;
  return {x: upper.x + (lower.x - upper.x) * (y - upper.y) / (lower.y - upper.y) + 16 + bendOf(from, to) / 2, y};
}

/** Loads are circles, stores squares, atomic updates diamonds. */
function shapeOf(kind, x, y) {
  if (kind === 'load') return element('circle.shape', {cx: x, cy: y, r: 6});
  if (kind === 'store') return element('rect.shape', {x: x - 5.5, y: y - 5.5, width: 11, height: 11});
  return element('polygon.shape', {points: `${x},${y - 7.5} ${x + 7.5},${y} ${x},${y + 7.5} ${x - 7.5},${y}`});
}
