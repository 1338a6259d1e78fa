// Rows that no tag tells of: boxes of one make, side by side, around equal
// controls. What a person calls the Edit of Smith stands in the row of Smith,
// whatever the row is made of. Only controls that nothing else tells apart are
// looked at, so that a page without them costs nothing.

// Controls of one role, name and place, in the order of the page. Bare numbers
// name days and pages, which stand in no rows.
const equalControls = (R) => {
  const named = R.controls.filter((c) => !c.owner && !c.day && !/^\d{1,2}$/.test(c.name));
  return together(named, (c) => c.name).flatMap((same) => together(same, (c) => [c.role, ...c.path].join('\u0000')));
};

// The groups of what has one key, of those that are more than one.
const together = (list, keyOf) => {
  const groups = new Map();
  for (const c of list) {
    const key = keyOf(c);
    const group = groups.get(key);
    if (group) group.push(c);
    else groups.set(key, [c]);
  }
  return [...groups.values()].filter((g) => g.length > 1);
};

// The largest box around a control that holds no other of its group. They come
// in the order of the page: the ones before and after it speak for all.
const ownBlock = (R, c, before, after) => {
  const holds = (outer, o) => o && (R.trees > 0 ? within(o.el, outer) : contains(outer, o.el));
  let el = c.el, parent = above(el);
  while (parent && !holds(parent, before) && !holds(parent, after)) [el, parent] = [parent, above(parent)];
  return parent && el !== c.el ? { el, parent, order: c.order } : null;
};

const alike = (a, b) => {
  if (localName(a) !== localName(b)) return false;
  const of = classes(a), and = classes(b);
  return of.length === 0 ? and.length === 0 : of.some((k) => and.includes(k));
};

const distinct = (list) => new Set(list).size;

// The label of a box to fill in. Boxes of one make with labels that differ are
// the lines of a form and no rows.
const labelIn = (el) => [...findAll(el, BOX_TO_TYPE + ',select')].map(tiedLabel).find(Boolean) || '';

const ROW_DEPTH = 6; // boxes from a row to a control in it

// Adds to the boxes of a list those of their make beside them that hold a
// control of another name: of those one may follow, one is followed already.
const addOthers = (R, lists) => {
  for (const c of R.controls) {
    if (c.owner) continue;
    let el = c.el;
    for (let up = 0; up < ROW_DEPTH && el; up++) {
      const parent = above(el), list = lists.get(parent);
      if (list && el !== c.el && !R.parts.has(el) && alike(list[0].el, el) && !list.some((b) => b.el === el)) list.push({ el, parent, order: c.order });
      el = parent;
    }
  }
};

const NO_ROWS = new Set(['p', 'span', 'label', 'a', 'b', 'i', 'em', 'strong', 'small']); // parts of a text

// The boxes with a class around an element, itself among them, the inner first.
const madeAround = (R, from) => {
  const out = [];
  for (let el = from; el && out.length < ROW_DEPTH && !R.parts.has(el); el = above(el)) {
    if (attr(el, 'class') && !NO_ROWS.has(localName(el))) out.push(el);
  }
  return out;
};

// Adds lists of boxes of one class with words of their own around links or
// buttons: contacts, results, cards, whose controls have different names. What
// is filled in or ticked makes lines of a form.
const addMadeAlike = (R, lists) => {
  const boxes = new Map();
  for (const c of R.controls) {
    if (c.owner || !['link', 'button'].includes(c.role)) continue;
    for (const el of madeAround(R, c.el)) {
      if (el !== c.el && !boxes.has(el)) boxes.set(el, { el, parent: above(el), make: localName(el) + ' ' + attr(el, 'class'), order: c.order, words: false });
    }
  }
  if (boxes.size < 2) return;
  for (const t of R.texts) {
    if (!/\p{L}{2}/u.test(t.text)) continue; // a count beside a menu's item
    for (const el of madeAround(R, t.el)) if (boxes.has(el)) boxes.get(el).words = true;
  }
  for (const same of together([...boxes.values()], (b) => b.make)) {
    for (const [parent, list] of Map.groupBy(same, (b) => b.parent)) {
      if (!parent || lists.has(parent) || list.length < 2) continue;
      if (list.every((b) => b.words && !find(b.el, BOX_TO_TYPE + ',select,[type=checkbox],[type=radio]'))) lists.set(parent, list);
    }
  }
};

