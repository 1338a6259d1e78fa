// Calendars: which day a cell is.
const MONTHS = ['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October', 'November',
  'December'];
const monthNames = () => {
  const names = MONTHS.map((m) => [m.toLowerCase(), m.slice(0, 3).toLowerCase()]);
  const lang = attr(rootOf(), 'lang');
  try {
    const f = lang ? new Intl.DateTimeFormat(lang, { month: 'long', timeZone: 'UTC' }) : null;
    if (f) names.forEach((n, i) => n.push(f.format(new Date(Date.UTC(2026, i, 15))).toLowerCase()));
  } catch { /* a language nobody knows: English names remain */ }
  return names;
};
const monthIn = (text, names) => {
  const words = fold(text).split(/[^\p{L}]+/u);
  return names.findIndex((n) => n.some((name) => words.includes(name)));
};
const monthAndYear = (text, names) => {
  const year = /(?:^|\D)((?:19|20)\d\d)(?:\D|$)/.exec(text);
  const month = monthIn(text, names);
  return year && month >= 0 ? { month, year: Number(year[1]) } : null;
};

const titleOf = (table, names) => {
  const own = monthAndYear(attr(table, 'aria-label') || referred(table, 'aria-labelledby'), names);
  if (own) return { ...own, scope: parentElement(table) || table };
  for (const el of findAll(table, 'caption,thead,th,[role=heading],[role=columnheader]')) {
    const t = squash(textOf(el));
    const got = t.length <= 80 && monthAndYear(t, names);
    if (got) return { ...got, scope: table };
  }
  let el = table;
  for (let up = 0; el && up < 5; up++, el = parentElement(el)) {
    let sibling = previousElement(el);
    for (let back = 0; sibling && back < 4; back++, sibling = previousElement(sibling)) {
      const t = squash(textOf(sibling));
      const got = t.length <= 60 && monthAndYear(t, names);
      if (got) return { ...got, scope: parentElement(el) || el };
    }
  }
  return null;
};

// Dates the cells of a month; null when the cells do not run 1 to the end.
const calendarOf = (table, names) => {
  const all = findAll(table, 'td,[role=gridcell]');
  if (all.length < CALENDAR_CELLS || all.length > MAX.cells) return null;
  const cells = [...all].filter((c) => !find(c, 'td,[role=gridcell]'));
  if (cells.length < CALENDAR_CELLS || cells.length > 120) return null;
  const title = titleOf(table, names);
  if (!title) return null;
  const weeks = new Set();
  const perRow = new Map();
  for (const c of cells) {
    const row = closest(c, 'tr,[role=row]');
    if (!perRow.has(row)) perRow.set(row, []);
    perRow.get(row).push(c);
  }
  for (const [row, list] of perRow) if (row && list.length === 8) weeks.add(list[0]);
  for (const c of cells) if (classes(c).some((k) => /week-?(number|no|num)|^wn$/i.test(k))) weeks.add(c);
  const days = [];
  for (const c of cells) {
    const m = weeks.has(c) ? null : /^(\d{1,2})(?!\d)/.exec(squash(textOf(c)));
    if (m) days.push({ cell: c, day: Number(m[1]) });
  }
  const last = new Date(Date.UTC(title.year, title.month + 1, 0)).getUTCDate();
  const first = days.findIndex((d, i) => d.day === 1 && days.slice(i, i + last).length === last &&
    days.slice(i, i + last).every((x, k) => x.day === k + 1));
  if (first < 0) return null;
  const dated = new Map();
  days.forEach((d, i) => {
    const date = new Date(Date.UTC(title.year, title.month, 1 + i - first));
    if (date.getUTCDate() !== d.day) return;
    dated.set(d.cell, { day: d.day, date: d.day + ' ' + MONTHS[date.getUTCMonth()] + ' ' + date.getUTCFullYear() });
  });
  return { dated, weeks, scope: title.scope };
};
