// What a person sees of a page, read in a world of our own: one walk over what
// is drawn gives the controls, their names, the containers they stand in and the
// words between them. It changes nothing of the page but the marks by which a
// control is found again. The files of this folder are put together into one
// function; this one is the first.
//
// A page can hide any property of a form or of the document behind an element
// of that name, so what matters is called through the prototypes, which are this
// world's own.
const MARK = 'data-desk-seen';
const MAX = { controls: 800, texts: 400, labels: 3000, name: 120, text: 160, context: 60, choices: 60, value: 2000, path: 12, address: 4096,
  elements: 60000, deep: 400, roots: 2000, frames: 40, raw: 10000, cells: 1000 };
const UNREAD = 'The rest of this page was not read: it is too long.';
const NEAR = { left: 200, above: 40, right: 40 }; // px
const DIALOG_SHARE = 0.3; // of the window, from which a fixed layer is a dialog
const CALENDAR_CELLS = 28;
const HANDLER_SHARE = 0.25; // of the window, from which a framework's press handler is no control
const SHUT_SHARE = 0.2; // of the window, from which what cannot be read matters
const SAME_BOX = 0.6; // intersection over union of two boxes that are one thing seen
const CANVAS_SIDE = 16; // px

const getter = (type, name) => {
  const get = Object.getOwnPropertyDescriptor(type.prototype, name).get;
  return Function.prototype.call.bind(get);
};
const method = (type, name) => {
  return Function.prototype.call.bind(type.prototype[name]);
};
const firstChild = getter(Node, 'firstChild');
const nextSibling = getter(Node, 'nextSibling');
const parentElement = getter(Node, 'parentElement');
const parentNode = getter(Node, 'parentNode');
const ownerDocument = getter(Node, 'ownerDocument');
const rootNode = method(Node, 'getRootNode');
const nodeType = getter(Node, 'nodeType');
const textContent = getter(Node, 'textContent');
const isConnected = getter(Node, 'isConnected');
const contains = method(Node, 'contains');
const localName = getter(Element, 'localName');
const namespaceOf = getter(Element, 'namespaceURI');
const previousElement = getter(Element, 'previousElementSibling');
const attr = method(Element, 'getAttribute');
const hasAttr = method(Element, 'hasAttribute');
const hasAttrs = method(Element, 'hasAttributes');
const setAttr = method(Element, 'setAttribute');
const checkVisibility = method(Element, 'checkVisibility');
const closest = method(Element, 'closest');
const matches = method(Element, 'matches');
const find = method(Element, 'querySelector');
const findAll = method(Element, 'querySelectorAll');
const shadowOf = getter(Element, 'shadowRoot');
const childCount = getter(Element, 'childElementCount');
const borderLeft = getter(Element, 'clientLeft');
const borderTop = getter(Element, 'clientTop');
const hostOf = getter(ShadowRoot, 'host');
const slotOf = getter(Element, 'assignedSlot');
const assigned = method(HTMLSlotElement, 'assignedNodes');
const frameWithin = { iframe: getter(HTMLIFrameElement, 'contentDocument'), frame: getter(HTMLFrameElement, 'contentDocument') };
const viewOf = getter(Document, 'defaultView');
const bodyIn = getter(Document, 'body');
const bodyOf = () => bodyIn(document);
const rootOf = () => getter(Document, 'documentElement')(document);
const titleOfPage = () => cut(squash(getter(Document, 'title')(document)), 300);
const isHTML = (el) => namespaceOf(el) === 'http://www.w3.org/1999/xhtml';
const styleOf = (el) => getComputedStyle(el);

// A root is a document or a shadow root: what ids and selectors reach into.
const isDocument = (root) => nodeType(root) === 9;
const isShadow = (root) => nodeType(root) === 11 && isConnected(root);
const either = (name) => {
  const inDocument = method(Document, name);
  const inFragment = method(name === 'elementFromPoint' || name === 'elementsFromPoint' ? ShadowRoot : DocumentFragment, name);
  return (root, ...args) => (isDocument(root) ? inDocument : inFragment)(root, ...args);
};
const findIn = either('querySelectorAll');
const idIn = either('getElementById');
const topAt = either('elementFromPoint');
const stackAt = either('elementsFromPoint');
const activeInDocument = getter(Document, 'activeElement');
const activeInShadow = getter(ShadowRoot, 'activeElement');
const activeIn = (root) => (isDocument(root) ? activeInDocument : activeInShadow)(root);
const findInPage = (selector) => findIn(document, selector);
const byId = (el, id) => idIn(rootNode(el), id);

// The document a frame shows, when it is of this page's own origin; else null,
// also where two sites agreed to be one by their domain: their addresses are
// judged apart.
const documentIn = (el) => {
  const read = frameWithin[localName(el)];
  const doc = read ? read(el) : null;
  return doc && viewOf(doc) && viewOf(doc).origin === self.origin ? doc : null;
};

