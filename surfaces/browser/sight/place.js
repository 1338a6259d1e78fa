// Where a control is pressed, and whether something lies over it.

// The point of a control that is pressed and tested: the middle of its box, or
// of the widest line of words that wrap.
const middle = (el) => {
  let r = box(el);
  const lines = boxes(el);
  if (lines.length > 1 && styleOf(el).display === 'inline') {
    for (const l of lines) if (l.width > 0 && (r === null || l.width * l.height > 0)) { r = l; break; }
    for (const l of lines) if (l.width * l.height > r.width * r.height) r = l;
  }
  return { x: r.left + r.width / 2, y: r.top + r.height / 2 };
};

const deepAt = (x, y) => {
  let el = at(x, y);
  for (let root = el && shadowOf(el); root; root = shadowOf(el)) {
    const inner = root.elementFromPoint(x, y);
    if (!inner || inner === el) break;
    el = inner;
  }
  return el;
};

// Whether hit belongs to the control el: itself, inside it, or its label.
const belongs = (el, hit) => {
  for (let n = hit; n; n = parentElement(n) || (n.getRootNode() instanceof ShadowRoot ? n.getRootNode().host : null)) {
    if (n === el) return true;
    if (localName(n) === 'label') {
      const control = getter(HTMLLabelElement, 'control')(n);
      if (control && control === el) return true;
    }
  }
  return localName(el) === 'label' && hit === getter(HTMLLabelElement, 'control')(el);
};

const CARD = 'li,article,[role=listitem],[role=row],[role=article]';
const DIALOG = 'dialog,[role=dialog],[role=alertdialog],[aria-modal=true]';

// Under words or pictures of its own card, which press through to it.
const inOwnCard = (el, hit, p) => {
  const card = closest(el, CARD);
  if (!card || !hit || !contains(card, hit) || closest(el, DIALOG) !== closest(hit, DIALOG)) return false;
  return allAt(p.x, p.y).includes(el);
};

// Whether a scrolling or clipping ancestor hides the point.
const clipped = (el, p) => {
  let fixed = styleOf(el).position === 'fixed';
  for (let n = parentElement(el); n && !fixed; n = parentElement(n)) {
    const cs = styleOf(n);
    if (cs.overflowX !== 'visible' && n !== bodyOf() && n !== rootOf()) {
      const r = box(n);
      if (p.x < r.left || p.x > r.right || p.y < r.top || p.y > r.bottom) return true;
    }
    fixed = cs.position === 'fixed';
  }
  return false;
};

const whereIs = (R, el) => {
  const p = middle(el);
  if (p.x < 0 || p.y < 0 || p.x >= R.width || p.y >= R.height) return 'offscreen';
  const hit = deepAt(p.x, p.y);
  if (hit && (belongs(el, hit) || inOwnCard(el, hit, p))) return '';
  return clipped(el, p) ? 'offscreen' : 'covered';
};
