// The walk over what is drawn.
const reading = () => ({
  controls: [], texts: [], words: [], order: 0, line: null, unnamed: {}, dialogs: new Map(), claimed: new Set(),
  days: new Map(), weeks: new Set(), scopes: [], hidden: 0, months: null, suggested: new Map(),
  walked: 0, width: innerWidth, height: innerHeight, active: deepActive(),
});

const deepActive = () => {
  let el = activeIn(document);
  for (let root = el && shadowOf(el); root && root.activeElement; root = shadowOf(el)) el = root.activeElement;
  return el;
};

const headingIn = (el) => {
  const h = find(el, 'h1,h2,h3,h4,h5,h6,[role=heading]');
  return h ? squash(wordsOf(h)) : '';
};

const labelled = (role, name) => (name ? role + ' "' + cut(name, 60) + '"' : role);

const topBar = (R, el, r) => r.top <= 8 && r.width >= 0.9 * R.width && r.height <= 0.25 * R.height &&
  findAll(el, 'a[href]').length >= 1 && !find(el, 'dialog,[role=dialog]');

// The part of a path an element stands for, or ''.
const partOf = (R, el, role, cs, counts) => {
  const modal = fold(attr(el, 'aria-modal')) === 'true';
  if (role === 'dialog' || role === 'alertdialog' || modal) {
    const kind = role === 'alertdialog' ? role : 'dialog';
    R.dialogs.set(el, kind);
    return labelled(kind, pageLabel(el) || headingIn(el));
  }
  if (cs.position === 'fixed' && cs.pointerEvents !== 'none') {
    const r = box(el);
    if (r.width > 1 && r.height > 1 && !topBar(R, el, r) && !find(el, 'main,[role=main],dialog,[role=dialog],[role=alertdialog],[aria-modal=true]')) {
      const share = Math.max(0, Math.min(r.right, R.width) - Math.max(r.left, 0)) *
        Math.max(0, Math.min(r.bottom, R.height) - Math.max(r.top, 0)) / (R.width * R.height);
      const kind = share >= DIALOG_SHARE ? 'dialog' : 'popover';
      if (kind === 'dialog') R.dialogs.set(el, kind);
      return labelled(kind, pageLabel(el) || headingIn(el));
    }
  }
  if (!role || role === 'presentation' || role === 'none') return '';
  if (NUMBERED.has(role)) {
    let name = pageLabel(el);
    if (!name && localName(el) === 'fieldset') {
      const legend = find(el, 'legend');
      name = legend ? squash(wordsOf(legend)) : '';
    }
    if (!name && role === 'row') name = rowName(el);
    counts[role] = (counts[role] || 0) + 1;
    return labelled(role, name) + ' #' + counts[role];
  }
  if (LANDMARKS.has(role)) return labelled(role, pageLabel(el));
  if (NAMED_ONLY.has(role)) {
    const name = pageLabel(el);
    return name ? labelled(role, name) : '';
  }
  if (LIST_ROLES.has(role)) {
    let name = pageLabel(el);
    if (!name && localName(el) === 'table') {
      const caption = find(el, 'caption');
      name = caption ? squash(wordsOf(caption)) : '';
    }
    if (name) return labelled(role, name);
    R.unnamed[role] = (R.unnamed[role] || 0) + 1;
    return R.unnamed[role] > 1 ? role + ' ' + R.unnamed[role] : role;
  }
  return '';
};

const rowName = (row) => {
  const parts = [];
  for (const cell of findAll(row, 'td,th,[role=cell],[role=gridcell],[role=rowheader]')) {
    if (parts.length >= 4) break;
    if (find(cell, 'a[href],button,input,select,textarea,[role=button],[role=link],[role=checkbox]')) continue;
    const t = squash(wordsOf(cell));
    if (t) parts.push(t);
  }
  return parts.join(' ');
};

