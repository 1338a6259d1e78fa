// What is made of the walk, and the door to our side.
// The box of a control as it was when the page was read.
const boxOf = (c) => (c.rect = c.rect || box(c.owner ? c.owner.el : c.el));
const zeroSized = (c) => boxOf(c).width < 1 || boxOf(c).height < 1;

const SEPARATORS = /^(or|and|oder|und|ou|et|o|y|e|-|\/)$/i;

const wordsNear = (R, c) => {
  const f = boxOf(c);
  const tick = Boolean(c.input);
  let best = '', far = Infinity;
  for (const w of R.words) {
    if (!w.rect) {
      w.text = cut(squash(w.text), MAX.text);
      w.rect = wordsBox(w.node);
    }
    if (SEPARATORS.test(w.text)) continue;
    const r = w.rect;
    const level = Math.min(r.bottom, f.bottom) - Math.max(r.top, f.top) > 0.4 * Math.min(r.height, f.height);
    let d = Infinity;
    if (tick) {
      if (level && r.left >= f.right - 2 && r.left - f.right <= NEAR.right) d = r.left - f.right;
    } else if (r.left >= f.left && r.right <= f.right && r.top >= f.top && r.bottom <= f.bottom) {
      d = -1; // inside its box
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
const DOUBLE_GLYPH = /^(?:[»«]|>>|<<)$/;

// The arrows of a calendar page a month; double ones beside single ones, a year.
const nameArrows = (R) => {
  const arrows = [];
  for (const c of R.controls) {
    if (c.owner || c.day || !['button', 'link', 'image'].includes(c.role)) continue;
    if (!R.scopes.some((s) => contains(s, c.el))) continue;
    const says = [squash(c.raw), c.name || ''];
    const way = says.some((s) => NEXT_GLYPH.test(s)) ? 'next' : says.some((s) => PREV_GLYPH.test(s)) ? 'previous' : '';
    if (way) arrows.push({ c, way, far: says.some((s) => DOUBLE_GLYPH.test(s)) });
  }
  const single = arrows.some((a) => !a.far);
  for (const a of arrows) a.c.name = a.way + (a.far && single ? ' year' : ' month');
};

const nameInCards = (R) => {
  if (!R.controls.some((c) => c.parent)) return;
  const seen = new Map();
  const cards = new Map();
  for (const c of R.controls) {
    const key = c.role + '\u0000' + c.name;
    seen.set(key, (seen.get(key) || 0) + 1);
    if (!c.owner) cards.set(c.el, c);
  }
  for (const c of R.controls) {
    if (!c.parent || c.description || c.owner || c.day || seen.get(c.role + '\u0000' + c.name) < 2) continue;
    for (let p = parentElement(c.el), up = 0; p && up < 6; p = parentElement(p), up++) {
      const card = cards.get(p);
      if (card && card.name && card.name !== c.name) { c.description = 'in ' + cut(card.name, 60); break; }
    }
  }
};

const frontOf = (R) => {
  for (let n = deepAt(R.width / 2, R.height / 2); n; n = above(n)) {
    const kind = R.dialogs.get(n);
    if (kind) return kind === 'alertdialog' ? 'alert' : 'sheet';
  }
  return 'window';
};

// ---- one control for each thing seen ---------------------------------
const sameBox = (a, b) => {
  const r = boxOf(a), s = boxOf(b);
  const common = Math.max(0, Math.min(r.right, s.right) - Math.max(r.left, s.left)) * Math.max(0, Math.min(r.bottom, s.bottom) - Math.max(r.top, s.top));
  const union = r.width * r.height + s.width * s.height - common;
  return union > 0 && common / union >= SAME_BOX;
};

// Which of two controls that are one thing seen is it: what takes text, what
// says itself that it is chosen, what is native, what has a role.
const weight = (c) => {
  const tag = localName(c.el);
  if (['input', 'textarea', 'select'].includes(tag) || editable(c.el)) return 4;
  if (['tab', 'radio', 'option', 'checkbox', 'switch'].includes(c.role)) return 3;
  if (isNative(c.el)) return 2;
  return c.soft ? 0 : 1;
};

const merge = (R) => {
  const gone = new Set();
  const drop = (c, into) => {
    gone.add(c);
    if (into.unnamed && c.name && !c.unnamed) { into.name = c.name; into.description = c.description; into.unnamed = false; }
  };
  for (const c of R.controls) {
    const p = c.parent;
    if (!p || c.owner || c.day || p.day || gone.has(c) || gone.has(p)) continue;
    const twin = p.role === c.role && localName(p.el) === 'label';
    if (!twin && !(c.name && fold(c.name) === fold(p.name)) && !sameBox(c, p)) continue;
    if (twin || weight(p) > weight(c)) drop(c, p);
    else drop(p, c);
  }
  const first = new Map();
  for (const c of R.controls) {
    if (!c.label || gone.has(c) || !['checkbox', 'radio', 'switch'].includes(c.role)) continue;
    const other = first.get(c.label);
    if (!other) first.set(c.label, c);
    else if (other.role === c.role) drop(weight(c) > weight(other) ? other : c, weight(c) > weight(other) ? c : other);
  }
  R.controls = R.controls.filter((c) => !gone.has(c) && !(c.owner && gone.has(c.owner)));
};

// ---- noise -----------------------------------------------------------
const denoise = (R) => {
  const blank = new Set(R.controls.filter((c) => isBlank(R, c)));
  R.empty = blank.size;
  const blocks = new Set(R.adLabels.map((el) => blockOfLabel(R, el)).filter(Boolean));
  for (const b of blocks) if ([...blocks].some((o) => o !== b && contains(o, b))) blocks.delete(b);
  R.ads += blocks.size;
  const away = (el) => [...blocks].some((b) => contains(b, el));
  R.controls = R.controls.filter((c) => !blank.has(c) && !(blocks.size > 0 && away(c.el)));
  if (blocks.size === 0) return;
  R.texts = R.texts.filter((t) => !away(t.el));
  R.words = R.words.filter((w) => !away(w.el));
};

// What stands in shadow roots and frames comes after what holds them, in the
// order in which they were met.
const inOrder = (R) => {
  if (R.trees === 0) return;
  const all = [...R.controls, ...R.texts].sort((a, b) => a.tree - b.tree || a.order - b.order);
  R.order = 0;
  let last = null;
  for (const item of all) {
    const was = item.order;
    item.order = last && last.tree === item.tree && last.was === was ? R.order : ++R.order;
    last = { tree: item.tree, was };
  }
  R.controls.sort((a, b) => a.order - b.order);
  R.texts.sort((a, b) => a.order - b.order);
};

// Puts an item last in a list of at most max.
const putLast = (list, max, item) => { list.splice(Math.min(list.length, max - 1), 1, item); };

// The elements a hint of the page's own world names, in pairs: which root, and
// which element in it.
const pressedBy = (hint) => {
  const out = new Set();
  if (!Array.isArray(hint) || hint.length === 0) return out;
  const roots = rootsFrom(document);
  const lists = new Map();
  for (let i = 0; i + 1 < hint.length; i += 2) {
    const root = roots[hint[i]];
    if (!root) continue;
    if (!lists.has(root)) lists.set(root, findIn(root, '*'));
    const el = lists.get(root)[hint[i + 1]];
    if (el) out.add(el);
  }
  return out;
};

const contextOf = (R) => {
  const context = new Set();
  for (const t of R.texts) {
    if (context.size >= MAX.context) break;
    if (!t.field) context.add(t.text);
  }
  const lines = [...context];
  if (R.walked > MAX.elements && !context.has(UNREAD)) putLast(lines, MAX.context, UNREAD);
  return lines;
};

const read = ({ root, floor, pressed, width, height }) => {
  raiseMarks(floor);
  forgetMarks();
  const from = root ? marked(root) : bodyOf();
  if (!from) return root ? { stale: true } : { title: titleOfPage(), surface: 'window' };
  shifts = new Map();
  plainBase = basedHere();
  try {
    const R = reading(pressedBy(pressed));
    // Of a frame no more is seen than the window shows of it.
    if (width > 0 && height > 0) [R.width, R.height] = [Math.min(R.width, width), Math.min(R.height, height)];
    return look(R, from);
  } finally {
    shifts = null;
    plainBase = '';
  }
};

const look = (R, from) => {
  walk(R, from, { path: [], counts: {}, control: null, taken: false, panel: false, off: false, day: false, list: '', field: false, floats: false,
    unheard: false, label: null, column: '', deep: 0, tree: { id: 0, outer: null }, flow: NO_FLOW });
  flush(R);
  suggestions(R);
  R.controls = R.controls.filter((c) => !c.disabled && (c.owner || !zeroSized(c)));
  denoise(R);
  for (const c of R.controls) if (c.unnamed) c.name = wordsNear(R, c) || c.name || '';
  merge(R);
  nameArrows(R);
  nameInCards(R);
  placeInRows(R);
  inOrder(R);
  if (R.walked > MAX.elements) putLast(R.texts, MAX.texts, { text: UNREAD, path: [], order: ++R.order, field: false, column: '' });
  return answer(R);
};

globalThis.desk = {
  verbs: { read },
  marked,
  // Marks an element that was found in another way than by reading.
  adopt: (node) => mark(nodeType(node) === 1 ? node : parentElement(node)),
  lib: {
    MARK, DIALOG, CARD, BOX_TO_TYPE, TYPED, getter, method, parentElement, localName, attr, hasAttr, setAttr, closest, matches, find,
    findAll, findInPage, box, boxes, styleOf, textContent, contains, isConnected, shadowOf, deepActive, bodyOf, rootOf,
    within, shutAround, frameOf, documentIn, ownerDocument,
    inputType, inputValue, squash, cut, wordy, wordsOf, marked, takesText, takesValue, editable, isDisabled, chosen, checkbox, ticked,
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
