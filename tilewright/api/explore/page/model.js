// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Indexes the document of `tilewright explore --json`, so that the views can ask what belongs to a
// source line. A place is a pair [source, line], as in the document. No DOM.

const bytesOfSector = 32;

class Model {
  constructor(document) {
    this.document = document;
    this.sources = document.sources ?? (document.source ? [{...document.source, language: 'tile'}] : []);
    this.findings = document.findings ?? [];
    this.arrays = document.arrays ?? [];
    this.views = document.views ?? [];
    this.trace = document.trace ?? [];
    this.stages = document.stages ?? [];
    this.sourceOfFile = new Map(this.sources.map((source, index) => [source.file, index]));
    this.lines = new Map();
    for (const line of document.lines ?? []) {
      const place = this.placeOf(line);
      if (place) Object.assign(this.line(place), {executions: line.executions, counters: line.counters,
                                                  findings: line.findings});
    }
    this.addByLocation('operations', document.operations);
    this.addByLocation('remarks', document.remarks);
    this.numbers = new Map();
    this.accesses = new Map();
    this.missing = new Map(); // of races, by the finding
    this.visitsForRaces = 0;
    this.eventsAt = new Map();
    for (const event of this.trace) {
      const key = keyOfAccess(event);
      if (!this.eventsAt.has(key)) this.eventsAt.set(key, []);
      this.eventsAt.get(key).push(event);
    }
  }

  /** What is known about a line; created empty. */
  line(place) {
    const key = keyOf(place);
    if (!this.lines.has(key))
      this.lines.set(key, {place, executions: null, counters: null, findings: [], operations: [], remarks: []});
    return this.lines.get(key);
  }

  addByLocation(member, list) {
    for (const item of list ?? []) {
      const place = this.placeOf(item.location);
      if (place) this.line(place)[member].push(item);
    }
  }

  /** The place of a location; null without one, and for a byte offset or a file that is not a source. */
  placeOf(location) {
    const source = location?.line ? this.sourceOfFile.get(location.file) : undefined;
    return source === undefined ? null : [source, location.line];
  }

  /** The texts that can be shown: sources with text, then the program as printed, then the stages. Each has the
      places of each of its lines. */
  texts() {
    const texts = [];
    this.sources.forEach((source, index) => {
      if (source.text === null || source.text === undefined) return;
      const lines = splitLines(source.text);
      texts.push({kind: 'source', title: source.file.split('/').pop(), hint: source.file, language: source.language,
                  lines, places: lines.map((_, i) => [[index, i + 1]])});
    });
    const {program} = this.document;
    if (program)
      texts.push({kind: 'program', title: 'Tile IR', hint: 'the program as tilewright print writes it',
                  language: 'tile', lines: splitLines(program.text), places: program.lines});
    for (const stage of this.stages)
      texts.push({kind: 'stage', title: titleOfStage(stage), hint: `${stage.stage} for ${stage.target}`,
                  language: stage.stage, lines: splitLines(stage.failure ?? stage.text), unlisted: stage.unlisted,
                  places: stage.failure ? [[]] : stage.lines.map(place => place ? [place] : [])});
    return texts;
  }

  /** The text that the reader wrote: Python if there is any, else Tile IR. */
  static primary(texts) {
    return texts.find(text => text.kind === 'source' && text.language === 'python') ?? texts[0];
  }

  /** The elements of an array's content or of a traced value; decoded once. */
  numbersOf(owner, base64, type) {
    if (!this.numbers.has(owner)) this.numbers.set(owner, decodeNumbers(base64, type));
    return this.numbers.get(owner);
  }

  arrayOf(finding) {
    const index = this.arrays.findIndex(array => array.name === finding.array);
    return index < 0 ? null : index;
  }

  /** The accesses that a finding is about: for a race first the other, earlier one, labelled 1; last the finding's own.
      Each has its place, its block, and its step in the trace, or null for what is not known. */
  accessesOf(finding) {
    if (!this.accesses.has(finding)) this.accesses.set(finding, this.findAccesses(finding));
    return this.accesses.get(finding);
  }

  findAccesses(finding) {
    const other = (finding.related ?? []).find(({message}) => isAccess(message));
    const own = {label: other ? '2' : '1', block: finding.block, location: finding.location, isOwn: true};
    const accesses = [own];
    if (other) {
      const block = /by (?:(?:thread \d+|an asynchronous operation) of )?block \((\d+), (\d+), (\d+)\)/;
      const found = block.exec(other.message) ?? block.exec(finding.message);
      accesses.unshift({label: '1', block: found?.slice(1, 4).map(Number) ?? finding.block, location: other.location, isOwn: false});
    }
    return accesses.map(access => ({...access, place: this.placeOf(access.location), step: this.stepOf(access, finding)}));
  }

