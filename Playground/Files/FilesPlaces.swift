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
