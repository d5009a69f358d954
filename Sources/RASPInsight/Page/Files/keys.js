/* Keys, the mouse and fingers on the lanes, and the start of the page. */
// Keys

const actions = {
  ArrowDown: () => step(1), ArrowUp: () => step(-1),
  ArrowRight: () => stepInLane(1), ArrowLeft: () => stepInLane(-1),
  j: () => step(1), k: () => step(-1), PageDown: () => step(10), PageUp: () => step(-10),
  Home: () => select(shown[0] ?? -1), End: () => select(shown[shown.length - 1] ?? -1),
  c: toCause, e: toEffect, b: goBack, Backspace: goBack, t: () => setAxis(!view.byTime),
  '/': () => { input.focus(); input.select(); }, '+': () => zoom(0.5), '=': () => zoom(0.5), '-': () => zoom(2),
  0: fit, '?': () => find('keys').showModal(), Escape: () => { if (isFiltered) { clearFilter(); } },
  Enter: () => { if (selected >= 0) { showPane('details'); } },
};

document.addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || find('keys').open) { return; }
  const isTyping = event.target === input;
  if (isTyping && event.key === 'Escape') { clearFilter(); list.focus(); event.preventDefault(); return; }
  if (isTyping && !['ArrowDown', 'ArrowUp'].includes(event.key)) {
    if (event.key === 'Enter') { list.focus(); if (shown.length) { select(shown[0]); } }
    return;
  }
  const isButton = event.target instanceof HTMLButtonElement;
  if (isButton && ['Enter', ' '].includes(event.key)) { return; }
  if (!Object.hasOwn(actions, event.key)) { return; }
  event.preventDefault();
  actions[event.key]();
});

// The lanes, by mouse and fingers

const pointers = new Map();
let travelled = 0;
const across = (event) =>
  (event.clientX - canvas.getBoundingClientRect().left - gutter) / (canvas.clientWidth - gutter);

canvas.addEventListener('wheel', (event) => {
  if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
    const by = (event.deltaX || event.deltaY) / canvas.clientWidth * (view.to - view.from);
    setView(view.from + by, view.to + by);
  } else if (event.ctrlKey || find('scroll').scrollHeight <= find('scroll').clientHeight) {
    zoom(1.0015 ** event.deltaY, across(event));
  } else { return; }
  event.preventDefault();
}, { passive: false });

canvas.addEventListener('pointerdown', (event) => {
  pointers.set(event.pointerId, across(event));
  travelled = pointers.size > 1 ? Infinity : 0;
  canvas.setPointerCapture(event.pointerId);
});

canvas.addEventListener('pointermove', (event) => {
  if (!pointers.has(event.pointerId)) { return; }
  const before = [...pointers.values()];
  pointers.set(event.pointerId, across(event));
  const after = [...pointers.values()];
  const span = view.to - view.from;
  if (after.length === 1) {
    travelled += Math.abs(after[0] - before[0]) * canvas.clientWidth;
    setView(view.from - (after[0] - before[0]) * span, view.to - (after[0] - before[0]) * span);
  } else {
    const width = Math.max(0.02, Math.abs(after[0] - after[1]));
    zoom(Math.max(0.02, Math.abs(before[0] - before[1])) / width, (after[0] + after[1]) / 2);
  }
});

function release(event) { pointers.delete(event.pointerId); }
canvas.addEventListener('pointercancel', release);
canvas.addEventListener('pointerup', (event) => {
  release(event);
  if (travelled > 5) { return; }
  const y = event.clientY - canvas.getBoundingClientRect().top - axisHeight;
  const lane = lanes[Math.min(Math.max(Math.floor(y / laneHeight()), 0), lanes.length - 1)];
  if (!lane || lane.drawn.length === 0) { return; }
  const at = view.from + across(event) * (view.to - view.from);
  const after = countUpTo(placesOf(lane), at);
  const near = [lane.drawn[after - 1], lane.drawn[after]].filter((index) => index !== undefined);
  near.sort((a, b) => Math.abs(position(a) - at) - Math.abs(position(b) - at));
  select(near[0], { remember: true });
});
canvas.addEventListener('dblclick', fit);

// The start

find('in').addEventListener('click', () => zoom(0.5));
find('out').addEventListener('click', () => zoom(2));
find('fit').addEventListener('click', fit);
find('axis').addEventListener('click', () => setAxis(!view.byTime));
find('help').addEventListener('click', () => find('keys').showModal());
input.addEventListener('input', refilter);
list.addEventListener('scroll', draw, { passive: true });
window.addEventListener('resize', () => { measureList(); draw(); });
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => { readColours(); draw(); });

const longest = Math.min(16, Math.max(4, ...lanes.map((lane) => lane.name.length)));
list.style.setProperty('--names', `${longest * 0.62 + 1.2}em`);
find('title').textContent = oneLine(document.title);
canvas.setAttribute('aria-label', `${lanes.length} lanes with their events; the list below holds the same events`);
document.body.dataset.pane = 'list';
makeChips();
readColours();
measureGutter();
refilter();
fit();
const [, lane, number] = location.hash.match(/^#(\d+)\.(\d+)$/) || [];
const linked = lane === undefined ? -1
  : laneOf.findIndex((at, i) => lanes[at].number === Number(lane) && numberOf[i] === Number(number));
if (linked >= 0) { select(linked); } else { drawDetails(); }
list.focus({ preventScroll: true });
