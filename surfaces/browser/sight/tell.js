// What is told of a control, and of a frame.
const statesOf = (R, c, where) => {
  const el = c.el;
  const states = [];
  if (el === R.active || (c.input && c.input === R.active)) states.push('focused');
  const on = c.input ? ticked(c.input) : null;
  if (c.owner) {
    if (localName(c.owner.el) === 'select' && isChosen(el)) states.push('selected');
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
  else if (takesValue(c.el)) actions.push('SetValue');
  if (states.includes('collapsed')) actions.push('Expand');
  if (states.includes('expanded')) actions.push('Collapse');
  return actions.length > 1 ? actions : null; // a press alone goes without saying
};

const valueOf = (c) => {
  const el = c.el;
  if (c.owner || c.input) return '';
  const tag = localName(el);
  if (tag === 'select') {
    const o = [...chosenOptions(el)].slice(0, MAX.value).map((s) => squash(labelOfOption(s)));
    return o.join(', ');
  }
  if (tag === 'input') {
    const type = inputType(el);
    return type === 'password' || (PRESSED.has(type) && type !== 'color') ? '' : inputValue(el);
  }
  if (tag === 'textarea') return inputValue(el);
  return editable(el) ? regionText(el).trim() : squash(attr(el, 'aria-valuetext') || attr(el, 'aria-valuenow'));
};

// What a field's own description says, such as the layout of a date.
const described = (el) => (attr(el, 'aria-describedby') || '').split(/\s+/).filter(Boolean).slice(0, 3).map((id) => byId(el, id))
  .map((d) => (d ? squash(wordsOf(d)) : '')).filter(Boolean).join(' ');

const formOf = (el) => {
  const form = ownerForm(el);
  if (!form) return '';
  const id = attr(form, 'id') || attr(form, 'name');
  return id ? cut(id, MAX.name) : 'form ' + ([...findIn(rootNode(form), 'form')].indexOf(form) + 1);
};

const typeOf = (c) => {
  const tag = localName(c.el);
  if (tag === 'input') return inputType(c.el);
  if (tag === 'select' || tag === 'textarea') return tag;
  return editable(c.el) ? 'richtext' : '';
};

// What has nothing to say is left out: it would cross to us all the same.
const some = (list) => (list.length > 0 ? list : undefined);

const give = (R, c) => {
  const el = c.el;
  const r = boxOf(c);
  const where = c.owner ? '' : whereIs(R, el, r);
  const states = statesOf(R, c, where);
  const field = c.input || el;
  return {
    ref: mark(el), role: c.role, name: cut(squash(c.name), MAX.name), description: cut(squash(c.description), MAX.text) || undefined,
    value: cut(valueOf(c), MAX.value) || undefined, states: some(states), actions: actionsOf(c, states) || undefined, children: childCount(el) || undefined,
    x: r.left, y: r.top, w: r.width, h: r.height, path: some(c.path), order: c.order, form: formOf(el) || undefined,
    autocomplete: cut(attr(field, 'autocomplete') || '', MAX.name) || undefined, type: typeOf(c) || undefined,
    destination: c.owner ? undefined : destinationOf(el) || undefined,
    hints: some([...['placeholder', 'title', 'pattern'].map((a) => attr(field, a) || ''), described(field)].map((t) => cut(t, MAX.text)).filter(Boolean)),
  };
};

const frameGiven = (R, f) => {
  const r = box(f.el);
  const cs = styleOf(f.el);
  const x = r.left + borderLeft(f.el) + parseFloat(cs.paddingLeft), y = r.top + borderTop(f.el) + parseFloat(cs.paddingTop);
  const p = middle(f.el);
  return { ref: mark(f.el), x, y, w: r.width, h: r.height, share: shareOf(R, f.el), front: deepAt(p.x, p.y) === f.el, path: f.path };
};
