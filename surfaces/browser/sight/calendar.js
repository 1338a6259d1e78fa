// Calendars: which day a cell is.
const MONTHS = ['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October', 'November',
  'December'];
const monthNames = () => {
  const names = MONTHS.map((m) => [m.toLowerCase(), m.slice(0, 3).toLowerCase()]);
  const lang = attr(rootOf(), 'lang');
  try {
    for (const month of lang ? ['long', 'short'] : []) {
      const f = new Intl.DateTimeFormat(lang, { month, timeZone: 'UTC' });
      names.forEach((n, i) => n.push(f.format(new Date(Date.UTC(2026, i, 15))).toLowerCase().replace(/\.$/, '')));
    }
  } catch { /* a language nobody knows: English names remain */ }
  return names;
};
const monthIn = (text, names) => {
  const words = fold(text).split(/[^\p{L}]+/u);
  return names.findIndex((n) => n.some((name) => words.includes(name)));
};

// The months a title names, in its order: "December 2026 – January 2027" names
// two, each with its year. Empty without a year.
const monthsOf = (text, names) => {
  const words = fold(text).split(/[^\p{L}\p{N}]+/u);
  const years = words.filter((w) => /^(19|20)\d\d$/.test(w)).map(Number);
  const months = words.map((w) => names.findIndex((n) => n.includes(w))).filter((m, i, all) => m >= 0 && m !== all[i - 1]);
  const distinct = months.filter((m, i) => months.indexOf(m) === i);
  const inNumbers = words.filter(Boolean);
  if (distinct.length === 0 && years.length === 1 && inNumbers.length === 2) {
    const month = inNumbers.map(Number).find((n) => n >= 1 && n <= 12);
    return month ? [{ month: month - 1, year: years[0] }] : []; // "07/2026" and no more
  }
  if (years.length === 0 || distinct.length === 0) return [];
  const last = years[years.length - 1];
  const first = distinct.length > 1 && years.length === 1 && distinct[0] > distinct[1] ? last - 1 : years[0];
  return distinct.map((month, i) => ({ month, year: i === 0 ? first : last }));
};

// What a title shows: its words, and what the lists and boxes in it stand at.
const SET_HEADS = 'select,input';
const titleText = (el) => {
  const own = matches(el, SET_HEADS);
  const sets = own ? [el] : [...findAll(el, SET_HEADS)];
  if (sets.length === 0) return squash(textOf(el));
  const at = (f) => (localName(f) === 'select' ? [...chosenOptions(f)].map(labelOfOption).join(' ') : inputValue(f));
  return squash([own ? '' : wordsOf(el), ...sets.slice(0, 4).map(at)].join(' '));
};

const titled = (el, limit, names) => {
  const t = titleText(el);
  return t.length <= limit ? monthsOf(t, names) : [];
};

// The title over a block of days: its own label or heading, or a short text just
// before it or before one of its five nearest ancestors.
const titleOf = (block, names) => {
  const own = monthsOf(attr(block, 'aria-label') || referred(block, 'aria-labelledby'), names);
  if (own.length > 0) return { months: own, scope: parentElement(block) || block };
  for (const el of findAll(block, 'caption,thead,th,[role=heading],[role=columnheader]')) {
    const months = titled(el, 80, names);
    if (months.length > 0) return { months, scope: block };
  }
  let el = block;
  for (let up = 0; el && up <= 5; up++, el = parentElement(el)) {
    const scope = parentElement(el) || el;
    let sets = '';
    let sibling = previousElement(el);
    for (let back = 0; sibling && back < 4; back++, sibling = previousElement(sibling)) {
      const months = titled(sibling, 60, names);
      if (months.length > 0) return { months, scope };
      if (matches(sibling, SET_HEADS)) sets = titleText(sibling) + ' ' + sets;
    }
    const months = monthsOf(sets, names); // a list of months beside a list of years
    if (months.length > 0) return { months, scope };
  }
  return null;
};

const childrenOf = getter(Element, 'children');