// The role an element has as a control, or '' when it is none. ctx.taken says
// that an ancestor already is the control a pointer or tab stop speaks of.
const controlRole = (R, el, tag, role, cs, ctx) => {
  if (tag === 'html' || tag === 'body') return '';
  const explicit = roleAttr(el);
  if (tag === 'input') {
    const type = inputType(el);
    if (type === 'hidden') return '';
    if (checkbox(el)) {
      if (R.claimed.has(el)) return '';
      if (unseen(el) && labelsOf(el).some(drawn)) return '';
      return explicit === 'switch' ? 'switch' : type;
    }
    if (PRESSED.has(type)) return explicit && CONTROL_ROLES.has(explicit) ? explicit : 'button';
    if (type === 'range') return 'slider';
    if (type === 'search') return 'searchbox';
    if (TEXT_ROLES.has(explicit)) return explicit;
    if (type === 'number') return 'spinbutton';
    return hasAttr(el, 'list') ? 'combobox' : 'textbox';
  }
  if (tag === 'textarea') return 'textarea';
  if (tag === 'select') return 'combobox';
  if (editable(el)) return TEXT_ROLES.has(explicit) ? explicit : 'textbox';
  if (tag === 'label') return standIn(el) && !R.claimed.has(standIn(el)) ? (roleAttr(standIn(el)) === 'switch' ? 'switch' : inputType(standIn(el))) : '';
  const native = (tag === 'a' && hasAttr(el, 'href')) || tag === 'button' || tag === 'summary';
  if (native || CONTROL_ROLES.has(explicit) || TEXT_ROLES.has(explicit)) {
    if (find(el, BOX_TO_TYPE)) return '';
    if (TEXT_ROLES.has(explicit)) return 'button';
    // A claimed control around a native button is that button, unless it says
    // itself that it is chosen.
    if (!native && explicit !== 'option' && !['tab', 'radio'].includes(explicit) && childCount(el) === 1 && find(el, 'button,a[href]') &&
      squash(textOf(find(el, 'button,a[href]'))) === squash(textOf(el))) return '';
    if (explicit === 'menuitemcheckbox') return 'checkbox';
    if (explicit === 'menuitemradio') return 'radio';
    if (CONTROL_ROLES.has(explicit)) return explicit;
    return tag === 'a' ? 'link' : 'button';
  }
  if (ctx.taken) return '';
  const pressable = cs.cursor === 'pointer' || hasAttr(el, 'onclick');
  const stop = hasAttr(el, 'tabindex') && el.tabIndex >= 0;
  if (!pressable && !(stop && !REGION_ROLES.has(role))) return '';
  if (ctx.panel && joinsRows(el)) return '';
  if (find(el, BOX_TO_TYPE)) return '';
  if (localName(el) === 'li' || role === 'listitem') return ctx.list === 'listbox' ? 'option' : 'listitem';
  if (role === 'row') return 'row';
  if (role === 'cell') return ctx.list === 'grid' ? 'gridcell' : 'cell';
  return tag === 'img' ? 'image' : 'button';
};

// Inside a panel every element inherits its pointer, so what only holds rows
// of one kind is not pressed itself.
const joinsRows = (el) => {
  const rows = [...findAll(el, ':scope > *')];
  return rows.length >= 2 && rows.every((r) => localName(r) === localName(rows[0]) && (attr(r, 'class') || '') === (attr(rows[0], 'class') || '')) &&
    !isInline(styleOf(rows[0]).display);
};

const flush = (R) => {
  const line = R.line;
  R.line = null;
  if (!line || R.texts.length >= MAX.texts) return;
  const text = cut(squash(line.text), MAX.text);
  if (!wordy(text)) return;
  const r = box(line.el);
  if (r.bottom < -R.height || r.top > 2 * R.height) return;
  R.texts.push({ text, path: line.path, order: line.order, field: line.field });
};

const say = (R, el, ctx, text) => {
  if (!R.line) R.line = { text: '', el, path: ctx.path, order: ++R.order, field: ctx.field };
  if (R.line.text.length < 4 * MAX.text) R.line.text += text;
};

const isInline = (display) => display === 'inline' || display === 'contents';

