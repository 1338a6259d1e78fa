// Marks: how a control is found again.
// A number is given once in a page and belongs to one element for its life.
// The mark makes it visible to selectors; these two make a copied or moved
// mark worthless.
const numberOf = new WeakMap();
const elementOf = new Map();
let lastMark = 0;

const raiseMarks = (floor) => {
  if (lastMark > 0) {
    lastMark = Math.max(lastMark, floor);
    return;
  }
  // A new world on a page that was read before: never give a number again
  // that an element now gone may have had.
  let highest = 0;
  for (const el of findInPage('[' + MARK + ']')) {
    const n = Number(attr(el, MARK));
    if (Number.isSafeInteger(n) && n > highest && n < 1e9) highest = n;
  }
  lastMark = Math.max(floor, highest > 0 ? highest + 1000 : 0);
};

const mark = (el) => {
  const known = numberOf.get(el);
  if (known !== undefined && attr(el, MARK) === String(known)) return known;
  let n = known;
  if (n === undefined) {
    const worn = Number(attr(el, MARK) || NaN);
    const free = Number.isSafeInteger(worn) && worn > 0 && worn <= lastMark && !elementOf.has(worn);
    n = free ? worn : ++lastMark;
    numberOf.set(el, n);
    elementOf.set(n, new WeakRef(el));
  }
  setAttr(el, MARK, String(n));
  return n;
};

// The element a number belongs to, or null: gone, or worn by more than one.
const marked = (n) => {
  const worn = findInPage('[' + MARK + '="' + n + '"]');
  if (worn.length !== 1) return null;
  const ref = elementOf.get(n);
  return ref && ref.deref() === worn[0] ? worn[0] : null;
};
