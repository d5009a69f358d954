/* The selected event: what it carries, its causes and effects, and the state of its lane. */
const details = find('details');
let stateLane = -1;
let showsAll = false;

function button(text, label, action) {
  const element = make('button', '', text);
  element.type = 'button';
  element.setAttribute('aria-label', label);
  element.title = label;
  element.addEventListener('click', action);
  return element;
}

/** A line that leads to an event. */
function link(index) {
  const lane = lanes[laneOf[index]];
  const element = make(
    'button', '', make('span', 'time', clock(timeOf[index])), make('i', 'dot'), make('bdi', 'who', nameOf(index)),
    make('bdi', 'label', oneLine(labelText(index))),
  );
  element.type = 'button';
  element.style.setProperty('--c', lane.colour);
  if (failureOf.has(index)) { element.classList.add('failed'); }
  element.addEventListener('click', () => { select(index, { remember: true }); details.scrollTop = 0; });
  return make('li', '', element);
}

function links(name, indices, rest) {
  const element = make('ul', `links ${name}`);
  for (const index of indices) { element.append(link(index)); }
  if (rest) { element.append(make('li', '', make('p', 'quiet', rest))); }
  return element;
}

function causes(index) {
  const limit = 50;
  const { chain, end } = chainOf(index, limit);
  let rest = null;
  if (chain.length === limit && end >= 0) { rest = 'and causes before these'; }
  else if (end < -1) { rest = `${outsideName(end)}, which is not in the recording`; }
  else { rest = chain.length ? 'Before that the cause is unknown.' : 'Unknown: it came from outside.'; }
  return [make('h3', '', chain.length > 1 ? 'Causes, the nearest first' : 'Cause'), links('causes', chain, rest)];
}

function effectList(index) {
  const all = effectsOf(index);
  if (all.length === 0) { return []; }
  const some = all.subarray(0, 50);
  const rest = all.length > some.length ? `and ${numeral(all.length - some.length)} more` : null;
  const title = all.length === 1 ? 'Effect' : `${numeral(all.length)} effects`;
  return [make('h3', '', title), links('effects', some, rest)];
}

const valueText = (word) => (word === undefined ? 'nothing' : clean(words[word]));

function tableRow(path, ...content) {
  // A long path is broken between its steps.
  const steps = pathText(path).split(/(?=[.[])/).flatMap((part) => [document.createElement('wbr'), part]);
  const head = make('th', 'path', make('bdi', '', ...steps));
  head.scope = 'row';
  return make('tr', '', head, make('td', 'value', ...content));
}

function changeTable(differences) {
  const body = make('tbody');
  for (const { path, old, now } of differences.slice(0, 200)) {
    const before = make('del', '', make('bdi', '', valueText(old)));
    const after = make('ins', '', make('bdi', '', valueText(now)));
    body.append(tableRow(path, before, make('span', 'arrow', '→'), after));
  }
  const table = make('table', 'changes', body);
  table.setAttribute('aria-label', 'Changed fields');
  return table;
}

function stateTable(lane, index, changed) {
  const fields = [...stateAt(lane, index)].sort((a, b) => byPath.compare(words[a[0]], words[b[0]]));
  if (fields.length === 0) { return [make('p', 'quiet', 'The state has no fields.')]; }
  const limit = showsAll ? 20000 : 200;
  const body = make('tbody');
  for (const [path, value] of fields.slice(0, limit)) {
    const row = tableRow(path, make('bdi', '', clean(words[value])));
    if (changed.has(path)) { row.className = 'changed'; }
    body.append(row);
  }
  const table = make('table', 'state', body);
  table.setAttribute('aria-label', 'State');
  table.style.setProperty('--c', lane.colour);
  if (fields.length <= limit) { return [table]; }
  const text = `Show all ${numeral(fields.length)} fields`;
  return [table, make('p', '', button(text, text, () => { showsAll = true; drawDetails(); }))];
}

/** The lanes with a state, of which one is shown. */
function tabs(current) {
  const group = make('span');
  group.id = 'tabs';
  group.setAttribute('role', 'group');
  group.setAttribute('aria-label', 'Lane whose state is shown');
  for (const lane of lanes.filter((one) => one.hasState)) {
    const tab = button(oneLine(lane.name), `State of ${oneLine(lane.name)}`, () => {
      stateLane = lane.position;
      drawDetails();
    });
    tab.style.setProperty('--c', lane.colour);
    tab.setAttribute('aria-pressed', String(lane === current));
    group.append(tab);
  }
  return group.children.length > 1 ? [group] : [];
}

function stateSection(index) {
  const own = lanes[laneOf[index]];
  const lane = lanes[stateLane] || (own.hasState ? own : lanes.find((one) => one.hasState));
  if (!lane) { return []; }
  const marked = lane === own ? changesOf(index) : [];
  const parts = [];
  if (own.hasState) {
    const carried = changesOf(index);
    parts.push(make('h3', '', 'Changed'));
    parts.push(carried.length ? changeTable(carried) : make('p', 'quiet', 'Nothing.'));
  }
  parts.push(make('h3', '', 'State after this event', ...tabs(lane)));
  return [...parts, ...stateTable(lane, index, new Set(marked.map((change) => change.path)))];
}

function heading(index) {
  const place = placeOf(index);
  const previous = button('↑', 'Previous event (arrow up)', () => step(-1));
  const next = button('↓', 'Next event (arrow down)', () => step(1));
  previous.disabled = place <= 0;
  next.disabled = place + 1 >= shown.length;
  const back = button('Events', 'Back to the list of events', () => { showPane('list'); list.focus(); });
  back.id = 'back';
  const title = make('h2', failureOf.has(index) ? 'failed' : '', make('i', 'dot'), make('bdi', '', nameOf(index)));
  title.style.setProperty('--c', lanes[laneOf[index]].colour);
  title.tabIndex = -1;
  return make('nav', '', back, title, previous, next);
}

/** The element with the focus is replaced by the one that takes its place. */
function keepingFocus(replace) {
  const focused = details.contains(document.activeElement) ? document.activeElement : null;
  const label = focused && focused.getAttribute('aria-label');
  replace();
  if (!focused) { return; }
  const buttons = [...details.querySelectorAll('button')];
  const same = buttons.find((one) => label && one.getAttribute('aria-label') === label);
  const next = same && !same.disabled ? same : details.querySelector('h2');
  if (next) { next.focus({ preventScroll: true }); }
}

const drawDetails = () => keepingFocus(replaceDetails);

function replaceDetails() {
  if (selected < 0) {
    details.replaceChildren(make('p', 'empty', count === 0 ? '' : 'Select an event.'));
    return;
  }
  const about = make('p', 'about quiet', make('span', 'time', clock(timeOf[selected])));
  about.append(` · ${lanes[laneOf[selected]].kind}`);
  if (durationOf.has(selected)) { about.append(` · took ${length(durationOf.get(selected))}`); }
  const carries = make('div', 'label', make('bdi', '', clean(labelText(selected))));
  carries.id = 'carries';
  const parts = [heading(selected), about, carries];
  if (failureOf.has(selected)) {
    parts.push(make('p', 'about failure', make('bdi', '', `Failed: ${clean(words[failureOf.get(selected)])}`)));
  }
  details.replaceChildren(...parts, ...causes(selected), ...effectList(selected), ...stateSection(selected));
}

