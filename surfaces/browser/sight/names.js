// What a control is called, and where it leads.
// The words of a label or heading: small, so read apart from the walk.
const wordsOf = (node, deep = 0) => {
  if (nodeType(node) === 3) return textOf(node);
  if (nodeType(node) !== 1 || deep > 12) return '';
  const tag = localName(node);
  if (SKIPPED.has(tag) || ['canvas', 'iframe', 'frame'].includes(tag) || ['select', 'textarea', 'input', 'button'].includes(tag) && deep > 0) return '';
  const cs = styleOf(node);
  if (cs.display === 'none' || cs.visibility !== 'visible' || editable(node)) return '';
  if (LIST_ROLES.has(roleAttr(node)) && deep > 0) return '';
  let s = '';
  for (let n = firstChild(shadowOf(node) || node); n && s.length < 1000; n = nextSibling(n)) s += wordsOf(n, deep + 1);
  return cs.display.startsWith('inline') ? s : ' ' + s + ' ';
};

const referred = (el, name) => {
  const ids = attr(el, name);
  if (!ids) return '';
  return squash(ids.split(/\s+/).filter(Boolean).slice(0, 8).map((id) => byId(el, id)).filter(Boolean).map((n) => cut(attr(n, 'aria-label') || textOf(n), 300)).join(' '));
};

const pageLabel = (el) => referred(el, 'aria-labelledby') || squash(attr(el, 'aria-label'));

const ICONS = { close: 'close', dismiss: 'close', search: 'search', magnify: 'search', magnifier: 'search', menu: 'menu',
  hamburger: 'menu', burger: 'menu', back: 'back', next: 'next', forward: 'next', previous: 'previous', prev: 'previous',
  cart: 'cart', basket: 'cart', bag: 'cart', delete: 'delete', trash: 'delete', bin: 'delete', remove: 'delete', edit: 'edit',
  pencil: 'edit', add: 'add', plus: 'add', minus: 'minus', more: 'more', ellipsis: 'more', kebab: 'more', filter: 'filter',
  filters: 'filter', settings: 'settings', gear: 'settings', share: 'share', download: 'download', upload: 'upload',
  play: 'play', pause: 'pause', home: 'home', user: 'account', account: 'account', profile: 'account', heart: 'favourite',
  favorite: 'favourite', favourite: 'favourite', wishlist: 'favourite', star: 'star', help: 'help', info: 'info',
  calendar: 'calendar', sort: 'sort', refresh: 'refresh', reload: 'refresh', print: 'print', mail: 'mail', email: 'mail',
  phone: 'phone', like: 'like', thumbsup: 'like', reply: 'reply', retweet: 'share', bookmark: 'bookmark', logout: 'log out', location: 'location', expand: 'expand', collapse: 'collapse', copy: 'copy', send: 'send', swap: 'swap' };

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

const hrefOfTag = { a: getter(HTMLAnchorElement, 'href'), area: getter(HTMLAreaElement, 'href') };
const baseOf = getter(Node, 'baseURI');
// A path that an address spells as the page does.
const PLAIN_PATH = /^\/(?!\/)[\w/-]*$/;

// Most links name a plain path of their own site. While a page is read this is
// what stands before it, so that a thousand of them are not parsed one by one;
// empty when a base of the page's leads elsewhere.
let plainBase = '';
const basedHere = () => (baseOf(document).startsWith(location.origin + '/') ? location.origin : '');
const hrefOf = (el) => {
  const read = isHTML(el) && hrefOfTag[localName(el)];
  if (!read) return '';
  const said = plainBase ? attr(el, 'href') : '';
  return said && PLAIN_PATH.test(said) && ownerDocument(el) === document ? plainBase + said : read(el);
};

// The form an element belongs to, by the browser's own reckoning where it has one.
const formOfTag = { button: getter(HTMLButtonElement, 'form'), input: getter(HTMLInputElement, 'form'), select: getter(HTMLSelectElement, 'form'),
  textarea: getter(HTMLTextAreaElement, 'form') };
const ownerForm = (el) => {
  const read = isHTML(el) && formOfTag[localName(el)];
  return read ? read(el) : closest(el, 'form');
};

const linkOf = (el) => closest(el, 'a[href],area[href]') || (localName(el) === 'label' ? null : find(el, 'a[href]'));

// Where a form is sent, by the button that sends it where that one says so.
const sentTo = (form, button) => {
  const type = button && (localName(button) === 'input' ? HTMLInputElement : HTMLButtonElement);
  const how = button && hasAttr(button, 'formmethod') ? getter(type, 'formMethod')(button) : formMethod(form);
  if (how === 'dialog') return '';
  return button && hasAttr(button, 'formaction') ? getter(type, 'formAction')(button) : formAction(form);
};

// Where a press leads: to where its form is sent, or its link goes; '' when
// the page does not say. A button of a form that does not send it still stands
// for that form, which scripts send as often. Without the fragment, which is
// never sent.
const destinationOf = (el) => {
  const address = addressOf(el);
  const fragment = address.indexOf('#');
  return cut(fragment < 0 ? address : address.slice(0, fragment), MAX.address);
};

const addressOf = (el) => {
  const button = closest(el, 'button,input');
  const sends = button && ['submit', 'image'].includes(localName(button) === 'input' ? inputType(button) : typeOfButton(button));
  const form = sends && ownerForm(button);
  if (form) return sentTo(form, button);
  const link = linkOf(el);
  if (link) return hrefOf(link);
  const around = ownerForm(button || el);
  return around ? sentTo(around, null) : '';
};

// Where a link leads, from its address; '' when that is this page.
const leadsTo = (el) => {
  try {
    if (hrefOf(el).split('#')[0] === location.href.split('#')[0]) return '';
    const segments = new URL(hrefOf(el)).pathname.split('/').filter(Boolean);
    return squash(decodeURIComponent(segments.pop() || '').replace(/\.\w{2,5}$/, '').replace(/[-_+]+/g, ' '));
  } catch {
    return '';
  }
};
