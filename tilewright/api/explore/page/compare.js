// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two versions of the kernel: how the explored one (after) differs from another one (before). Colour, a sign and words
// say whether a change is for the better.

/** How totals are shown: the name of the figure, its format, and whether less is better (1), more is (-1), or neither. */
const totalRows = {
  findings: {title: 'findings', less: 1}, operations: {title: 'executed operations', less: 0},
  instructions: {title: 'GPU instructions', less: 1},
  sectors: {title: 'global sectors', less: 1}, ideal_sectors: {title: '… if coalesced', less: 0},
  data_sectors: {title: '… that the data fills', less: 0},
  bank_cycles: {title: 'shared memory cycles', less: 1}, ideal_bank_cycles: {title: '… without bank conflicts', less: 0},
  barriers: {title: 'barrier phases', less: 1}, copied_bytes: {title: 'copied asynchronously', show: formatBytes, less: 0},
  threads: {title: 'threads per block', less: 0}, registers: {title: 'registers per thread', less: 1},
  spill_bytes: {title: 'spills per thread', show: formatBytes, less: 1},
  shared_bytes: {title: 'shared memory per block', show: formatKiB, less: 1},
  floating_point_operations: {title: 'floating-point operations', less: 0},
  intensity: {title: 'op/B (floating point)', show: value => formatSI(value), less: -1},
  occupancy: {title: 'occupancy', show: formatShare, less: -1},
};

/** The figures of lines that a comparison shows, if any line has them, and the machine that counts them. */
const comparedFigures = [
  {member: 'executions', machine: 'reference', less: 0, title: 'runs',
   help: 'Executions of the line by all tile blocks, on the reference machine'},
  {member: 'instructions', machine: 'ptx', less: 1, title: 'instr.', help: 'GPU instructions that belong to the line'},
  {member: 'sectors', machine: 'ptx', less: 1, title: 'sectors', help: 'Sectors of 32 bytes in global memory'},
  {member: 'bank_cycles', machine: 'ptx', less: 1, title: 'banks', help: 'Cycles of accesses to shared memory'},
  {member: 'barriers', machine: 'ptx', less: 1, title: 'barriers', help: 'Completed barrier phases'},
  {member: 'copied_bytes', machine: 'ptx', less: 0, title: 'copied', help: 'Bytes copied asynchronously to shared memory'},
];

const elementsInSight = 4; // that differ

const endedEarly = 'A launch ended early, so what it would have cost to its end is not known.';

/** Why figures of a machine cannot be compared, although both are known: a short text and the details. */
function whyNotComparable(documents, needsPtx) {
  const failure = needsPtx && documents.map(({devices}) => devices.ptx.failure).find(Boolean);
  return failure ? ['not comparable', failure] : ['ended early', endedEarly];
}

/** Why registers and spills are not known: a short text and the details. */
function whyNoRegisters({threads, ptxas_failure}) {
  if (threads === null) return ['not compiled', 'The kernel could not be compiled for the GPU: see the view Code.'];
  return [/there is no program ptxas/.test(ptxas_failure) ? 'needs ptxas' : 'ptxas failed', ptxas_failure];
}

const totalsOfPtxMachine = ['instructions', 'sectors', 'ideal_sectors', 'data_sectors', 'bank_cycles', 'ideal_bank_cycles', 'barriers', 'copied_bytes', 'intensity'];

/** The same for any total. */
function whyUnknown({cost, devices}, name) {
  if (['registers', 'spill_bytes'].includes(name)) return whyNoRegisters(cost);
  if (['threads', 'shared_bytes', 'occupancy'].includes(name)) return whyNoRegisters({threads: null});
  return devices.ptx.failure && totalsOfPtxMachine.includes(name) ? ['not counted', devices.ptx.failure] : ['–', ''];
}

