import Aggregate
import RASPInsight
import Streams

/// Tells what is on tapes. Numbers of lanes depend on what was recorded before in the same process, so lanes are called
/// by their names.
struct Story: Sendable {
  static let elsewhere = 1 << 24 - 1

  let transcript: Transcript
  private let names = Box([elsewhere: "elsewhere"])

  func name(_ lanes: [Timeline.Lane]) { for lane in lanes { names.change { $0[lane.number] = lane.name } } }

  private func text(_ cause: Cause) -> String {
    cause == .unknown ? "unknown" : "\(names.value[cause.lane] ?? "no lane") #\(cause.number)"
  }

  private func text(_ time: Duration) -> String { "\(time / .milliseconds(1))" }

  func tell(_ line: String, by cause: Cause) { transcript.note("\(line) by \(text(cause))") }

  func tell<State: Equatable>(
    _ recording: Recording<State>,
    _ number: Int,
    _ state: (State) -> String = { "\($0)" },
    _ event: (State.Event) -> String = { "\($0)" }
  ) {
    for entry in recording.entries {
      tell("#\(entry.number) at \(text(entry.time)) \(event(entry.event))", by: entry.cause)
    }
    for step in recording.steps {
      transcript.note(
        "#\(step.entry.number) \(state(step.before)) to \(state(step.after)), refused \(step.refusal != nil)"
      )
    }
    transcript.note("now \(state(recording.state)), reproduced \(recording.isReproduced)")
    let states = [recording.state(before: number), recording.state(after: number), recording.initial]
    transcript.note("before #\(number), after it, first: \(states.map { $0.map(state) ?? "none" })")
    let parts = [recording.suffix(from: .seconds(2)), recording.last(.seconds(1))]
    transcript.note("from second 2 on, in the last second: \(parts.map { $0.entries.map(\.number) })")
  }

  func tell(_ timeline: Timeline) {
    // Their order beside each other is not promised.
    for occurrence in timeline.occurrences.sorted(by: { text($0.id) < text($1.id) }) {
      let changes = occurrence.changes.map(\.path).sorted()
      let text = "\(text(occurrence.id)) at \(text(occurrence.time)) failed \(occurrence.failure != nil) \(changes)"
      tell(text, by: occurrence.cause)
    }
  }

  func tell(_ explanation: Explanation) {
    for link in explanation.links {
      let change = link.change.map { "\($0.old ?? "-") \($0.new ?? "-")" } ?? ""
      tell("why: \(text(link.id)) at \(text(link.time)) \(change) \(link.changes.map(\.path).sorted())", by: link.cause)
    }
    switch explanation.end {
    case .outside: transcript.note("from outside")
    case .older(let cause, let lane): tell("older \(lane)", by: cause)
    case .elsewhere(let cause): tell("elsewhere", by: cause)
    case .unchanged(let instant): transcript.note("unchanged since \(text(instant))")
    case .withoutStates: transcript.note("without states")
    case .noSuchEvent: transcript.note("no such event")
    @unknown default: transcript.note("another end")
    }
  }
}