// Walks one element and gives the words seen in it, as far as a name needs them.
const walk = (R, el, ctx) => {
  const tag = localName(el);
  if (SKIPPED.has(tag) || ++R.walked > MAX.elements) return '';
  if (tag === 'br') { if (!ctx.control) flush(R); return ' '; }
  if (R.weeks.has(el)) return '';
  const cs = styleOf(el);
  if (cs.display === 'none') return '';
  if (hasAttr(el, 'inert')) { R.hidden++; return ''; }
  if (Number(cs.opacity) === 0 && !checkbox(el) && inputType(el) !== 'file') return '';
  if (cs.overflowX !== 'visible' && tag !== 'body' && tag !== 'html') {
    const r = box(el);
    if (r.width < 1 || r.height < 1) return '';
    if (r.width <= 1 && r.height <= 1 && cs.position !== 'static' && !checkbox(el)) { R.hidden++; return ''; }
  }
  const role = roleAttr(el) || implicitRole(el, tag);
  const part = partOf(R, el, role, cs, ctx.counts);
  const here = { ...ctx };
  if (part) {
    // What floats above the page is not part of what it was written into.
    const floats = R.dialogs.has(el) && (cs.position === 'fixed' || matches(el, ':modal'));
    here.path = floats ? [part] : [...ctx.path, part].slice(0, MAX.path);
    here.list = LIST_ROLES.has(role) ? role : ctx.list;
  }
  if (part || ['thead', 'tbody', 'tfoot'].includes(tag)) here.counts = {};
  if (tag === 'table' || role === 'grid') noteCalendar(R, el);

  const inline = isInline(cs.display);
  if (!inline && !ctx.control) flush(R);
  const off = ctx.off || isDisabled(el);
  here.off = off;
  const day = R.days.get(el);
  let as = '';
  if (cs.visibility === 'visible' && !off && !ctx.day && R.controls.length < MAX.controls) as = day ? 'gridcell' : controlRole(R, el, tag, role, cs, ctx);
  const control = as ? open(R, el, as, day, here.path) : null;
  if (control) {
    here.control = control;
    here.taken = true;
    here.day = Boolean(day);
  } else if (tag === 'label') {
    here.taken = true;
  } else if (isPanel(el, cs, ctx)) {
    here.panel = true;
  }
  const field = tag !== 'body' && editable(el) || ['textbox', 'searchbox', 'combobox', 'spinbutton', 'textarea'].includes(as);
  let words = '';
  if (tag === 'select' || tag === 'textarea' || tag === 'input') {
    // their words are their value
  } else if (field) {
    fieldWords(R, el, here);
  } else {
    const before = R.controls.length;
    words = children(R, el, here, cs, tag);
    if (ctx.control && LIST_ROLES.has(role) && R.controls.length > before) words = '';
  }
  if (control) close(R, control, words);
  if (!inline && !ctx.control) flush(R);
  return inline ? words : ' ' + words + ' ';
};

// A box to type in makes what is around it a panel and no control; the rows in
// it are looked at one by one.
const isPanel = (el, cs, ctx) => !ctx.taken && cs.cursor === 'pointer' && Boolean(find(el, BOX_TO_TYPE));

const children = (R, el, here, cs, tag) => {
  let words = '';
  const shut = tag === 'details' && !hasAttr(el, 'open');
  for (let n = firstChild(el); n && R.walked <= MAX.elements; n = nextSibling(n)) {
    const type = nodeType(n);
    if (type === 1) {
      const inner = shut && localName(n) !== 'summary' ? '' : walk(R, n, here);
      if (words.length < MAX.raw) words += inner;
      continue;
    }
    if (type !== 3 || shut || cs.visibility !== 'visible') continue;
    const text = textOf(n);
    if (words.length < MAX.raw) words += text;
    if (here.control) continue;
    say(R, el, here, text);
    if (R.words.length < MAX.labels && wordy(text)) R.words.push({ node: n, text: cut(squash(text), MAX.text), rect: null });
  }
  return words;
};

// What an editable region shows. A long one is asked for no more of it than is
// told: its innerText takes seconds to make.
const regionText = (el) => {
  if (textOf(el).length < MAX.raw) return getter(HTMLElement, 'innerText')(el);
  let s = '';
  for (let n = firstChild(el); n && s.length < MAX.value; n = nextSibling(n)) s += wordsOf(n, 1);
  return s;
};

// What an editable region holds: readable, and field content.
const fieldWords = (R, el, here) => {
  const text = squash(regionText(el));
  if (!text || R.texts.length >= MAX.texts) return;
  for (let i = 0; i < text.length && i < 5 * MAX.text; i += MAX.text) {
    R.texts.push({ text: text.slice(i, i + MAX.text), path: here.path, order: ++R.order, field: true });
  }
};

const noteCalendar = (R, el) => {
  R.months = R.months || monthNames();
  const c = calendarOf(el, R.months);
  if (!c) return;
  for (const [cell, d] of c.dated) R.days.set(cell, d);
  for (const w of c.weeks) R.weeks.add(w);
  R.scopes.push(c.scope);
};

const open = (R, el, role, day, path) => {
  let on = el;
  if (day) on = find(el, 'button,a[href],[role=button]') || el;
  const input = standIn(el);
  if (input) R.claimed.add(input);
  const c = { el: on, cell: el, role, day, path, order: ++R.order, input: input || (checkbox(on) ? on : null), parent: null };
  c.disabled = on !== el && isDisabled(on);
  R.controls.push(c);
  return c;
};

