// What is made of the walk, and the door to our side.
const SEPARATORS = /^(or|and|oder|und|ou|et|o|y|e|-|\/)$/i;

const wordsNear = (R, c) => {
  const f = box(c.el);
  const tick = Boolean(c.input);
  let best = '', far = Infinity;
  for (const w of R.words) {
    if (SEPARATORS.test(w.text)) continue;
    if (!w.rect) {
      const range = document.createRange();
      range.selectNodeContents(w.node);
      w.rect = range.getBoundingClientRect();
    }
    const r = w.rect;
    const level = Math.min(r.bottom, f.bottom) - Math.max(r.top, f.top) > 0.4 * Math.min(r.height, f.height);
    let d = Infinity;
    if (tick) {
      if (level && r.left >= f.right - 2 && r.left - f.right <= NEAR.right) d = r.left - f.right;
    } else if (level && r.right <= f.left + 2 && f.left - r.right <= NEAR.left) {
      d = f.left - r.right;
    } else if (r.bottom <= f.top + 2 && f.top - r.bottom <= NEAR.above && r.left < f.right && r.right > f.left) {
      d = 1000 + f.top - r.bottom; // only when nothing stands on its line
    }
    if (d < far) { far = d; best = w.text; }
  }
  return best;
};

const NEXT_GLYPH = /^(?:[›»→▶►❯>⟩⮕▸]|>>|next|next month|forward)$/i;
const PREV_GLYPH = /^(?:[‹«←◀◄❮<⟨⬅◂]|<<|prev|previous|prev month|previous month|back)$/i;

const nameArrows = (R) => {
  for (const c of R.controls) {
    if (c.owner || c.day || !['button', 'link', 'image'].includes(c.role)) continue;
    if (!R.scopes.some((s) => contains(s, c.el))) continue;
    const says = [squash(c.raw), c.name || ''];
    if (says.some((s) => NEXT_GLYPH.test(s))) c.name = 'next month';
    else if (says.some((s) => PREV_GLYPH.test(s))) c.name = 'previous month';
  }
};

const nameInCards = (R) => {
  const seen = new Map();
  for (const c of R.controls) {
    const key = c.role + '\u0000' + c.name;
    seen.set(key, (seen.get(key) || 0) + 1);
  }
  for (const c of R.controls) {
    if (c.description || c.owner || c.day || seen.get(c.role + '\u0000' + c.name) < 2) continue;
    for (let p = parentElement(c.el), up = 0; p && up < 6; p = parentElement(p), up++) {
      const card = R.controls.find((o) => o.el === p);
      if (card && card.name && card.name !== c.name) { c.description = 'in ' + cut(card.name, 60); break; }
    }
  }
};

const statesOf = (R, c, where) => {
  const el = c.el;
  const states = [];
  if (el === R.active || (c.input && c.input === R.active)) states.push('focused');
  const on = c.input ? ticked(c.input) : null;
  if (c.owner) {
    if (localName(c.owner.el) === 'select' && getter(HTMLOptionElement, 'selected')(el)) states.push('selected');
  } else if (['checkbox', 'radio', 'switch'].includes(c.role)) {
    if (on === null ? chosen(el) : on) states.push('checked');
  } else if (chosen(el) || (c.cell !== el && chosen(c.cell))) {
    states.push('selected');
  }
  const expanded = attr(el, 'aria-expanded');
  if (expanded === 'true') states.push('expanded');
  else if (expanded === 'false') states.push('collapsed');
  else if (localName(el) === 'summary' && parentElement(el)) states.push(hasAttr(parentElement(el), 'open') ? 'expanded' : 'collapsed');
  if (['input', 'textarea'].includes(localName(el)) && !c.input && hasAttr(el, 'readonly')) states.push('readonly');
  if (hasAttr(c.input || el, 'required') || fold(attr(el, 'aria-required')) === 'true') states.push('required');
  if (where) states.push(where);
  return states;
};

const actionsOf = (c, states) => {
  if (['checkbox', 'switch'].includes(c.role)) return ['Click', 'Check', 'Uncheck'];
  if (c.role === 'radio') return ['Click', 'Check'];
  const actions = ['Click'];
  if (takesText(c.el)) actions.push('SetValue', 'TypeText');
  if (states.includes('collapsed')) actions.push('Expand');
  if (states.includes('expanded')) actions.push('Collapse');
  return actions;
};

const valueOf = (c) => {
  const el = c.el;
  if (c.owner || c.input) return '';
  const tag = localName(el);
  if (tag === 'select') {
    const o = [...getter(HTMLSelectElement, 'selectedOptions')(el)].slice(0, MAX.value).map((s) => squash(getter(HTMLOptionElement, 'label')(s)));
    return o.join(', ');
  }
  if (tag === 'input') {
    const type = inputType(el);
    return type === 'password' || PRESSED.has(type) ? '' : inputValue(el);
  }
  if (tag === 'textarea') return inputValue(el);
  return editable(el) ? regionText(el).trim() : squash(attr(el, 'aria-valuetext') || attr(el, 'aria-valuenow'));
};