// Whether an element is made like a month without a table: its days side by
// side, or in four to six rows with perhaps a row of headings.
const mayHoldDays = (el) => {
  const n = childCount(el);
  if (n >= CALENDAR_CELLS && n <= 62) return true;
  return n >= 4 && n <= 8 && cellsOf(el).length >= CALENDAR_CELLS;
};

const cellsOf = (el) => {
  if (localName(el) === 'table' || roleAttr(el) === 'grid') {
    const all = findAll(el, 'td,[role=gridcell]');
    return all.length > MAX.cells ? [] : [...all].filter((c) => !find(c, 'td,[role=gridcell]'));
  }
  if (childCount(el) >= CALENDAR_CELLS) return [...childrenOf(el)];
  const rows = [...childrenOf(el)];
  return rows.every((r) => childCount(r) <= 8) ? rows.flatMap((r) => [...childrenOf(r)]) : [];
};

// The number of a day a cell starts with; a fare may follow.
const dayIn = (cell) => {
  let n = cell;
  for (let up = 0; n && nodeType(n) === 1 && up < 12; up++) {
    n = firstChild(n);
    while (n && !(nodeType(n) === 1 ? wordy(textOf(n)) : nodeType(n) === 3 && wordy(textOf(n)))) n = nextSibling(n);
  }
  const starts = (text) => /^(\d{1,2})(?!\d)/.exec(squash(text));
  const m = starts(textOf(cell)) || (n && starts(textOf(n)));
  return m ? Number(m[1]) : 0;
};

// The cells of the column of week numbers.
const weeksOf = (cells) => {
  const weeks = new Set(cells.filter((c) => classes(c).some((k) => /week-?(number|no|num)|^wn$/i.test(k))));
  const rows = new Map();
  for (const c of cells) {
    const row = closest(c, 'tr,[role=row]') || parentElement(c);
    rows.set(row, [...(rows.get(row) || []), c]);
  }
  for (const list of rows.values()) if (list.length === 8) weeks.add(list[0]);
  return weeks;
};

// Dates the cells of a month; null when they do not run from 1 to its end.
const datesOf = (cells, weeks, { month, year }) => {
  const days = [];
  for (const cell of cells) {
    const day = weeks.has(cell) ? 0 : dayIn(cell);
    if (day > 0) days.push({ cell, day });
  }
  const last = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  const first = days.findIndex((d, i) => d.day === 1 && days.slice(i, i + last).length === last &&
    days.slice(i, i + last).every((x, k) => x.day === k + 1));
  if (first < 0) return null;
  const dated = new Map();
  days.forEach((d, i) => {
    const date = new Date(Date.UTC(year, month, 1 + i - first));
    if (date.getUTCDate() === d.day) dated.set(d.cell, { day: d.day, date: d.day + ' ' + MONTHS[date.getUTCMonth()] + ' ' + date.getUTCFullYear() });
  });
  return dated;
};

// The calendar a block of days is part of: the block alone under its title, or
// all the blocks that one title names a month for. Null unless every one of
// them is there in full.
const calendarOf = (block, names) => {
  const cells = cellsOf(block);
  if (cells.length < CALENDAR_CELLS || cells.length > 120 || cells.filter((c) => dayIn(c) > 0).length < CALENDAR_CELLS) return null;
  const title = titleOf(block, names);
  if (!title) return null;
  let blocks = [block];
  if (title.months.length > 1) {
    blocks = [...findAll(title.scope, '*')].filter((el) => localName(el) === 'table' || roleAttr(el) === 'grid' || mayHoldDays(el))
      .filter((el) => cellsOf(el).filter((c) => dayIn(c) > 0).length >= CALENDAR_CELLS);
    blocks = blocks.filter((el) => !blocks.some((inner) => inner !== el && contains(el, inner)));
    if (blocks.length !== title.months.length) return null;
  }
  const out = { dated: new Map(), weeks: new Set(), scope: title.scope };
  for (const [i, el] of blocks.entries()) {
    const inner = cellsOf(el);
    const weeks = weeksOf(inner);
    const dated = datesOf(inner, weeks, title.months[i]);
    if (!dated) return null;
    for (const [cell, d] of dated) out.dated.set(cell, d);
    for (const w of weeks) out.weeks.add(w);
  }
  return out;
};