  /** The last traced operation at an access that accesses the finding's element; null if none is traced. */
  stepOf(access, finding) {
    return (this.eventsOf(access, finding).at(-1) ?? this.candidatesOf(access).at(-1))?.step ?? null;
  }

  /** The traced operations at an access that access the finding's element. */
  eventsOf(access, finding) {
    const array = this.arrayOf(finding), element = finding.array_element;
    return this.candidatesOf(access).filter(event => (event.memory ?? []).some(
      memory => memory.array === array && (element === null || covers(memory.elements, element))));
  }

  /** The traced operations at the location and in the block of an access. */
  candidatesOf({block, location}) {
    return (block && location && this.eventsAt.get(keyOfAccess({block, location}))) || [];
  }

  /** The first traced operation with a NaN among its results but none among its operands. */
  firstNaN() {
    const hasNaN = values => values.some(value => {
      if (!value.values) return /\bnan$/i.test(value.text);
      const numbers = this.numbersOf(value, value.values, value.value_type);
      return numbers.some((number, index) => Number.isNaN(number) && !value.undefined.includes(index));
    });
    return this.trace.find(event => hasNaN(event.results) && !hasNaN(event.operands)) ?? null;
  }

  /** For an elementwise operation that made a NaN or an infinity of finite operands: their names and numbers at the finding's
      element. Empty if it is not traced. */
  operandsOfOrigin(finding) {
    const [access] = this.accessesOf(finding), isElementwise = /: of (?!\d+ elements).* the result is /.test(finding.message);
    const index = isElementwise && /^\[([\d, ]+)\]$/.exec(finding.element)?.[1].split(', ').map(Number);
    const numberIn = value => value.values && this.numbersOf(value, value.values, value.value_type)[ravel(index, shapeOfType(value.type))];
    const isMade = ({operands, results: [result]}) => result?.values && !Number.isFinite(numberIn(result)) && operands.length &&
      operands.every(value => sameList(shapeOfType(value.type), shapeOfType(result.type)) && Number.isFinite(numberIn(value)));
    const event = index && this.candidatesOf(access).find(isMade);
    return event ? event.operands.map(value => ({name: value.name, index, number: numberIn(value)})) : [];
  }

  /** The traced operation with a number; null if it is not traced. */
  eventOf(step) {
    this.eventOfStep ??= new Map(this.trace.map(event => [event.step, event]));
    return this.eventOfStep.get(step) ?? null;
  }

  /** Where an operation is among those of its block, as the reader counts: from 1. */
  positionOf(step) {
    if (!this.positions) {
      const counts = new Map();
      this.positions = new Map(this.trace.map(event => {
        const key = formatBlock(event.block), position = (counts.get(key) ?? 0) + 1;
        counts.set(key, position);
        return [event.step, position];
      }));
    }
    return this.positions.get(step);
  }

  /** "operation 4 of block (1, 0, 0)" */
  nameOfStep(step) { return `operation ${formatCount(this.positionOf(step))} of block ${formatBlock(this.eventOf(step).block)}`; }

  /** What orders the accesses of a race, or else the help of the finding's check. */
  fixOf(finding) {
    const missing = this.missingOrderOf(finding);
    return missing ? describeMissingOrder(missing) : finding.help;
  }

  missingOrderOf(finding) {
    if (!this.missing.has(finding)) this.missing.set(finding, missingOrder(this, finding));
    return this.missing.get(finding);
  }

  /** All steps that happen before a step. */
  stepsBefore(step) {
    const before = new Set([step]);
    for (let at = this.trace.findLastIndex(event => event.step <= step); at >= 0; --at)
      if (before.has(this.trace[at].step)) for (const earlier of this.trace[at].after ?? []) before.add(earlier);
    before.delete(step);
    return before;
  }

  /** All steps that a step happens before. */
  stepsAfter(step) {
    const after = new Set([step]);
    for (const event of this.trace) if (event.after?.some(earlier => after.has(earlier))) after.add(event.step);
    after.delete(step);
    return after;
  }

  /** The number of tile blocks of the grid. */
  blockCount() { return this.document.grid.reduce((product, extent) => product * extent, 1); }

  /** The occupancy on the GPU of the document; null if it is not known. */
  occupancy() {
    const {cost, target} = this.document;
    return cost?.occupancy?.find(({sm}) => sm === target) ?? null;
  }

