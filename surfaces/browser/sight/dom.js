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
  elements: 30000, raw: 10000, cells: 1000 };
const UNREAD = 'The rest of this page was not read: it is too long.';
const NEAR = { left: 200, above: 40, right: 40 }; // px
const DIALOG_SHARE = 0.3; // of the window, from which a fixed layer is a dialog
const CALENDAR_CELLS = 28;

const getter = (type, name) => {
  const get = Object.getOwnPropertyDescriptor(type.prototype, name).get;
  return (n) => get.call(n);
};
const method = (type, name) => {
  const call = type.prototype[name];
  return (n, ...args) => call.apply(n, args);
};
const firstChild = getter(Node, 'firstChild');
const nextSibling = getter(Node, 'nextSibling');
const parentElement = getter(Node, 'parentElement');
const nodeType = getter(Node, 'nodeType');
const textContent = getter(Node, 'textContent');
const isConnected = getter(Node, 'isConnected');
const contains = method(Node, 'contains');
const localName = getter(Element, 'localName');
const previousElement = getter(Element, 'previousElementSibling');
const attr = method(Element, 'getAttribute');
const hasAttr = method(Element, 'hasAttribute');
const setAttr = method(Element, 'setAttribute');
const closest = method(Element, 'closest');
const matches = method(Element, 'matches');
const find = method(Element, 'querySelector');
const findAll = method(Element, 'querySelectorAll');
const box = method(Element, 'getBoundingClientRect');
const boxes = method(Element, 'getClientRects');
const shadowOf = getter(Element, 'shadowRoot');
const childCount = getter(Element, 'childElementCount');
const bodyOf = () => getter(Document, 'body')(document);
const rootOf = () => getter(Document, 'documentElement')(document);
const activeIn = getter(Document, 'activeElement');
const findInPage = (selector) => method(Document, 'querySelectorAll')(document, selector);
const byId = (id) => method(Document, 'getElementById')(document, id);
const at = (x, y) => method(Document, 'elementFromPoint')(document, x, y);
const allAt = (x, y) => method(Document, 'elementsFromPoint')(document, x, y);
const styleOf = (el) => getComputedStyle(el);
const inputType = (el) => (localName(el) === 'input' ? getter(HTMLInputElement, 'type')(el) : '');
const inputValue = (el) => {
  switch (localName(el)) {
    case 'input': return getter(HTMLInputElement, 'value')(el);
    case 'textarea': return getter(HTMLTextAreaElement, 'value')(el);
    default: return '';
  }
};

// A page may hold megabytes in one text: nothing is looked at beyond MAX.raw
// characters of it, which is far more than any limit shows.
const squash = (s) => raw(String(s || '')).replace(/[\s\u00a0\u200b\u2060\ufeff]+/g, ' ').trim();
const cut = (s, n) => (s.length > n ? s.slice(0, n).replace(/[\ud800-\udbff]$/, '') : s);
const raw = (s) => cut(s, MAX.raw);
const wordy = (s) => /[\p{L}\p{N}]/u.test(s);
const fold = (s) => squash(s).toLowerCase();

// The text content of a node, as far as it is looked at.
const textOf = (node) => {
  if (nodeType(node) === 3) return raw(textContent(node));
  let s = '';
  for (let n = firstChild(node); n && s.length < MAX.raw; n = nextSibling(n)) {
    if (nodeType(n) === 1 || nodeType(n) === 3) s += textOf(n);
  }
  return s;
};
