/* The list of events. Only the rows that can be seen are elements of the document. */
const find = (id) => document.getElementById(id);
const list = find('list');
const space = find('space');
const isCoarse = matchMedia('(pointer: coarse)');
const rowHeight = () => (isCoarse.matches ? 44 : 30);
let selected = -1;
const rows = [];

/** An element with a class and with text or elements in it. */
function make(tag, name, ...content) {
  const element = document.createElement(tag);
  if (name) { element.className = name; }
  element.append(...content);
  return element;
}

function makeRow() {
  const row = make('div', 'row');
  row.setAttribute('role', 'option');
  row.parts = {
    time: make('span', 'time'), dot: make('i', 'dot'), name: make('bdi'), label: make('bdi', 'label'),
    mark: make('span', 'mark'),
  };
  const { time, dot, name, label, mark } = row.parts;
  row.append(time, make('span', 'lane', dot, name), label, mark);
  row.addEventListener('click', () => { select(row.index, { open: true }); });
  space.append(row);
  return row;
}

function markOf(index) {
  if (selected >= 0 && index !== selected) {
    if (causeOf[selected] === index) { return 'cause'; }
    if (causeOf[index] === selected) { return 'effect'; }
  }
  if (failureOf.has(index)) { return 'failed'; }
  return durationOf.has(index) ? length(durationOf.get(index)) : '';
}

function fill(row, place) {
  const index = shown[place];
  const lane = lanes[laneOf[index]];
  row.index = index;
  row.hidden = false;
  row.id = `event-${index}`;
  row.className = failureOf.has(index) ? 'row failed' : 'row';
  row.style.setProperty('--c', lane.colour);
  row.style.height = row.style.lineHeight = `${rowHeight()}px`;
  row.style.transform = `translateY(${place * rowHeight()}px)`;
  row.setAttribute('aria-selected', String(index === selected));
  row.setAttribute('aria-posinset', String(place + 1));
  row.setAttribute('aria-setsize', String(shown.length));
  row.parts.time.textContent = clock(timeOf[index]);
  row.parts.name.textContent = oneLine(lane.name);
  row.parts.label.textContent = oneLine(labelText(index));
  row.parts.mark.textContent = markOf(index);
}

/** The height must be there before the list can scroll to an event. */
function measureList() {
  space.style.height = `${Math.max(shown.length * rowHeight(), 1)}px`;
}

function drawList() {
  const height = rowHeight();
  const first = Math.max(0, Math.floor(list.scrollTop / height) - 4);
  const last = Math.min(shown.length, Math.ceil((list.scrollTop + list.clientHeight) / height) + 4);
  while (rows.length < last - first) { rows.push(makeRow()); }
  // A row keeps its event while it can be seen, so that what is focused or read aloud stays the same element.
  rows.forEach((row) => { row.place = -1; });
  for (let place = first; place < last; place += 1) {
    const row = rows[place % rows.length];
    row.place = place;
    fill(row, place);
  }
  for (const row of rows) {
    if (row.place < 0) { row.hidden = true; row.removeAttribute('id'); }
  }
  const active = selected >= 0 ? find(`event-${selected}`) : null;
  if (active) { list.setAttribute('aria-activedescendant', active.id); } else {
    list.removeAttribute('aria-activedescendant');
  }
  empty.hidden = shown.length > 0;
  empty.textContent = count === 0 ? 'Nothing was recorded.' : 'No event matches.';
}

const empty = make('p', 'empty');
empty.setAttribute('role', 'option');  // all that a list may hold
empty.setAttribute('aria-disabled', 'true');
list.append(empty);

/** The place of an event in the list, or of the last one before it. */
const placeOf = (index) => countUpTo(shown, index) - 1;

function reveal(index) {
  measureList();
  const height = rowHeight();
  const top = Math.max(0, placeOf(index)) * height;
  if (top < list.scrollTop) { list.scrollTop = top - (list.scrollTop - top > list.clientHeight ? height * 3 : 0); }
  if (top + height > list.scrollTop + list.clientHeight) {
    const isFar = top - list.scrollTop > list.clientHeight * 2;
    list.scrollTop = top + height - list.clientHeight + (isFar ? list.clientHeight / 2 : 0);
  }
}

