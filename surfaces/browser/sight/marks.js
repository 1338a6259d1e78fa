// Marks: how a control is found again.
// A number is given once in a page and belongs to one element for its life.
// The mark makes it visible to selectors; these two make a copied or moved
// mark worthless.
const numberOf = new WeakMap();
const elementOf = new Map();
let lastMark = 0;
let given = 0; // in worlds before this one, at most
let kept = 0; // numbers left when they were looked through last

const raiseMarks = (floor) => {
  if (lastMark > 0) {
    lastMark = Math.max(lastMark, floor);
    return;
  }
  // A new world on a page that was read before: never give a number again
  // that an element now gone may have had.
  let highest = 0;
  for (const root of rootsFrom(document)) {
    for (const el of findIn(root, '[' + MARK + ']')) {
      const n = Number(attr(el, MARK));
      if (Number.isSafeInteger(n) && n > highest && n < 1e9) highest = n;
    }
  }
  given = lastMark = Math.max(floor, highest > 0 ? highest + 1000 : 0);
};

// Forgets the numbers of elements that are gone for good: a page that draws itself
// anew has thousands of them. Nobody else gets one, since this world takes over
// only what an earlier one gave.
const forgetMarks = () => {
  if (elementOf.size < 2 * kept + 1000) return;
  for (const [n, ref] of elementOf) if (n > given && !ref.deref()) elementOf.delete(n);
  kept = elementOf.size;
};

const mark = (el) => {
  const known = numberOf.get(el);
  if (known !== undefined && attr(el, MARK) === String(known)) return known;
  let n = known;
  if (n === undefined) {
    const worn = Number(attr(el, MARK) || NaN);
    const free = Number.isSafeInteger(worn) && worn > 0 && worn <= given && !elementOf.has(worn);
    n = free ? worn : ++lastMark;
    numberOf.set(el, n);
    elementOf.set(n, new WeakRef(el));
  }
  setAttr(el, MARK, String(n));
  return n;
};

// The element a number belongs to, or null: gone, or worn by another one too. A
// copy is looked for wherever the page can be looked into; one in a shadow root
// nobody can look into is found by its own root.
const marked = (n) => {
  const ref = elementOf.get(n);
  const el = ref && ref.deref();
  if (!el || !isConnected(el) || attr(el, MARK) !== String(n)) return null;
  const selector = '[' + MARK + '="' + n + '"]';
  const roots = new Set(rootsFrom(document)).add(rootNode(el));
  for (const root of roots) {
    for (const worn of findIn(root, selector)) if (worn !== el) return null;
  }
  return el;
};
