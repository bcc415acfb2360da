// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The list of findings, and what to look at first.

const namesOfDevices = {reference: 'reference machine', ptx: 'PTX machine'};

const titlesOfOrigins = {NaN: 'first NaN', 'an infinity': 'first infinity', imprecise: 'lost digits', unspecified: 'first unspecified value'};

/** The check, but for origins what they are the origin of: the first note says what the array's elements are. */
function titleOfFinding({check, kind, related}) {
  if (check !== 'origin') return check ?? kind;
  const found = /\b(?:is|are) (NaN|an infinity|imprecise|unspecified)\b/.exec(related?.[0]?.message);
  return found ? titlesOfOrigins[found[1]] : check;
}

/** A finding with its text and its help. */
function findingCard(app, index) {
  const finding = app.model.findings[index];
  const accesses = app.model.accessesOf(finding);
  const facts = [
    namesOfDevices[finding.device] ?? finding.device, finding.operation, finding.block && `block ${formatBlock(finding.block)}`,
    finding.element && `element ${finding.element}`,
    finding.array && finding.array + (finding.array_element === null ? '' : `[${finding.array_element}]`),
  ];
  return element(`article.finding.${finding.level}`, {'data-finding': index},
    element('header', {}, element('span.check', {title: finding.check ?? finding.kind}, titleOfFinding(finding)), element('span.facts', {},
      facts.filter(Boolean).join(' · '))),
    element('p.message', {}, finding.message),
    operandsNote(app.model, finding),
    finding.help && element('p.help', {}, element('b', {}, 'Fix: '), app.model.fixOf(finding)),
    element('p.actions', {},
      accesses.map(access => placeButton(app, index, access)),
      app.model.arrayOf(finding) !== null && element('button.link', {onclick: () => app.showFinding(index, {tab: 'arrays'})},
                                                     'show the element'),
      accesses.some(access => access.step !== null) &&
        element('button.link', {onclick: () => app.showFinding(index, {tab: 'time'})}, 'show in time')),
    (finding.related ?? []).filter(({message}) => !isAccess(message)).map(related => otherNote(app, related)));
}

/** The operands that made a NaN or an infinity: "%less[0] = -2". */
function operandsNote(model, finding) {
  const operands = finding.check === 'origin' ? model.operandsOfOrigin(finding) : [];
  const texts = operands.map(({name, index, number}) => `${name}[${index.join(', ')}] = ${formatValue(number)}`);
  return texts.length ? element('p.note', {}, `${texts.length > 1 ? 'Operands' : 'Operand'}: `, element('code', {}, texts.join(', '))) : null;
}

function placeButton(app, index, access) {
  const many = app.model.accessesOf(app.model.findings[index]).length > 1;
  const {location} = access;
  const text = location?.line ? `line ${location.line}` : location?.byte !== undefined ? `byte ${location.byte}` : 'no location';
  return element('button.link', {
    disabled: !access.place || !app.model.isShown(access.place), onclick: event => {
      event.stopPropagation();
      app.showFinding(index, {tab: null, place: access.place});
    }}, many ? element(`span.label.access${access.label}`, {}, access.label) : null,
    text, access.block && many ? ` by block ${formatBlock(access.block)}` : '');
}

/** A related place other than an access: in a source, or in the PTX text. */
function otherNote(app, {message, location}) {
  const place = app.model.placeOf(location);
  const hasPtx = location?.file.startsWith('<PTX of') && app.model.stages.some(({stage}) => stage === 'ptx');
  const go = place ? () => app.selection.set({place}) : hasPtx ? () => app.openStage('ptx', location.line) : null;
  const text = location?.line ? `${place || hasPtx ? '' : location.file + ' '}line ${location.line}` : '';
  return element('p.note', {}, `${message}: `, go ? element('button.link', {
    onclick: event => { event.stopPropagation(); go(); }}, text) : text);
}

