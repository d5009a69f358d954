import Foundation
import RASPInsight
import RASPJournal

/// Looks at a recorded run: as text, or as a page for a browser.
struct InspectRun: ScenarioRun {
  let path: String
  /// Where to write the page; without it the run is written as text.
  let pagePath: String?
  /// The ways to read a recording, one for each kind of state.
  let readers: [RecordingReader]

  func run(output: Output) async throws(RunFailure) {
    let timeline = try read()
    guard let pagePath else { return output.write(Self.printable(timeline.marbles)) }
    do {
      try timeline.page.write(toFile: pagePath, atomically: true, encoding: .utf8)
    } catch {
      let reason = error.localizedDescription
      throw RunFailure(.ioError, "cannot write \(pagePath.quoted): \(reason); name a file that you may write")
    }
    output.line("\(timeline.occurrences.count) events in \(pagePath.printable): open it in a browser, ? shows its keys")
  }

  /// The texts of a recording come from outside.
  private static func printable(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).map { String($0).printable }.joined(separator: "\n")
  }

  /// The file says what kind of state it has, and one of the readers knows that.
  private func read() throws(RunFailure) -> Timeline {
    var failure: JournalError?
    for reader in readers {
      do throws(JournalError) {
        return try reader(path)
      } catch {
        failure = error
        guard case .unreadable(_, _, _, let reason) = error, case .unknown = reason.problem else { break }
      }
    }
    let reason = failure.map { "\($0)" } ?? "no scenario records"
    throw RunFailure(.noInput, "cannot read the recording: \(reason)")
  }
}

extension CommandOption {
  static let page = CommandOption(
    name: "--page",
    value: ("OUT.html", "run.html"),
    help: "Write a page to move through the run in a browser."
  )
}

extension Scenario {
  /// Looks at what one of these scenarios has recorded.
  static func inspect(_ scenarios: [Scenario]) -> Scenario {
    Scenario(
      name: "inspect",
      parameters: "FILE",
      options: [.page],
      help: """
        What a run with --record has written: a marble diagram in text, with the cause of each event
        where it is known, or a page.
        """
    ) { arguments throws(RunFailure) in
      guard let path = arguments.next(), !path.isEmpty else {
        throw .usage("inspect needs a file that was written with --record")
      }
      return InspectRun(path: path, pagePath: arguments[.page], readers: scenarios.compactMap(\.recordingReader))
    }
  }
}
