import Foundation
import RASPJournal

/// Where verbs of `files` begin, end and write.
struct FilesPlaces: Sendable {
  var at: JournalPosition?
  var from: JournalPosition?
  var until: JournalPosition?
  var out: String?
}

extension FilesPlaces {
  /// The options that each verb takes.
  static func options(of verb: FilesRun.Verb) -> [CommandOption] {
    switch verb {
    case .list, .verify: [.json]
    case .dump: []
    case .export: [.from, .until, .out]
    case .cut: [.json, .at, .out]
    case .skip: [.json, .at]
    }
  }

  init(_ arguments: Arguments) throws(RunFailure) {
    at = try Self.place(.at, arguments)
    from = try Self.place(.from, arguments)
    until = try Self.place(.until, arguments)
    out = arguments[.out]
    if out == "" { throw .usage("--out needs a path, as in --out copy") }
  }

  private static func place(_ option: CommandOption, _ arguments: Arguments) throws(RunFailure) -> JournalPosition? {
    guard let text = arguments[option] else { return nil }
    return try JournalPosition(text: text, of: option)
  }

  /// Whether an event is in the range.
  func contain(_ number: Int, _ time: Duration) -> Bool {
    let isBehind =
      switch from {
      case .event(let first)?: number >= first
      case .date(let date)?: time >= .seconds(date.timeIntervalSince1970)
      case nil: true
      }
    let isBefore =
      switch until {
      case .event(let last)?: number <= last
      case .date(let date)?: time <= .seconds(date.timeIntervalSince1970)
      case nil: true
      }
    return isBehind && isBefore
  }
}

extension JournalPosition {
  /// Refuses a number where several partitions have an event of it.
  func check(_ folders: [StoredFolder], at path: String) throws(RunFailure) {
    guard case .event = self, folders.count > 1 else { return }
    let example = folders[0].path
    throw .usage(
      "each partition of \(path.quoted) counts by itself: give a date, or name one of them, as in \(example.quoted)"
    )
  }
}

extension CommandOption {
  static let from = CommandOption(name: "--from", value: ("PLACE", "1204"), help: "Begin with an event, or at a date.")

  static let until = CommandOption(name: "--until", value: ("PLACE", "1300"), help: "End with an event, or at a date.")

  static let out = CommandOption(
    name: "--out",
    value: ("PATH", "copy"),
    help: "Write to a path at which there is nothing."
  )
}

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
      changed in place), skip (sets the event --at aside: it is passed over from then on if it
      cannot be read, as with PoisonPolicy.setAside, also where the program has PoisonPolicy.stop).
      """,
    jsonHelp: """
      list     {"path","content","bytes","firstEvent","events","states","from","to","isSealed",
               "types"}
      verify   {"path","problem"} or {"closed","events","files"}
      dump     {"number","time","type","version","value"}, or "base64" for the value
      export   the same, with "partition" for those of a log
      cut      {"event","path"}
      skip     {"path"}
      """
  ) { arguments throws(RunFailure) in
    let verbs = FilesRun.Verb.allCases.map(\.rawValue).listed
    guard let word = arguments.next(), let verb = FilesRun.Verb(rawValue: word) else {
      throw .usage("files needs what to do, one of \(verbs), and a path, as in files verify journal")
    }
    guard let path = arguments.next(), !path.isEmpty else {
      throw .usage("files \(word) needs a path, as in files \(word) journal")
    }
    let options = FilesPlaces.options(of: verb)
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
