extension PageScript {
  /// What a person does: selecting, filtering, keys, the mouse and fingers on the lanes.
  static let keys = #"""
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
      if (remember && placeOf(index) >= 0 && shown[placeOf(index)] !== index) { clearFilter(); }
      if (open) { showPane('details'); }
      reveal(index);
      showInLanes(index);
      drawDetails();
      draw();
      // A page in a frame that may not change its address works without.
      try { history.replaceState(null, '', `#${lanes[laneOf[index]].number}.${numberOf[index]}`); } catch { /* as said */ }
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
      const end = count ? `, ${clock(timeOf.reduce((most, time) => Math.max(most, time), 0))}` : '';
      const number = isFiltered ? `${numeral(shown.length)} of ${numeral(count)}` : numeral(count);
      find('summary').textContent = `${number} ${count === 1 ? 'event' : 'events'}${end}`;
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

    // Keys

    const actions = {
      ArrowDown: () => step(1), ArrowUp: () => step(-1), ArrowRight: () => stepInLane(1), ArrowLeft: () => stepInLane(-1),
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
    const across = (event) => (event.clientX - canvas.getBoundingClientRect().left) / canvas.clientWidth;

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
      const after = countUpTo(lane.drawn, at, position);
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
    window.addEventListener('resize', draw);
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => { readColours(); draw(); });

    const longest = Math.min(16, Math.max(4, ...lanes.map((lane) => lane.name.length)));
    list.style.setProperty('--names', `${longest * 0.62 + 1.2}em`);
    find('title').textContent = oneLine(document.title);
    canvas.setAttribute('aria-label', `${lanes.length} lanes with their events; the list below holds the same events`);
    document.body.dataset.pane = 'list';
    makeChips();
    readColours();
    refilter();
    fit();
    const [, lane, number] = location.hash.match(/^#(\d+)\.(\d+)$/) || [];
    const linked = lane === undefined ? -1
      : laneOf.findIndex((at, i) => lanes[at].number === Number(lane) && numberOf[i] === Number(number));
    if (linked >= 0) { select(linked); } else { drawDetails(); }
    list.focus({ preventScroll: true });
    """#
}