/** "−25 %", "+3", "same"; null if unknown. */
function describeChange(before, after) {
  if (before === null || after === null) return null;
  if (before === after) return 'same';
  const sign = after > before ? '+' : '−', difference = Math.abs(after - before);
  if (!before) return `${sign}${formatSI(difference)}`;
  const percent = 100 * difference / Math.abs(before);
  return percent < 999.5 ? `${sign}${percent < 9.95 ? percent.toFixed(1) : percent.toFixed(0)} %` : formatRatio(after / before);
}

/** 'better', 'worse' or '', for a figure of which less is better (1), more is (-1), or neither (0). */
const judge = (before, after, less) => before === null || after === null || before === after || !less ? '' :
  (after < before) === (less > 0) ? 'better' : 'worse';

class CompareView {
  constructor(app, root) {
    this.app = app;
    this.compare = app.model.document.compare;
    this.other = new Model(this.compare.other);
    this.documents = [this.compare.other, app.model.document];
    this.rows = new Map(); // of lines, by the place in this version
    root.append(this.title(), ...this.verdict(), element('div.overview', {}, element('div', {}, this.outcomes(), this.totals()),
                                                         element('div', {}, this.results(), this.findings())), this.lines());
    app.selection.listen((changed, {place}) => { if (changed.includes('place')) this.choose(place); });
  }

  draw() { this.chosen?.scrollIntoView({block: 'nearest'}); }

  /** Another view, a finding or a click has selected a line. */
  choose(place) {
    this.chosen?.classList.remove('chosen');
    this.chosen = place && this.rows.get(keyOf(place));
    this.chosen?.classList.add('chosen');
    this.draw();
  }

  /** Whether the kernel of this page ran to its end without an error. */
  get isRight() { return this.app.model.document.devices.reference.outcome === 'succeeded'; }

  verdict() {
    return this.isRight ? [] : [element('p.worse.verdict', {}, '▲ The kernel of this page does not run without errors: that it costs less is no gain.')];
  }

  title() {
    const {document} = this.app.model, {other} = this.compare;
    const name = ({kernel, sources}) => `@${kernel} in ${sources[0].file}`;
    return element('p.hint', {}, 'Before: ', element('b', {}, name(other)), ' · after: ', element('b', {}, name(document)),
                   ', the kernel of this page. Both ran on the same arguments.');
  }

  section(title, ...parts) { return element('section', {}, element('h3', {}, title), ...parts); }

  table(name, titles, rows) {
    return element(`table.compared.${name}`, {}, element('thead', {}, element('tr', {}, titles.map(title => element('th', {}, title)))),
                   element('tbody', {}, rows));
  }

  change(before, after, less, tag = 'td.figure') {
    const judged = judge(before, after, less), kind = judged === 'better' && !this.isRight ? '' : judged;
    return element(`${tag}.change${kind && `.${kind}`}`, {title: kind}, describeChange(before, after) ?? '–');
  }

  outcomes() {
    const {devices} = this.app.model.document, old = this.compare.other.devices;
    const outcome = ({failure, outcome, complete}) => failure ? `cannot run it: ${failure}` : outcome + (complete ? '' : ', ended early');
    const rows = Object.keys(namesOfDevices).map(name => element('tr', {}, element('td', {}, namesOfDevices[name]),
      element('td', {}, outcome(old[name])), element('td', {}, outcome(devices[name]))));
    return this.section('Outcome', this.table('outcomes', ['', 'before', 'after'], rows));
  }

  results() {
    const {arrays} = this.app.model, differing = this.compare.arrays.map((row, index) => ({...row, array: arrays[index]}))
      .filter(row => row.differing);
    if (!differing.length) return this.section('Results', element('p.good', {}, '✔ Both leave the same values in all arrays.'));
    return this.section('Results', differing.map(row => this.differences(row)));
  }