  /** For traced operations in order: pairs of a step and the step in another block whose value it reads. Only accesses
      of at most four elements, which is how blocks communicate. */
  static communication(events) {
    const writers = new Map(), pairs = [];
    for (const {step, block, memory} of events)
      for (const {array, kind, elements} of memory) {
        if (array === null || countOf(elements) > 4) continue;
        forEachOffset(elements, offset => {
          const key = `${array}:${offset}`, writer = writers.get(key);
          if (kind !== 'store' && writer && !sameList(writer.block, block)) pairs.push([step, writer.step]);
          if (kind !== 'load') writers.set(key, {step, block});
        });
      }
    return pairs;
  }

  /** Whether a text shows the line. */
  isShown(place) {
    this.programPlaces ??= new Set((this.document.program?.lines ?? []).flat().map(keyOf));
    return (this.sources[place[0]].text ?? null) !== null || this.programPlaces.has(keyOf(place));
  }

  /** Where the source is opened: the first finding in the text, or else its line with most instructions. */
  placeToStart(isInText) {
    const found = this.findings.map(finding => this.placeOf(finding.location)).find(place => place && isInText(place));
    if (found) return found;
    const share = line => line.counters?.instruction_share ?? 0;
    return [...this.lines.values()].filter(line => share(line) && isInText(line.place))
      .reduce((best, line) => share(line) > share(best ?? {}) ? line : best, null)?.place ?? null;
  }

  /** Why a tile block repeats accesses on a line, if the smallest of its tiles has too few elements for the threads. */
  whyRepeated({place}) {
    const threads = this.document.cost?.threads;
    const sizes = this.views.filter(view => samePlace(this.placeOf(view.location), place)).map(({tile}) => tile.reduce((a, b) => a * b, 1));
    const least = Math.min(...sizes);
    return least < threads ? `${formatCount(threads)} threads load or store a tile of only ${plural(least, 'element')}` : '';
  }

  /** What a reader should look at first: the most expensive lines, by instructions and by each kind of waste. */
  costlyLines() {
    const lines = [...this.lines.values()].filter(line => line.counters && this.isShown(line.place));
    const notes = [], totals = this.document.counters;
    if (!totals) return notes;
    /** Of the line with most; none if that is less than 5 % of all. */
    const most = (measure, total, describe) => {
      const best = lines.reduce((a, b) => measure(b) > (a ? measure(a) : 0.05 * total) ? b : a, null);
      if (best) notes.push({place: best.place, text: describe(best)});
    };
    most(line => wastedSectors(line.counters), totals.global.sectors, ({counters: {global}}) =>
      `wastes most memory traffic: ${plural(global.sectors, 'sector')}, ${describeExcess(global, 'sector')}${because(reasonsOf(global, 'sector'))}`);
    most(line => repeatedSectors(line.counters), totals.global.sectors, line =>
      `repeats most memory accesses: ${describeRepeats(line.counters)}${because(this.whyRepeated(line))}`);
    most(line => line.counters.shared.bank_cycles - line.counters.shared.ideal_bank_cycles, totals.shared.bank_cycles, ({counters: {shared}}) =>
      `has the most bank conflicts: ${plural(shared.bank_cycles, 'cycle')}, ${describeExcess(shared, 'bank')}${because(reasonsOf(shared, 'bank'))}`);
    most(line => line.counters.instruction_share, 1,
         line => `executes ${formatShare(line.counters.instruction_share)} of all instructions, more than any other`);
    return notes;
  }
}

const because = reasons => reasons ? `, because ${reasons}` : '';
const keyOf = place => `${place[0]}:${place[1]}`;
const isAccess = message => /^the (earlier|other) access/.test(message);
const samePlace = (a, b) => Boolean(a && b) && a[0] === b[0] && a[1] === b[1];
const sameList = (a, b) => a.length === b.length && a.every((item, i) => item === b[i]);
const sameLocation = (a, b) => Boolean(a && b) && a.file === b.file && a.line === b.line &&
  (a.column ?? 0) === (b.column ?? 0) && a.byte === b.byte;
const keyOfAccess = ({block, location}) => `${location?.file}:${location?.line}:${location?.column}:${location?.byte} ${block}`;
const countOf = runs => runs.reduce((sum, [, length, , count]) => sum + length * count, 0);
const wastedSectors = counters => counters.global.sectors - counters.global.ideal_sectors;
/** Those beyond the sectors that accesses of the same kind would need without repeats. */
const repeatedSectors = ({global}) => global.sectors ? global.sectors * (1 - global.data_sectors / global.ideal_sectors) : 0;
const splitLines = text => text.replace(/\n$/, '').split('\n');

function titleOfStage({target, stage}) {
  const names = {plan: 'Plan', ptx: 'PTX', sass: 'SASS', llvm: 'LLVM IR', assembly: 'Assembly'};
  return `${names[stage] ?? stage} ${target === 'cpu' ? '(CPU)' : ''}`.trim();
}
