// Whether a branch of a tree is folded that does not say so: the list below it,
// in its item, is not drawn. An item of more parts has controls of other kinds.
const BRANCH_PARTS = 3;
const foldsList = (el) => {
  let item = el;
  for (let up = 0; item && localName(item) !== 'li'; up++) item = up < 2 ? parentElement(item) : null;
  if (!item || childCount(item) > BRANCH_PARTS) return false;
  const list = find(item, ':scope > ul, :scope > ol');
  return list !== null && !checkVisibility(list);
};

// What is told of a control, and of a frame.
const statesOf = (R, c, where) => {
  const el = c.el;
  const states = [];
  if (el === R.active || (c.input && c.input === R.active)) states.push('focused');
  const on = c.input ? ticked(c.input) : null;
  if (c.owner) {
    if (localName(c.owner.el) === 'select' && isChosen(el)) states.push('selected');
  } else if (['checkbox', 'radio', 'switch'].includes(c.role)) {
    if (on === null ? chosen(el) : on) states.push('checked');
  } else if (chosen(el) || (c.cell !== el && chosen(c.cell))) {
    states.push('selected');
  }
  const expanded = attr(el, 'aria-expanded');
  if (expanded === 'true') states.push('expanded');
  else if (expanded === 'false') states.push('collapsed');
  else if (localName(el) === 'summary' && parentElement(el)) states.push(hasAttr(parentElement(el), 'open') ? 'expanded' : 'collapsed');
  else if (!c.owner && foldsList(el)) states.push('collapsed');
  if (['input', 'textarea'].includes(localName(el)) && !c.input && hasAttr(el, 'readonly')) states.push('readonly');
  if (hasAttr(c.input || el, 'required') || fold(attr(el, 'aria-required')) === 'true') states.push('required');
  if (where) states.push(where);
  return states;
};

const actionsOf = (c, states) => {
  if (['checkbox', 'switch'].includes(c.role)) return 'Click Check Uncheck';
  if (c.role === 'radio') return 'Click Check';
  const actions = ['Click'];
  if (takesText(c.el)) actions.push('SetValue', 'TypeText');
  else if (takesValue(c.el)) actions.push('SetValue');
  if (states.includes('collapsed')) actions.push('Expand');
  if (states.includes('expanded')) actions.push('Collapse');
  return actions.length > 1 ? actions.join(' ') : ''; // a press alone goes without saying
};

const valueOf = (c) => {
  const el = c.el;
  if (c.owner || c.input) return '';
  const tag = localName(el);
  if (tag === 'select') {
    const o = [...chosenOptions(el)].slice(0, MAX.value).map((s) => squash(labelOfOption(s)));
    return o.join(', ');
  }
  if (tag === 'input') {
    const type = inputType(el);
    return type === 'password' || (PRESSED.has(type) && type !== 'color') ? '' : inputValue(el);
  }
  if (tag === 'textarea') return inputValue(el);
  return editable(el) ? regionText(el).trim() : squash(attr(el, 'aria-valuetext') || attr(el, 'aria-valuenow'));
};

// What a field's own description says, such as the layout of a date.
const described = (el) => {
  const ids = attr(el, 'aria-describedby');
  if (!ids) return '';
  return ids.split(/\s+/).filter(Boolean).slice(0, 3).map((id) => byId(el, id)).map((d) => (d ? squash(wordsOf(d)) : '')).filter(Boolean).join(' ');
};

const formOf = (el) => {
  const form = ownerForm(el);
  if (!form) return '';
  const id = attr(form, 'id') || attr(form, 'name');
  return id ? cut(id, MAX.name) : 'form ' + ([...findIn(rootNode(form), 'form')].indexOf(form) + 1);
};

const typeOf = (c) => {
  const tag = localName(c.el);
  if (tag === 'input') return inputType(c.el);
  if (tag === 'select' || tag === 'textarea') return tag;
  return editable(c.el) ? 'richtext' : '';
};

// What is told is mostly said before. So each text crosses to us once, named from
// then on by its number, and so does each path, as the number of the path around
// it and that of its last part. 0 is the empty one.
const ledger = () => {
  const home = location.origin + '/';
  const words = [''], paths = [];
  const wordAt = new Map([['', 0]]), pathAt = new Map();
  const word = (s) => {
    let n = wordAt.get(s);
    if (n === undefined) wordAt.set(s, n = words.push(s) - 1);
    return n;
  };
  const deeperAt = (around, part) => {
    const key = around * 2 ** 24 + part; // of either there are fewer
    let n = pathAt.get(key);
    if (n === undefined) pathAt.set(key, n = paths.push(around, part) / 2);
    return n;
  };
  const path = (parts) => parts.reduce((around, part) => deeperAt(around, word(part)), 0);
  // One on the page's own origin goes without that.
  const address = (a) => word(a.startsWith(home) ? a.slice(home.length - 1) : a);
  return { words, paths, word, path, address };
};

// Rows of numbers as columns. One in which nothing is said is left out.
const inColumns = (rows) => {
  const out = {};
  for (const name of Object.keys(rows[0] || {})) {
    const column = rows.map((row) => row[name]);
    if (column.some(Boolean)) out[name] = column;
  }
  return out;
};

const give = (R, L, c) => {
  const el = c.el;
  const r = boxOf(c);
  const where = c.owner ? '' : whereIs(R, el, r);
  const states = statesOf(R, c, where);
  const field = c.input || el;
  const hint = (text) => L.word(text ? cut(text, MAX.text) : '');
  return {
    ref: mark(el), role: L.word(c.role), name: L.word(cut(squash(c.name), MAX.name)), description: L.word(cut(squash(c.description), MAX.text)),
    value: L.word(cut(valueOf(c), MAX.value)), states: L.word(states.join(' ')), actions: L.word(actionsOf(c, states)), children: childCount(el),
    x: r.left, y: r.top, w: r.width, h: r.height, path: L.path(c.path), order: c.order, form: L.word(formOf(el)),
    autocomplete: L.word(cut(attr(field, 'autocomplete') || '', MAX.name)), type: L.word(typeOf(c)),
    destination: c.owner ? 0 : L.address(destinationOf(el)),
    placeholder: hint(attr(field, 'placeholder')), title: hint(attr(field, 'title')), pattern: hint(attr(field, 'pattern')), described: hint(described(field)),
  };
};

const frameGiven = (R, L, f) => {
  const r = box(f.el);
  const cs = styleOf(f.el);
  const x = r.left + borderLeft(f.el) + parseFloat(cs.paddingLeft), y = r.top + borderTop(f.el) + parseFloat(cs.paddingTop);
  const p = middle(f.el);
  return { ref: mark(f.el), x, y, w: r.width, h: r.height, share: shareOf(R, f.el), front: deepAt(p.x, p.y) === f.el, path: L.path(f.path) };
};

const answer = (R) => {
  const L = ledger();
  return {
    title: titleOfPage(), origin: location.origin, surface: frontOf(R), viewport: [R.width, R.height],
    controls: inColumns(R.controls.map((c) => give(R, L, c))),
    texts: inColumns(R.texts.map((t) => ({ text: L.word(t.text), path: L.path(t.path), order: t.order, field: Number(t.field), column: L.word(t.column) }))),
    context: contextOf(R).map(L.word), frames: R.frames.map((f) => frameGiven(R, L, f)), words: L.words, paths: L.paths,
    shut: R.shut, denoised: { ads: R.ads, empty: R.empty, hidden: R.hidden }, last: lastMark,
  };
};
