import Aggregate
import AggregateTestSupport
import RASPTesting
import Streams
import TestSupport
import Testing

/// A subscriber is a function that does not wait. So what a task submits that a subscriber has started is folded when
/// the subscriber has returned, and the task waits for nothing that waits for it.
@Suite("Submitting from inside of a subscriber", .endsInTime)
struct SubmitInsideTests {
  private struct Sum: AggregateState, Equatable {
    struct Negative: Error, Equatable {}
    var value = 0

    mutating func apply(_ event: Int) throws(Negative) {
      if event < 0 { throw Negative() }
      value += event
    }
  }

  @Test("tasks of subscribers submit to their own aggregator, one behind the other, and each gets its answer")
  func tasks() async throws {
    let sum = Aggregator(initial: Sum())
    let (answers, order) = (Log<Submission>(), Log<String>())
    let count = 100
    let token = sum.events.subscribe { event in
      order.note("begin \(event)")
      if event < count {
        Task {
          answers.note(try await sum.submit(event + 1))
        }
      }
      order.note("end \(event)")
    }
    #expect(try await sum.submit(1) == .folded)
    #expect(await eventually { answers.count == count - 1 })
    #expect(answers.entries.allSatisfy { $0 == .folded })
    #expect(sum.snapshot.value == count * (count + 1) / 2)
    #expect(order.entries == (1...count).flatMap { ["begin \($0)", "end \($0)"] })
    withExtendedLifetime(token) {}
  }

  @Test("a refusal, the end of the aggregator and a cancelled task answer such a task as they do any other")
  func otherAnswers() async throws {
    let sum = Aggregator(initial: Sum())
    let (refused, ended) = (Box<Task<Bool, Never>>(), Box<Task<Submission?, Never>>())
    let token = sum.events.subscribe { (event: Int) in
      if event == 1 {
        refused.value = Task<Bool, Never> {
          do {
            _ = try await sum.submit(-1)
            return false
          } catch {
            return error is Sum.Negative
          }
        }
      } else {
        sum.finish()
        ended.value = Task<Submission?, Never> { try? await sum.submit(1) }
      }
    }
    sum.send(1)
    #expect(await refused.value?.value == true)
    sum.send(2)
    #expect(await ended.value?.value == .finished)
    withExtendedLifetime(token) {}
  }
}
