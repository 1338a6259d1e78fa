// The walk over what is drawn.
const reading = (pressed) => ({
  controls: [], texts: [], words: [], order: 0, line: null, unnamed: {}, dialogs: new Map(), parts: new Map(), claimed: new Set(), pressed,
  headings: new Map(), days: new Map(), weeks: new Set(), scopes: [], hidden: 0, ads: 0, empty: 0, adLabels: [], months: null, suggested: new Map(),
  trees: 0, frames: [], shut: false, walked: 0, width: innerWidth, height: innerHeight, active: deepActive(),
});

const headingIn = (el) => {
  const h = find(el, 'h1,h2,h3,h4,h5,h6,[role=heading]');
  return h ? squash(wordsOf(h)) : '';
};

const labelled = (role, name) => (name ? role + ' "' + cut(name, 60) + '"' : role);

const topBar = (R, el, r) => r.top <= 8 && r.width >= 0.9 * R.width && r.height <= 0.25 * R.height &&
  findAll(el, 'a[href]').length >= 1 && !find(el, 'dialog,[role=dialog]');

// The part of a path an element stands for, or ''.
const partOf = (R, el, role, look, counts) => {
  if (!role && look.position !== 'fixed' && !hasAttrs(el)) return '';
  const modal = fold(attr(el, 'aria-modal')) === 'true';
  if (role === 'dialog' || role === 'alertdialog' || modal) {
    const kind = role === 'alertdialog' ? role : 'dialog';
    R.dialogs.set(el, kind);
    return labelled(kind, pageLabel(el) || headingIn(el));
  }
  if (look.position === 'fixed' && look.cs.pointerEvents !== 'none') {
    const r = box(el);
    if (r.width > 1 && r.height > 1 && !topBar(R, el, r) && !find(el, 'main,[role=main],dialog,[role=dialog],[role=alertdialog],[aria-modal=true]')) {
      const kind = shareOf(R, el) >= DIALOG_SHARE ? 'dialog' : 'popover';
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
    return name ? labelled(role, name) : listPart(R, role);
  }
  return '';
};

// The part of a list without a name: the first of its kind has no number.
const listPart = (R, role) => {
  R.unnamed[role] = (R.unnamed[role] || 0) + 1;
  return R.unnamed[role] > 1 ? role + ' ' + R.unnamed[role] : role;
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
const controlRole = (R, el, tag, role, look, ctx) => {
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
  if (ctx.taken && !pressedApart(R, el, ctx)) return '';
  const pressable = isPointed(look) || hasAttr(el, 'onclick');
  const stop = hasAttr(el, 'tabindex') && el.tabIndex >= 0;
  if (!pressable && !(stop && !(REGION_ROLES.has(role) && find(el, HELD))) && !handled(R, el)) return '';
  if (ctx.panel && joinsRows(el)) return '';
  if (find(el, BOX_TO_TYPE)) return '';
  if (localName(el) === 'li' || role === 'listitem') return ctx.list === 'listbox' ? 'option' : 'listitem';
  if (role === 'row') return 'row';
  if (role === 'cell') return ctx.list === 'grid' ? 'gridcell' : 'cell';
  return tag === 'img' ? 'image' : 'button';
};

// What makes a region one that holds controls.
const HELD = 'a[href],button,input,select,textarea,summary,[tabindex],[onclick],[role=button],[role=link],[role=option],[role=menuitem],' +
  '[role=tab],[role=treeitem],[role=gridcell],[role=checkbox],[role=radio],[role=switch]';

// A framework's press handler on a part of the page: a hint from the page's own
// world, which may be wrong.
const handled = (R, el) => R.pressed.has(el) && shareOf(R, el) < HANDLER_SHARE;

// Inside what is pressed by its pointer or handler alone, a row of mail or an
// item of a menu, something with a handler of its own is pressed apart from it.
const pressedApart = (R, el, ctx) => ctx.control && ctx.control.soft && (hasAttr(el, 'onclick') || handled(R, el));

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
  if (line.flow.below) return;
  const r = box(line.el);
  if (r.top > 2 * R.height) noteBelow(R, line, r);
  if (r.bottom < -R.height || r.top > 2 * R.height) return;
  R.texts.push({ text, path: line.path, order: line.order, field: line.field, column: line.column, tree: line.tree, el: line.el });
};

const say = (R, el, ctx, text) => {
  if (!R.line) R.line = { text: '', el, path: ctx.path, order: ++R.order, field: ctx.field, column: ctx.column, tree: ctx.tree.id, flow: ctx.flow };
  if (R.line.text.length < 4 * MAX.text) R.line.text += text;
};

const isInline = (display) => display === 'inline' || display === 'contents';

// How an element is drawn. Each property is asked for once, and most elements
// answer two in one: a page has thousands of elements.
const SEEN = { opacityProperty: true, visibilityProperty: true };
const looksOf = (el) => {
  const cs = styleOf(el);
  const plain = checkVisibility(el, SEEN); // it and all around it: neither hidden nor transparent
  return { display: cs.display, position: cs.position, plain, visible: plain || cs.visibility === 'visible', cs, cursor: '' };
};
const isPointed = (look) => (look.cursor = look.cursor || look.cs.cursor) === 'pointer';

// Whether an element is left out before anything of it is looked at.
const leftOut = (R, el, tag, look, ctx) => {
  const { display, position, cs } = look;
  if (display === 'none' || display === '') return true; // '': not drawn, as no slot takes it
  if (!look.plain && cs.opacity === '0' && !checkbox(el) && inputType(el) !== 'file') return true;
  if (display !== 'inline' && cs.overflowX !== 'visible' && tag !== 'body' && tag !== 'html') {
    const r = box(el);
    if (r.width < 1 || r.height < 1) return true;
  }
  if (position !== 'static' && !checkbox(el) && clippedAway(el, cs, position)) { R.hidden++; return true; }
  if (!hasAttrs(el)) return false;
  if (hasAttr(el, 'inert')) { R.hidden++; return true; }
  if (!ctx.floats && isAd(R, el, tag, position)) { R.ads++; return true; }
  if (!ctx.unheard && attr(el, 'aria-hidden') === 'true' && !seenAnyway(R, el)) { R.hidden++; return true; }
  return false;
};

// Walks one element and gives the words seen in it, as far as a name needs them.
const walk = (R, el, ctx) => {
  const tag = localName(el);
  if (SKIPPED.has(tag) || ctx.deep > MAX.deep || ++R.walked > MAX.elements) return '';
  if (tag === 'br') { if (!ctx.control) flush(R); return ' '; }
  if (R.weeks.has(el)) return '';
  const look = looksOf(el);
  if (leftOut(R, el, tag, look, ctx)) return '';
  const said = hasAttrs(el);
  const role = said && roleAttr(el) || implicitRole(el, tag);
  const part = partOf(R, el, role, look, ctx.counts);
  const here = handDown(ctx);
  if (part) {
    // What floats above the page is not part of what it was written into.
    const floats = R.dialogs.has(el) && (look.position === 'fixed' || matches(el, ':modal'));
    here.path = floats ? [part] : deeper(ctx.path, part);
    R.parts.set(el, here.path);
    if (LIST_ROLES.has(role)) here.list = role;
    here.floats = ctx.floats || R.dialogs.has(el) || look.position === 'fixed';
  }
  if (part || tag === 'thead' || tag === 'tbody' || tag === 'tfoot') here.counts = {};
  if (tag === 'td' || role === 'cell' || role === 'gridcell') here.column = columnOf(R, el);
  noteCalendar(R, el, tag, role);

  here.flow = flowOf(el, look, ctx);
  const inline = isInline(look.display);
  if (!inline && !ctx.control) flush(R);
  if (said) {
    here.off = ctx.off || isDisabled(el);
    here.unheard = ctx.unheard || hasAttr(el, 'aria-hidden');
  }
  const day = R.days.get(el);
  let as = '';
  if (look.visible && !here.off && !ctx.day && R.controls.length < MAX.controls) as = day ? 'gridcell' : controlRole(R, el, tag, role, look, ctx);
  const control = as ? open(R, el, as, day, ctx, here) : null;
  if (control) {
    here.control = control;
    here.taken = !control.loose;
    here.day = Boolean(day);
  } else if (tag === 'label') {
    here.taken = true;
  } else if (isPanel(el, look, ctx)) {
    here.panel = true;
  }
  if (tag === 'label') here.label = el;
  const words = inside(R, el, here, look, tag, role, as);
  if (control) close(R, control, words);
  if (!inline && !ctx.control) flush(R);
  return inline ? words : ' ' + words + ' ';
};

// What holds of everything inside an element, before the element says more.
const handDown = (c) => ({
  path: c.path, counts: c.counts, control: c.control, taken: c.taken, panel: c.panel, off: c.off, day: c.day, list: c.list, field: c.field,
  floats: c.floats, unheard: c.unheard, label: c.label, column: c.column, deep: c.deep + 1, tree: c.tree, flow: c.flow,
});

// A path keeps what stands outermost and the nearest parts.
const deeper = (path, part) => (path.length < MAX.path ? [...path, part] : [path[0], ...path.slice(2), part]);

// The words within an element that is drawn.
const inside = (R, el, here, look, tag, role, as) => {
  if (tag === 'select' || tag === 'textarea' || tag === 'input') return ''; // their words are their value
  if (tag === 'canvas') return drawing(R, el, here, look);
  if (tag === 'iframe' || tag === 'frame') return framed(R, el, here, look);
  if (tag !== 'body' && editable(el) || TYPED_INTO.has(as)) {
    fieldWords(R, el, here);
    return '';
  }
  const before = R.controls.length;
  const words = children(R, el, here, look, tag);
  return here.control && !as && LIST_ROLES.has(role) && R.controls.length > before ? '' : words;
};

// A canvas draws what nobody can read: it is named as such.
const drawing = (R, el, here, look) => {
  const r = box(el);
  if (!look.visible || r.width < CANVAS_SIDE || r.height < CANVAS_SIDE) return '';
  const name = pageLabel(el) || squash(attr(el, 'title')) || cut(squash(textOf(el)), MAX.name);
  if (here.control) return '';
  flush(R);
  say(R, el, here, labelled('canvas', name) + ', drawn: what it shows cannot be read');
  flush(R);
  return '';
};

// A frame of this page's own origin is read as a part of it; what another one
// shows is read inside it, by our side.
const framed = (R, el, here, look) => {
  const doc = documentIn(el);
  const r = box(el);
  if (!look.visible || r.width < 1 || r.height < 1) return '';
  const path = deeper(here.path, labelled('frame', pageLabel(el) || squash(attr(el, 'title'))));
  if (!doc) {
    if (R.frames.length < MAX.frames) R.frames.push({ el, path });
    return '';
  }
  const body = bodyIn(doc);
  if (!body) return '';
  flush(R);
  R.parts.set(body, path);
  const words = walk(R, body, { ...here, path, counts: {}, tree: { id: ++R.trees, outer: null }, flow: NO_FLOW, control: null, taken: false, label: null });
  flush(R);
  return here.control ? words : '';
};

// A box to type in makes what is around it a panel and no control; the rows in
// it are looked at one by one.
const isPanel = (el, look, ctx) => !ctx.taken && isPointed(look) && Boolean(find(el, BOX_TO_TYPE));

// The words of what stands in an element as it is drawn: a host shows its shadow
// root, a slot what was put into it.
const children = (R, el, here, look, tag) => {
  const shadow = shadowOf(el);
  if (shadow) return hosted(R, el, shadow, here, look);
  if (tag === 'slot' && here.tree.outer) {
    const given = assigned(el);
    if (given.length > 0) return each(R, el, { ...here, tree: here.tree.outer }, look, given);
  }
  if (!tag.includes('-')) return between(R, el, here, look, tag);
  const seen = [R.controls.length, R.texts.length, R.line];
  const words = between(R, el, here, look, tag);
  if (seen[0] === R.controls.length && seen[1] === R.texts.length && R.line === seen[2] && !words.trim()) noteShut(R, el);
  return words;
};

const hosted = (R, host, shadow, here, look) => {
  const inner = { ...here, tree: { id: ++R.trees, outer: here.tree }, path: deeper(here.path, labelled(localName(host), pageLabel(host))) };
  R.parts.set(shadow, inner.path);
  let words = '';
  for (let n = firstChild(shadow); n && R.walked <= MAX.elements; n = nextSibling(n)) words += one(R, host, n, inner, look);
  return words;
};

// An element of a page's own making that shows something in front and tells
// nothing: its shadow root is closed.
const noteShut = (R, el) => {
  if (R.shut || shareOf(R, el) < SHUT_SHARE) return;
  const p = middle(el);
  R.shut = deepAt(p.x, p.y) === el;
};

const between = (R, el, here, look, tag) => {
  let words = '';
  const shut = tag === 'details' && !hasAttr(el, 'open');
  for (let n = firstChild(el); n && R.walked <= MAX.elements; n = nextSibling(n)) {
    if (shut && (nodeType(n) !== 1 || localName(n) !== 'summary')) continue;
    const inner = one(R, el, n, here, look);
    if (words.length < MAX.raw) words += inner;
  }
  return words;
};

const each = (R, el, here, look, nodes) => {
  let words = '';
  for (const n of nodes) if (words.length < MAX.raw && R.walked <= MAX.elements) words += one(R, el, n, here, look);
  return words;
};

const one = (R, el, n, here, look) => {
  const type = nodeType(n);
  if (type === 1) return walk(R, n, here);
  if (type !== 3 || !look.visible) return '';
  const text = textOf(n);
  if (here.control) return text;
  say(R, el, here, text);
  if (!wordy(text)) return text;
  if (R.words.length < MAX.labels) R.words.push({ node: n, el, text, rect: null });
  if (!here.floats && text.length < 40 && MAY_LABEL.test(text) && AD_LABEL.test(squash(text))) R.adLabels.push(el);
  return text;
};

// What an editable region shows. A long one is asked for no more of it than is
// told: its innerText takes seconds to make.
const regionText = (el) => {
  if (textOf(el).length < MAX.raw) return innerText(el);
  let s = '';
  for (let n = firstChild(el); n && s.length < MAX.value; n = nextSibling(n)) s += wordsOf(n, 1);
  return s;
};

// What an editable region holds: readable, and field content.
const fieldWords = (R, el, here) => {
  const text = squash(regionText(el));
  if (!text || R.texts.length >= MAX.texts) return;
  for (let i = 0; i < text.length && i < 5 * MAX.text; i += MAX.text) {
    R.texts.push({ text: text.slice(i, i + MAX.text), path: here.path, order: ++R.order, field: true, column: '', tree: here.tree.id, el });
  }
};

const noteCalendar = (R, el, tag, role) => {
  if (tag !== 'table' && role !== 'grid' && !mayHoldDays(el)) return;
  const [cell] = cellsOf(el);
  if (cell && (R.days.has(cell) || R.weeks.has(cell))) return;
  R.months = R.months || monthNames();
  const c = calendarOf(el, R.months);
  if (!c) return;
  for (const [cell, d] of c.dated) R.days.set(cell, d);
  for (const w of c.weeks) R.weeks.add(w);
  R.scopes.push(c.scope);
};

// What the line says it is that comes next: "Phone: ".
const labelBefore = (R) => {
  const m = R.line && /([^:,;.]{1,40}):\s*$/.exec(R.line.text);
  return m ? squash(m[1]) : '';
};

const open = (R, el, role, day, ctx, here) => {
  let on = el;
  if (day) on = find(el, 'button,a[href],[role=button]') || el;
  const input = standIn(el);
  if (input) R.claimed.add(input);
  const c = { el: on, cell: el, role, day, path: here.path, order: ++R.order, input: input || (checkbox(on) ? on : null), parent: ctx.control,
    label: ctx.label, before: labelBefore(R), tree: ctx.tree.id };
  c.soft = !day && !isNative(el) && !CONTROL_ROLES.has(roleAttr(el));
  c.loose = c.soft && R.pressed.has(el) && !hasAttr(el, 'onclick') && styleOf(el).cursor !== 'pointer';
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
  else if (field && !(tag === 'input' && PRESSED.has(inputType(el)) && !SET_ONLY.has(inputType(el)))) c.unnamed = !nameField(c);
  else nameControl(c);
  if (tag === 'select') choices(R, c, optionsOf(el));
  const list = tag === 'input' && hasAttr(el, 'list') ? byId(el, attr(el, 'list')) : null;
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
  return wordy(c.name) && !LAYOUT.test(c.name);
};

// "mm/dd/yyyy" and "__:__" say how a field is filled in, not what it is: words
// that stand by it name it first.
const LAYOUT = /^(?:([dmyhstja])\1{1,3}|[_#\d]+)(?:[\s/.:,-]+(?:([dmyhstja])\2{1,3}|[_#\d]+))+$/i;

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
    else if (!label) c.description = labelWithin(el, words) || tooltip(el, words);
    if (!c.description && c.before && (c.role === 'link' || c.role === 'button')) c.description = c.before;
    return;
  }
  // Words clipped away for screen readers are a label too; a sign alone is none.
  const said = squash(wordsOf(el));
  c.name = label || (wordy(said) ? said : '') || squash(attr(el, 'title')) || pictureName(el);
  if (c.name) return;
  c.name = iconWord(el);
  if (c.name) { c.description = 'an icon'; return; }
  c.name = (localName(el) === 'a' && leadsTo(el)) || words;
  c.unnamed = !c.name;
};

// What a short tooltip says beyond the words: "B" is Bold.
const tooltip = (el, words) => {
  const title = squash(attr(el, 'title'));
  return title.length <= 60 && !fold(words).includes(fold(title)) ? title : '';
};

// The one labelled element inside that carries the words.
const labelWithin = (el, words) => {
  const inner = childCount(el) > 0 ? findAll(el, '[aria-label]') : [];
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
    const label = squash(labelOfOption(o));
    if (!label) continue;
    n++;
    R.controls.push({ el: o, cell: o, role: 'option', owner: c, name: label, order: ++R.order, path: deeper(c.path, labelled('listbox', c.name || '')), tree: c.tree });
  }
};

const suggestions = (R) => {
  for (const [list, c] of R.suggested) {
    const at0 = R.controls.indexOf(c) + 1;
    const added = [];
    for (const o of findAll(list, 'option')) {
      if (added.length >= MAX.choices || R.controls.length + added.length >= MAX.controls) break;
      const value = squash(valueOfOption(o));
      if (!value || matches(o, ':disabled')) continue;
      const label = squash(labelOfOption(o));
      added.push({ el: o, cell: o, role: 'option', owner: c, name: value, description: label !== value ? label : '', order: c.order, path: deeper(c.path, labelled('listbox', c.name || '')), tree: c.tree });
    }
    R.controls.splice(at0, 0, ...added);
  }
};
