extension Scenario {
  /// Looks at files for those who operate a program.
  static let files = Scenario(
    name: "files",
    parameters: "VERB PATH",
    options: [.json, .at, .from, .until, .out],
    help: """
      Any journal, log in files or recording, without its program. VERB is one of
      list (what there is), verify (all checksums, that nothing is missing between segments, and
      whether it was closed), dump (a line of JSON for each event and state; bytes that are no JSON
      are in base64), export (the same for the events between --from and --until, also into a file,
      --out), cut (a copy of a journal or a log, --out, that ends at a place, --at; nothing is
      changed in place).
      """,
    jsonHelp: """
      list     {"path","content","bytes","firstEvent","events","states","from","to","isSealed",
               "types"}
      verify   {"path","problem"} or {"closed","events","files"}
      dump     {"number","time","type","version","value"}, or "base64" for the value
      export   the same, with "partition" for those of a log
      cut      {"event","path"}
      """
  ) { arguments throws(RunFailure) in
    let verbs = FilesVerb.allCases.map(\.rawValue).listed
    guard let word = arguments.next(), let verb = FilesVerb(rawValue: word) else {
      throw .usage("files needs what to do, one of \(verbs), and a path, as in files verify journal")
    }
    guard let path = arguments.next(), !path.isEmpty else {
      throw .usage("files \(word) needs a path, as in files \(word) journal")
    }
    let options = verb.options
    // It is no mistake to ask what writes JSON anyway for it.
    for name in arguments.names where name != CommandOption.json.name && !options.contains(where: { $0.name == name }) {
      throw .usage(
        "files \(word) takes \(options.isEmpty ? "no options" : options.map(\.name).listed), and not \(name)"
      )
    }
    return FilesRun(
      verb: verb,
      path: path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path,
      json: arguments[.json] != nil,
      places: try FilesPlaces(arguments)
    )
  }
}