  differences({array, differing, largest_difference, elements, bounds}) {
    const count = array.shape.reduce((product, extent) => product * extent, 1);
    const largest = largest_difference === null ? '' : ` The largest difference is ${formatValue(largest_difference)}.`;
    return element('div', {}, element('p', {}, element('button.link', {onclick: () => this.app.openTab('arrays')}, array.name),
        `: ${formatCount(differing)} of ${plural(count, 'element')} differ${differing === 1 ? 's' : ''}${describeBounds(bounds, differing)}.${largest}`),
      this.elements(array, elements.slice(0, elementsInSight)), this.moreElements(array, elements.slice(elementsInSight), differing));
  }

  elements(array, elements) {
    const show = value => value ?? 'not written';
    return this.table('elements', ['element', 'before', 'after'], elements.map(({element: number, before, after}) => element('tr', {},
      element('td', {}, element('code', {}, `[${unravel(number, array.shape).join(', ')}]`)),
      element('td.figure', {}, show(before)), element('td.figure', {}, show(after)))));
  }

  moreElements(array, elements, differing) {
    const unlisted = differing - elementsInSight - elements.length;
    return elements.length ? element('details', {}, element('summary', {}, `${formatCount(differing - elementsInSight)} more`),
      this.elements(array, elements), unlisted ? element('p.note', {}, `${formatCount(unlisted)} more not listed.`) : null) : null;
  }

  findings() {
    const {new: added, gone, unmatched} = this.compare.findings, {model} = this.app;
    const kept = model.findings.length - added.length - unmatched.after.length;
    const keptText = kept ? element('p.note', {}, `${plural(kept, 'finding')} of this version ${kept === 1 ? 'is' : 'are'} in both.`) : null;
    const parts = [this.newFindings(added), this.goneFindings(gone), this.unmatchedFindings(unmatched)].flat().filter(Boolean);
    return this.section('Findings', parts.length ? parts : element('p', {}, 'No finding is new, and none is gone.'), keptText, this.unlisted());
  }

  /** What the version before may not have reached or listed may not be new. */
  newFindings(indices) {
    const {certain, others, why} = byCertainty(indices, this.app.model, this.compare.other);
    return [certain.length && element('p.worse', {}, `▲ ${plural(certain.length, 'new finding')}`), this.ownList('new', certain),
            others.length && element('p.note', {}, `${plural(others.length, 'finding')} may be new: the version before ${why}.`),
            this.ownList('new', others)];
  }

  /** What this version has not reached or listed may still be there. */
  goneFindings(indices) {
    const {certain, others, why} = byCertainty(indices, this.other, this.app.model.document);
    return [certain.length && element('p.better', {}, `✔ ${plural(certain.length, 'finding')} gone`), this.otherList('gone', certain),
            others.length && element('p.note', {}, `${plural(others.length, 'finding')} may be gone: this version ${why}.`),
            this.otherList('gone', others)];
  }

  /** How many findings are not compared. */
  unlisted() {
    const [before, after] = this.documents.map(({devices}) => Object.values(devices).reduce((sum, device) => sum + (device.unlisted_findings ?? 0), 0));
    const counts = [[before, 'before'], [after, 'now']].filter(([count]) => count).map(([count, when]) => `${plural(count, 'more finding')} ${when}`);
    return counts.length ? element('p.note', {}, `Not listed, and so not compared: ${counts.join(', ')}.`) : null;
  }

  unmatchedFindings({before, after}) {
    if (!before.length) return [];
    return [element('p.note', {}, `${plural(before.length, 'finding')} before and ${formatCount(after.length)} now are not matched: bytecode ` +
              'without debug information has no lines, and their operations are not equally many. Some of them may be new or gone.'),
            this.otherList('unmatched', before), this.ownList('unmatched', after)];
  }

  ownList(name, indices) {
    if (!indices.length) return null;
    const cards = indices.map(index => findingCard(this.app, index));
    const list = element(`div.list.${name}`, {}, groupCards(indices.map(index => this.app.model.findings[index]), cards));
    const choose = card => this.app.showFinding(Number(card.dataset.finding), {tab: null});
    for (const card of cards)
      card.addEventListener('click', event => { if (!event.target.closest('button')) choose(card); });
    focusByKey(list, 'article', choose);
    return list;
  }

