import Foundation
import RASPJournal

/// What a command line asks for.
struct FilesCommand {
  /// What can be asked for, with the options that it takes.
  private static let verbs: KeyValuePairs = [
    "list": ["--json"], "verify": ["--json"], "dump": [], "export": ["--from", "--out", "--until"],
    "cut": ["--at", "--json", "--out"],
  ]
  /// Examples of the values of options that have one.
  private static let examples = ["--at": "1204", "--from": "1204", "--until": "1300", "--out": "copy"]

  private let verb: String
  private let path: String
  private let options: [String: String]

  /// Reads the arguments after the name of the program; `nil` stands for `--help`.
  init?(_ arguments: [String]) throws(FilesFailure) {
    var (words, options, rest) = ([String](), [String: String](), arguments[...])
    while let text = rest.popFirst() {
      if text == "--help" || text == "-h" { return nil }
      let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      if text == "--" {
        words += rest
        break
      } else if !text.hasPrefix("-") || text == "-" {
        words.append(text)
      } else if let example = Self.examples[parts[0]] {
        guard let value = parts.count > 1 ? parts[1] : rest.popFirst(), !value.hasPrefix("--") else {
          throw .usage("\(parts[0]) needs a value, as in \(parts[0]) \(example)")
        }
        options[parts[0]] = value
      } else if text == "--json" {
        options[text] = ""
      } else {
        throw .usage("unknown option \(text.quoted)")
      }
    }
    guard let verb = words.first, let taken = Self.verbs.first(where: { $0.key == verb })?.value else {
      let verbs = Self.verbs.map(\.key).listed
      throw .usage("rasp-files needs what to do, one of \(verbs), and a path, as in rasp-files verify journal")
    }
    guard words.count > 1, !words[1].isEmpty else {
      throw .usage("rasp-files \(verb) needs a path, as in rasp-files \(verb) journal")
    }
    if words.count > 2 { throw .usage("unexpected argument \(words[2].quoted)") }
    // It is no mistake to ask what writes JSON anyway for it.
    if let name = options.keys.sorted().first(where: { $0 != "--json" && !taken.contains($0) }) {
      throw .usage("rasp-files \(verb) takes \(taken.isEmpty ? "no options" : taken.listed), and not \(name)")
    }
    if options["--out"] == "" { throw .usage("--out needs a path, as in --out copy") }
    path = words[1].count > 1 && words[1].hasSuffix("/") ? String(words[1].dropLast()) : words[1]
    (self.verb, self.options) = (verb, options)
  }

  /// Does it.
  ///
  /// - Parameter write: takes each line of the output.
  func run(_ write: (String) -> Void) async throws(FilesFailure) {
    let isJSON = options["--json"] != nil || verb == "dump" || verb == "export"
    do {
      try await perform(on: try found()) { write(isJSON ? $0.json : $0.text.printable) }
    } catch JournalError.system(let file, _, let code) where verb == "export" && file == options["--out"] {
      let reason = "cannot make \(file.quoted): \(String(cString: strerror(code)))"
      throw FilesFailure(FilesFailure.cannotWrite, "\(reason); name a file that is not there")
    } catch let error as JournalError {
      throw FilesFailure(error, status: verb == "cut" ? FilesFailure.cannotWrite : FilesFailure.noInput)
    } catch {
      throw error as? FilesFailure ?? FilesFailure(FilesFailure.noInput, "\(error)")
    }
  }

  private func perform(on folders: StoredFolders, _ line: (StoredLine) -> Void) async throws {
    let (at, from, until) = (try place("--at"), try place("--from"), try place("--until"))
    for case .event? in [at, from, until] where folders.folders.count > 1 {
      let example = folders.folders[0].path.quoted
      let remedy = "give a date, or name one of them, as in \(example)"
      throw FilesFailure.usage("each partition of \(path.quoted) counts by itself: \(remedy)")
    }
    switch (verb, at, options["--out"]) {
    case ("list", _, _): folders.list(line)
    case ("verify", _, _):
      var count = 0
      let whole = folders.verify { problem in
        count += 1
        line(problem)
      }
      if let whole { return line(whole) }
      let problems = count == 1 ? "a problem" : "\(count) problems"
      let remedy = "bring back a copy, or repair it with the program that wrote it"
      throw FilesFailure(FilesFailure.noInput, "\(problems) in \(path.quoted); \(remedy)")
    case ("dump", _, _): try folders.dump(.all, line)
    case ("export", _, nil): try folders.dump(.events(from: from, until: until), line)
    case ("export", _, let file?): _ = try await folders.export(.events(from: from, until: until), to: file)
    case ("cut", let end?, let copy?): try folders.cut(at: end, to: copy).forEach(line)
    default:
      throw FilesFailure.usage("rasp-files cut needs --at and --out, as in rasp-files cut journal --at 1204 --out copy")
    }
  }

  private func found() throws -> StoredFolders {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
      let reason = "there is nothing at \(path.quoted)"
      throw FilesFailure(FilesFailure.noInput, "\(reason); name a file or a folder that is there")
    }
    if let folders = try StoredFolders(at: path, isFolder: isFolder.boolValue) { return folders }
    let reason = "\(path.quoted) has no files of a journal or a log"
    throw FilesFailure(FilesFailure.noInput, "\(reason); name a folder that one has written")
  }

  private func place(_ option: String) throws(FilesFailure) -> JournalPosition? {
    guard let text = options[option] else { return nil }
    if let number = Int(text), number >= 0 { return .event(number) }
    for hasFraction in [false, true] {
      let style = Date.ISO8601FormatStyle(includingFractionalSeconds: hasFraction)
      if let date = try? style.parse(text) { return .date(date) }
    }
    throw .usage("\(option) takes the number of an event, or a date as in 2026-11-22T15:04:05Z, not \(text.quoted)")
  }
}

extension FilesCommand {
  static let help = """
    rasp-files looks at any journal, log in files or recording, without its program.

      rasp-files list|verify PATH [--json]
      rasp-files dump PATH
      rasp-files export PATH [--from PLACE] [--until PLACE] [--out FILE]
      rasp-files cut PATH --at PLACE --out COPY [--json]

    list    what there is
    verify  all checksums, that nothing is missing between segments, and whether it was closed
    dump    a line of JSON for each event and state; bytes that are no JSON are in base64
    export  the same for the events between --from and --until, also into a file, --out
    cut     a copy of a journal or a log, --out, that ends at a place, --at; nothing is changed in place

    A PLACE is behind an event, by its number, or at a date, as in 2026-11-22T15:04:05Z. With --json, a line is
    an object: of list {"path","content","bytes","firstEvent","events","states","from","to","isSealed","types"},
    of verify {"path","problem"} or {"closed","events","files"}, of cut {"event","path"}.
    dump writes {"number","time","type","version","value"}, or "base64" for the value, and export "partition",
    too. Exit status: 0 success, 64 wrong usage, 66 unreadable input, or one that is not whole, 74 output that
    cannot be written.
    """
}
