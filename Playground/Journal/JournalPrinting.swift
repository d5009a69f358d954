import Aggregate
import Foundation
import RASPJournal

/// Makes the printer of the journals that have a state.
func journalPrinter<State: AggregateState & Codable>(startingWith initial: State) -> JournalPrinter
where State.Event: Codable {
  { path, place, output async throws(RunFailure) in
    do throws(JournalError) {
      let journal = try JournalReader(at: path, startingWith: initial)
      if let place {
        output.line(jsonText(try journal.state(at: place)))
      } else {
        for try await entry in journal.events(after: 0) { output.line(jsonText(EventLine<State>(entry))) }
      }
      return true
    } catch {
      if case .unreadable(_, _, _, let reason) = error, case .unknown = reason.problem { return false }
      throw RunFailure(error, status: .noInput)
    }
  }
}

/// What is written of an event.
private struct EventLine<State: AggregateState>: Encodable where State.Event: Encodable {
  let number: Int
  let time: String
  let event: State.Event

  init(_ entry: Recording<State>.Entry) {
    number = entry.number
    event = entry.event
    time = entry.time.wallTime
  }
}
