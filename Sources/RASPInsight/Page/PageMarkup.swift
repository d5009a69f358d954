/// The elements of ``Timeline/page`` that are there from the start.
enum PageMarkup {
  static let text = #"""
    <header>
    <h1 id="title"></h1>
    <p id="summary"></p>
    <input id="filter" type="search" placeholder="Filter  /" aria-label="Filter events: all words must occur"
      autocomplete="off" autocapitalize="off" spellcheck="false">
    <button id="help" type="button" aria-label="Help: keys" title="Keys (?)">?</button>
    <div id="chips" role="group" aria-label="Lanes shown"></div>
    </header>
    <section id="lanes" aria-label="Lanes">
    <div id="scroll"><canvas id="canvas" role="img" height="60"></canvas></div>
    <div id="zoom" role="group" aria-label="Zoom of the lanes">
    <button id="axis" type="button" title="By time or by order (t)" aria-label="Draw by order, not by time"
      aria-pressed="false">time</button>
    <button id="out" type="button" title="Zoom out (-)" aria-label="Zoom out">−</button>
    <button id="in" type="button" title="Zoom in (+)" aria-label="Zoom in">+</button>
    <button id="fit" type="button" title="The whole run (0)">fit</button>
    </div>
    </section>
    <main>
    <div id="list" role="listbox" tabindex="0" aria-label="Events"><div id="space" role="presentation"></div></div>
    <section id="details" aria-label="The selected event"></section>
    </main>
    <dialog id="keys" aria-labelledby="keys-title">
    <h2 id="keys-title">Keys</h2>
    <dl>
    <dt><kbd>↓</kbd> <kbd>↑</kbd></dt><dd>next and previous event</dd>
    <dt><kbd>→</kbd> <kbd>←</kbd></dt><dd>next and previous event of its lane</dd>
    <dt><kbd>Home</kbd> <kbd>End</kbd></dt><dd>first and last event</dd>
    <dt><kbd>c</kbd></dt><dd>go to the cause</dd>
    <dt><kbd>e</kbd></dt><dd>go to the first effect</dd>
    <dt><kbd>b</kbd></dt><dd>go back to where you came from</dd>
    <dt><kbd>/</kbd> <kbd>Esc</kbd></dt><dd>filter; clear the filter</dd>
    <dt><kbd>+</kbd> <kbd>-</kbd> <kbd>0</kbd></dt><dd>zoom the lanes in, out, to the whole run</dd>
    <dt><kbd>t</kbd></dt><dd>draw the lanes by time or by order</dd>
    <dt><kbd>?</kbd></dt><dd>this help</dd>
    </dl>
    <p class="quiet">The lanes: drag to move, turn the wheel or pinch to zoom, click to select.</p>
    <form method="dialog"><button>Close</button></form>
    </dialog>
    <noscript>This page draws a recorded run with JavaScript, which is switched off.</noscript>

    """#
}
