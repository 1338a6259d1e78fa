// Runs in the page's own world, where alone a framework's press handlers can be
// seen: React keeps them in the props it hangs on an element, Preact in a list of
// its own. The page may make of this what it likes; the answer is a hint, and can
// add candidates, nothing else. It gives pairs of numbers: which root (the page's
// own first, then each shadow root and frame as it is met), and which element in it.
(() => {
  const MAX = { roots: 2000, pairs: 10000 };
  const calls = (o, name) => Boolean(o) && typeof o[name] === 'function';
  const pressed = (el) => {
    if (typeof el.onclick === 'function') return true;
    for (const key of Object.keys(el)) {
      if (key.startsWith('__reactProps$') || key.startsWith('__reactEventHandlers$')) {
        if (calls(el[key], 'onClick') || calls(el[key], 'onPress')) return true;
      } else if (key === 'l' || key === '_listeners') {
        if (el[key] && Object.keys(el[key]).some((k) => /^click/i.test(k))) return true;
      }
    }
    return false;
  };
  const out = [];
  const roots = [document];
  for (let i = 0; i < roots.length; i++) {
    let n = 0;
    for (const el of roots[i].querySelectorAll('*')) {
      const inner = el.shadowRoot || (el.localName === 'iframe' || el.localName === 'frame' ? el.contentDocument : null);
      if (inner && roots.length < MAX.roots) roots.push(inner);
      if (out.length < 2 * MAX.pairs && pressed(el)) out.push(i, n);
      n++;
    }
  }
  return out;
})();
