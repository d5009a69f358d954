/// The style sheet of ``Timeline/page``.
enum PageStyle {
  /// The rules, with the colours of both schemes.
  static var text: String {
    variables(Palette.light, scheme: "light") + "@media (prefers-color-scheme: dark) {\n"
      + variables(Palette.dark, scheme: "dark") + "}\n" + rules
  }

  private static func variables(_ scheme: Palette.Scheme, scheme name: String) -> String {
    var text = ":root { color-scheme: \(name); --ground: \(scheme.background); --text: \(scheme.text);"
    text += " --quiet: \(scheme.quiet); --line: \(scheme.line); --failure: \(scheme.failure);"
    text += " --selected: \(scheme.selected); --field: \(scheme.field);"
    for (number, colour) in scheme.lanes.enumerated() { text += " --l\(number): \(colour);" }
    return text + " }\n"
  }

  private static let rules = #"""
    * { box-sizing: border-box; }
    html, body { height: 100%; margin: 0; }
    body {
      display: grid; grid-template: auto auto minmax(0, 1fr) / minmax(0, 1fr);
      background: var(--ground); color: var(--text);
      font: 14px/1.45 system-ui, -apple-system, "Segoe UI", "Noto Sans", "DejaVu Sans", sans-serif;
      -webkit-text-size-adjust: 100%; overflow: hidden;
    }
    button, input { font: inherit; color: inherit; }
    button { background: none; border: 1px solid var(--line); border-radius: 6px; padding: 3px 10px; cursor: pointer; }
    button:hover { border-color: var(--quiet); }
    button:disabled { opacity: .35; cursor: default; border-color: var(--line); }
    :focus-visible { outline: 2px solid var(--l0); outline-offset: 1px; }
    h2:focus { outline: 0; }
    [hidden] { display: none !important; }
    .mono, .time, .value, .path, .label {
      font-family: ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace; font-size: 12.5px;
    }
    .time { color: var(--quiet); font-variant-numeric: tabular-nums; white-space: nowrap; }
    .quiet { color: var(--quiet); }
    .dot {
      flex: none; display: inline-block; width: 9px; height: 9px; border-radius: 50%;
      background: var(--c); border: 2px solid var(--c);
    }
    .failed .dot { background: var(--ground); }
    .failure { color: var(--failure); }