  otherList(name, indices) {
    if (!indices.length) return null;
    const findings = indices.map(index => this.other.findings[index]);
    const cards = findings.map(({check, kind, device, operation, block, location, message}) => element('article.finding', {},
      element('header', {}, element('span.check', {}, check ?? kind), element('span.facts', {}, [namesOfDevices[device], operation,
        block && `block ${formatBlock(block)}`, location?.line && `line ${location.line} before`].filter(Boolean).join(' · '))),
      element('p.message', {}, message)));
    return element(`div.list.${name}`, {}, groupCards(findings, cards));
  }

  totals() {
    const rows = this.compare.totals.map(({name, before, after, change}) => {
      const {title, show = value => formatCount(value), less} = totalRows[name] ?? {title: name, less: 0};
      const cell = (value, document) => {
        const [text, why] = value === null ? whyUnknown(document, name) : [show(value), null];
        return element('td.figure', {title: why}, text);
      };
      const [text, why] = whyNotComparable(this.documents, this.compare.complete.reference);
      const isIncomplete = change === null && before !== null && after !== null;
      return element('tr', {'data-total': name}, element('td', {}, title), cell(before, this.compare.other),
                     cell(after, this.app.model.document), isIncomplete
                     ? element('td.figure.change.same', {title: why}, text) : this.change(before, after, less));
    });
    return this.section('Totals', this.table('totals', ['', 'before', 'after', 'change'], rows));
  }

  /** The lines of a version's compared text, and their language. */
  textOf(model, source) {
    const {document} = model;
    return source === null ? {language: 'tile', lines: splitLines(document.program.text)}
                           : {language: model.sources[source].language, lines: splitLines(model.sources[source].text)};
  }

  lines() {
    const {lines, pairs, text} = this.compare;
    const rows = new Map(lines.map(row => [`${row.before}:${row.after}`, row]));
    const figures = comparedFigures.filter(({member}) => lines.some(row => row[member][0] || row[member][1]));
    const old = this.textOf(this.other, text.before), own = this.textOf(this.app.model, text.after);
    const head = element('tr', {}, figures.map(({title, help}) => element('th.figure', {title: help}, title)),
      element('th', {}, 'before'), element('th', {}, 'after'));
    const all = pairs.map(([before, after]) => ({before, after, equal: before !== null && after !== null &&
      old.lines[before - 1] === own.lines[after - 1]}));
    const found = new Set(this.app.model.findings.map(({location}) => this.app.model.placeOf(location)).filter(Boolean).map(keyOf));
    const aligned = withoutLongRuns(all, pair => pair.equal && !rows.has(`${pair.before}:${pair.after}`) && !found.has(keyOf([text.after, pair.after])));
    const body = aligned.map(pair => pair.skipped
      ? element('tr.skipped', {}, element('td', {colspan: 2 + figures.length}, `${plural(pair.skipped, 'equal line')} without figures`))
      : this.pairRow(pair, rows.get(`${pair.before}:${pair.after}`), figures, old, own));
    const unchanged = all.every(({equal}) => equal) ? element('p.note', {}, 'All lines are equal.') : null;
    const table = element('table.compared.lines', {}, element('thead', {}, head), element('tbody', {}, body));
    focusByKey(table, 'tr.linked', row => row.click());
    return this.section('Lines', element('p.hint', {}, 'Lines that replace each other are beside each other, with − and +. ' +
      'A figure that changes is before → after.'), unchanged, element('div.scroll', {}, table));
  }

