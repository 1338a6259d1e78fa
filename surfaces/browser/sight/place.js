// Where a control is pressed, and whether something lies over it.

// The first words of an item, which stand above the items within it.
const wordsAtHead = (el) => {
  for (let n = firstChild(el); n; n = nextSibling(n)) {
    if (!wordy(nodeType(n) === 1 || nodeType(n) === 3 ? textOf(n) : '')) continue;
    if (nodeType(n) === 3) return wordsBox(n);
    if (!matches(n, 'ul,ol,[role=group]')) return box(n);
  }
  return null;
};

const wordsBox = (text) => {
  const range = document.createRange();
  range.selectNodeContents(text);
  return shifted(range.getBoundingClientRect(), shiftOf(ownerDocument(text)));
};

// Whether a box holds items of its own below its words.
const holdsItems = (el) => attr(el, 'role') === 'treeitem' || (localName(el) === 'li' && find(el, ':scope > ul,:scope > ol') !== null);

// The point of a control that is pressed and tested: the middle of its box, of
// the widest line of words that wrap, or of the words of an item, whose box may
// be as wide as the tree or menu and hold the items within it.
const middle = (el, whole = box(el)) => {
  let r = whole;
  if (holdsItems(el)) {
    const head = wordsAtHead(el);
    if (head && head.width > 0 && head.height > 0) r = head;
  }
  const lines = boxes(el);
  if (lines.length > 1 && styleOf(el).display === 'inline') {
    for (const l of lines) if (l.width > 0 && (r === null || l.width * l.height > 0)) { r = l; break; }
    for (const l of lines) if (l.width * l.height > r.width * r.height) r = l;
  }
  return { x: r.left + r.width / 2, y: r.top + r.height / 2 };
};

const inRoot = (look, root, x, y) => {
  const at = shiftOf(isDocument(root) ? root : ownerDocument(root));
  return at ? look(root, x - at.x, y - at.y) : look(root, x, y);
};

// The roots that hold el, by their hosts: nobody else may look into a closed one.
const rootsAround = (el) => {
  const known = new Map();
  for (let n = el; n; n = above(n)) {
    const root = rootNode(n);
    if (isShadow(root)) known.set(hostOf(root), root);
  }
  return known;
};

// What is on top at a point, looked for through open shadow roots and frames,
// and through the roots that hold el.
const deepAt = (x, y, el = null) => {
  const known = rootsAround(el);
  let hit = inRoot(topAt, document, x, y);
  for (let up = 0; hit && up < MAX.deep; up++) {
    const inner = documentIn(hit) || shadowOf(hit) || known.get(hit);
    const next = inner ? inRoot(topAt, inner, x, y) : null;
    if (!next || next === hit) break;
    hit = next;
  }
  return hit;
};

// What has the focus, looked for in the same way.
const deepActive = (el = null) => {
  const known = rootsAround(el);
  let active = activeIn(document);
  for (let up = 0; active && up < MAX.deep; up++) {
    const inner = documentIn(active) || shadowOf(active) || known.get(active);
    const next = inner && activeIn(inner);
    if (!next) break;
    active = next;
  }
  return active;
};

const controlOfLabel = getter(HTMLLabelElement, 'control');
const controlOf = (label) => (isHTML(label) ? controlOfLabel(label) : null);

// Whether hit belongs to the control el: itself, inside it, or its label.
const belongs = (el, hit) => {
  for (let n = hit; n; n = above(n)) {
    if (n === el) return true;
    if (localName(n) === 'label' && controlOf(n) === el) return true;
  }
  return localName(el) === 'label' && hit === controlOf(el);
};

// Whether hit is all that is told outside of a closed shadow root that el is in.
const shutAround = (el, hit) => {
  for (let n = el; n; n = above(n)) {
    const root = rootNode(n);
    if (isShadow(root) && hostOf(root) === hit && shadowOf(hit) === null) return true;
  }
  return false;
};

const CARD = 'li,article,[role=listitem],[role=row],[role=article]';
const DIALOG = 'dialog,[role=dialog],[role=alertdialog],[aria-modal=true]';

// Under words or pictures of its own card, which press through to it.
const inOwnCard = (el, hit, p) => {
  const card = closest(el, CARD);
  if (!card || !hit || !within(hit, card) || closest(el, DIALOG) !== closest(hit, DIALOG)) return false;
  return [...inRoot(stackAt, rootNode(el), p.x, p.y)].includes(el);
};

// Whether a scrolling or clipping ancestor, or the frame around, hides the point.
const clipped = (el, p) => {
  let fixed = styleOf(el).position === 'fixed';
  for (let n = above(el); n; n = above(n)) {
    const frame = documentIn(n) !== null;
    if (fixed && !frame) continue;
    const cs = styleOf(n);
    if (frame || cs.overflowX !== 'visible' && parentElement(n) !== null && localName(n) !== 'body') {
      const r = box(n);
      if (p.x < r.left || p.x > r.right || p.y < r.top || p.y > r.bottom) return true;
    }
    fixed = cs.position === 'fixed';
  }
  return false;
};

const whereIs = (R, el, r) => {
  if (r.bottom < 0 || r.right < 0 || r.top >= R.height || r.left >= R.width) return 'offscreen';
  const p = middle(el, r);
  if (p.x < 0 || p.y < 0 || p.x >= R.width || p.y >= R.height) return 'offscreen';
  const hit = deepAt(p.x, p.y);
  if (hit && (belongs(el, hit) || inOwnCard(el, hit, p))) return '';
  return clipped(el, p) ? 'offscreen' : 'covered';
};