    header {
      display: flex; flex-wrap: wrap; align-items: center; gap: 8px 14px; padding: 10px 16px;
      border-bottom: 1px solid var(--line);
    }
    header h1 {
      font-size: 15px; font-weight: 600; margin: 0; max-width: 40ch; overflow: hidden; white-space: nowrap;
      text-overflow: ellipsis;
    }
    header p { margin: 0; color: var(--quiet); font-size: 13px; flex: 1 1 auto; }
    #filter {
      width: 260px; max-width: 100%; padding: 4px 10px; background: var(--field); border: 1px solid var(--line);
      border-radius: 6px;
    }
    #filter::placeholder { color: var(--quiet); opacity: 1; }
    #chips { display: flex; gap: 6px; flex: 1 1 100%; overflow-x: auto; padding: 2px; margin: -2px; }
    #chips button {
      display: inline-flex; align-items: center; gap: 7px; flex: none; padding: 1px 10px; border-radius: 999px;
      font-size: 13px;
    }
    #chips bdi { max-width: 24ch; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
    #chips button[aria-pressed=false] { color: var(--quiet); text-decoration: line-through; }
    #chips button[aria-pressed=false] .dot { background: none; border-color: var(--quiet); }
    #only[aria-pressed=true] { border-color: var(--failure); color: var(--failure); text-decoration: none; }
    #only[aria-pressed=false] { text-decoration: none !important; }

    #lanes { position: relative; border-bottom: 1px solid var(--line); }
    #scroll { max-height: 32vh; overflow: hidden auto; }
    #canvas { display: block; width: 100%; touch-action: pan-y; cursor: crosshair; }
    #zoom { position: absolute; right: 12px; top: 3px; display: flex; gap: 4px; }
    #zoom button {
      padding: 0 7px; font-size: 12px; line-height: 20px; background: var(--ground); color: var(--quiet);
      border-radius: 5px;
    }

    main { display: grid; grid-template-columns: minmax(340px, 44%) minmax(0, 1fr); min-height: 0; }
    #list { overflow: hidden auto; position: relative; outline-offset: -3px; border-right: 1px solid var(--line); }
    #space { position: relative; overflow: hidden; }
    .row {
      position: absolute; left: 0; right: 0; top: 0; display: flex; align-items: baseline; gap: 12px;
      padding: 0 16px; cursor: default; border-left: 3px solid transparent; white-space: nowrap;
      -webkit-tap-highlight-color: transparent;
    }
    .row:hover { background: color-mix(in srgb, var(--selected) 55%, transparent); }
    .row[aria-selected=true] { background: var(--selected); border-left-color: var(--c); }
    .row .lane {
      display: flex; align-items: baseline; gap: 7px; flex: 0 0 var(--names); min-width: 0; font-size: 13px;
    }
    .row .lane bdi, .row .label { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
    .row .lane bdi { color: var(--c); }
    .row .dot { align-self: center; }
    #list:focus-visible { outline: 0; box-shadow: inset 0 2px 0 var(--line); }
    #list:focus-visible .row[aria-selected=true] { outline: 1.5px solid var(--c); outline-offset: -2px; }
    .row .label { flex: 1 1 auto; min-width: 0; text-align: left; }
    .row .mark { flex: none; font-size: 12px; color: var(--quiet); }
    .row.failed .mark { color: var(--failure); }
    .empty { padding: 32px 20px; color: var(--quiet); text-align: center; }

    #details { overflow: hidden auto; padding: 14px 20px 40px; min-width: 0; }
    #details nav { display: flex; align-items: center; gap: 6px; }
    #details nav h2 {
      display: flex; align-items: center; gap: 8px; font-size: 15px; margin: 0; font-weight: 600; flex: 1 1 auto;
      min-width: 0;
    }
    #details h2 bdi { color: var(--c); overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
    #details h3 {
      font-size: 12px; font-weight: 600; color: var(--quiet); margin: 22px 0 6px; display: flex; gap: 10px;
      align-items: baseline; flex-wrap: wrap;
    }
    #carries {
      margin: 10px 0 0; padding: 10px 12px; background: var(--field); border: 1px solid var(--line); border-radius: 6px;
      white-space: pre-wrap; overflow-wrap: anywhere; max-height: 30vh; overflow: auto; font-size: 13px;
    }
    #details .about { margin: 8px 0 0; overflow-wrap: anywhere; }
    .links { list-style: none; margin: 0; padding: 0; }
    .links button {
      display: flex; gap: 10px; align-items: baseline; width: 100%; border: 0; border-radius: 5px; padding: 4px 6px;
      margin: 0 -6px; text-align: left; min-width: 0;
    }
    .links button:hover { background: var(--selected); }
    .links .who {
      flex: none; color: var(--c); font-size: 13px; max-width: 18ch; overflow: hidden; text-overflow: ellipsis;
      white-space: nowrap;
    }
    .links .label { flex: 1 1 auto; min-width: 0; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
    .links .dot { align-self: center; }
    .links p { margin: 4px 0; }
    table { border-collapse: collapse; width: 100%; table-layout: fixed; }
    th, td {
      text-align: left; vertical-align: top; padding: 3px 12px 3px 0; font-weight: 400; overflow-wrap: anywhere;
      border-top: 1px solid var(--line);
    }
    tr:first-child > * { border-top: 0; }
    th { width: 42%; color: var(--quiet); }
    tr.changed th { color: var(--text); }
    tr.changed td { font-weight: 600; }
    tr.changed th::before {
      content: ""; display: inline-block; width: 6px; height: 6px; border-radius: 50%; background: var(--c);
      margin: 0 7px 0 -13px; vertical-align: 1px;
    }
    del { color: var(--quiet); text-decoration-thickness: 1px; }
    ins { text-decoration: none; font-weight: 600; }
    .arrow { color: var(--quiet); padding: 0 6px; }
    #tabs { display: inline-flex; gap: 4px; flex-wrap: wrap; }
    #tabs button { padding: 0 8px; font-size: 12px; border-radius: 999px; }
    #tabs button[aria-pressed=true] { border-color: var(--c); color: var(--c); }

    dialog {
      background: var(--ground); color: var(--text); border: 1px solid var(--line); border-radius: 10px;
      padding: 20px 24px; max-width: min(92vw, 460px);
    }
    dialog::backdrop { background: rgb(0 0 0 / .35); }
    dialog h2 { font-size: 15px; margin: 0 0 10px; }
    dialog dl { display: grid; grid-template-columns: auto 1fr; gap: 5px 18px; margin: 0 0 16px; }
    dialog dd { margin: 0; }
    kbd {
      font-family: ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace; font-size: 12px; padding: 0 5px;
      border: 1px solid var(--line); border-radius: 4px; background: var(--field);
    }
    #back { display: none; }

    @media (max-width: 760px) {
      header { padding: 8px 12px; gap: 6px 10px; }
      header p { flex: 0 1 auto; font-size: 12px; }
      header h1 { max-width: 100%; flex: 1 1 auto; }
      #filter { order: 3; width: auto; flex: 1 1 60%; font-size: 16px; }
      #help { order: 3; }
      #chips { order: 4; }
      main { grid-template-columns: minmax(0, 1fr); }
      #list { border-right: 0; }
      .row { padding: 0 12px 0 9px; gap: 9px; }
      #details { padding: 10px 14px 40px; }
      body[data-pane=list] #details, body[data-pane=details] #list { display: none; }
      #back { display: inline-block; }
      th { width: 38%; }
    }
    @media (pointer: coarse) {
      button { min-height: 36px; }
      #zoom button { min-height: 28px; padding: 0 10px; }
      #chips button { min-height: 32px; }
      .links button { line-height: 28px; }
    }

    """#
}
