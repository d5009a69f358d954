extension PageScript {
  /// The lanes on a canvas: what happened from left to right, by time or by order. Only what can be seen is drawn.
  static let lanes = #"""
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
    const whole = () => {
      let end = view.byTime ? 0 : count - 1;
      if (view.byTime) { for (let i = 0; i < count; i += 1) { end = Math.max(end, drawnTime[i]); } }
      const margin = Math.max(end * 0.02, least() / 2);
      return { from: -margin, to: end + margin };
    };
    const laneY = (lane) => axisHeight + (lane.position + 0.5) * laneHeight();
    const pixel = (value) => (value - view.from) / (view.to - view.from) * canvas.clientWidth;

    function readColours() {
      const style = getComputedStyle(document.documentElement);
      const read = (name) => style.getPropertyValue(name).trim();
      paint = { ground: read('--ground'), text: read('--text'), quiet: read('--quiet'), line: read('--line'), lanes: [] };
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
        const text = view.byTime ? clock(tick) : numeral(tick + 1);
        if (x + 4 + pen.measureText(text).width < width - 190) { pen.fillText(text, x + 4, axisHeight - 9); }
      }
    }

    /** So many events that marbles would hide each other: a profile of how many there are. */
    function drawProfile(lane, first, last, y) {
      const counts = new Map();
      let most = 1;
      for (let n = first; n < last; n += 1) {
        const x = Math.round(pixel(position(lane.drawn[n])) / 2) * 2;
        const sum = (counts.get(x) || 0) + 1;
        counts.set(x, sum);
        if (sum > most) { most = sum; }
      }
      const full = laneHeight() - 8;
      for (const [x, sum] of counts) {
        const height = Math.max(3, full * Math.sqrt(sum / most));
        pen.fillRect(x - 1, y - height / 2, 1.5, height);
      }
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
      let right = -Infinity;
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
        right = x;
      }
      return right;
    }

    function drawLane(lane, width) {
      const y = laneY(lane);
      const colour = paint.lanes[lane.position % 8];
      pen.strokeStyle = paint.line;
      pen.lineWidth = 1;
      pen.beginPath();
      pen.moveTo(0, y + 0.5);
      pen.lineTo(width, y + 0.5);
      pen.stroke();
      pen.fillStyle = colour;
      pen.strokeStyle = colour;
      const margin = (view.to - view.from) * 12 / width;
      const first = countUpTo(lane.drawn, view.from - margin, position);
      const last = countUpTo(lane.drawn, view.to + margin, position);
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
      const bow = y === endY ? Math.min(laneHeight() * 0.6, 6 + (endX - x) / 8) : 0;
      const bend = Math.min(Math.max((endX - x) / 2, 8), 60);
      pen.beginPath();
      pen.moveTo(x, y);
      pen.bezierCurveTo(x + bend, y + bow, endX - bend, endY + bow, endX, endY);
      pen.stroke();
      const angle = Math.atan2(endY - (endY + bow) + (y === endY ? 0 : Math.sign(endY - y) * 2), bend);
      pen.save();
      pen.translate(endX, endY);
      pen.rotate(angle);
      pen.beginPath();
      pen.moveTo(-6, 0);
      pen.lineTo(-13, -4);
      pen.lineTo(-13, 4);
      pen.fill();
      pen.restore();
    }

    function drawSelection(width, height) {
      if (selected < 0) { return; }
      const x = pixel(position(selected));
      pen.strokeStyle = paint.text;
      pen.fillStyle = paint.text;
      pen.lineWidth = 1.25;
      let effect = selected;
      for (const cause of chainOf(selected, 20).chain) { drawArrow(cause, effect, width); effect = cause; }
      for (const other of effectsOf(selected).subarray(0, 40)) { drawArrow(selected, other, width); }
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

    function drawNames() {
      pen.font = paint.names;
      for (const lane of lanes) {
        const name = oneLine(lane.name).slice(0, 24);
        const y = laneY(lane);
        pen.globalAlpha = 0.85;
        pen.fillStyle = paint.ground;
        pen.fillRect(0, y - 9, pen.measureText(name).width + 24, 18);
        pen.globalAlpha = lane.shown ? 1 : 0.5;
        pen.fillStyle = paint.lanes[lane.position % 8];
        pen.fillText(name, 16, y + 4);
        pen.globalAlpha = 1;
      }
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
      drawAxis(width, height);
      for (const lane of lanes) { drawLane(lane, width); }
      drawSelection(width, height);
      drawNames();
    }

    """#
}
