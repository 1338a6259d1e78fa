// The columns of a table: which heading a cell stands under.
const HEADS = 'th,[role=columnheader]';
const ROW_MOST = 60; // cells of a row that are told apart

const spanOf = (cell) => Math.min(Math.max(parseInt(attr(cell, 'colspan'), 10) || 1, 1), ROW_MOST);

// The headings of a table, by column: its first row, where that holds nothing else.
const headingsOf = (table) => {
  const first = find(table, 'tr,[role=row]');
  const cells = first ? [...childrenOf(first)] : [];
  if (cells.length < 2 || !cells.every((c) => matches(c, HEADS) || !wordy(textOf(c)))) return [];
  const out = [];
  for (const c of cells.slice(0, ROW_MOST)) for (let n = spanOf(c); n > 0; n--) out.push(cut(squash(wordsOf(c)), 60));
  return out;
};

// The heading over a cell, or ''.
const columnOf = (R, cell) => {
  const table = closest(cell, 'table,[role=table],[role=grid],[role=treegrid]');
  if (!table || matches(cell, HEADS)) return '';
  if (!R.headings.has(table)) R.headings.set(table, headingsOf(table));
  const heads = R.headings.get(table);
  let at = 0;
  for (let n = previousElement(cell); n && at < ROW_MOST; n = previousElement(n)) at += spanOf(n);
  return heads[at] || '';
};
