/* Texts of the page: times, names, and labels that may hold anything; and the filter, which looks through them. */
const two = (number) => String(number).padStart(2, '0');

function clock(nanoseconds) {
  const unit = raw.decimals === 3 ? 1e6 : 1e3;
  const units = Math.floor(Math.max(0, nanoseconds) / unit);
  const perSecond = 1e9 / unit;
  const seconds = Math.floor(units / perSecond);
  const minutes = Math.floor(seconds / 60);
  const tail = `${two(seconds % 60)}.${String(units % perSecond).padStart(raw.decimals, '0')}`;
  return raw.hours ? `${Math.floor(minutes / 60)}:${two(minutes % 60)}:${tail}` : `${minutes}:${tail}`;
}

function length(nanoseconds) {
  for (const [name, size] of [['s', 1e9], ['ms', 1e6], ['µs', 1e3]]) {
    if (nanoseconds >= size) {
      const value = nanoseconds / size;
      return `${value >= 100 ? Math.floor(value) : Math.floor(value * 10) / 10} ${name}`;
    }
  }
  return `${nanoseconds} ns`;
}

const hidden = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;
const escaped = (letter) => `\\u{${letter.codePointAt(0).toString(16).toUpperCase()}}`;
/** A text that may have several lines. What cannot be seen, or turns the direction of a text, is an escape. */
const clean = (word) => word.replace(hidden, escaped);
const oneLine = (word) => clean(word.length > 400 ? `${word.slice(0, 400)}…` : word).replace(/[\n\t]+/g, ' ↵ ');

const nameOf = (index) => `${oneLine(lanes[laneOf[index]].name)} #${numberOf[index]}`;
const labelText = (index) => words[labelOf[index]];
const numeral = (number) => number.toLocaleString('en-US');

/** Paths in the order of a person: elements of arrays by their numbers. */
const byPath = new Intl.Collator('en', { numeric: true });
const pathText = (path) => clean(words[path]) || 'value';

function outsideName(cause) {
  const at = 2 * (-cause - 2);
  const lane = lanes.find((one) => one.number === raw.outside[at]);
  return `${lane ? oneLine(lane.name) : `lane ${raw.outside[at]}`} #${raw.outside[at + 1]}`;
}

// The filter

let lowered = null;
let shown = Int32Array.from({ length: count }, (_, i) => i);
let isFiltered = false;

/** Which words hold a term. An event then compares numbers only. */
function wordsWith(term) {
  lowered = lowered || words.map((word) => word.toLowerCase());
  return Uint8Array.from(lowered, (word) => (word.includes(term) ? 1 : 0));
}

function matches(index, term, found) {
  const lane = lanes[laneOf[index]];
  if (found[labelOf[index]] || lane.lower.includes(term) || `#${numberOf[index]}` === term) {
    return true;
  }
  if (failureOf.has(index) && (term === 'failed' || found[failureOf.get(index)])) { return true; }
  for (let at = changeStart[index]; at < changeStart[index + 1]; at += 1) {
    if (found[changes[2 * at]] || (changes[2 * at + 1] > 0 && found[changes[2 * at + 1] - 1])) { return true; }
  }
  return false;
}

/** Chooses the events to show. */
function filter(text, failedOnly) {
  const terms = text.toLowerCase().split(/\s+/).filter((term) => term !== '');
  const found = terms.map(wordsWith);
  isFiltered = terms.length > 0 || failedOnly || lanes.some((lane) => !lane.shown);
  const list = [];
  for (let i = 0; i < count; i += 1) {
    if (!lanes[laneOf[i]].shown || (failedOnly && !failureOf.has(i))) { continue; }
    if (terms.every((term, n) => matches(i, term, found[n]))) { list.push(i); }
  }
  shown = Int32Array.from(list);
  for (const lane of lanes) { lane.drawn = []; }
  for (const i of shown) { lanes[laneOf[i]].drawn.push(i); }
}

