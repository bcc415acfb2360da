// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The source with its figures, and below it everything that is known about the selected line.

/** Columns of figures. `of` gives a number, or null; a column without a number above `least` (0) is not shown. */
const lineFigures = [
  {title: 'runs', width: '5ch', help: 'Executions of the line by all tile blocks, on the reference machine',
   of: line => line.executions, show: value => formatSI(value)},
  {title: 'instr.', width: '78px', help: 'Share of all GPU instructions that belong to the line',
   of: line => line.counters?.instruction_share, show: showShare},
  {title: 'bytes', width: '8ch', help: 'Global memory traffic: sectors of 32 bytes',
   of: line => line.counters && line.counters.global.sectors * bytesOfSector, show: value => formatBytes(value)},
  {title: 'access', width: '7ch', help: 'What accesses to global memory cost: their sectors, divided by those of coalesced ' +
   'accesses, which are as few as can hold what a warp accesses',
   of: line => trafficOfLine(line)?.access, show: showRatio, least: 1.05},
  {title: 'repeats', width: '7ch', help: 'How often a tile block moves its data, on average: sectors of coalesced accesses, divided ' +
   'by those that the data would fill. Several warps, loop iterations or instructions may access the same data, or small parts of ' +
   'sectors. The traffic is this times the column access',
   of: line => trafficOfLine(line)?.repeats, show: value => formatRatio(value), least: 1.05},
  {title: 'banks', width: '6ch', help: 'What accesses to shared memory cost: their cycles, divided by those without bank conflicts',
   of: line => ratio(line.counters?.shared.bank_cycles, line.counters?.shared.ideal_bank_cycles), show: showRatio, least: 1.05},
  {title: 'barriers', width: '7ch', help: 'Completed barrier phases', of: line => line.counters?.barriers,
   show: value => formatSI(value)},
  {title: 'copied', width: '7ch', help: 'Bytes copied asynchronously to shared memory',
   of: line => line.counters?.copied_bytes, show: formatBytes},
];

const trafficOfLine = ({counters}) => counters && trafficOf(counters.global);

function ratio(number, ideal) { return ideal ? number / ideal : null; }

function showRatio(value) { return element(isCost(value) ? 'b.waste' : 'span.fine', {}, formatRatio(value)); }

function showShare(share, largest) {
  return [element('i.bar', {style: `width: ${(share / largest * 34).toFixed(1)}px`}), formatShare(share)];
}

class SourceView {
  constructor(app, root) {
    this.app = app;
    this.root = root;
    this.texts = app.texts.filter(text => text.kind === 'source' || (text.kind === 'program' && text === app.primary));
    this.tabs = tabList('div.choices', 'Source file');
    this.holder = element('div.holder');
    this.details = element('div');
    this.details.id = 'details';
    this.figures = element('button', {title: 'Show or hide the figures (f)', 'aria-pressed': true,
                                      onclick: () => this.toggleFigures()}, 'figures');
    root.append(element('div.bar-of-choices', {}, this.tabs, element('span.spacer'), element('div.choices', {}, this.figures)),
                this.holder, this.details);
    this.codes = new Map();
    this.describe(null);
    this.open(app.primary ?? null);
    app.selection.listen((changed, selection) => {
      if (changed.includes('place')) this.show(selection.place);
      if (changed.includes('finding')) this.labelAccesses();
    });
  }

  open(text) {
    if (!text) {
      this.holder.replaceChildren(element('p.empty', {}, 'The document has no text of the program.'));
      return;
    }
    this.text = text;
    if (!this.codes.has(text))
      this.codes.set(text, new CodeView(text, this.columns(text), line => this.pick(text, line)));
    this.code = this.codes.get(text);
    this.holder.replaceChildren(this.code.root);
    this.code.draw();
    this.tabs.replaceChildren(...this.texts.map(each =>
      tabButton({title: each.hint, onclick: () => this.open(each)}, each === text, each.title)));
    this.code.show(this.app.selection.place, true);
    this.labelAccesses();
    if (!this.app.selection.place) this.scrollToStart(text);
  }

  /** Numbers the lines of the two accesses of a race. */
  labelAccesses() {
    const {model, selection} = this.app, finding = model.findings[selection.finding];
    const accesses = finding ? model.accessesOf(finding) : [];
    this.code?.labelAccesses(accesses.length > 1 ? accesses : []);
  }

  /** Scrolls past long comments and type aliases, and on to the first finding or the line with most instructions. */
  scrollToStart(text) {
    const {model} = this.app;
    const first = text.places.findIndex(places => places.length && model.lines.has(keyOf(places[0])));
    if (first > 12) this.code.root.scrollTop = (first - 4) * lineHeight;
    const keys = new Set(text.places.flat().map(keyOf));
    const place = model.placeToStart(candidate => keys.has(keyOf(candidate)));
    if (place) this.code.scrollTo(this.code.linesOf(place));
  }

