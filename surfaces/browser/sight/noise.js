// What is drawn and not worth a look: advertisements, blank boxes, and what only
// a machine reads. Whole blocks go, and are counted.

const AD_HOST = new RegExp('(^|\\.)(doubleclick\\.net|googlesyndication\\.com|googleadservices\\.com|adservice\\.google\\.[a-z.]+|' +
  'amazon-adsystem\\.com|taboola\\.com|outbrain\\.com|criteo\\.[a-z.]+|adnxs\\.com|moatads\\.com|pubmatic\\.com|' +
  'rubiconproject\\.com|scorecardresearch\\.com)$', 'i');
const AD_MARKS = '[data-ad-client],[data-ad-slot],[data-ad-unit],[data-google-query-id],[data-google-av-element]';
const AD_LABEL = /^(advertisement|sponsored|ad)$/i;
const MAY_LABEL = /ad|sponsored/i;
const AD_SHARE = 0.4; // of the window, above which a block is no advertisement for its words
const NEVER_AD = 'html,body,main,nav,header,footer,aside,form,dialog,search,[role=main],[role=navigation],[role=banner],' +
  '[role=contentinfo],[role=complementary],[role=search],[role=form],[role=dialog],[role=alertdialog]';
const FIELDS = 'input:not([type=hidden]),textarea,select,[contenteditable=""],[contenteditable=true]';
const BANNER = /cookie|consent|gdpr|privacy|newsletter|subscri/i;
const BANNER_CHARS = 600;

const adAddress = (address) => {
  if (!address || !address.includes('//')) return false;
  const host = /^(?:[a-z]+:)?\/\/([^/?#:]+)/i.exec(cut(squash(address), 500));
  return host !== null && AD_HOST.test(host[1]);
};

// Whether a class or id says advertisement in words of its own: "top-ad" and
// "adSlot" do, "header" and "css-1ad4k9" do not.
const adToken = (token) => {
  const words = token.split(/[-_]/);
  return words.some((w, i) => {
    if (/^(adsbygoogle|adslots?|adunits?|adcontainer|advert\w*|sponsor\w*)$/i.test(w)) return true;
    if (!/^(ad|ads|dfp|AD|ADS|DFP)$/.test(w)) return false;
    return words.length === 1 || [words[i - 1], words[i + 1]].some((near) => near !== undefined && /^[a-z]{3,}$/i.test(near));
  });
};

const adWords = (el) => {
  const names = attr(el, 'class'), id = attr(el, 'id');
  if (!names && !id) return false;
  const said = cut((names || '') + ' ' + (id || ''), 1000);
  return /ad|dfp|sponsor/i.test(said) && said.split(/\s+/).some((t) => !t.includes(':') && adToken(t));
};

const shareOf = (R, el) => {
  const r = box(el);
  return Math.max(0, Math.min(r.right, R.width) - Math.max(r.left, 0)) * Math.max(0, Math.min(r.bottom, R.height) - Math.max(r.top, 0)) /
    (R.width * R.height);
};

// A notice about cookies and its like is for the person to answer, whatever it
// calls itself.
const isBanner = (el) => BANNER.test(cut((attr(el, 'class') || '') + ' ' + (attr(el, 'id') || '') + ' ' + (attr(el, 'aria-label') || ''), 1000)) ||
  BANNER.test(cut(textOf(el), BANNER_CHARS));

const mayBeAd = (R, el) => !matches(el, NEVER_AD) && !find(el, FIELDS + ',main,[role=main],dialog,[role=dialog]') && shareOf(R, el) <= AD_SHARE && !isBanner(el);

// Whether a block is an advertisement. What floats above the page never is.
const isAd = (R, el, tag, position) => {
  switch (tag) {
    case 'iframe': case 'frame': case 'img':
      if (adAddress(attr(el, 'src'))) return true;
      break;
    case 'a':
      if (adAddress(attr(el, 'href'))) return true;
  }
  if (tag === 'img') return isPixel(el);
  if (position === 'fixed') return false;
  return (adWords(el) || matches(el, AD_MARKS)) && mayBeAd(R, el);
};

const loaded = getter(HTMLImageElement, 'complete');
const naturalWidth = getter(HTMLImageElement, 'naturalWidth');
const naturalHeight = getter(HTMLImageElement, 'naturalHeight');
const isPixel = (img) => isHTML(img) && loaded(img) && naturalWidth(img) === 1 && naturalHeight(img) === 1;

// The block that a lone word "Advertisement" speaks of: the nearest one holding
// more than the word; null when that is no block that may go.
const blockOfLabel = (R, el) => {
  const label = squash(textOf(el));
  let n = el;
  while (n && squash(textOf(n)) === label && !find(n, 'iframe,img,a[href]')) n = parentElement(n);
  return n && mayBeAd(R, n) ? n : null;
};

// Text that is clipped away, there for screen readers alone.
const clippedAway = (el, cs, position) => {
  if (position !== 'absolute' && position !== 'fixed') return false;
  const clip = /^rect\(([^)]*)\)$/.exec(cs.clip);
  if (clip) {
    const [top, right, bottom, left] = clip[1].split(/,?\s+/).map((v) => parseFloat(v));
    if (bottom - top <= 0 || right - left <= 0) return true;
  }
  if (/^inset\((50|100)%/.test(cs.clipPath)) return true;
  if (cs.overflowX === 'visible') return false;
  const r = box(el);
  return r.width <= 1 && r.height <= 1;
};

// Whether a person sees what says aria-hidden: on top at its middle, or above or
// below the window.
const seenAnyway = (R, el) => {
  const r = box(el);
  if (r.width < 1 || r.height < 1) return true; // what is drawn of it speaks for itself
  const x = r.left + r.width / 2, y = r.top + r.height / 2;
  if (y < 0 || y >= R.height) return true;
  if (x < 0 || x >= R.width) return false;
  const hit = deepAt(x, y);
  return hit !== null && (within(hit, el) || within(el, hit));
};

// A box that is clicked only by its cursor, tab stop or handler and shows
// nothing: no words, no name, no picture, no control within.
const isBlank = (R, c) => {
  if (!c.soft || c.name || c.words) return false;
  if (find(c.el, 'img,svg,canvas,video,picture,i,[role=img]') || styleOf(c.el).backgroundImage !== 'none') return false;
  return !R.controls.some((o) => o.parent === c);
};
