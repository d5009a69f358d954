/* The lanes on a canvas: what happened from left to right. Only what can be seen is drawn. */
function drawAxis(width, height) {
  pen.font = paint.font;
  pen.fillStyle = paint.quiet;
  pen.strokeStyle = paint.line;
  pen.lineWidth = 1;
  const rough = (view.to - view.from) / Math.max(2, width / 130);
  const power = 10 ** Math.floor(Math.log10(rough));
  const minutes = [6e10, 3e11, 6e11, 1.8e12, 3.6e12, 3.6e13];
  let stride = [1, 2, 5, 10].map((n) => n * power).find((n) => n >= rough);
  if (view.byTime && rough > 3e10) { stride = minutes.find((n) => n >= rough) || stride; }
  if (!view.byTime) { stride = Math.max(1, Math.round(stride)); }
  for (let tick = Math.ceil(Math.max(0, view.from) / stride) * stride; tick <= view.to; tick += stride) {
    const x = Math.round(pixel(tick)) + 0.5;
    pen.beginPath();
    pen.moveTo(x, axisHeight - 6);
    pen.lineTo(x, height);
    pen.stroke();
    if (x < gutter) { continue; }
    const text = view.byTime ? clock(tick) : numeral(tick + 1);
    if (x + 4 + pen.measureText(text).width < width - 190) { pen.fillText(text, x + 4, axisHeight - 9); }
  }
}

/** So many events that marbles would hide each other: a profile of how many there are. */
function drawProfile(lane, first, last, y) {
  const places = placesOf(lane);
  const scale = (canvas.clientWidth - gutter) / (view.to - view.from) / 2;
  const counts = new Uint32Array(Math.ceil(canvas.clientWidth / 2) + 20);
  let most = 1;
  for (let n = first; n < last; n += 1) {
    const column = Math.min(Math.max(Math.round((places[n] - view.from) * scale), 0), counts.length - 1);
    counts[column] += 1;
    if (counts[column] > most) { most = counts[column]; }
  }
  const full = laneHeight() - 8;
  counts.forEach((sum, column) => {
    if (sum === 0) { return; }
    const height = Math.max(3, full * Math.sqrt(sum / most));
    pen.fillRect(gutter + column * 2 - 1, y - height / 2, 1.5, height);
  });
}

function drawMarble(index, x, y, radius) {
  pen.beginPath();
  pen.arc(x, y, radius, 0, Math.PI * 2);
  if (failureOf.has(index)) {
    pen.fillStyle = paint.ground;
    pen.fill();
    pen.fillStyle = pen.strokeStyle;
    pen.lineWidth = 2;
    pen.stroke();
  } else { pen.fill(); }
}

function drawMarbles(lane, first, last, y, width) {
  pen.font = paint.font;
  for (let n = last - 1; n >= first; n -= 1) {
    const index = lane.drawn[n];
    const x = pixel(position(index));
    const next = n + 1 < lane.drawn.length ? pixel(position(lane.drawn[n + 1])) : width;
    if (view.byTime && durationOf.has(index)) {
      pen.globalAlpha = 0.3;
      const end = pixel(drawnTime[index] + durationOf.get(index));
      pen.fillRect(x, y - 3, Math.max(1, Math.min(end, width + 10) - x), 6);
      pen.globalAlpha = 1;
    }
    drawMarble(index, x, y, 4.5);
    const letters = Math.floor((Math.min(next, width) - x - 20) / 6.7);
    if (letters >= 5) {
      const label = oneLine(labelText(index));
      pen.globalAlpha = 0.85;
      pen.fillText(label.length > letters ? `${label.slice(0, letters - 1)}…` : label, x + 9, y - 5);
      pen.globalAlpha = 1;
    }
  }
}

function drawLane(lane, width) {
  const y = laneY(lane);
  const colour = paint.lanes[lane.position % 8];
  pen.strokeStyle = paint.line;
  pen.lineWidth = 1;
  pen.beginPath();
  pen.moveTo(gutter, y + 0.5);
  pen.lineTo(width, y + 0.5);
  pen.stroke();
  pen.fillStyle = colour;
  pen.strokeStyle = colour;
  const margin = (view.to - view.from) * 5 / width;
  const first = countUpTo(placesOf(lane), view.from - margin);
  const last = countUpTo(placesOf(lane), view.to + margin);
  if (last - first > width / 5) { drawProfile(lane, first, last, y); } else {
    // What began earlier may still go on.
    const early = view.byTime ? Math.max(0, first - 20) : first;
    drawMarbles(lane, early, last, y, width);
  }
}

