// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The list of findings, and what to look at first.

const namesOfDevices = {reference: 'reference machine', ptx: 'PTX machine'};

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
    element('header', {}, element('span.check', {}, finding.check ?? finding.kind), element('span.facts', {},
      facts.filter(Boolean).join(' · '))),
    element('p.message', {}, finding.message),
    finding.help && element('p.help', {}, element('b', {}, 'Fix: '), finding.help),
    element('p.actions', {},
      accesses.map(access => placeButton(app, index, access)),
      app.model.arrayOf(finding) !== null && element('button.link', {onclick: () => app.showFinding(index, {tab: 'arrays'})},
                                                     'show the element'),
      accesses.some(access => access.step !== null) &&
        element('button.link', {onclick: () => app.showFinding(index, {tab: 'time'})}, 'show in time')),
    (finding.related ?? []).filter(({message}) => !isAccess(message)).map(related => otherNote(app, related)));
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
      card.tabIndex = index ? -1 : 0;
      card.addEventListener('click', event => {
        if (!event.target.closest('button')) app.showFinding(index, {tab: null});
      });
      return card;
    });
    const unlisted = Object.entries(model.document.devices ?? {}).filter(([, device]) => device.unlisted_findings);
    root.append(this.cards.length ? element('div.list', {onkeydown: event => this.key(event)}, groupCards(model.findings, this.cards))
                                  : element('p.good', {}, '✔ No findings on the inputs of this run.'),
                ...unlisted.map(([name, device]) => element('p.note', {},
                  `${plural(device.unlisted_findings, 'more finding')} of the ${namesOfDevices[name]} not listed.`)),
                this.lookFirst());
    app.selection.listen((changed, selection) => {
      if (!changed.includes('finding')) return;
      this.cards.forEach((card, index) => {
        card.classList.toggle('chosen', index === selection.finding);
        card.tabIndex = index === (selection.finding ?? 0) ? 0 : -1;
      });
      this.cards[selection.finding]?.closest('details')?.setAttribute('open', '');
      this.cards[selection.finding]?.scrollIntoView({block: 'nearest'});
    });
  }

  /** Enter selects the finding with the focus; arrow and page keys, Home and End select another one. */
  key(event) {
    const at = this.cards.indexOf(event.target);
    if (at < 0) return;
    const index = event.key === 'Enter' ? at : indexAfterKey(event.key, at, this.cards.length, 5);
    if (index === null) return;
    event.preventDefault();
    this.app.showFinding(index, {tab: null});
    this.cards[index].focus();
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
      }, place ? `line ${place[1]}` : `step ${event.step}`), ` ${event.memory.some(({kind}) => kind === 'load')
        ? 'reads the first NaN from memory' : 'makes the first NaN from operands without NaN'}: ${event.operation} in block ` +
        formatBlock(event.block)));
    }
    const occupancy = model.occupancy();
    if (occupancy?.share < 0.5)
      notes.push(element('li', {}, element('button.link', {onclick: () => this.app.openTab('cost')}, 'occupancy'),
                         ` is only ${formatShare(occupancy.share)} on ${occupancy.sm}, limited by ${occupancy.limiter}`));
    return notes.length ? element('div', {}, element('h3', {}, 'What to look at first'), element('ul', {}, notes)) : '';
  }
}
