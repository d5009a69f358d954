import Aggregate
import Streams

/// A number, which an event replaces.
private struct LatestState: AggregateState {
  var number = 0

  mutating func apply(_ number: Int) { self.number = number }
}

/// The executor of a reader.
enum ReaderExecutor: String, Sendable {
  case pool = "pool"
  case mainActor = "main-actor"
}

extension Shape {
  /// A reader of the newest value that answers each event by another one, which is read in the same way. No event is
  /// sent before the one before was read. So what is measured is the way from an event to its reader.
  static func newestAnswered(on executor: ReaderExecutor) -> Shape {
    answering("newest-answered", on: executor) { $0.select(\.number).values }
  }

  /// The same with an asynchronous stream that keeps the newest value.
  static func asyncStreamAnswered(on executor: ReaderExecutor) -> Shape {
    answering("asyncstream-answered", on: executor) { aggregator in
      AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
        let subscription = aggregator.select(\.number).subscribe {
          continuation.yield($0)
        } onEnd: { _ in
          continuation.finish()
        }
        continuation.onTermination = { _ in subscription.cancel() }
      }
    }
  }

  /// - Parameter open: returns what is read of an aggregator.
  private static func answering<Values: AsyncSequence<Int, Never> & Sendable>(
    _ name: String,
    on executor: ReaderExecutor,
    _ open: @escaping @Sendable (Aggregator<LatestState>) -> Values
  ) -> Shape {
    Shape("\(name)-\(executor.rawValue)", events: 4_000) { events in
      let questions = Aggregator(initial: LatestState())
      let answers = Aggregator(initial: LatestState())
      let (asked, answered) = (open(questions), open(answers))
      let reader: Task<Int, Never> =
        switch executor {
        case .pool: Task { await answer(asked, to: answers) }
        case .mainActor: Task { @MainActor in await answerOnMainActor(asked, to: answers) }
        }
      var iterator = answered.makeAsyncIterator()
      // The reader has answered the initial value, so it is there.
      while let value = await iterator.next(isolation: nil), value == 0 {}
      return Run {
        var iterator = iterator
        for event in 1...events / 2 {
          questions.send(event)
          while let value = await iterator.next(isolation: nil), value <= event {}
        }
      } proofs: {
        questions.finish()
        return [Proof("answers", await reader.value, is: events / 2 + 1)]
      }
    }
  }
}

/// Answers each value by the next number.
private func answer(_ values: some AsyncSequence<Int, Never>, to answers: Aggregator<LatestState>) async -> Int {
  var count = 0
  for await value in values {
    count += 1
    answers.send(value + 1)
  }
  return count
}

@MainActor
private func answerOnMainActor(
  _ values: some AsyncSequence<Int, Never>,
  to answers: Aggregator<LatestState>
) async -> Int {
  var count = 0
  for await value in values {
    count += 1
    answers.send(value + 1)
  }
  return count
}
