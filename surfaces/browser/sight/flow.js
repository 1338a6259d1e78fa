// What is set one below the other: in such a flow nothing comes higher than what
// came before it. So once a text of it lies too far below the window to be told,
// the texts after it are not measured, of which a long page has thousands.

// A flow is made of blocks and of words in them, from the element it starts at. NO_FLOW
// is that of nothing yet.
const NO_FLOW = { from: null, blocks: false, below: false, asked: false };

const STACKED = new Set(['block', 'list-item']);

// The flow an element is set in: that around it, where both are set plainly, or
// one of its own.
const flowOf = (el, look, ctx) => {
  const stacked = STACKED.has(look.display);
  if ((stacked || look.display === 'inline') && look.position === 'static' && ctx.flow.blocks) return ctx.flow;
  return { from: el, blocks: stacked, below: false, asked: false };
};

// Notes that a flow has come to a text too far below, where no box around that
// text ends above it, floats, or sets its parts side by side. This is asked once.
const noteBelow = (R, line, r) => {
  const { flow } = line;
  if (flow.asked) return;
  flow.asked = true;
  for (let el = line.el; el && el !== flow.from; el = above(el)) {
    if (el !== line.el && box(el).bottom < r.bottom || !setsDown(styleOf(el))) return;
  }
  flow.below = setsDown(styleOf(flow.from));
};

const setsDown = (cs) => cs.cssFloat === 'none' && cs.columnCount === 'auto' && cs.columnWidth === 'auto' && cs.writingMode === 'horizontal-tb';
