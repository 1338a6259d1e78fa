// What an element is, by what it does.
const CONTROL_ROLES = new Set(['button', 'link', 'checkbox', 'radio', 'switch', 'tab', 'menuitem', 'menuitemcheckbox',
  'menuitemradio', 'option', 'treeitem', 'slider', 'gridcell']);
const TEXT_ROLES = new Set(['textbox', 'searchbox', 'combobox', 'spinbutton']);
const TYPED_INTO = new Set([...TEXT_ROLES, 'textarea']);
const REGION_ROLES = new Set(['menu', 'menubar', 'list', 'listbox', 'grid', 'treegrid', 'tabpanel', 'tablist', 'toolbar', 'dialog',
  'alertdialog', 'tree', 'table', 'radiogroup', 'group', 'region', 'navigation', 'main', 'banner', 'contentinfo',
  'complementary', 'search', 'form', 'feed', 'article']);
const LIST_ROLES = new Set(['list', 'listbox', 'menu', 'menubar', 'tablist', 'tree', 'grid', 'treegrid', 'table', 'radiogroup', 'feed']);
const LANDMARKS = new Set(['navigation', 'main', 'banner', 'contentinfo', 'complementary', 'search']);
const NAMED_ONLY = new Set(['region', 'form', 'toolbar', 'tabpanel']);
const NUMBERED = new Set(['listitem', 'row', 'article', 'group']);
const SKIPPED = new Set(['script', 'style', 'noscript', 'template', 'head', 'meta', 'link', 'title', 'svg', 'video',
  'audio', 'object', 'embed', 'datalist', 'math', 'map', 'progress', 'meter']);
const TYPED = new Set(['text', 'search', 'email', 'url', 'tel', 'password', 'number', 'date', 'month', 'week', 'time',
  'datetime-local']);
const PRESSED = new Set(['button', 'submit', 'reset', 'image', 'file', 'color']);
const BOX_TO_TYPE = 'input:not([type=hidden]):not([type=checkbox]):not([type=radio]):not([type=button]):not([type=submit])' +
  ':not([type=reset]):not([type=image]):not([type=file]):not([type=range]):not([type=color]),textarea,[contenteditable=""],' +
  '[contenteditable=true],[contenteditable=plaintext-only]';

const roleAttr = (el) => {
  const said = attr(el, 'role');
  return said ? said.trim().split(/\s+/)[0].toLowerCase() : '';
};

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

const isNative = (el) => ['a', 'button', 'input', 'select', 'textarea', 'summary', 'label'].includes(localName(el));

const editable = (el) => {
  const v = attr(el, 'contenteditable');
  return v !== null && ['', 'true', 'plaintext-only'].includes(v.toLowerCase());
};

const takesText = (el) => {
  const tag = localName(el);
  if (tag === 'input') return TYPED.has(inputType(el)) && !matches(el, ':disabled') && !inputReadOnly(el);
  if (tag === 'textarea') return !matches(el, ':disabled') && !textareaReadOnly(el);
  return editable(el);
};

// Types that are set and not typed, and show no caret.
const SET_ONLY = new Set(['range', 'color']);

const takesValue = (el) => takesText(el) || (localName(el) === 'input' && SET_ONLY.has(inputType(el)) && !matches(el, ':disabled'));

const classes = (el) => raw(attr(el, 'class') || '').split(/\s+/).filter((c) => c && !c.includes(':'));

// Few elements say any of this, and one question for all of it is less than one
// for each.
const SAYS_DISABLED = '[aria-disabled],[class*=disabled i]';
const SAYS_CHOSEN = '[aria-selected],[aria-current],[aria-checked],[aria-pressed],[class*=selected i],[class*=checked i]';

const CAN_BE_DISABLED = new Set(['button', 'input', 'select', 'textarea', 'option', 'optgroup', 'fieldset']);
const isDisabled = (el) => {
  const tag = localName(el);
  if ((CAN_BE_DISABLED.has(tag) || tag.includes('-')) && matches(el, ':disabled')) return true;
  if (!matches(el, SAYS_DISABLED)) return false;
  return fold(attr(el, 'aria-disabled')) === 'true' || classes(el).some((c) => /disabled$/i.test(c));
};

const truthy = (v) => v !== null && v !== '' && v.toLowerCase() !== 'false' && v.toLowerCase() !== 'mixed';

const CHOSEN = ['aria-selected', 'aria-current', 'aria-checked', 'aria-pressed'];
const chosen = (el) => {
  if (!matches(el, SAYS_CHOSEN)) return false;
  return CHOSEN.some((a) => truthy(attr(el, a))) || classes(el).some((c) => /-(selected|checked)$/i.test(c) && !/(^|-)(un|not-?)-?(selected|checked)$/i.test(c));
};

const checkbox = (el) => localName(el) === 'input' && ['checkbox', 'radio'].includes(inputType(el));
const ticked = getter(HTMLInputElement, 'checked');

// Whether a native checkbox or radio is drawn by something else.
const unseen = (el) => {
  const cs = styleOf(el);
  if (cs.display === 'none' || cs.visibility !== 'visible' || Number(cs.opacity) === 0) return true;
  const r = box(el);
  return r.width <= 1 || r.height <= 1 || /rect\(0|inset\(50%|inset\(100%/.test(cs.clip + cs.clipPath);
};

const labelsOfTag = { input: getter(HTMLInputElement, 'labels'), textarea: getter(HTMLTextAreaElement, 'labels'),
  select: getter(HTMLSelectElement, 'labels'), button: getter(HTMLButtonElement, 'labels') };
const labelsOf = (el) => {
  const read = isHTML(el) && labelsOfTag[localName(el)];
  return read ? [...(read(el) || [])] : [];
};

const drawn = (el) => boxes(el).length > 0 && styleOf(el).visibility === 'visible';

const standIn = (label) => {
  if (localName(label) !== 'label') return null;
  const control = controlOf(label);
  return control && checkbox(control) && unseen(control) ? control : null;
};