const formOf = (el) => {
  const form = ownerForm(el);
  if (!form) return '';
  const id = attr(form, 'id') || attr(form, 'name');
  return id ? cut(id, MAX.name) : 'form ' + ([...findInPage('form')].indexOf(form) + 1);
};

const typeOf = (c) => {
  const tag = localName(c.el);
  if (tag === 'input') return inputType(c.el);
  if (tag === 'select' || tag === 'textarea') return tag;
  return editable(c.el) ? 'richtext' : '';
};

const give = (R, c) => {
  const el = c.el;
  const spot = c.owner ? c.owner.el : el;
  const r = box(spot);
  const where = c.owner ? '' : whereIs(R, el);
  const states = statesOf(R, c, where);
  const field = c.input || el;
  return {
    ref: mark(el), role: c.role, name: cut(squash(c.name), MAX.name), description: cut(squash(c.description), MAX.text),
    value: cut(valueOf(c), MAX.value), states, actions: actionsOf(c, states), children: childCount(el),
    x: r.left, y: r.top, w: r.width, h: r.height, path: c.path, order: c.order, form: formOf(el),
    autocomplete: cut(attr(field, 'autocomplete') || '', MAX.name), type: typeOf(c), destination: c.owner ? '' : destinationOf(el),
    hints: ['placeholder', 'title', 'pattern'].map((a) => cut(attr(field, a) || '', MAX.text)).filter(Boolean),
  };
};

const frontOf = (R) => {
  for (let n = deepAt(R.width / 2, R.height / 2); n; n = parentElement(n)) {
    const kind = R.dialogs.get(n);
    if (kind) return kind === 'alertdialog' ? 'alert' : 'sheet';
  }
  return 'window';
};

const zeroSized = (el) => {
  const r = box(el);
  return r.width < 1 || r.height < 1;
};

// Puts an item last in a list of at most max.
const putLast = (list, max, item) => { list.splice(Math.min(list.length, max - 1), 1, item); };

const read = ({ root, floor }) => {
  raiseMarks(floor);
  const from = root ? marked(root) : bodyOf();
  if (!from) return root ? { stale: true } : { title: document.title, surface: 'window', controls: [], texts: [], context: [] };
  const R = reading();
  walk(R, from, { path: [], counts: {}, control: null, taken: false, panel: false, off: false, day: false, list: '', field: false });
  flush(R);
  suggestions(R);
  R.controls = R.controls.filter((c) => !c.disabled && (c.owner || !zeroSized(c.el)));
  for (const c of R.controls) if (c.unnamed) c.name = wordsNear(R, c) || c.name || '';
  nameArrows(R);
  nameInCards(R);
  if (R.walked > MAX.elements) putLast(R.texts, MAX.texts, { text: UNREAD, path: [], order: ++R.order, field: false });
  const context = [];
  for (const t of R.texts) if (!t.field && !context.includes(t.text) && context.length < MAX.context) context.push(t.text);
  if (R.walked > MAX.elements && !context.includes(UNREAD)) putLast(context, MAX.context, UNREAD);
  return {
    title: cut(squash(getter(Document, 'title')(document)), 300), surface: frontOf(R),
    viewport: [R.width, R.height], controls: R.controls.map((c) => give(R, c)), texts: R.texts, context,
    frames: [], denoised: { ads: 0, empty: 0, hidden: R.hidden }, last: lastMark,
  };
};

globalThis.desk = {
  verbs: { read },
  lib: {
    MARK, DIALOG, CARD, BOX_TO_TYPE, TYPED, getter, method, parentElement, localName, attr, hasAttr, setAttr, closest, matches, find,
    findAll, findInPage, box, boxes, styleOf, textContent, contains, isConnected, shadowOf, deepActive, bodyOf, rootOf, allAt,
    inputType, inputValue, squash, cut, wordy, wordsOf, marked, takesText, editable, isDisabled, chosen, checkbox, ticked,
    standIn, drawn, middle, deepAt, belongs, inOwnCard, clipped, pageLabel, headingIn, pictureName, roleAttr, labelled, ownerForm, linkOf,
  },
  // Runs one verb on a page of the origin it was meant for; the answer is text,
  // which crosses to us faster than a tree of values.
  run(name, origin, args) {
    if (origin !== 'any' && location.origin !== origin) return JSON.stringify({ moved: true, href: location.href });
    const out = globalThis.desk.verbs[name](args || {});
    const wrap = (o) => JSON.stringify({ href: location.href, out: o === undefined ? null : o });
    return out instanceof Promise ? out.then(wrap) : wrap(out);
  },
};