function drawArrow(from, to, width) {
  const [x, y] = [pixel(position(from)), laneY(lanes[laneOf[from]])];
  const [endX, endY] = [pixel(position(to)), laneY(lanes[laneOf[to]])];
  if ((x < -50 && endX < -50) || (x > width + 50 && endX > width + 50)) { return; }
  const [across, down] = [endX - x, endY - y];
  if (down === 0 && across < 14) { return; }  // the marbles touch
  // Near each other a straight line; in one lane a bow below it, which does not hide the marbles between.
  const bow = down === 0 ? Math.min(laneHeight() * 0.6, 6 + across / 8) : 0;
  const bend = bow === 0 && across < 40 ? 0 : Math.min(Math.max(across / 2, 8), 60);
  const [nearX, nearY] = bend === 0 ? [x, y] : [endX - bend, endY + bow];
  const angle = Math.atan2(endY - nearY, endX - nearX);
  const [tipX, tipY] = [endX - 6 * Math.cos(angle), endY - 6 * Math.sin(angle)];
  pen.beginPath();
  pen.moveTo(x, y);
  pen.bezierCurveTo(x + bend, y + bow, bend === 0 ? tipX : nearX, bend === 0 ? tipY : nearY, tipX, tipY);
  pen.stroke();
  pen.beginPath();
  for (const turn of [0, 2.7, -2.7]) {
    const reach = turn === 0 ? 0 : 8;
    pen.lineTo(tipX + reach * Math.cos(angle + turn), tipY + reach * Math.sin(angle + turn));
  }
  pen.fill();
}

function drawSelection(width, height) {
  if (selected < 0) { return; }
  const x = pixel(position(selected));
  pen.strokeStyle = paint.text;
  pen.fillStyle = paint.text;
  pen.lineWidth = 1.25;
  const { chain } = chainOf(selected, 20);
  const next = effectsOf(selected).subarray(0, 40);
  chain.forEach((cause, n) => drawArrow(cause, n === 0 ? selected : chain[n - 1], width));
  next.forEach((effect) => drawArrow(selected, effect, width));
  // The filter may hide them in the lanes.
  for (const index of [...chain, ...next]) {
    const colour = paint.lanes[laneOf[index] % 8];
    pen.fillStyle = colour;
    pen.strokeStyle = colour;
    drawMarble(index, pixel(position(index)), laneY(lanes[laneOf[index]]), 4.5);
  }
  pen.fillStyle = paint.text;
  pen.globalAlpha = 0.25;
  pen.fillRect(Math.round(x), axisHeight - 6, 1, height);
  pen.globalAlpha = 1;
  const lane = lanes[laneOf[selected]];
  pen.fillStyle = paint.lanes[lane.position % 8];
  pen.strokeStyle = paint.lanes[lane.position % 8];
  drawMarble(selected, x, laneY(lane), 5);
  pen.strokeStyle = paint.text;
  pen.lineWidth = 1.5;
  pen.beginPath();
  pen.arc(x, laneY(lane), 8, 0, Math.PI * 2);
  pen.stroke();
}

/** The names, in a gutter that the events do not reach. */
function drawNames(height) {
  pen.fillStyle = paint.ground;
  pen.fillRect(0, axisHeight - 6, gutter - 6, height);
  pen.font = paint.names;
  for (const lane of lanes) {
    pen.globalAlpha = lane.shown ? 1 : 0.5;
    pen.fillStyle = paint.lanes[lane.position % 8];
    pen.fillText(gutterText(lane), 16, laneY(lane) + 4);
    pen.globalAlpha = 1;
  }
}

const gutterText = (lane) => {
  const name = oneLine(lane.name);
  const most = canvas.clientWidth < 500 ? 9 : 18;
  return name.length > most ? `${name.slice(0, most - 1)}…` : name;
};

function measureGutter() {
  pen.font = paint.names;
  gutter = 34 + Math.max(0, ...lanes.map((lane) => pen.measureText(gutterText(lane)).width));
}

function drawLanes() {
  const width = canvas.clientWidth;
  const height = axisHeight + lanes.length * laneHeight() + 6;
  const scale = window.devicePixelRatio || 1;
  canvas.style.height = `${height}px`;
  if (canvas.width !== Math.round(width * scale) || canvas.height !== Math.round(height * scale)) {
    canvas.width = Math.round(width * scale);
    canvas.height = Math.round(height * scale);
  }
  pen.setTransform(scale, 0, 0, scale, 0, 0);
  pen.clearRect(0, 0, width, height);
  measureGutter();
  drawAxis(width, height);
  for (const lane of lanes) { drawLane(lane, width); }
  drawSelection(width, height);
  drawNames(height);
}

