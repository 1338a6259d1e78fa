// What a page says to the test it is part of. A beacon is no request that a
// page waits for, so that logging changes no timing.
function log(text) {
  const now = performance.timeOrigin + performance.now();
  navigator.sendBeacon('/log', now.toFixed(3) + ' ' + text);
  const out = document.getElementById('log');
  if (out) out.textContent += text + '\n';
}