  pairRow(pair, row, figures, old, own) {
    const code = ({language, lines}, line, sign) => line === null ? element('td.line') : element('td.line', {},
      element('span.sign', {}, pair.equal ? '' : `${sign} `), element('span.at', {}, String(line)),
      element('code', {}, highlight(lines[line - 1], language).map(([kind, token]) => kind ? element(`span.${kind}`, {}, token) : token)));
    const place = pair.after !== null && this.compare.text.after !== null ? [this.compare.text.after, pair.after] : null;
    const made = element(`tr.${pair.equal ? 'equal' : 'changed'}${place ? '.linked' : ''}`, {
      onclick: place && (() => this.app.selection.set({place, finding: null}))},
      figures.map(figure => this.figureCell(row?.[figure.member] ?? [null, null], figure, pair)),
      code(old, pair.before, '−'), code(own, pair.after, '+'));
    if (place) this.rows.set(keyOf(place), made);
    return made;
  }

  /** A line that only one version has costs nothing in the other one; other figures that are null are not known. */
  figureCell([before, after], {less, machine}, pair) {
    if (!before && !after) return element('td');
    const text = value => value === null ? '–' : formatSI(value);
    if (before === after) return element('td.figure.same', {}, text(after));
    const isComplete = this.compare.complete[machine];
    const isKnown = isComplete && (before !== null || pair.before === null) && (after !== null || pair.after === null);
    return element('td.figure', {title: isComplete ? null : whyNotComparable(this.documents, machine === 'ptx')[1]},
      element('div', {}, `${text(before)} → ${text(after)}`), isKnown ? this.change(before ?? 0, after ?? 0, less, 'div') : null);
  }
}

/** ": that at [7]", ": those in [32–63, 0–31]", or "within" if only some of these differ. */
function describeBounds(bounds, differing) {
  if (!bounds?.length) return '';
  const inside = bounds.reduce((product, [first, last]) => product * (last - first + 1), 1);
  const ranges = bounds.map(([first, last]) => first === last ? first : `${first}–${last}`);
  return `${differing === 1 ? ': that at' : inside === differing ? ': those in' : ', within'} [${ranges.join(', ')}]`;
}

/** Findings of a version: those of devices that ran the other version to its end and list all of its findings; the others,
    and why it is not known whether the other version has them. */
function byCertainty(indices, {findings}, {devices}) {
  const doubt = index => doubtAbout(devices, findings[index].device);
  const others = indices.filter(doubt);
  return {certain: indices.filter(index => !doubt(index)), others, why: [...new Set(others.map(doubt))].join(', and ')};
}

/** Why a device may not know all findings of a version; empty if it does. */
function doubtAbout(devices, name) {
  const {failure, complete, unlisted_findings: unlisted} = devices[name];
  if (failure) return `cannot run on the ${namesOfDevices[name]}`;
  return !complete ? 'did not run to its end' : unlisted ? 'has findings that are not listed' : '';
}

/** One of the elements has the focus; Enter chooses it, and arrow and page keys, Home and End choose another one. */
function focusByKey(root, selector, choose) {
  const items = [...root.querySelectorAll(selector)];
  const focus = chosen => items.forEach(item => { item.tabIndex = item === chosen ? 0 : -1; });
  focus(items[0]);
  root.addEventListener('focusin', event => { if (items.includes(event.target)) focus(event.target); });
  root.addEventListener('keydown', event => {
    const at = items.indexOf(event.target);
    const next = items[event.key === 'Enter' ? at : indexAfterKey(event.key, at, items.length, 10) ?? -1];
    if (at < 0 || !next) return;
    event.preventDefault();
    next.closest('details')?.setAttribute('open', '');
    next.focus();
    choose(next);
  });
}

/** Replaces runs of more than four items that are dull by {skipped: count}, but keeps one at each end. */
function withoutLongRuns(items, isDull) {
  const kept = [];
  for (let at = 0; at < items.length;) {
    let end = at;
    while (end < items.length && isDull(items[end])) ++end;
    if (end - at > 4) kept.push(items[at], {skipped: end - at - 2}, items[end - 1]);
    else kept.push(...items.slice(at, end));
    if (end < items.length) kept.push(items[end]);
    at = end + 1;
  }
  return kept;
}