class FindingsView {
  constructor(app, root) {
    this.app = app;
    const {model} = app;
    this.cards = model.findings.map((_, index) => {
      const card = findingCard(app, index);
      card.tabIndex = -1;
      card.addEventListener('click', event => {
        if (!event.target.closest('button')) app.showFinding(index, {tab: null});
      });
      return card;
    });
    this.order = [...groupsOf(model.findings).values()].flat();
    if (this.order.length) this.cards[this.order[0]].tabIndex = 0;
    const unlisted = Object.entries(model.document.devices ?? {}).filter(([, device]) => device.unlisted_findings);
    root.append(this.cards.length ? element('div.list', {onkeydown: event => this.key(event)}, groupCards(model.findings, this.cards))
                                  : element('p.good', {}, '✔ No errors on the inputs of this run.'),
                ...this.costs(),
                ...unlisted.map(([name, device]) => element('p.note', {},
                  `${plural(device.unlisted_findings, 'more finding')} of the ${namesOfDevices[name]} not listed.`)),
                this.lookFirst());
    app.selection.listen((changed, selection) => {
      if (!changed.includes('finding')) return;
      this.cards.forEach((card, index) => {
        card.classList.toggle('chosen', index === selection.finding);
        card.tabIndex = index === (selection.finding ?? this.order[0]) ? 0 : -1;
      });
      this.cards[selection.finding]?.closest('details')?.setAttribute('open', '');
      this.cards[selection.finding]?.scrollIntoView({block: 'nearest'});
    });
  }

  /** What memory accesses cost more than they must, although the kernel is correct. */
  costs() {
    const {counters} = this.app.model.document;
    if (!counters) return [];
    const {global, shared} = counters;
    const rows = [['Global', describeTraffic(global)], ['Shared', isCost(shared.bank_cycles / shared.ideal_bank_cycles) && describeExcess(shared, 'bank')]];
    return rows.filter(([, text]) => text).map(([memory, text]) => element('p.costs', {}, `${memory} memory costs `, element('b.waste', {}, text), '.'));
  }

  /** Enter selects the finding with the focus; arrow and page keys, Home and End select another one. */
  key(event) {
    const at = this.order.indexOf(this.cards.indexOf(event.target));
    if (at < 0) return;
    const position = event.key === 'Enter' ? at : indexAfterKey(event.key, at, this.order.length, 5);
    if (position === null || (position === at && this.order[at] === this.app.selection.finding)) return;
    event.preventDefault();
    this.app.showFinding(this.order[position], {tab: null});
    this.cards[this.order[position]].focus();
  }

  /** A grid that does not fill the GPU, and then low occupancy, which matters less. */
  costNotes() {
    const {model} = this.app, {cost, target} = model.document, occupancy = model.occupancy(), notes = [];
    const gpu = cost?.gpus?.find(({sm}) => sm === target), count = model.blockCount();
    if (gpu?.idle_multiprocessors)
      notes.push(['the grid', ` is small for this GPU: ${plural(count, 'tile block')} ${count === 1 ? 'leaves' : 'leave'} ${formatCount(gpu.idle_multiprocessors)} of the ` +
        `${gpu.multiprocessors} multiprocessors of the ${gpu.name} idle`]);
    else if (gpu && occupancy && count < occupancy.blocks * gpu.multiprocessors)
      notes.push(['the grid', ` is small for this GPU: it has ${plural(count, 'tile block')}, but ` +
        `${formatCount(occupancy.blocks * gpu.multiprocessors)} fit on the ${gpu.name} at once, so the possible occupancy is not reached`]);
    if (occupancy?.share < 0.5)
      notes.push(['occupancy', ` can be only ${formatShare(occupancy.share)} on ${nameOfTarget(cost, target)}, limited by ${occupancy.limiter}. ` +
        (notes.length ? 'A larger grid comes first. ' : '') + adviceFor(occupancy, cost.registers)]);
    return notes;
  }

  /** The costly lines, where the first NaN arises, and low occupancy. */
  lookFirst() {
    const {model, selection} = this.app;
    const notes = model.costlyLines().map(({place, text}) => element('li', {}, element('button.link', {
      onclick: () => selection.set({place, finding: null})}, `line ${place[1]}`), ` ${text}`));
    const event = model.firstNaN();
    if (event) {
      const place = model.placeOf(event.location);
      notes.unshift(element('li', {}, element('button.link', {
        onclick: () => { selection.set({place, step: event.step, finding: null}); this.app.openTab('time'); },
      }, place ? `line ${place[1]}` : model.nameOfStep(event.step)), ` ${event.memory.some(({kind}) => kind === 'load')
        ? 'reads the first NaN from memory' : 'makes the first NaN from operands without NaN'}: ${event.operation} in block ` +
        formatBlock(event.block)));
    }
    notes.push(...this.costNotes().map(([what, text]) => element('li', {}, element('button.link', {
      onclick: () => this.app.openTab('cost')}, what), text)));
    return notes.length ? element('div', {}, element('h3', {}, 'What to look at first'), element('ul', {}, notes)) : '';
  }
}
