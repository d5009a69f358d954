import Foundation
import RASPJournal

/// Looks at the journal of a run: its events, or the state at a place.
struct JournalRun: ScenarioRun {
  let path: String
  /// Without one, all events are written.
  let place: JournalPosition?
  /// The ways to read a journal, one for each kind of state.
  let printers: [JournalPrinter]

  func run(output: Output) async throws(RunFailure) {
    guard try JournalFolderContents(path) == .journal else {
      throw RunFailure(.noInput, "\(path.quoted) is no journal; name a folder that --journal has written")
    }
    for printer in printers where try await printer(path, place, output) { return }
    throw RunFailure(
      .noInput,
      "the journal \(path.quoted) has events of no scenario; read it with the program that wrote it"
    )
  }
}

extension JournalPosition {
  /// Reads the number of an event, or a date.
  init(text: String, of option: CommandOption = .at) throws(RunFailure) {
    if let number = Int(text), number >= 0 {
      self = .event(number)
    } else if let date = [false, true].lazy.compactMap({ hasFraction in
      try? Date.ISO8601FormatStyle(includingFractionalSeconds: hasFraction).parse(text)
    }).first {
      self = .date(date)
    } else {
      throw .usage(
        "\(option.name) takes the number of an event, or a date as in 2026-11-22T15:04:05Z, not \(text.quoted)"
      )
    }
  }
}

extension CommandOption {
  static let at = CommandOption(
    name: "--at",
    value: ("PLACE", "1204"),
    help: "A place: behind an event, by its number, or at a date, as in 2026-11-22T15:04:05Z."
  )
}

extension Scenario {
  /// Looks at what one of these scenarios has kept.
  static func journal(_ scenarios: [Scenario]) -> Scenario {
    Scenario(
      name: "journal",
      parameters: "DIR",
      options: [.at],
      help: """
        What runs with --journal have kept: a line of JSON for each event and nothing else, or the state
        at a place.
        """
    ) { arguments throws(RunFailure) in
      guard let path = arguments.next(), !path.isEmpty else {
        throw .usage("journal needs a folder that was written with --journal")
      }
      var place: JournalPosition?
      if let text = arguments[.at] { place = try JournalPosition(text: text) }
      return JournalRun(path: path, place: place, printers: scenarios.compactMap(\.journalPrinter))
    }
  }
}
