// Where on the page a picture could show what must not be seen: the texts that
// are drawn with their boxes, for our side to judge, and what cannot be looked
// into. Runs after the reading in the same world and changes nothing.
(() => {
  'use strict';
  const { verbs, lib } = globalThis.desk;
  const { getter, localName, parentElement, box, textContent, shadowOf, bodyOf, inputType, inputValue } = lib;
  const MAX = { elements: 20000, bytes: 2000000, ancestor: 4000 };
  const UP = 2; // how far up a text split over elements is put together
  const CLOSED = new Set(['iframe', 'frame', 'object', 'embed', 'fencedframe', 'portal']);
  const NEVER_DRAWN = new Set(['script', 'style', 'noscript', 'template', 'head', 'title', 'meta', 'link', 'datalist']);

  const firstChild = getter(Node, 'firstChild');
  const nextSibling = getter(Node, 'nextSibling');
  const nodeType = getter(Node, 'nodeType');
  const nodeText = getter(CharacterData, 'data');
  const options = getter(HTMLSelectElement, 'selectedOptions');

  const fieldText = (el) => {
    const tag = localName(el);
    if (tag === 'input' || tag === 'textarea') return inputValue(el);
    if (tag === 'select') return Array.from(options(el), (o) => textContent(o)).join(' ');
    return '';
  };

  const ownText = (el) => {
    for (let n = firstChild(el); n; n = nextSibling(n)) {
      if (nodeType(n) === Node.TEXT_NODE && nodeText(n).trim()) return true;
    }
    return false;
  };

  const rect = (el) => {
    const r = box(el);
    return { x: r.left, y: r.top, w: r.width, h: r.height };
  };
  const seen = (r) => r.w > 0 && r.h > 0 && r.x < innerWidth && r.y < innerHeight && r.x + r.w > 0 && r.y + r.h > 0;

  verbs.shade = () => {
    const out = { width: innerWidth, height: innerHeight, zoom: visualViewport ? visualViewport.scale : 1, whole: true, pieces: [], closed: [], secret: [] };
    const index = new Map();
    let elements = 0;
    let bytes = 0;

    const piece = (el, text, r) => {
      const known = index.get(el);
      if (known !== undefined) return known;
      bytes += text.length;
      index.set(el, out.pieces.length);
      out.pieces.push({ text, up: -1, ...r });
      return out.pieces.length - 1;
    };

    const withAncestors = (el, text, r) => {
      let at = piece(el, text, r);
      let n = parentElement(el);
      for (let i = 0; i < UP && n && n !== bodyOf(); i++, n = parentElement(n)) {
        const joined = textContent(n);
        if (joined.length > MAX.ancestor) return;
        const up = piece(n, joined, rect(n));
        if (out.pieces[at].up < 0) out.pieces[at].up = up;
        at = up;
      }
    };

    const walk = (root) => {
      for (let n = firstChild(root); n && out.whole; n = nextSibling(n)) {
        if (nodeType(n) !== Node.ELEMENT_NODE || NEVER_DRAWN.has(localName(n))) continue;
        if (++elements > MAX.elements || bytes > MAX.bytes) {
          out.whole = false;
          return;
        }
        const r = rect(n);
        if (CLOSED.has(localName(n))) {
          if (seen(r)) out.closed.push(r);
          continue;
        }
        if (localName(n) === 'input' && inputType(n) === 'password' && seen(r)) out.secret.push(r);
        const value = fieldText(n);
        if (value && seen(r)) piece(n, value, r);
        else if (ownText(n) && seen(r)) withAncestors(n, textContent(n), r);
        const shadow = shadowOf(n);
        if (shadow) walk(shadow);
        walk(n);
      }
    };

    const body = bodyOf();
    if (body) {
      if (ownText(body)) piece(body, textContent(body), rect(body));
      walk(body);
    }
    return out;
  };
})();
