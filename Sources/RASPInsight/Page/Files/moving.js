/* Selecting an event, going from one to another, and choosing what is shown. */
const visited = [];
let isDue = false;

/** Draws once before the next frame, however much has changed. */
function draw() {
  if (isDue) { return; }
  isDue = true;
  requestAnimationFrame(() => { isDue = false; drawList(); drawLanes(); });
}

function showPane(name) { document.body.dataset.pane = name; draw(); }

function select(index, { remember = false, open = false } = {}) {
  if (index < 0 || index >= count) { return; }
  if (remember && selected >= 0) { visited.push(selected); }
  if (laneOf[index] !== laneOf[selected]) { stateLane = -1; }
  selected = index;
  if (remember && shown[placeOf(index)] !== index) { clearFilter(); }
  if (open) { showPane('details'); }
  reveal(index);
  showInLanes(index);
  drawDetails();
  draw();
  const address = `#${lanes[laneOf[index]].number}.${numberOf[index]}`;
  // A page in a frame that may not change its address works without.
  try { history.replaceState(null, '', address); } catch { /* as said */ }
}

function step(by) {
  if (shown.length === 0) { return; }
  const at = placeOf(selected);
  const isShown = at >= 0 && shown[at] === selected;
  const next = selected < 0 ? 0 : at + (isShown || by < 0 ? by : 0) + (!isShown && by !== 0 ? 1 : 0);
  select(shown[Math.min(Math.max(next, 0), shown.length - 1)]);
}

function stepInLane(by) {
  if (selected < 0) { step(0); return; }
  const { drawn } = lanes[laneOf[selected]];
  const at = countUpTo(drawn, selected) - 1;
  select(drawn[drawn[at] === selected || by > 0 ? at + by : at] ?? -1);
}

const toCause = () => { if (selected >= 0) { select(causeOf[selected], { remember: true }); } };
const toEffect = () => {
  if (selected >= 0 && effectsOf(selected).length) { select(effectsOf(selected)[0], { remember: true }); }
};
const goBack = () => { if (visited.length) { select(visited.pop()); } };

// The filter and the lanes shown

const input = find('filter');
const only = button('failed', 'Show only what has failed', () => {
  only.setAttribute('aria-pressed', String(only.getAttribute('aria-pressed') !== 'true'));
  refilter();
});
only.id = 'only';
only.setAttribute('aria-pressed', 'false');

function refilter() {
  filter(input.value, only.getAttribute('aria-pressed') === 'true');
  const since = raw.beginning ? ` since ${raw.beginning}` : '';
  const end = count ? `, ${clock(latest)}${since}` : '';
  const number = isFiltered ? `${numeral(shown.length)} of ${numeral(count)}` : numeral(count);
  find('summary').textContent = `${number} ${count === 1 ? 'event' : 'events'}${end}`;
  measureList();
  if (selected >= 0) { reveal(selected); drawDetails(); }
  list.scrollTop = Math.min(list.scrollTop, Math.max(0, shown.length * rowHeight() - list.clientHeight));
  draw();
}

function clearFilter() {
  input.value = '';
  only.setAttribute('aria-pressed', 'false');
  for (const lane of lanes) { lane.shown = true; lane.chip.setAttribute('aria-pressed', 'true'); }
  refilter();
}

function makeChips() {
  for (const lane of lanes) {
    lane.chip = make('button', '', make('i', 'dot'), make('bdi', '', oneLine(lane.name)));
    lane.chip.type = 'button';
    lane.chip.style.setProperty('--c', lane.colour);
    lane.chip.title = `${lane.kind}, ${numeral(lane.events.length)} events`;
    lane.chip.setAttribute('aria-pressed', 'true');
    lane.chip.addEventListener('click', () => {
      lane.shown = !lane.shown;
      lane.chip.setAttribute('aria-pressed', String(lane.shown));
      refilter();
    });
    find('chips').append(lane.chip);
  }
  if (failureOf.size > 0) { find('chips').append(only); }
  find('chips').hidden = lanes.length < 2 && failureOf.size === 0;
}

