#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// What is at a path: a journal, the partitions of a log, or one file.
package struct StoredFolders: StoredHistory {
  package typealias Failure = JournalError

  /// Which values are dumped.
  package enum Selection: Sendable {
    /// Events and states.
    case all
    /// The events between two places, each with the name of its partition if there are several.
    case events(from: JournalPosition?, until: JournalPosition?)
  }

  /// The path of all of them.
  package let path: String
  package let folders: [StoredFolder]

  /// Finds them.
  ///
  /// - Returns: `nil` if the folder at the path has no files of a journal or a log.
  package init?(at path: String, isFolder: Bool) throws(JournalError) {
    self.path = path
    folders = isFolder ? try StoredFolder.all(at: path) : [StoredFolder(try StoredFile(path))]
    if folders.isEmpty { return nil }
  }

  package func list(_ write: (StoredLine) -> Void) {
    for file in folders.flatMap(\.files) { write(StoredLine(file, file.read())) }
    for problem in folders.flatMap(\.problems) { write(StoredLine(problem)) }
  }

  package func verify(_ write: (StoredLine) -> Void) -> StoredLine? {
    var problems: [StoredFolder.Problem] = []
    var events = 0
    var closings: [Bool] = []
    for folder in folders {
      let verdict = folder.verify { events += $1.events }
      problems += verdict.problems
      if let isClosed = verdict.isClosed { closings.append(isClosed) }
    }
    for problem in problems { write(StoredLine(problem)) }
    if !problems.isEmpty { return nil }
    let isClosed = closings.isEmpty ? nil : closings.allSatisfy { $0 }
    let closing = isClosed.map { $0 ? "; it was closed" : "; it was not closed, or is open" } ?? ""
    let count = folders.flatMap(\.files).count
    return StoredLine(
      "\(count) files are whole, with \(events) events\(closing)",
      ["closed": isClosed, "events": events, "files": count]
    )
  }

  package func dump(_ selection: Selection, _ write: (StoredLine) -> Void) throws(JournalError) {
    for folder in folders {
      for file in folder.files {
        var partition: String?
        if case .events = selection {
          if file.content == .snapshot { continue }
          if folder.path != path { partition = folder.name }
        }
        let summary = file.read { value in
          if selection.contains(value) { write(StoredLine(value, in: file, of: partition)) }
        }
        if let failure = summary.failure { throw failure }
      }
      if let failure = folder.problems.lazy.compactMap(\.failure).first { throw failure }
    }
  }

  package func cut(at end: JournalPosition, to copy: String) throws(JournalError) -> [StoredLine] {
    let ends = try StoredFolder.copy(folders, at: path, to: copy, endingAt: end)
    return zip(folders, ends).map { folder, end in
      let copy = folder.path == path ? copy : "\(copy)/\(folder.name)"
      return StoredLine("\(copy) ends behind event \(end), and was closed", ["event": end, "path": copy])
    }
  }
}

extension StoredFolders.Selection {
  fileprivate func contains(_ value: StoredFile.Value) -> Bool {
    guard case .events(let first, let last) = self else { return true }
    guard let number = value.number, let time = value.time else { return false }
    let isBehind =
      switch first {
      case .event(let first)?: number >= first
      case .date(let date)?: time >= .seconds(date.timeIntervalSince1970)
      case nil: true
      }
    let isBefore =
      switch last {
      case .event(let last)?: number <= last
      case .date(let date)?: time <= .seconds(date.timeIntervalSince1970)
      case nil: true
      }
    return isBehind && isBefore
  }
}

extension StoredLine {
  fileprivate init(_ file: StoredFile, _ summary: StoredFile.Summary) {
    let (from, to) = (summary.times?.lowerBound.wallTime, summary.times?.upperBound.wallTime)
    let types = summary.types.map { "\($0.name) \($0.version)" }
    let problem = summary.failure.map { "\($0)" }
    var parts = ["\(file.path): \(file.content.rawValue)", "\(file.size) bytes"]
    if summary.events > 0 {
      parts.append("events \(file.firstEvent) to \(file.firstEvent + summary.events - 1), \(from ?? "") to \(to ?? "")")
    }
    if file.content == .snapshot { parts.append("after event \(file.firstEvent)") }
    if types.count > 1 { parts.append("\(types.dropLast().joined(separator: ", ")) and \(types[types.count - 1])") }
    if types.count == 1 { parts.append(types[0]) }
    if let problem { parts.append(problem) }
    self.init(
      parts.joined(separator: ", "),
      [
        "bytes": file.size, "content": file.content.rawValue, "events": summary.events, "firstEvent": file.firstEvent,
        "from": from, "isSealed": summary.isSealed, "path": file.path, "problem": problem, "states": summary.states,
        "to": to, "types": types,
      ]
    )
  }

  fileprivate init(_ problem: StoredFolder.Problem) {
    self.init("\(problem.path): \(problem.reason)", ["path": problem.path, "problem": problem.reason])
  }

  fileprivate init(_ value: StoredFile.Value, in file: StoredFile, of partition: String?) {
    self.init(
      value: value.payload,
      [
        "partition": partition, "number": value.number ?? (file.content == .snapshot ? file.firstEvent : nil),
        "time": value.time?.wallTime, "type": value.type.name, "version": value.type.version,
      ]
    )
  }
}

extension Duration {
  /// A time since 1970, as ISO 8601 writes it.
  fileprivate var wallTime: String {
    Date(timeIntervalSince1970: self / .seconds(1)).formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
  }
}
