// What is done to a page: finding the control a ref means, proving that a press
// will land on it, filling fields, and watching what changes. Runs in the same
// world as the reading and after it.
(() => {
  'use strict';
  const { verbs, lib } = globalThis.desk;
  const { MARK, DIALOG, CARD, getter, parentElement, localName, attr, hasAttr, setAttr, closest, matches, find, findAll, findInPage,
    box, boxes, styleOf, textContent, contains, shadowOf, deepActive, bodyOf, rootOf, inputType, inputValue, squash, cut, wordy,
    wordsOf, marked, takesText, takesValue, editable, isDisabled, chosen, checkbox, ticked, standIn, drawn, middle, deepAt, belongs, within, shutAround,
    frameOf, documentIn, ownerDocument, inOwnCard, clipped, pageLabel, headingIn, pictureName, roleAttr, labelled, ownerForm, linkOf } = lib;

  const isConnected = getter(Node, 'isConnected');
  const inputOf = (el) => standIn(el) || (checkbox(el) ? el : null);

  // ---- covers ----------------------------------------------------------
  const CONTROL = 'a[href],button,input,select,textarea,summary,[role=button],[role=link],[role=checkbox],[role=radio],[role=switch],' +
    '[role=tab],[role=menuitem],[role=option],[role=slider],[role=treeitem],[role=gridcell],[role=combobox],[role=textbox]';
  const PICTURE = 'img,svg,canvas,video,picture';
  const EMPTY_SHARE = 0.5;

  const controlName = (el) => {
    const tag = localName(el);
    const role = roleAttr(el) || { a: 'link', summary: 'button', select: 'combobox', textarea: 'textbox' }[tag] ||
      (tag === 'input' ? ({ checkbox: 'checkbox', radio: 'radio' }[inputType(el)] || (['submit', 'button', 'reset', 'image'].includes(inputType(el)) ? 'button' : 'textbox')) : 'button');
    const pressed = tag === 'input' && ['submit', 'button', 'reset'].includes(inputType(el));
    return labelled(role, cut(squash(wordsOf(el)) || (pressed && inputValue(el)) || pageLabel(el) || squash(attr(el, 'placeholder')) || pictureName(el), 60));
  };

  const layerOf = (el) => {
    for (let n = el; n && n !== rootOf(); n = parentElement(n)) {
      if (['fixed', 'absolute'].includes(styleOf(n).position)) return n;
    }
    return null;
  };

  const describeCover = (target, hit) => {
    if (!hit) return { cover: '', empty: false };
    const control = closest(hit, CONTROL);
    if (control && !contains(control, target)) return { cover: controlName(control), empty: false };
    let dialog = closest(hit, DIALOG);
    if (dialog && contains(dialog, target)) dialog = null;
    const layer = layerOf(hit);
    if (!dialog && layer && !contains(layer, target)) dialog = find(layer, DIALOG);
    if (dialog && drawn(dialog)) return { cover: labelled('dialog', cut(pageLabel(dialog) || headingIn(dialog) || squash(wordsOf(dialog)), 60)), empty: false };
    const words = squash(wordsOf(hit)) || (layer && !contains(layer, target) ? squash(wordsOf(layer)) : '');
    if (matches(hit, PICTURE)) return { cover: labelled('picture', pictureName(hit)), empty: false };
    if (wordy(words) && !contains(hit, target)) return { cover: labelled('layer', cut(words, 60)), empty: false };
    if (find(hit, PICTURE) && !contains(hit, target)) return { cover: labelled('picture', pictureName(hit)), empty: false };
    const r = box(hit);
    const share = Math.max(0, Math.min(r.right, innerWidth) - Math.max(r.left, 0)) * Math.max(0, Math.min(r.bottom, innerHeight) - Math.max(r.top, 0)) /
      (innerWidth * innerHeight);
    const custom = Boolean(shadowOf(hit)) || localName(hit).includes('-');
    const positioned = Boolean(layer) && !contains(layer, target);
    return { cover: 'an empty layer', empty: share >= EMPTY_SHARE && !custom && positioned };
  };

  // ---- aiming ----------------------------------------------------------
  const outside = (p) => p.x < 0 || p.y < 0 || p.x >= innerWidth || p.y >= innerHeight;

  const centre = (el) => el.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });

  const stateOf = (el) => {
    const input = inputOf(el);
    const says = ['aria-selected', 'aria-checked', 'aria-pressed'].some((a) => hasAttr(el, a));
    return {
      on: input ? ticked(input) : chosen(el), exposes: Boolean(input) || says,
      checkable: Boolean(input) || ['checkbox', 'switch', 'radio', 'menuitemcheckbox', 'menuitemradio'].includes(roleAttr(el)),
    };
  };

  // A link that saves a file navigates nowhere, which would tell of it.
  const saves = (el) => { const link = linkOf(el); return Boolean(link) && hasAttr(link, 'download'); };

  // Whether an element shows a document nobody here looks into: a press on it is
  // one on that document, and reaches nothing around it.
  const foreign = (el) => el !== null && ['iframe', 'frame', 'fencedframe', 'embed'].includes(localName(el)) && !documentIn(el);

  // Where to press a control: {x, y} once a press there would land on it.
  verbs.aim = ({ ref, again }) => {
    const el = marked(ref);
    if (!el) return { why: 'stale' };
    if (localName(el) === 'option') return { option: true };
    if (isDisabled(el) || (inputOf(el) && isDisabled(inputOf(el)))) return { why: 'disabled' };
    if (!drawn(el)) return { why: 'gone' };
    if (again) {
      const focused = deepActive();
      if (focused && focused !== el && takesText(focused)) focused.blur();
      centre(el);
    }
    let p = middle(el);
    if (outside(p) || clipped(el, p)) {
      centre(el);
      p = middle(el);
    }
    if (outside(p)) return { why: 'outside' };
    const hit = deepAt(p.x, p.y, el);
    if (foreign(hit)) return { why: 'covered', cover: labelled('frame', pageLabel(hit) || attr(hit, 'title')), empty: false };
    const card = Boolean(hit) && !belongs(el, hit) && inOwnCard(el, hit, p);
    if (hit && (card || belongs(el, hit))) return { ok: true, card, x: p.x, y: p.y, saves: saves(el), ...stateOf(el) };
    return { why: 'covered', ...describeCover(el, hit) };
  };

  const GRID = 7;

  // Where the empty layer over a control can be pressed: of points spread over
  // the window the first at which the layer itself is on top and nothing that
  // can be pressed, and nothing of the control, lies beneath.
  verbs.beside = ({ ref }) => {
    const el = marked(ref);
    const v = verbs.aim({ ref });
    if (v.ok || v.why !== 'covered' || !v.empty) return v;
    const p = middle(el);
    const layer = deepAt(p.x, p.y, el);
    for (let i = 0; i < GRID * GRID; i++) {
      const x = innerWidth * ((i % GRID) + 0.5) / GRID, y = innerHeight * (Math.floor(i / GRID) + 0.5) / GRID;
      if (deepAt(x, y, el) === layer && bareUnder(el, layer, x, y)) return { ok: true, x, y, layer: v.cover };
    }
    return v;
  };

  // Looks through the layer for an instant; its style is put back.
  const bareUnder = (target, layer, x, y) => {
    const had = [layer.style.getPropertyValue('pointer-events'), layer.style.getPropertyPriority('pointer-events')];
    const styled = hasAttr(layer, 'style');
    layer.style.setProperty('pointer-events', 'none', 'important');
    try {
      const under = deepAt(x, y, target);
      return !under || (under !== layer && !belongs(target, under) && !closest(under, CONTROL) && styleOf(under).cursor !== 'pointer');
    } finally {
      if (had[0]) layer.style.setProperty('pointer-events', ...had);
      else layer.style.removeProperty('pointer-events');
      if (!styled) layer.removeAttribute('style');
    }
  };

  verbs.state = ({ ref }) => {
    const el = marked(ref);
    if (!el) return { gone: true };
    return { gone: !drawn(el), ...stateOf(el) };
  };

  verbs.clickSelf = ({ ref }) => {
    const el = marked(ref);
    if (!el) return false;
    el.click();
    return true;
  };

  // A guard stands between a press and the page: a press that would land on
  // something else reaches nothing, even when that came up after the aim.
  const PRESSES = ['pointerdown', 'mousedown', 'pointerup', 'mouseup', 'click', 'auxclick'];
  let guard = null;

  // Aims once more, and sets the guard when a press would still land.
  verbs.guard = ({ ref }) => {
    dropGuard();
    const v = verbs.aim({ ref });
    if (!v.ok) return v;
    const el = marked(ref);
    keepHere(el);
    const scope = v.card ? closest(el, CARD) || el : el;
    setGuard(el, (hit) => belongs(el, hit) || within(hit, scope) || shutAround(el, hit));
    return v;
  };

  // Every window around el is watched, since a press in a frame is heard there alone.
  // A press is lost where the control outlived the page's answer to its first half
  // and was gone before the second: it was rendered anew between, and no click came.
  const setGuard = (el, reaches) => {
    const g = { landed: false, blocked: '', lost: false, views: [] };
    let outlived = false;
    const follow = (type) => {
      if (type === 'mousedown') setTimeout(() => { outlived = isConnected(el); });
      else if (type === 'pointerup') g.lost = outlived && !isConnected(el);
      else if (type === 'click') g.lost = false;
    };
    g.on = (e) => {
      if (!e.isTrusted) return;
      if (g.landed) {
        follow(e.type);
        return;
      }
      const hit = e.composedPath()[0];
      const element = hit && hit.nodeType === 1;
      if (!g.blocked && element && reaches(hit)) {
        g.landed = true;
        return;
      }
      if (!g.blocked) g.blocked = (element && describeCover(el, hit).cover) || 'something';
      e.preventDefault();
      e.stopImmediatePropagation();
    };
    for (let doc = ownerDocument(el); doc; doc = frameOf(doc) && ownerDocument(frameOf(doc))) g.views.push(doc.defaultView);
    for (const view of g.views) for (const type of PRESSES) view.addEventListener(type, g.on, { capture: true, passive: false });
    guard = g;
  };

  const dropGuard = () => {
    if (guard) for (const view of guard.views) for (const type of PRESSES) view.removeEventListener(type, guard.on, { capture: true });
    guard = null;
  };

  verbs.guarded = () => {
    const g = guard;
    dropGuard();
    return g ? { landed: g.landed, blocked: g.blocked, lost: g.lost } : { landed: true, blocked: '', lost: false };
  };

  // Whether a press at a point of a frame reaches it through this document, and
  // where that is here. With a guard, a press that does not is kept from here.
  verbs.through = ({ ref, x, y, guard: guarding }) => {
    if (guarding) dropGuard();
    const el = marked(ref);
    if (!el) return { why: 'stale' };
    const at = () => {
      const r = box(el), cs = styleOf(el);
      return { x: r.left + el.clientLeft + parseFloat(cs.paddingLeft) + x, y: r.top + el.clientTop + parseFloat(cs.paddingTop) + y };
    };
    let p = at();
    if (outside(p) || clipped(el, p)) {
      centre(el);
      p = at();
      if (outside(p)) scrollBy({ top: p.y - innerHeight / 2, left: p.x - innerWidth / 2, behavior: 'instant' });
      p = at();
    }
    if (outside(p)) return { why: 'outside' };
    const hit = deepAt(p.x, p.y);
    if (hit !== el) return { why: 'covered', ...describeCover(el, hit) };
    if (guarding) setGuard(el, () => false);
    return { ok: true, ...p };
  };

  // A link or form that would open a new tab is aimed at this one.
  const opensAnew = (name) => {
    if (!name || ['_self', '_top', '_parent'].includes(name.toLowerCase())) return false;
    return name.toLowerCase() === '_blank' || ![...findInPage('iframe[name],frame[name]')].some((f) => attr(f, 'name') === name);
  };

  const keepHere = (el) => {
    const base = findInPage('base[target]')[0];
    const fallback = base ? attr(base, 'target') : '';
    const link = linkOf(el);
    if (link && opensAnew(attr(link, 'target') === null ? fallback : attr(link, 'target'))) setAttr(link, 'target', '_self');
    const button = closest(el, 'button,input');
    if (button && opensAnew(attr(button, 'formtarget'))) setAttr(button, 'formtarget', '_self');
    const form = ownerForm(button || el);
    if (form && opensAnew(attr(form, 'target') === null ? fallback : attr(form, 'target'))) setAttr(form, 'target', '_self');
  };

  // Keys go to what has the focus: told is the frame it is in, where that is none
  // of this document's own.
  verbs.focused = () => {
    const el = deepActive();
    return { frame: foreign(el) ? globalThis.desk.adopt(el) : 0 };
  };

  verbs.keepHere = () => {
    const el = deepActive();
    if (el) keepHere(el);
  };

  // ---- native choices --------------------------------------------------
  const fire = (el, type) => el.dispatchEvent(new Event(type, { bubbles: true, composed: true }));

  const setNative = (el, value) => {
    const type = localName(el) === 'textarea' ? HTMLTextAreaElement : HTMLInputElement;
    Object.getOwnPropertyDescriptor(type.prototype, 'value').set.call(el, value);
  };

  verbs.choose = ({ ref }) => {
    const option = marked(ref);
    if (!option || localName(option) !== 'option') return { why: 'stale' };
    if (matches(option, ':disabled')) return { why: 'disabled' };
    const list = closest(option, 'datalist');
    if (list) return suggest(list, getter(HTMLOptionElement, 'value')(option));
    const select = closest(option, 'select');
    if (!select) return { why: 'stale' };
    if (isDisabled(select)) return { why: 'disabled' };
    select.focus({ preventScroll: true });
    const had = getter(HTMLOptionElement, 'selected')(option);
    if (!had) {
      Object.getOwnPropertyDescriptor(HTMLOptionElement.prototype, 'selected').set.call(option, true);
      fire(select, 'input');
      fire(select, 'change');
    }
    return { ok: getter(HTMLOptionElement, 'selected')(option) };
  };

  const suggest = (list, value) => {
    const id = attr(list, 'id');
    const takers = [...findInPage('input[list]')].filter((i) => attr(i, 'list') === id && !isDisabled(i));
    const el = takers.find((i) => i === deepActive()) || takers[0];
    if (!el) return { why: 'gone' };
    el.focus({ preventScroll: true });
    setNative(el, value);
    fire(el, 'input');
    fire(el, 'change');
    return { ok: inputValue(el) === value };
  };

  // ---- text ------------------------------------------------------------
  const suggestsAt = (el) => ['combobox', 'searchbox'].includes(roleAttr(el)) || inputType(el) === 'search' ||
    (hasAttr(el, 'aria-autocomplete') && attr(el, 'aria-autocomplete') !== 'none') || hasAttr(el, 'list');

  // Types whose value is set, as keys would go to one of their parts.
  const SET = new Set(['date', 'month', 'week', 'time', 'datetime-local', 'color', 'range']);

  // What was focused last: only it leads into a closed shadow root again.
  let focusedIn = null;

  verbs.focus = ({ ref, all }) => {
    let el = null;
    if (ref) {
      el = marked(ref);
      if (!el) return { why: 'stale' };
      if (isDisabled(el)) return { why: 'disabled' };
      const p = middle(el);
      if (outside(p) || clipped(el, p)) centre(el);
      el.focus({ preventScroll: true });
    }
    const active = deepActive(el);
    focusedIn = el;
    if (!active || !takesValue(active) || (el && active !== el && !contains(el, active))) return { why: 'no text' };
    if (all && takesText(active)) selectAll(active);
    insertion = { el: active, held: heldBy(active), signs: 0 };
    active.addEventListener('input', () => { if (insertion) insertion.signs++; }, { once: true, capture: true, passive: true });
    return { kind: SET.has(inputType(active)) ? 'set' : 'type', suggests: suggestsAt(active), empty: heldBy(active) === '' };
  };

  // What a field held before something was inserted, to tell whether it threw
  // that away.
  let insertion = null;

  verbs.untouched = () => {
    const was = insertion;
    insertion = null;
    return Boolean(was) && was.el === deepActive(was.el) && was.signs === 0 && heldBy(was.el) === was.held;
  };

  const heldBy = (el) => (editable(el) ? getter(HTMLElement, 'innerText')(el) : inputValue(el));

  const selectAll = (el) => {
    if (!editable(el)) { el.select(); return; }
    const range = document.createRange();
    range.selectNodeContents(el);
    const selection = getSelection();
    selection.removeAllRanges();
    selection.addRange(range);
  };

  // Sets the focused field's value; ok only when the field took it.
  verbs.set = ({ text }) => {
    const el = deepActive(focusedIn);
    if (!el || !takesValue(el)) return { why: 'no text' };
    setNative(el, text);
    fire(el, 'input');
    fire(el, 'change');
    return { ok: inputValue(el) === text };
  };

  verbs.value = ({ ref }) => {
    const el = marked(ref);
    if (!el) return {};
    const tag = localName(el);
    if (tag === 'input' && (inputType(el) === 'password' || checkbox(el) || inputType(el) === 'file')) return {};
    if (tag === 'select') return { ok: true, value: [...getter(HTMLSelectElement, 'selectedOptions')(el)].map((o) => squash(getter(HTMLOptionElement, 'label')(o))).join(', ') };
    if (tag === 'input' || tag === 'textarea') return { ok: true, value: inputValue(el) };
    return editable(el) ? { ok: true, value: getter(HTMLElement, 'innerText')(el).replace(/\n$/, '') } : {};
  };

  const scrolls = (el) => /auto|scroll/.test(styleOf(el).overflowY) && el.scrollHeight > el.clientHeight;

  // The page, and where that does not move, the largest part in view that does.
  const scrollPage = (by) => {
    const [x, y] = [scrollX, scrollY];
    scrollBy({ top: by, behavior: 'instant' });
    if (scrollX !== x || scrollY !== y) return;
    const inView = (el) => {
      const r = box(el);
      return Math.max(0, Math.min(r.right, innerWidth) - Math.max(r.left, 0)) * Math.max(0, Math.min(r.bottom, innerHeight) - Math.max(r.top, 0));
    };
    const parts = [...findInPage('*')].filter(scrolls).map((el) => ({ el, size: inView(el) })).filter((p) => p.size > 0);
    for (const { el } of parts.sort((a, b) => b.size - a.size)) {
      const at = el.scrollTop;
      el.scrollBy({ top: by, behavior: 'instant' });
      if (el.scrollTop !== at) return;
    }
  };

  verbs.scroll = ({ ref, by }) => {
    if (!ref) {
      scrollPage(by);
      return {};
    }
    let el = marked(ref);
    if (!el) return { why: 'stale' };
    for (; el && el !== rootOf() && el !== bodyOf(); el = parentElement(el)) {
      if (!scrolls(el)) continue;
      el.scrollBy({ top: by, behavior: 'instant' });
      return {};
    }
    scrollBy({ top: by, behavior: 'instant' });
    return {};
  };

  // ---- watching --------------------------------------------------------
  // Changes are counted for as long as the page lives; a moment is a count.
  let changes = 0;
  let last = performance.now();
  let waiting = [];
  const watched = new WeakSet();

  const noted = () => {
    changes++;
    last = performance.now();
    const run = waiting;
    waiting = [];
    for (const wake of run) wake();
  };

  const observer = new MutationObserver((records) => {
    if (records.some((r) => r.type !== 'attributes' || r.attributeName !== MARK)) noted();
  });

  const watch = (root) => {
    if (!root || watched.has(root)) return;
    watched.add(root);
    observer.observe(root, { subtree: true, childList: true, characterData: true, attributes: true });
  };

  const watchAll = () => {
    watch(document);
    for (const el of findInPage('*')) if (shadowOf(el)) watch(shadowOf(el));
  };
  watch(document);
  for (const type of ['input', 'change']) addEventListener(type, noted, { capture: true, passive: true });

  const after = (ms) => new Promise((done) => setTimeout(done, ms));
  const changed = () => new Promise((done) => waiting.push(done));

  verbs.moment = () => {
    watchAll();
    return { changes };
  };

  // Waits for a change after the moment, at most ms.
  verbs.sign = async ({ since, ms }) => {
    watchAll();
    if (changes > since) return true;
    await Promise.race([changed(), after(ms)]);
    return changes > since;
  };

  const frame = () => Promise.race([new Promise((done) => requestAnimationFrame(done)), after(100)]);

  const animating = () => document.getAnimations().some((a) => {
    if (a.playState !== 'running' || !a.effect) return false;
    return Number.isFinite(a.effect.getComputedTiming().endTime);
  });

  // Waits until nothing changed for quiet ms over two frames and no animation
  // that ends is running, at most ms.
  verbs.still = async ({ quiet, ms }) => {
    watchAll();
    const until = performance.now() + ms;
    while (performance.now() < until) {
      const seen = changes;
      await frame();
      await frame();
      const idle = performance.now() - last;
      if (idle < quiet) await after(Math.ceil(Math.min(quiet - idle, Math.max(0, until - performance.now()))));
      if (seen === changes && performance.now() - last >= quiet && !animating()) return true;
    }
    return false;
  };
})();