// The lists that stand in equal boxes: the boxes of each, in the order of the page.
const plainLists = (R) => {
  const blocks = new Map();
  for (const group of equalControls(R)) {
    group.forEach((c, i) => {
      const b = ownBlock(R, c, group[i - 1], group[i + 1]);
      if (b && !R.parts.has(b.el) && !blocks.has(b.el)) blocks.set(b.el, b);
    });
  }
  const lists = new Map();
  for (const b of [...blocks.values()].sort((x, y) => x.order - y.order)) {
    const list = lists.get(b.parent);
    if (!list) lists.set(b.parent, [b]);
    else if (alike(list[0].el, b.el)) list.push(b);
  }
  if (lists.size > 0) addOthers(R, lists);
  addMadeAlike(R, lists);
  const inOrder = [...lists.values()].map((list) => list.sort((x, y) => x.order - y.order).map((b) => b.el));
  return inOrder.filter((list) => list.length > 1 && distinct(list.map((el) => raw(textContent(el)))) > 1 &&
    distinct(list.map(labelIn)) === 1);
};

// The rows around a node, the outermost first. What floats above the page is in
// none that it was written into.
const rowsAround = (R, rows, known, n) => {
  if (!n) return [];
  const had = known.get(n);
  if (had) return had;
  const afloat = R.dialogs.has(n) && R.parts.get(n).length === 1;
  const outer = afloat ? [] : rowsAround(R, rows, known, above(n));
  const all = rows.has(n) ? [...outer, rows.get(n)] : outer;
  known.set(n, all);
  return all;
};

// How many parts the path of an element has from what it stands in.
const depthAt = (R, el) => {
  for (let n = el; n; n = above(n)) {
    const path = (n !== el && R.parts.get(n)) || R.parts.get(parentNode(n));
    if (path) return path.length;
  }
  return 0;
};

// Names the rows and numbers them in their lists. A row has words of its own: a
// heading, else the first ones beside its controls, else a link, or it is a
// control itself. Boxes without are groups of buttons.
const nameRows = (R, lists, rows, known) => {
  const own = new Map(R.controls.map((c) => [c.el, c.name]));
  for (const t of R.texts) {
    const row = t.field ? null : rowsAround(R, rows, known, t.el).at(-1);
    if (row && !row.name) row.name = t.text;
  }
  for (const list of lists) {
    for (const el of list) {
      const row = rows.get(el);
      const link = find(el, 'a[href]');
      row.name = headingIn(el) || row.name || (link ? squash(wordsOf(link)) : '') || own.get(el);
    }
    const named = list.map((el) => rows.get(el)).filter((row) => row.name);
    if (named.length < 2) continue;
    const part = listPart(R, 'list');
    named.forEach((row, i) => { row.parts = [part, labelled('listitem', row.name) + ' #' + (i + 1)]; });
  }
};

const insertRows = (path, rows) => {
  let out = path, more = 0;
  for (const { parts, depth } of rows) {
    if (!parts) continue;
    out = [...out.slice(0, depth + more), ...parts, ...out.slice(depth + more)];
    more += parts.length;
  }
  while (out.length > MAX.path) out = [out[0], ...out.slice(2)];
  return out;
};

// Gives what stands in such rows its place in them.
const placeInRows = (R) => {
  const lists = plainLists(R);
  if (lists.length === 0) return;
  const rows = new Map(), known = new Map();
  for (const list of lists) for (const el of list) rows.set(el, { name: '', parts: null, depth: depthAt(R, el) });
  nameRows(R, lists, rows, known);
  for (const item of [...R.controls, ...R.texts, ...R.frames]) {
    const around = rowsAround(R, rows, known, item.owner ? item.owner.el : item.el);
    if (around.length > 0) item.path = insertRows(item.path, around);
  }
};
