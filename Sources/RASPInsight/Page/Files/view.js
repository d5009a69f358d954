/* The part of the run that the lanes show, by time or by order, and its place on the canvas. */
const canvas = find('canvas');
const pen = canvas.getContext('2d');
const laneHeight = () => (lanes.length > 12 ? 20 : 28);
const axisHeight = 28;
const view = { byTime: true, from: 0, to: 1 };
let paint = {};
const drawnTime = new Float64Array(count);  // the times, without those that go back in a lane
{
  const newest = new Float64Array(lanes.length);
  for (let i = 0; i < count; i += 1) {
    newest[laneOf[i]] = Math.max(newest[laneOf[i]], timeOf[i]);
    drawnTime[i] = newest[laneOf[i]];
  }
}
const position = (index) => (view.byTime ? drawnTime[index] : index);
const least = () => (view.byTime ? 2000 : 4);
const latest = drawnTime.reduce((most, time) => Math.max(most, time), 0);
/** The places of a lane's events on the axis, kept while the events that are shown and the axis stay the same. */
function placesOf(lane) {
  if (lane.placed !== lane.drawn || lane.placedByTime !== view.byTime) {
    lane.placed = lane.drawn;
    lane.placedByTime = view.byTime;
    lane.places = Float64Array.from(lane.drawn, position);
  }
  return lane.places;
}
const whole = () => {
  const end = view.byTime ? latest : count - 1;
  const margin = Math.max(end * 0.02, least() / 2);
  return { from: -margin, to: end + margin };
};
const laneY = (lane) => axisHeight + (lane.position + 0.5) * laneHeight();
let gutter = 0;  // the names of the lanes stand there
const pixel = (value) => gutter + (value - view.from) / (view.to - view.from) * (canvas.clientWidth - gutter);

function readColours() {
  const style = getComputedStyle(document.documentElement);
  const read = (name) => style.getPropertyValue(name).trim();
  paint = { lanes: [] };
  for (const name of ['ground', 'text', 'quiet', 'line']) { paint[name] = read(`--${name}`); }
  for (let i = 0; i < 8; i += 1) { paint.lanes.push(read(`--l${i}`)); }
  paint.font = '11px ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace';
  paint.names = '12px system-ui, -apple-system, "Segoe UI", "Noto Sans", "DejaVu Sans", sans-serif';
}

function setView(from, to) {
  const all = whole();
  const span = Math.min(Math.max(to - from, least()), all.to - all.from);
  view.from = Math.min(Math.max(from - (span - (to - from)) / 2, all.from), all.to - span);
  view.to = view.from + span;
  draw();
}

function zoom(factor, at = 0.5) {
  const fixed = view.from + (view.to - view.from) * at;
  setView(fixed - (fixed - view.from) * factor, fixed + (view.to - fixed) * factor);
}

function fit() { const all = whole(); setView(all.from, all.to); }

function setAxis(byTime) {
  const middle = selected >= 0 ? selected : 0;
  view.byTime = byTime;
  find('axis').textContent = byTime ? 'time' : 'order';
  find('axis').setAttribute('aria-pressed', String(!byTime));
  const all = whole();
  const span = byTime ? all.to - all.from : Math.min(all.to - all.from, canvas.clientWidth / 14);
  const at = count ? position(middle) : 0;
  setView(at - span / 2, at + span / 2);
}

/** Moves the view so that an event can be seen. */
function showInLanes(index) {
  const at = position(index);
  const span = view.to - view.from;
  if (at < view.from + span * 0.02 || at > view.to - span * 0.02) { setView(at - span / 2, at + span / 2); }
}