// The frame element that shows a document; null for the window's own.
const frameOf = (doc) => {
  const view = doc === document ? null : viewOf(doc);
  return view ? view.frameElement : null;
};

// What an element stands in as it is drawn: its slot, its parent, the host of
// its shadow root, the frame of its document.
const above = (el) => {
  const slot = slotOf(el);
  if (slot) return slot;
  const parent = parentNode(el);
  if (!parent) return null;
  switch (nodeType(parent)) {
    case 1: return parent;
    case 9: return frameOf(parent);
    default: return isShadow(parent) ? hostOf(parent) : null;
  }
};

// Whether an element is another one or is drawn inside it.
const within = (el, outer) => {
  for (let n = el; n; n = above(n)) if (n === outer) return true;
  return false;
};

// How far a document of a frame is shifted in the window. While a page is read
// nothing moves, so it is worked out once for each.
let shifts = null;
const shiftOf = (doc) => {
  if (doc === document) return null;
  if (shifts && shifts.has(doc)) return shifts.get(doc);
  const frame = frameOf(doc);
  let at = { x: 0, y: 0 };
  if (frame) {
    const r = box(frame);
    const cs = styleOf(frame);
    at = { x: r.left + borderLeft(frame) + parseFloat(cs.paddingLeft), y: r.top + borderTop(frame) + parseFloat(cs.paddingTop) };
  }
  if (shifts) shifts.set(doc, at);
  return at;
};
const shifted = (r, at) => (at ? new DOMRect(r.x + at.x, r.y + at.y, r.width, r.height) : r);

// Boxes are those of the window, whatever frame an element is in.
const ownBox = method(Element, 'getBoundingClientRect');
const ownBoxes = method(Element, 'getClientRects');
const box = (el) => shifted(ownBox(el), shiftOf(ownerDocument(el)));
const boxes = (el) => {
  const at = shiftOf(ownerDocument(el));
  const all = ownBoxes(el);
  return at ? Array.from(all, (r) => shifted(r, at)) : all;
};

const typeOfInput = getter(HTMLInputElement, 'type');
const valueOfInput = getter(HTMLInputElement, 'value');
const valueOfTextarea = getter(HTMLTextAreaElement, 'value');
const typeOfButton = getter(HTMLButtonElement, 'type');
const inputReadOnly = getter(HTMLInputElement, 'readOnly');
const textareaReadOnly = getter(HTMLTextAreaElement, 'readOnly');
const isChosen = getter(HTMLOptionElement, 'selected');
const labelOfOption = getter(HTMLOptionElement, 'label');
const valueOfOption = getter(HTMLOptionElement, 'value');
const optionsOf = getter(HTMLSelectElement, 'options');
const chosenOptions = getter(HTMLSelectElement, 'selectedOptions');
const formMethod = getter(HTMLFormElement, 'method');
const formAction = getter(HTMLFormElement, 'action');
const innerText = getter(HTMLElement, 'innerText');
const inputType = (el) => (localName(el) === 'input' && isHTML(el) ? typeOfInput(el) : '');
const inputValue = (el) => {
  if (!isHTML(el)) return '';
  switch (localName(el)) {
    case 'input': return valueOfInput(el);
    case 'textarea': return valueOfTextarea(el);
    default: return '';
  }
};

// Every root that can be looked into, from one on: the page's own first, then
// what stands in it, in the order of the page.
const rootsFrom = (first) => {
  const all = [first];
  for (let i = 0; i < all.length && all.length < MAX.roots; i++) {
    for (const el of findIn(all[i], '*')) {
      const inner = shadowOf(el) || documentIn(el);
      if (inner && all.length < MAX.roots) all.push(inner);
    }
  }
  return all;
};

// A page may hold megabytes in one text: nothing is looked at beyond MAX.raw
// characters of it, which is far more than any limit shows.
const UNEVEN = /[^\S ]|[\u200b\u2060]|  |^ | $/; // most words need nothing done
const squash = (s) => (s ? even(raw(String(s))) : '');
const even = (s) => (UNEVEN.test(s) ? s.replace(/[\s\u00a0\u200b\u2060\ufeff]+/g, ' ').trim() : s);
const cut = (s, n) => (s.length > n ? s.slice(0, n).replace(/[\ud800-\udbff]$/, '') : s);
const raw = (s) => cut(s, MAX.raw);
const wordy = (s) => /[\p{L}\p{N}]/u.test(s);
const fold = (s) => squash(s).toLowerCase();

// The text content of a node, as far as it is looked at.
const textOf = (node, deep = 0) => {
  if (nodeType(node) === 3) return raw(textContent(node));
  let s = '';
  if (deep > MAX.deep) return s;
  for (let n = firstChild(node); n && s.length < MAX.raw; n = nextSibling(n)) {
    if (nodeType(n) === 1 || nodeType(n) === 3) s += textOf(n, deep + 1);
  }
  return s;
};
