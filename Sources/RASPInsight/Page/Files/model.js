/* Reads the data: events as columns, their effects, and the state of a lane at each of its events. */
const raw = JSON.parse(document.getElementById('run').textContent);
const words = raw.strings;
const count = raw.lane.length;
const lanes = raw.lanes.map(([number, name, kind, fields], position) => ({
  number, position, fields, name: words[name], lower: words[name].toLowerCase(), kind: words[kind],
  shown: true, hasState: fields.length > 0,
  colour: `var(--l${position % 8})`, events: [], checkpoints: [],
}));

const laneOf = Int32Array.from(raw.lane);
const labelOf = Int32Array.from(raw.label);
const numberOf = new Float64Array(count);
const timeOf = new Float64Array(count);  // nanoseconds since the first event
const causeOf = new Int32Array(count).fill(-1);  // -1: unknown; less: not in the recording
const durationOf = new Map();
const failureOf = new Map();
const oldOf = new Map();
const changeStart = new Int32Array(count + 1);
const effectStart = new Int32Array(count + 1);
const changes = raw.changes;  // path, new value + 1; 0 stands for a field that is gone

{
  const newest = new Float64Array(lanes.length);
  let time = 0;
  for (let i = 0; i < count; i += 1) {
    const lane = laneOf[i];
    newest[lane] += raw.number[i];
    numberOf[i] = newest[lane];
    time += raw.time[i] * raw.unit;
    timeOf[i] = time;
    changeStart[i + 1] = changeStart[i] + raw.changeCount[i];
    if (raw.changeCount[i]) { lanes[lane].hasState = true; }
    const cause = raw.cause[i];
    causeOf[i] = cause > 0 ? i - cause : cause < 0 ? cause - 1 : -1;
    if (cause > 0) { effectStart[i - cause + 1] += 1; }
    lanes[lane].events.push(i);
  }
  for (let i = 0; i < count; i += 1) { effectStart[i + 1] += effectStart[i]; }
  for (let i = 0; i < raw.duration.length; i += 2) { durationOf.set(raw.duration[i], raw.duration[i + 1]); }
  for (let i = 0; i < raw.failure.length; i += 2) { failureOf.set(raw.failure[i], raw.failure[i + 1]); }
  for (let i = 0; i < raw.old.length; i += 2) { oldOf.set(raw.old[i], raw.old[i + 1]); }
}
const effects = new Int32Array(effectStart[count]);
{
  const next = effectStart.slice();
  for (let i = 0; i < count; i += 1) {
    if (causeOf[i] >= 0) { effects[next[causeOf[i]]] = i; next[causeOf[i]] += 1; }
  }
}
const effectsOf = (i) => effects.subarray(effectStart[i], effectStart[i + 1]);

/** The number of elements of a sorted array that are at most `value`, by what `key` says of each. */
function countUpTo(array, value, key = (element) => element) {
  let low = 0;
  let high = array.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (key(array[middle]) <= value) { low = middle + 1; } else { high = middle; }
  }
  return low;
}

/** The causes of an event, from the next to the first: indices, and at the end what is known of the rest. */
function chainOf(index, limit) {
  const chain = [];
  let cause = causeOf[index];
  while (cause >= 0 && chain.length < limit) { chain.push(cause); cause = causeOf[cause]; }
  return { chain, end: cause };
}

function apply(fields, index) {
  for (let at = changeStart[index]; at < changeStart[index + 1]; at += 1) {
    if (changes[2 * at + 1] === 0) { fields.delete(changes[2 * at]); } else {
      fields.set(changes[2 * at], changes[2 * at + 1] - 1);
    }
  }
}

/** The state of a lane after its first `done` events: values by paths, both as numbers of words. */
function stateAfter(lane, done) {
  if (lane.checkpoints.length === 0) {
    const fields = new Map();
    for (let i = 0; i < lane.fields.length; i += 2) { fields.set(lane.fields[i], lane.fields[i + 1]); }
    lane.checkpoints.push({ done: 0, fields });
  }
  const near = lane.checkpoints[countUpTo(lane.checkpoints, done, (checkpoint) => checkpoint.done) - 1];
  const fields = new Map(near.fields);
  let newest = lane.checkpoints[lane.checkpoints.length - 1].done;
  for (let i = near.done; i < done; i += 1) {
    apply(fields, lane.events[i]);
    // Far enough apart that all of them together are not larger than the data.
    if (i + 1 - newest >= Math.max(256, fields.size * 2)) {
      lane.checkpoints.push({ done: i + 1, fields: new Map(fields) });
      newest = i + 1;
    }
  }
  return fields;
}

const stateAt = (lane, index) => stateAfter(lane, countUpTo(lane.events, index));

/** What an event changed: paths, and the values before and after, as numbers of words; undefined: not there. */
function changesOf(index) {
  if (changeStart[index] === changeStart[index + 1]) { return []; }
  const fields = stateAt(lanes[laneOf[index]], index - 1);
  const list = [];
  for (let at = changeStart[index]; at < changeStart[index + 1]; at += 1) {
    const path = changes[2 * at];
    const now = changes[2 * at + 1] === 0 ? undefined : changes[2 * at + 1] - 1;
    let old = fields.get(path);
    if (oldOf.has(at)) { old = oldOf.get(at) === 0 ? undefined : oldOf.get(at) - 1; }
    list.push({ path, old, now });
    if (now === undefined) { fields.delete(path); } else { fields.set(path, now); }
  }
  return list;
}

