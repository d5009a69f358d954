import Foundation
import RASPJournal

/// Looks at the files of journals, logs and recordings without the types of their values.
struct FilesRun: ScenarioRun {
  /// What is to be done.
  enum Verb: String, CaseIterable, Sendable {
    case list, verify, dump
  }

  let verb: Verb
  let path: String
  let json: Bool

  func run(output: Output) async throws(RunFailure) {
    let folders = try found()
    switch verb {
    case .list:
      for file in folders.flatMap(\.files) { output.line(StoredFileLine(file, file.read()).text(json)) }
      for problem in folders.flatMap(\.problems) { output.line(ProblemLine(problem).text(json)) }
    case .verify: try verify(folders, output)
    case .dump:
      for file in folders.flatMap(\.files) {
        let summary = file.read { output.line(StoredValueLine($0, in: file).json) }
        if let failure = summary.failure { throw RunFailure(failure, status: .noInput) }
      }
      if let problem = folders.flatMap(\.problems).first { throw RunFailure(.noInput, problem.reason) }
    }
  }

  private func verify(_ folders: [StoredFolder], _ output: Output) throws(RunFailure) {
    var problems: [StoredFolder.Problem] = []
    var events = 0
    var closings: [Bool] = []
    for folder in folders {
      let verdict = folder.verify { events += $1.events }
      problems += verdict.problems
      if let isClosed = verdict.isClosed { closings.append(isClosed) }
    }
    for problem in problems { output.line(ProblemLine(problem).text(json)) }
    guard problems.isEmpty else {
      throw RunFailure(
        .noInput,
        "\(problems.count == 1 ? "a problem" : "\(problems.count) problems") in \(path.quoted); bring back a copy, or repair it with the program that wrote it"
      )
    }
    let count = folders.flatMap(\.files).count
    let isClosed = closings.allSatisfy { $0 }
    if json {
      let closing = closings.isEmpty ? "" : "\"closed\":\(isClosed),"
      output.line("{\(closing)\"events\":\(events),\"files\":\(count)}")
    } else {
      let closing = closings.isEmpty ? "" : isClosed ? "; it was closed" : "; it was not closed, or is open"
      output.line("\(count) files are whole, with \(events) events\(closing)")
    }
  }

  private func found() throws(RunFailure) -> [StoredFolder] {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
      throw RunFailure(.noInput, "there is nothing at \(path.quoted); name a file or a folder that is there")
    }
    do throws(JournalError) {
      if !isFolder.boolValue { return [StoredFolder(try StoredFile(path))] }
      let folders = try StoredFolder.all(at: path)
      if !folders.isEmpty { return folders }
    } catch {
      throw RunFailure(error, status: .noInput)
    }
    throw RunFailure(.noInput, "\(path.quoted) has no files of a journal or a log; name a folder that one has written")
  }
}

extension Scenario {
  /// Looks at files for those who operate a program.
  static let files = Scenario(
    name: "files",
    parameters: "VERB PATH",
    options: [.json],
    help: """
      Any journal, log in files or recording, without its program. VERB is one of
      list (what there is), verify (all checksums, and that nothing is missing between segments),
      dump (a line of JSON for each event and state; bytes that are no JSON are written in base64).
      """,
    jsonHelp: """
      list     {"path","content","bytes","firstEvent","events","states","from","to","isSealed",
               "types"}
      verify   {"path","problem"} or {"closed","events","files"}
      dump     {"number","time","type","version","value"}, or "base64" for the value
      """
  ) { arguments throws(RunFailure) in
    let verbs = FilesRun.Verb.allCases.map(\.rawValue).listed
    guard let word = arguments.next(), let verb = FilesRun.Verb(rawValue: word) else {
      throw .usage("files needs what to do, one of \(verbs), and a path, as in files verify journal")
    }
    guard let path = arguments.next(), !path.isEmpty else {
      throw .usage("files \(word) needs a path, as in files \(word) journal")
    }
    return FilesRun(verb: verb, path: path, json: arguments[.json] != nil)
  }
}