const close = (R, c, words) => {
  c.words = squash(words);
  const el = c.el;
  const tag = localName(el);
  const field = tag === 'input' || tag === 'textarea' || tag === 'select' || editable(el);
  if (c.day) nameDay(R, c);
  else if (field && !(tag === 'input' && PRESSED.has(inputType(el)))) c.unnamed = !nameField(c);
  else nameControl(c);
  if (tag === 'select') choices(R, c, getter(HTMLSelectElement, 'options')(el));
  const list = tag === 'input' && hasAttr(el, 'list') ? byId(attr(el, 'list')) : null;
  if (list && localName(list) === 'datalist') {
    const had = R.suggested.get(list);
    if (!had) R.suggested.set(list, c);
    else if (el === R.active) R.suggested.set(list, c);
  }
};

const nameDay = (R, c) => {
  c.name = String(c.day.day);
  const label = squash(attr(c.cell, 'aria-label') || (c.el !== c.cell && attr(c.el, 'aria-label')) ||
    (find(c.cell, '[aria-label]') && attr(find(c.cell, '[aria-label]'), 'aria-label')) || '');
  if (!label) c.description = c.day.date;
  else c.description = monthIn(label, R.months) >= 0 ? label : c.day.date + ', ' + label;
};

const tiedLabel = (el) => squash(labelsOf(el).map((l) => wordsOf(l)).join(' '));

const nameField = (c) => {
  const el = c.input || c.el;
  const own = c.input && c.el !== c.input ? squash(wordsOf(c.el)) : '';
  c.name = own || tiedLabel(el) || pageLabel(el) || squash(attr(el, 'placeholder')) || squash(attr(el, 'title')) || squash(attr(el, 'aria-placeholder'));
  return wordy(c.name);
};

const nameControl = (c) => {
  const el = c.el;
  if (c.input && el !== c.input) {
    c.name = c.words || pageLabel(c.input) || pageLabel(el);
    c.unnamed = !c.name;
    return;
  }
  let words = c.words;
  if (localName(el) === 'input') words = squash(inputValue(el)) || { submit: 'Submit', reset: 'Reset' }[inputType(el)] || tiedLabel(el);
  c.raw = words;
  const label = pageLabel(el);
  if (wordy(words)) {
    c.name = words;
    if (label && !fold(words).includes(fold(label))) c.description = label;
    else if (!label) c.description = labelWithin(el, words);
    return;
  }
  c.name = label || squash(attr(el, 'title')) || pictureName(el);
  if (c.name) return;
  c.name = iconWord(el);
  if (c.name) { c.description = 'an icon'; return; }
  c.name = (localName(el) === 'a' && leadsTo(el)) || words;
  c.unnamed = !c.name;
};

// The one labelled element inside that carries the words.
const labelWithin = (el, words) => {
  const inner = findAll(el, '[aria-label]');
  if (inner.length === 0 || inner.length > 8) return '';
  const carrying = [...inner].filter((n) => squash(textOf(n)) === words);
  const label = carrying.length === 1 ? squash(attr(carrying[0], 'aria-label')) : '';
  return label && !fold(words).includes(fold(label)) ? label : '';
};

const choices = (R, c, options) => {
  if (fold(attr(c.el, 'aria-hidden')) === 'true') return;
  let n = 0;
  for (const o of options) {
    if (n >= MAX.choices || R.controls.length >= MAX.controls) break;
    if (matches(o, ':disabled')) continue;
    const label = squash(getter(HTMLOptionElement, 'label')(o));
    if (!label) continue;
    n++;
    R.controls.push({ el: o, cell: o, role: 'option', owner: c, name: label, order: ++R.order, path: [...c.path, labelled('listbox', c.name || '')] });
  }
};

const suggestions = (R) => {
  for (const [list, c] of R.suggested) {
    const at0 = R.controls.indexOf(c) + 1;
    const added = [];
    for (const o of findAll(list, 'option')) {
      if (added.length >= MAX.choices || R.controls.length + added.length >= MAX.controls) break;
      const value = squash(getter(HTMLOptionElement, 'value')(o));
      if (!value || matches(o, ':disabled')) continue;
      const label = squash(getter(HTMLOptionElement, 'label')(o));
      added.push({ el: o, cell: o, role: 'option', owner: c, name: value, description: label !== value ? label : '', order: c.order, path: [...c.path, labelled('listbox', c.name || '')] });
    }
    R.controls.splice(at0, 0, ...added);
  }
};
