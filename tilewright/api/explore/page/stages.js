// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tile IR, the plan and the generated code; the lines that belong to the selected source line are lit up.

/** The program and the generated code, one text at a time. */
class StagesView {
  constructor(app, root, texts) {
    this.app = app;
    this.choices = tabList('div.choices', 'Stage');
    this.holder = element('div.holder');
    this.note = element('p.hint');
    root.append(this.choices, this.note, this.holder);
    this.texts = texts;
    this.codes = new Map();
    this.open(texts[0]);
    app.selection.listen((changed, selection) => { if (changed.includes('place')) this.show(selection.place); });
  }

  open(text) {
    this.text = text;
    if (!this.codes.has(text))
      this.codes.set(text, new CodeView(text, [], line => {
        const place = text.places[line]?.find(each => this.app.model.sources[each[0]]?.text) ?? text.places[line]?.[0];
        if (place) this.app.selection.set({place, finding: null});
      }));
    this.holder.replaceChildren(this.codes.get(text).root);
    this.choices.replaceChildren(...this.texts.map(each =>
      tabButton({title: each.hint, onclick: () => this.open(each)}, each === text, each.title)));
    this.show(this.app.selection.place);
  }

  goTo(stage, line) {
    const text = this.texts.find(each => each.language === stage && each.kind === 'stage');
    this.open(text);
    const code = this.codes.get(text);
    code.pick(line - 1);
    code.current = line - 1;
    code.scrollTo([line - 1]);
    code.root.focus();
  }

  show(place) {
    const code = this.codes.get(this.text), count = code.show(place, true);
    const more = this.text.unlisted ? ` ${plural(this.text.unlisted, 'line')} cut off.` : '';
    this.note.textContent = (place ? `Line ${place[1]} of the source became ${plural(count, 'line')} here.` : 'Select a line, here or in the source.') + more;
  }

  draw() {
    this.codes.get(this.text).draw();
    this.show(this.app.selection.place);
  }
}