  toggleFigures() {
    const isHidden = this.root.classList.toggle('without-figures');
    this.figures.setAttribute('aria-pressed', !isHidden);
  }

  columns(text) {
    const {model} = this.app;
    const at = line => text.places[line]?.length ? model.lines.get(keyOf(text.places[line][0])) : undefined;
    const all = text.lines.map((_, line) => at(line)).filter(Boolean);
    const shown = lineFigures.filter(figure => all.some(line => figure.of(line) > (figure.least ?? 0)));
    const marker = {title: '', help: 'Findings and remarks', width: '3ch', render: line => this.marker(at(line))};
    return [marker, ...shown.map(figure => {
      const largest = Math.max(...all.map(line => figure.of(line) ?? 0));
      return {...figure, render: line => {
        const value = at(line) && figure.of(at(line));
        return value ? figure.show(value, largest) : null;
      }};
    })];
  }

  marker(line) {
    if (line?.findings.length) {
      const isError = line.findings.some(index => this.app.model.findings[index].level === 'error');
      return element(`button.marker.${isError ? 'error' : 'warning'}`, {
        title: plural(line.findings.length, 'finding'), tabindex: -1,
        onclick: event => { event.stopPropagation(); this.app.showFinding(line.findings[0], {tab: null}); },
      }, isError ? '✖' : '▲');
    }
    return line?.remarks.length ? element('span.marker.remark', {title: plural(line.remarks.length, 'remark')}, '●') : null;
  }

  pick(text, line) {
    const places = text.places[line] ?? [];
    this.app.selection.set({place: places[0] ?? null, finding: null});
  }

  show(place) {
    this.describe(place);
    if (place && !this.code?.show(place, true)) {
      const other = this.texts.find(text => text.places.some(places => places.some(each => samePlace(each, place))));
      if (other) this.open(other);
    } else {
      this.code?.show(place, true);
    }
  }

  /** The panel below the code. */
  describe(place) {
    const {model} = this.app, line = place && model.lines.get(keyOf(place));
    if (!place) {
      this.details.replaceChildren(element('p.empty', {}, 'Select a line to see its figures, findings and remarks, and ' +
        `to light up what belongs to it in the other views. ${this.idealText()}${this.whyUnlinked()}`));
      return;
    }
    this.details.replaceChildren(
      element('h3', {}, `Line ${place[1]} of ${model.sources[place[0]].file}`),
      line ? element('div', {}, line.findings.map(index => findingCard(this.app, index)),
                     this.sentences(line).map(text => element('p', {}, text)),
                     line.remarks.map(remark => element('p.remark', {}, element('span.tag', {}, remark.target), remark.message)))
           : element('p.empty', {}, 'No executed operation, instruction or finding belongs to this line.'));
    this.details.scrollTop = 0;
  }

  /** Why no line has figures. */
  whyUnlinked() {
    const hasPlaces = this.app.primary?.places.some(places => places.some(place => this.app.model.isShown(place)));
    return hasPlaces ? '' : ' The program has no debug information, so nothing is known about single lines.';
  }

  /** Why there are no columns for waste. */
  idealText() {
    const {counters} = this.app.model.document;
    if (!counters) return '';
    const {global, shared} = counters, texts = [];
    if (global.sectors && !isCost(global.sectors / global.ideal_sectors)) texts.push('The global accesses of each warp are coalesced.');
    if (shared.bank_cycles && !isCost(shared.bank_cycles / shared.ideal_bank_cycles)) texts.push('There are no bank conflicts.');
    return texts.join(' ');
  }

  /** A paragraph each: what runs, and what its memory accesses cost. */
  sentences(line) {
    const {executions, counters, operations} = line;
    const facts = [];
    if (operations.length) facts.push(`${countsByName(operations)}.`);
    else if (executions) facts.push(`Executed ${plural(executions, 'time')}.`);
    if (!counters) return [facts.join(' ')];
    const {instructions, instruction_share, barriers, copied_bytes} = counters;
    facts.push(`GPU: ${plural(instructions, 'instruction')}, ${formatShare(instruction_share)} of all.`);
    if (barriers) facts.push(`${plural(barriers, 'barrier phase')}.`);
    if (copied_bytes) facts.push(`${formatBytes(copied_bytes)} copied asynchronously.`);
    return [facts.join(' '), ...describeAccesses(counters, this.app.model.whyRepeated(line))];
  }
}

/** "reshape: 64×, store_view_tko: 32×": a line may have several operations of a kind. */
function countsByName(operations) {
  const counts = new Map();
  for (const {operation, count} of operations) counts.set(operation, (counts.get(operation) ?? 0) + count);
  return [...counts].map(([operation, count]) => `${operation}: ${formatCount(count)}×`).join(', ');
}
