// What a person sees of a page, read in a world of our own: one walk over what
// is drawn gives the controls, their names, the containers they stand in and the
// words between them. It changes nothing of the page but the marks by which a
// control is found again.
//
// A page can hide any property of a form or of the document behind an element
// of that name, so what matters is called through the prototypes, which are this
// world's own.
(() => {
  'use strict';
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

  // ---- marks -----------------------------------------------------------
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

  // ---- what an element is ----------------------------------------------
  const CONTROL_ROLES = new Set(['button', 'link', 'checkbox', 'radio', 'switch', 'tab', 'menuitem', 'menuitemcheckbox',
    'menuitemradio', 'option', 'treeitem', 'slider', 'gridcell']);
  const TEXT_ROLES = new Set(['textbox', 'searchbox', 'combobox', 'spinbutton']);
  const REGION_ROLES = new Set(['menu', 'menubar', 'list', 'listbox', 'grid', 'treegrid', 'tabpanel', 'tablist', 'toolbar', 'dialog',
    'alertdialog', 'tree', 'table', 'radiogroup', 'group', 'region', 'navigation', 'main', 'banner', 'contentinfo',
    'complementary', 'search', 'form', 'feed', 'article']);
  const LIST_ROLES = new Set(['list', 'listbox', 'menu', 'menubar', 'tablist', 'tree', 'grid', 'treegrid', 'table', 'radiogroup', 'feed']);
  const LANDMARKS = new Set(['navigation', 'main', 'banner', 'contentinfo', 'complementary', 'search']);
  const NAMED_ONLY = new Set(['region', 'form', 'toolbar', 'tabpanel']);
  const NUMBERED = new Set(['listitem', 'row', 'article', 'group']);
  const SKIPPED = new Set(['script', 'style', 'noscript', 'template', 'head', 'meta', 'link', 'title', 'svg', 'canvas', 'video',
    'audio', 'object', 'embed', 'iframe', 'frame', 'datalist', 'math', 'map', 'progress', 'meter']);
  const TYPED = new Set(['text', 'search', 'email', 'url', 'tel', 'password', 'number', 'date', 'month', 'week', 'time',
    'datetime-local']);
  const PRESSED = new Set(['button', 'submit', 'reset', 'image', 'file', 'color']);
  const BOX_TO_TYPE = 'input:not([type=hidden]):not([type=checkbox]):not([type=radio]):not([type=button]):not([type=submit])' +
    ':not([type=reset]):not([type=image]):not([type=file]):not([type=range]):not([type=color]),textarea,[contenteditable=""],' +
    '[contenteditable=true],[contenteditable=plaintext-only]';

  const roleAttr = (el) => (attr(el, 'role') || '').trim().split(/\s+/)[0].toLowerCase();

  const implicitRole = (el, tag) => {
    switch (tag) {
      case 'ul': case 'ol': return 'list';
      case 'menu': return 'list';
      case 'li': return 'listitem';
      case 'table': return 'table';
      case 'tr': return 'row';
      case 'td': return 'cell';
      case 'nav': return 'navigation';
      case 'main': return 'main';
      case 'aside': return 'complementary';
      case 'header': return closest(el, 'article,section,main,[role=article],[role=main]') ? '' : 'banner';
      case 'footer': return closest(el, 'article,section,main,[role=article],[role=main]') ? '' : 'contentinfo';
      case 'search': return 'search';
      case 'form': return 'form';
      case 'section': return 'region';
      case 'fieldset': return 'group';
      case 'article': return 'article';
      case 'dialog': return 'dialog';
      default: return '';
    }
  };

  const editable = (el) => {
    const v = attr(el, 'contenteditable');
    return v !== null && ['', 'true', 'plaintext-only'].includes(v.toLowerCase());
  };

  const takesText = (el) => {
    const tag = localName(el);
    if (tag === 'input') return TYPED.has(inputType(el)) && !matches(el, ':disabled') && !getter(HTMLInputElement, 'readOnly')(el);
    if (tag === 'textarea') return !matches(el, ':disabled') && !getter(HTMLTextAreaElement, 'readOnly')(el);
    return editable(el);
  };

  const classes = (el) => raw(attr(el, 'class') || '').split(/\s+/).filter((c) => c && !c.includes(':'));

  const isDisabled = (el) => matches(el, ':disabled') || fold(attr(el, 'aria-disabled')) === 'true' ||
    classes(el).some((c) => /disabled$/i.test(c));

  const truthy = (v) => v !== null && v !== '' && v.toLowerCase() !== 'false' && v.toLowerCase() !== 'mixed';

  const chosen = (el) => {
    if (['aria-selected', 'aria-current', 'aria-checked', 'aria-pressed'].some((a) => truthy(attr(el, a)))) return true;
    return classes(el).some((c) => /-(selected|checked)$/i.test(c) && !/(^|-)(un|not-?)-?(selected|checked)$/i.test(c));
  };

  const checkbox = (el) => localName(el) === 'input' && ['checkbox', 'radio'].includes(inputType(el));
  const ticked = (el) => getter(HTMLInputElement, 'checked')(el);

  // Whether a native checkbox or radio is drawn by something else.
  const unseen = (el) => {
    const cs = styleOf(el);
    if (cs.display === 'none' || cs.visibility !== 'visible' || Number(cs.opacity) === 0) return true;
    const r = box(el);
    return r.width <= 1 || r.height <= 1 || /rect\(0|inset\(50%|inset\(100%/.test(cs.clip + cs.clipPath);
  };

  const labelsOf = (el) => {
    for (const type of [HTMLInputElement, HTMLTextAreaElement, HTMLSelectElement, HTMLButtonElement]) {
      if (el instanceof type) return [...(getter(type, 'labels')(el) || [])];
    }
    return [];
  };

  const drawn = (el) => boxes(el).length > 0 && styleOf(el).visibility === 'visible';

  const standIn = (label) => {
    if (localName(label) !== 'label') return null;
    const control = getter(HTMLLabelElement, 'control')(label);
    return control && checkbox(control) && unseen(control) ? control : null;
  };

  // ---- words -----------------------------------------------------------
  // The words of a label or heading: small, so read apart from the walk.
  const wordsOf = (node, deep = 0) => {
    if (nodeType(node) === 3) return textOf(node);
    if (nodeType(node) !== 1 || deep > 12) return '';
    const tag = localName(node);
    if (SKIPPED.has(tag) || ['select', 'textarea', 'input', 'button'].includes(tag) && deep > 0) return '';
    const cs = styleOf(node);
    if (cs.display === 'none' || cs.visibility !== 'visible' || editable(node)) return '';
    if (LIST_ROLES.has(roleAttr(node)) && deep > 0) return '';
    let s = '';
    for (let n = firstChild(node); n && s.length < 1000; n = nextSibling(n)) s += wordsOf(n, deep + 1);
    return cs.display.startsWith('inline') ? s : ' ' + s + ' ';
  };

  const referred = (el, name) => squash((attr(el, name) || '').split(/\s+/).filter(Boolean).slice(0, 8)
    .map((id) => byId(id)).filter(Boolean).map((n) => cut(textOf(n), 300)).join(' '));

  const pageLabel = (el) => squash(attr(el, 'aria-label')) || referred(el, 'aria-labelledby');

  const ICONS = { close: 'close', dismiss: 'close', search: 'search', magnify: 'search', magnifier: 'search', menu: 'menu',
    hamburger: 'menu', burger: 'menu', back: 'back', next: 'next', forward: 'next', previous: 'previous', prev: 'previous',
    cart: 'cart', basket: 'cart', bag: 'cart', delete: 'delete', trash: 'delete', bin: 'delete', remove: 'delete', edit: 'edit',
    pencil: 'edit', add: 'add', plus: 'add', minus: 'minus', more: 'more', ellipsis: 'more', kebab: 'more', filter: 'filter',
    filters: 'filter', settings: 'settings', gear: 'settings', share: 'share', download: 'download', upload: 'upload',
    play: 'play', pause: 'pause', home: 'home', user: 'account', account: 'account', profile: 'account', heart: 'favourite',
    favorite: 'favourite', favourite: 'favourite', wishlist: 'favourite', star: 'star', help: 'help', info: 'info',
    calendar: 'calendar', sort: 'sort', refresh: 'refresh', reload: 'refresh', print: 'print', mail: 'mail', email: 'mail',
    phone: 'phone', location: 'location', expand: 'expand', collapse: 'collapse', copy: 'copy', send: 'send', swap: 'swap' };

  const iconWord = (el) => {
    const parts = [el, ...[...findAll(el, 'svg,i,span,use,img')].slice(0, 6)];
    for (const p of parts) {
      const raw = ['class', 'id', 'data-testid', 'data-test', 'data-icon', 'href', 'xlink:href'].map((a) => cut(attr(p, a) || '', 1000));
      for (const word of raw.slice(0, p === el ? 5 : 7).join(' ').replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase().split(/[^a-z]+/)) {
        if (Object.hasOwn(ICONS, word)) return ICONS[word];
      }
    }
    return '';
  };

  const pictureName = (el) => {
    for (const img of [el, ...[...findAll(el, 'img[alt],svg[aria-label],[role=img][aria-label]')].slice(0, 4)]) {
      const alt = squash(attr(img, 'alt') || (img === el ? '' : attr(img, 'aria-label')));
      if (alt) return alt;
    }
    const title = find(el, 'svg > title');
    return title ? squash(textOf(title)) : '';
  };

  const hrefOf = (el) => {
    for (const type of [HTMLAnchorElement, HTMLAreaElement]) if (el instanceof type) return getter(type, 'href')(el);
    return '';
  };

  // The form an element belongs to, by the browser's own reckoning where it has one.
  const ownerForm = (el) => {
    for (const type of [HTMLButtonElement, HTMLInputElement, HTMLSelectElement, HTMLTextAreaElement]) {
      if (el instanceof type) return getter(type, 'form')(el);
    }
    return closest(el, 'form');
  };

  const linkOf = (el) => closest(el, 'a[href],area[href]') || (localName(el) === 'label' ? null : find(el, 'a[href]'));

  // Where a form is sent, by the button that sends it where that one says so.
  const sentTo = (form, button) => {
    const type = button && (localName(button) === 'input' ? HTMLInputElement : HTMLButtonElement);
    const method = button && hasAttr(button, 'formmethod') ? getter(type, 'formMethod')(button) : getter(HTMLFormElement, 'method')(form);
    if (method === 'dialog') return '';
    return button && hasAttr(button, 'formaction') ? getter(type, 'formAction')(button) : getter(HTMLFormElement, 'action')(form);
  };

  // Where a press leads: to where its form is sent, or its link goes; '' when
  // the page does not say. A button of a form that does not send it still stands
  // for that form, which scripts send as often. Without the fragment, which is
  // never sent.
  const destinationOf = (el) => cut(addressOf(el).split('#')[0], MAX.address);

  const addressOf = (el) => {
    const button = closest(el, 'button,input');
    const sends = button && ['submit', 'image'].includes(localName(button) === 'input' ? inputType(button) : getter(HTMLButtonElement, 'type')(button));
    const form = ownerForm(button || el);
    if (form && sends) return sentTo(form, button);
    const link = linkOf(el);
    if (link) return hrefOf(link);
    return form ? sentTo(form, null) : '';
  };

  const leadsTo = (el) => {
    try {
      const segments = new URL(hrefOf(el)).pathname.split('/').filter(Boolean);
      return squash(decodeURIComponent(segments.pop() || '').replace(/\.\w{2,5}$/, '').replace(/[-_+]+/g, ' '));
    } catch {
      return '';
    }
  };

  // ---- calendars -------------------------------------------------------
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

  // ---- the walk --------------------------------------------------------
  const reading = () => ({
    controls: [], texts: [], words: [], order: 0, line: null, unnamed: {}, dialogs: new Map(), claimed: new Set(),
    days: new Map(), weeks: new Set(), scopes: [], hidden: 0, months: null, suggested: new Map(),
    walked: 0, width: innerWidth, height: innerHeight, active: deepActive(),
  });

  const deepActive = () => {
    let el = activeIn(document);
    for (let root = el && shadowOf(el); root && root.activeElement; root = shadowOf(el)) el = root.activeElement;
    return el;
  };

  const headingIn = (el) => {
    const h = find(el, 'h1,h2,h3,h4,h5,h6,[role=heading]');
    return h ? squash(wordsOf(h)) : '';
  };

  const labelled = (role, name) => (name ? role + ' "' + cut(name, 60) + '"' : role);

  const topBar = (R, el, r) => r.top <= 8 && r.width >= 0.9 * R.width && r.height <= 0.25 * R.height &&
    findAll(el, 'a[href]').length >= 1 && !find(el, 'dialog,[role=dialog]');

  // The part of a path an element stands for, or ''.
  const partOf = (R, el, role, cs, counts) => {
    const modal = fold(attr(el, 'aria-modal')) === 'true';
    if (role === 'dialog' || role === 'alertdialog' || modal) {
      const kind = role === 'alertdialog' ? role : 'dialog';
      R.dialogs.set(el, kind);
      return labelled(kind, pageLabel(el) || headingIn(el));
    }
    if (cs.position === 'fixed' && cs.pointerEvents !== 'none') {
      const r = box(el);
      if (r.width > 1 && r.height > 1 && !topBar(R, el, r) && !find(el, 'main,[role=main],dialog,[role=dialog],[role=alertdialog],[aria-modal=true]')) {
        const share = Math.max(0, Math.min(r.right, R.width) - Math.max(r.left, 0)) *
          Math.max(0, Math.min(r.bottom, R.height) - Math.max(r.top, 0)) / (R.width * R.height);
        const kind = share >= DIALOG_SHARE ? 'dialog' : 'popover';
        if (kind === 'dialog') R.dialogs.set(el, kind);
        return labelled(kind, pageLabel(el) || headingIn(el));
      }
    }
    if (!role || role === 'presentation' || role === 'none') return '';
    if (NUMBERED.has(role)) {
      let name = pageLabel(el);
      if (!name && localName(el) === 'fieldset') {
        const legend = find(el, 'legend');
        name = legend ? squash(wordsOf(legend)) : '';
      }
      if (!name && role === 'row') name = rowName(el);
      counts[role] = (counts[role] || 0) + 1;
      return labelled(role, name) + ' #' + counts[role];
    }
    if (LANDMARKS.has(role)) return labelled(role, pageLabel(el));
    if (NAMED_ONLY.has(role)) {
      const name = pageLabel(el);
      return name ? labelled(role, name) : '';
    }
    if (LIST_ROLES.has(role)) {
      let name = pageLabel(el);
      if (!name && localName(el) === 'table') {
        const caption = find(el, 'caption');
        name = caption ? squash(wordsOf(caption)) : '';
      }
      if (name) return labelled(role, name);
      R.unnamed[role] = (R.unnamed[role] || 0) + 1;
      return R.unnamed[role] > 1 ? role + ' ' + R.unnamed[role] : role;
    }
    return '';
  };

  const rowName = (row) => {
    const parts = [];
    for (const cell of findAll(row, 'td,th,[role=cell],[role=gridcell],[role=rowheader]')) {
      if (parts.length >= 4) break;
      if (find(cell, 'a[href],button,input,select,textarea,[role=button],[role=link],[role=checkbox]')) continue;
      const t = squash(wordsOf(cell));
      if (t) parts.push(t);
    }
    return parts.join(' ');
  };

  // The role an element has as a control, or '' when it is none. ctx.taken says
  // that an ancestor already is the control a pointer or tab stop speaks of.
  const controlRole = (R, el, tag, role, cs, ctx) => {
    if (tag === 'html' || tag === 'body') return '';
    const explicit = roleAttr(el);
    if (tag === 'input') {
      const type = inputType(el);
      if (type === 'hidden') return '';
      if (checkbox(el)) {
        if (R.claimed.has(el)) return '';
        if (unseen(el) && labelsOf(el).some(drawn)) return '';
        return explicit === 'switch' ? 'switch' : type;
      }
      if (PRESSED.has(type)) return explicit && CONTROL_ROLES.has(explicit) ? explicit : 'button';
      if (type === 'range') return 'slider';
      if (type === 'search') return 'searchbox';
      if (TEXT_ROLES.has(explicit)) return explicit;
      if (type === 'number') return 'spinbutton';
      return hasAttr(el, 'list') ? 'combobox' : 'textbox';
    }
    if (tag === 'textarea') return 'textarea';
    if (tag === 'select') return 'combobox';
    if (editable(el)) return TEXT_ROLES.has(explicit) ? explicit : 'textbox';
    if (tag === 'label') return standIn(el) && !R.claimed.has(standIn(el)) ? (roleAttr(standIn(el)) === 'switch' ? 'switch' : inputType(standIn(el))) : '';
    const native = (tag === 'a' && hasAttr(el, 'href')) || tag === 'button' || tag === 'summary';
    if (native || CONTROL_ROLES.has(explicit) || TEXT_ROLES.has(explicit)) {
      if (find(el, BOX_TO_TYPE)) return '';
      if (TEXT_ROLES.has(explicit)) return 'button';
      // A claimed control around a native button is that button, unless it says
      // itself that it is chosen.
      if (!native && explicit !== 'option' && !['tab', 'radio'].includes(explicit) && childCount(el) === 1 && find(el, 'button,a[href]') &&
        squash(textOf(find(el, 'button,a[href]'))) === squash(textOf(el))) return '';
      if (explicit === 'menuitemcheckbox') return 'checkbox';
      if (explicit === 'menuitemradio') return 'radio';
      if (CONTROL_ROLES.has(explicit)) return explicit;
      return tag === 'a' ? 'link' : 'button';
    }
    if (ctx.taken) return '';
    const pressable = cs.cursor === 'pointer' || hasAttr(el, 'onclick');
    const stop = hasAttr(el, 'tabindex') && el.tabIndex >= 0;
    if (!pressable && !(stop && !REGION_ROLES.has(role))) return '';
    if (ctx.panel && joinsRows(el)) return '';
    if (find(el, BOX_TO_TYPE)) return '';
    if (localName(el) === 'li' || role === 'listitem') return ctx.list === 'listbox' ? 'option' : 'listitem';
    if (role === 'row') return 'row';
    if (role === 'cell') return ctx.list === 'grid' ? 'gridcell' : 'cell';
    return tag === 'img' ? 'image' : 'button';
  };

  // Inside a panel every element inherits its pointer, so what only holds rows
  // of one kind is not pressed itself.
  const joinsRows = (el) => {
    const rows = [...findAll(el, ':scope > *')];
    return rows.length >= 2 && rows.every((r) => localName(r) === localName(rows[0]) && (attr(r, 'class') || '') === (attr(rows[0], 'class') || '')) &&
      !isInline(styleOf(rows[0]).display);
  };

  const flush = (R) => {
    const line = R.line;
    R.line = null;
    if (!line || R.texts.length >= MAX.texts) return;
    const text = cut(squash(line.text), MAX.text);
    if (!wordy(text)) return;
    const r = box(line.el);
    if (r.bottom < -R.height || r.top > 2 * R.height) return;
    R.texts.push({ text, path: line.path, order: line.order, field: line.field });
  };

  const say = (R, el, ctx, text) => {
    if (!R.line) R.line = { text: '', el, path: ctx.path, order: ++R.order, field: ctx.field };
    if (R.line.text.length < 4 * MAX.text) R.line.text += text;
  };

  const isInline = (display) => display === 'inline' || display === 'contents';

  // Walks one element and gives the words seen in it, as far as a name needs them.
  const walk = (R, el, ctx) => {
    const tag = localName(el);
    if (SKIPPED.has(tag) || ++R.walked > MAX.elements) return '';
    if (tag === 'br') { if (!ctx.control) flush(R); return ' '; }
    if (R.weeks.has(el)) return '';
    const cs = styleOf(el);
    if (cs.display === 'none') return '';
    if (hasAttr(el, 'inert')) { R.hidden++; return ''; }
    if (Number(cs.opacity) === 0 && !checkbox(el) && inputType(el) !== 'file') return '';
    if (cs.overflowX !== 'visible' && tag !== 'body' && tag !== 'html') {
      const r = box(el);
      if (r.width < 1 || r.height < 1) return '';
      if (r.width <= 1 && r.height <= 1 && cs.position !== 'static' && !checkbox(el)) { R.hidden++; return ''; }
    }
    const role = roleAttr(el) || implicitRole(el, tag);
    const part = partOf(R, el, role, cs, ctx.counts);
    const here = { ...ctx };
    if (part) {
      // What floats above the page is not part of what it was written into.
      const floats = R.dialogs.has(el) && (cs.position === 'fixed' || matches(el, ':modal'));
      here.path = floats ? [part] : [...ctx.path, part].slice(0, MAX.path);
      here.list = LIST_ROLES.has(role) ? role : ctx.list;
    }
    if (part || ['thead', 'tbody', 'tfoot'].includes(tag)) here.counts = {};
    if (tag === 'table' || role === 'grid') noteCalendar(R, el);

    const inline = isInline(cs.display);
    if (!inline && !ctx.control) flush(R);
    const off = ctx.off || isDisabled(el);
    here.off = off;
    const day = R.days.get(el);
    let as = '';
    if (cs.visibility === 'visible' && !off && !ctx.day && R.controls.length < MAX.controls) as = day ? 'gridcell' : controlRole(R, el, tag, role, cs, ctx);
    const control = as ? open(R, el, as, day, here.path) : null;
    if (control) {
      here.control = control;
      here.taken = true;
      here.day = Boolean(day);
    } else if (tag === 'label') {
      here.taken = true;
    } else if (isPanel(el, cs, ctx)) {
      here.panel = true;
    }
    const field = tag !== 'body' && editable(el) || ['textbox', 'searchbox', 'combobox', 'spinbutton', 'textarea'].includes(as);
    let words = '';
    if (tag === 'select' || tag === 'textarea' || tag === 'input') {
      // their words are their value
    } else if (field) {
      fieldWords(R, el, here);
    } else {
      const before = R.controls.length;
      words = children(R, el, here, cs, tag);
      if (ctx.control && LIST_ROLES.has(role) && R.controls.length > before) words = '';
    }
    if (control) close(R, control, words);
    if (!inline && !ctx.control) flush(R);
    return inline ? words : ' ' + words + ' ';
  };

  // A box to type in makes what is around it a panel and no control; the rows in
  // it are looked at one by one.
  const isPanel = (el, cs, ctx) => !ctx.taken && cs.cursor === 'pointer' && Boolean(find(el, BOX_TO_TYPE));

  const children = (R, el, here, cs, tag) => {
    let words = '';
    const shut = tag === 'details' && !hasAttr(el, 'open');
    for (let n = firstChild(el); n && R.walked <= MAX.elements; n = nextSibling(n)) {
      const type = nodeType(n);
      if (type === 1) {
        const inner = shut && localName(n) !== 'summary' ? '' : walk(R, n, here);
        if (words.length < MAX.raw) words += inner;
        continue;
      }
      if (type !== 3 || shut || cs.visibility !== 'visible') continue;
      const text = textOf(n);
      if (words.length < MAX.raw) words += text;
      if (here.control) continue;
      say(R, el, here, text);
      if (R.words.length < MAX.labels && wordy(text)) R.words.push({ node: n, text: cut(squash(text), MAX.text), rect: null });
    }
    return words;
  };

  // What an editable region shows. A long one is asked for no more of it than is
  // told: its innerText takes seconds to make.
  const regionText = (el) => {
    if (textOf(el).length < MAX.raw) return getter(HTMLElement, 'innerText')(el);
    let s = '';
    for (let n = firstChild(el); n && s.length < MAX.value; n = nextSibling(n)) s += wordsOf(n, 1);
    return s;
  };

  // What an editable region holds: readable, and field content.
  const fieldWords = (R, el, here) => {
    const text = squash(regionText(el));
    if (!text || R.texts.length >= MAX.texts) return;
    for (let i = 0; i < text.length && i < 5 * MAX.text; i += MAX.text) {
      R.texts.push({ text: text.slice(i, i + MAX.text), path: here.path, order: ++R.order, field: true });
    }
  };

  const noteCalendar = (R, el) => {
    R.months = R.months || monthNames();
    const c = calendarOf(el, R.months);
    if (!c) return;
    for (const [cell, d] of c.dated) R.days.set(cell, d);
    for (const w of c.weeks) R.weeks.add(w);
    R.scopes.push(c.scope);
  };

  const open = (R, el, role, day, path) => {
    let on = el;
    if (day) on = find(el, 'button,a[href],[role=button]') || el;
    const input = standIn(el);
    if (input) R.claimed.add(input);
    const c = { el: on, cell: el, role, day, path, order: ++R.order, input: input || (checkbox(on) ? on : null), parent: null };
    c.disabled = on !== el && isDisabled(on);
    R.controls.push(c);
    return c;
  };

  const close = (R, c, words) => {
    c.words = squash(words);
    const el = c.el;
    const tag = localName(el);
    const field = tag === 'input' || tag === 'textarea' || tag === 'select' || editable(el);
    if (c.day) nameDay(R, c);
    else if (field && !(tag === 'input' && PRESSED.has(inputType(el)))) c.unnamed = !nameField(c);
    else nameControl(c);
    if (tag === 'select') choices(R, c, getter(HTMLSelectElement, 'options')(el));
    const list = tag === 'input' && hasAttr(el, 'list') ? byId(attr(el, 'list')) : null;
    if (list && localName(list) === 'datalist') {
      const had = R.suggested.get(list);
      if (!had) R.suggested.set(list, c);
      else if (el === R.active) R.suggested.set(list, c);
    }
  };

  const nameDay = (R, c) => {
    c.name = String(c.day.day);
    const label = squash(attr(c.cell, 'aria-label') || (c.el !== c.cell && attr(c.el, 'aria-label')) ||
      (find(c.cell, '[aria-label]') && attr(find(c.cell, '[aria-label]'), 'aria-label')) || '');
    if (!label) c.description = c.day.date;
    else c.description = monthIn(label, R.months) >= 0 ? label : c.day.date + ', ' + label;
  };

  const tiedLabel = (el) => squash(labelsOf(el).map((l) => wordsOf(l)).join(' '));

  const nameField = (c) => {
    const el = c.input || c.el;
    const own = c.input && c.el !== c.input ? squash(wordsOf(c.el)) : '';
    c.name = own || tiedLabel(el) || pageLabel(el) || squash(attr(el, 'placeholder')) || squash(attr(el, 'title')) || squash(attr(el, 'aria-placeholder'));
    return wordy(c.name);
  };

  const nameControl = (c) => {
    const el = c.el;
    if (c.input && el !== c.input) {
      c.name = c.words || pageLabel(c.input) || pageLabel(el);
      c.unnamed = !c.name;
      return;
    }
    let words = c.words;
    if (localName(el) === 'input') words = squash(inputValue(el)) || { submit: 'Submit', reset: 'Reset' }[inputType(el)] || tiedLabel(el);
    c.raw = words;
    const label = pageLabel(el);
    if (wordy(words)) {
      c.name = words;
      if (label && !fold(words).includes(fold(label))) c.description = label;
      else if (!label) c.description = labelWithin(el, words);
      return;
    }
    c.name = label || squash(attr(el, 'title')) || pictureName(el);
    if (c.name) return;
    c.name = iconWord(el);
    if (c.name) { c.description = 'an icon'; return; }
    c.name = (localName(el) === 'a' && leadsTo(el)) || words;
    c.unnamed = !c.name;
  };

  // The one labelled element inside that carries the words.
  const labelWithin = (el, words) => {
    const inner = findAll(el, '[aria-label]');
    if (inner.length === 0 || inner.length > 8) return '';
    const carrying = [...inner].filter((n) => squash(textOf(n)) === words);
    const label = carrying.length === 1 ? squash(attr(carrying[0], 'aria-label')) : '';
    return label && !fold(words).includes(fold(label)) ? label : '';
  };

  const choices = (R, c, options) => {
    if (fold(attr(c.el, 'aria-hidden')) === 'true') return;
    let n = 0;
    for (const o of options) {
      if (n >= MAX.choices || R.controls.length >= MAX.controls) break;
      if (matches(o, ':disabled')) continue;
      const label = squash(getter(HTMLOptionElement, 'label')(o));
      if (!label) continue;
      n++;
      R.controls.push({ el: o, cell: o, role: 'option', owner: c, name: label, order: ++R.order, path: [...c.path, labelled('listbox', c.name || '')] });
    }
  };

  const suggestions = (R) => {
    for (const [list, c] of R.suggested) {
      const at0 = R.controls.indexOf(c) + 1;
      const added = [];
      for (const o of findAll(list, 'option')) {
        if (added.length >= MAX.choices || R.controls.length + added.length >= MAX.controls) break;
        const value = squash(getter(HTMLOptionElement, 'value')(o));
        if (!value || matches(o, ':disabled')) continue;
        const label = squash(getter(HTMLOptionElement, 'label')(o));
        added.push({ el: o, cell: o, role: 'option', owner: c, name: value, description: label !== value ? label : '', order: c.order, path: [...c.path, labelled('listbox', c.name || '')] });
      }
      R.controls.splice(at0, 0, ...added);
    }
  };

  // ---- after the walk --------------------------------------------------
  const SEPARATORS = /^(or|and|oder|und|ou|et|o|y|e|-|\/)$/i;

  const wordsNear = (R, c) => {
    const f = box(c.el);
    const tick = Boolean(c.input);
    let best = '', far = Infinity;
    for (const w of R.words) {
      if (SEPARATORS.test(w.text)) continue;
      if (!w.rect) {
        const range = document.createRange();
        range.selectNodeContents(w.node);
        w.rect = range.getBoundingClientRect();
      }
      const r = w.rect;
      const level = Math.min(r.bottom, f.bottom) - Math.max(r.top, f.top) > 0.4 * Math.min(r.height, f.height);
      let d = Infinity;
      if (tick) {
        if (level && r.left >= f.right - 2 && r.left - f.right <= NEAR.right) d = r.left - f.right;
      } else if (level && r.right <= f.left + 2 && f.left - r.right <= NEAR.left) {
        d = f.left - r.right;
      } else if (r.bottom <= f.top + 2 && f.top - r.bottom <= NEAR.above && r.left < f.right && r.right > f.left) {
        d = 1000 + f.top - r.bottom; // only when nothing stands on its line
      }
      if (d < far) { far = d; best = w.text; }
    }
    return best;
  };

  const NEXT_GLYPH = /^(?:[›»→▶►❯>⟩⮕▸]|>>|next|next month|forward)$/i;
  const PREV_GLYPH = /^(?:[‹«←◀◄❮<⟨⬅◂]|<<|prev|previous|prev month|previous month|back)$/i;

  const nameArrows = (R) => {
    for (const c of R.controls) {
      if (c.owner || c.day || !['button', 'link', 'image'].includes(c.role)) continue;
      if (!R.scopes.some((s) => contains(s, c.el))) continue;
      const says = [squash(c.raw), c.name || ''];
      if (says.some((s) => NEXT_GLYPH.test(s))) c.name = 'next month';
      else if (says.some((s) => PREV_GLYPH.test(s))) c.name = 'previous month';
    }
  };

  const nameInCards = (R) => {
    const seen = new Map();
    for (const c of R.controls) {
      const key = c.role + '\u0000' + c.name;
      seen.set(key, (seen.get(key) || 0) + 1);
    }
    for (const c of R.controls) {
      if (c.description || c.owner || c.day || seen.get(c.role + '\u0000' + c.name) < 2) continue;
      for (let p = parentElement(c.el), up = 0; p && up < 6; p = parentElement(p), up++) {
        const card = R.controls.find((o) => o.el === p);
        if (card && card.name && card.name !== c.name) { c.description = 'in ' + cut(card.name, 60); break; }
      }
    }
  };

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

  const statesOf = (R, c, where) => {
    const el = c.el;
    const states = [];
    if (el === R.active || (c.input && c.input === R.active)) states.push('focused');
    const on = c.input ? ticked(c.input) : null;
    if (c.owner) {
      if (localName(c.owner.el) === 'select' && getter(HTMLOptionElement, 'selected')(el)) states.push('selected');
    } else if (['checkbox', 'radio', 'switch'].includes(c.role)) {
      if (on === null ? chosen(el) : on) states.push('checked');
    } else if (chosen(el) || (c.cell !== el && chosen(c.cell))) {
      states.push('selected');
    }
    const expanded = attr(el, 'aria-expanded');
    if (expanded === 'true') states.push('expanded');
    else if (expanded === 'false') states.push('collapsed');
    else if (localName(el) === 'summary' && parentElement(el)) states.push(hasAttr(parentElement(el), 'open') ? 'expanded' : 'collapsed');
    if (['input', 'textarea'].includes(localName(el)) && !c.input && hasAttr(el, 'readonly')) states.push('readonly');
    if (hasAttr(c.input || el, 'required') || fold(attr(el, 'aria-required')) === 'true') states.push('required');
    if (where) states.push(where);
    return states;
  };

  const actionsOf = (c, states) => {
    if (['checkbox', 'switch'].includes(c.role)) return ['Click', 'Check', 'Uncheck'];
    if (c.role === 'radio') return ['Click', 'Check'];
    const actions = ['Click'];
    if (takesText(c.el)) actions.push('SetValue', 'TypeText');
    if (states.includes('collapsed')) actions.push('Expand');
    if (states.includes('expanded')) actions.push('Collapse');
    return actions;
  };

  const valueOf = (c) => {
    const el = c.el;
    if (c.owner || c.input) return '';
    const tag = localName(el);
    if (tag === 'select') {
      const o = [...getter(HTMLSelectElement, 'selectedOptions')(el)].slice(0, MAX.value).map((s) => squash(getter(HTMLOptionElement, 'label')(s)));
      return o.join(', ');
    }
    if (tag === 'input') {
      const type = inputType(el);
      return type === 'password' || PRESSED.has(type) ? '' : inputValue(el);
    }
    if (tag === 'textarea') return inputValue(el);
    return editable(el) ? regionText(el).trim() : squash(attr(el, 'aria-valuetext') || attr(el, 'aria-valuenow'));
  };

  const formOf = (el) => {
    const form = ownerForm(el);
    if (!form) return '';
    const id = attr(form, 'id') || attr(form, 'name');
    return id ? cut(id, MAX.name) : 'form ' + ([...findInPage('form')].indexOf(form) + 1);
  };

  const typeOf = (c) => {
    const tag = localName(c.el);
    if (tag === 'input') return inputType(c.el);
    if (tag === 'select' || tag === 'textarea') return tag;
    return editable(c.el) ? 'richtext' : '';
  };

  const give = (R, c) => {
    const el = c.el;
    const spot = c.owner ? c.owner.el : el;
    const r = box(spot);
    const where = c.owner ? '' : whereIs(R, el);
    const states = statesOf(R, c, where);
    const field = c.input || el;
    return {
      ref: mark(el), role: c.role, name: cut(squash(c.name), MAX.name), description: cut(squash(c.description), MAX.text),
      value: cut(valueOf(c), MAX.value), states, actions: actionsOf(c, states), children: childCount(el),
      x: r.left, y: r.top, w: r.width, h: r.height, path: c.path, order: c.order, form: formOf(el),
      autocomplete: cut(attr(field, 'autocomplete') || '', MAX.name), type: typeOf(c), destination: c.owner ? '' : destinationOf(el),
      hints: ['placeholder', 'title', 'pattern'].map((a) => cut(attr(field, a) || '', MAX.text)).filter(Boolean),
    };
  };

  const frontOf = (R) => {
    for (let n = deepAt(R.width / 2, R.height / 2); n; n = parentElement(n)) {
      const kind = R.dialogs.get(n);
      if (kind) return kind === 'alertdialog' ? 'alert' : 'sheet';
    }
    return 'window';
  };

  const zeroSized = (el) => {
    const r = box(el);
    return r.width < 1 || r.height < 1;
  };

  // Puts an item last in a list of at most max.
  const putLast = (list, max, item) => { list.splice(Math.min(list.length, max - 1), 1, item); };

  const read = ({ root, floor }) => {
    raiseMarks(floor);
    const from = root ? marked(root) : bodyOf();
    if (!from) return root ? { stale: true } : { title: document.title, surface: 'window', controls: [], texts: [], context: [] };
    const R = reading();
    walk(R, from, { path: [], counts: {}, control: null, taken: false, panel: false, off: false, day: false, list: '', field: false });
    flush(R);
    suggestions(R);
    R.controls = R.controls.filter((c) => !c.disabled && (c.owner || !zeroSized(c.el)));
    for (const c of R.controls) if (c.unnamed) c.name = wordsNear(R, c) || c.name || '';
    nameArrows(R);
    nameInCards(R);
    if (R.walked > MAX.elements) putLast(R.texts, MAX.texts, { text: UNREAD, path: [], order: ++R.order, field: false });
    const context = [];
    for (const t of R.texts) if (!t.field && !context.includes(t.text) && context.length < MAX.context) context.push(t.text);
    if (R.walked > MAX.elements && !context.includes(UNREAD)) putLast(context, MAX.context, UNREAD);
    return {
      title: cut(squash(getter(Document, 'title')(document)), 300), surface: frontOf(R),
      viewport: [R.width, R.height], controls: R.controls.map((c) => give(R, c)), texts: R.texts, context,
      frames: [], denoised: { ads: 0, empty: 0, hidden: R.hidden }, last: lastMark,
    };
  };

  globalThis.desk = {
    verbs: { read },
    lib: {
      MARK, DIALOG, CARD, BOX_TO_TYPE, TYPED, getter, method, parentElement, localName, attr, hasAttr, setAttr, closest, matches, find,
      findAll, findInPage, box, boxes, styleOf, textContent, contains, isConnected, shadowOf, deepActive, bodyOf, rootOf, allAt,
      inputType, inputValue, squash, cut, wordy, wordsOf, marked, takesText, editable, isDisabled, chosen, checkbox, ticked,
      standIn, drawn, middle, deepAt, belongs, inOwnCard, clipped, pageLabel, headingIn, pictureName, roleAttr, labelled, ownerForm, linkOf,
    },
    // Runs one verb on a page of the origin it was meant for; the answer is text,
    // which crosses to us faster than a tree of values.
    run(name, origin, args) {
      if (origin !== 'any' && location.origin !== origin) return JSON.stringify({ moved: true, href: location.href });
      const out = globalThis.desk.verbs[name](args || {});
      const wrap = (o) => JSON.stringify({ href: location.href, out: o === undefined ? null : o });
      return out instanceof Promise ? out.then(wrap) : wrap(out);
    },
  };
})();
