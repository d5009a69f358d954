import RASPTesting
import TestSupport
import Testing

@testable import Streams

/// The state machine behind `values`, event by event in every state: open and empty, open with values, open with a
/// reader, ended with and without values, cancelled.
@Suite("AsyncBuffer")
struct AsyncBufferTests {
  private typealias Buffer = AsyncBuffer<Int, TestError, String>

  private static func open(_ policy: BufferingPolicy = .unbounded, _ values: Int...) -> Buffer {
    var buffer = Buffer(policy: policy)
    for value in values { _ = buffer.valueArrived(value) }
    return buffer
  }

  private static func waiting(_ policy: BufferingPolicy = .unbounded) -> Buffer {
    var buffer = Buffer(policy: policy)
    _ = buffer.readerArrived("first")
    return buffer
  }

  private static func ended(_ end: StreamEnd<TestError>, _ values: Int...) -> Buffer {
    var buffer = Buffer(policy: .unbounded)
    for value in values { _ = buffer.valueArrived(value) }
    _ = buffer.ended(end)
    return buffer
  }

  private static func cancelled() -> Buffer {
    var buffer = open(.unbounded, 1, 2)
    _ = buffer.cancelled()
    return buffer
  }

  @Test("value: buffered when open, handed to a reader, ignored when over")
  func valueArrived() {
    var empty = Self.open()
    #expect(text(empty.valueArrived(1)) == "buffered")
    #expect(text(empty.valueArrived(2)) == "buffered")
    #expect(empty.values.popFirst() == 1)

    var waiting = Self.waiting()
    #expect(text(waiting.valueArrived(1)) == "resume first with 1")
    #expect(text(waiting.valueArrived(2)) == "buffered", "a reader is handed out once")

    var ended = Self.ended(.finished, 1)
    #expect(text(ended.valueArrived(2)) == "ignored")
    var failed = Self.ended(.failed(TestError()))
    #expect(text(failed.valueArrived(2)) == "ignored")
    var cancelled = Self.cancelled()
    #expect(text(cancelled.valueArrived(2)) == "ignored")
    #expect(cancelled.values.popFirst() == nil)
  }

  @Test("value: the policies, with and without a reader", arguments: [-1, 0, 1, 2, 3])
  func policies(limit: Int) {
    var newest = Self.open(.newest(limit))
    var oldest = Self.open(.oldest(limit))
    let kept = max(0, limit)
    for value in 0..<5 {
      #expect(text(newest.valueArrived(value)) == (value < kept ? "buffered" : "dropped \(value - kept)"))
      #expect(text(oldest.valueArrived(value)) == (value < kept ? "buffered" : "dropped \(value)"))
    }
    #expect(drain(&newest) == Array((0..<5).suffix(kept)))
    #expect(drain(&oldest) == Array((0..<5).prefix(kept)))

    for policy in [BufferingPolicy.newest(limit), .oldest(limit)] {
      var waiting = Self.waiting(policy)
      #expect(text(waiting.valueArrived(7)) == "resume first with 7", "does not count against the bound")
    }
  }

  @Test("end: kept behind the values, handed to a reader, the first one counts")
  func ended() {
    var empty = Self.open()
    #expect(empty.ended(.failed(TestError(code: 1))) == nil)
    #expect(empty.ended(.finished) == nil)
    #expect(text(empty.take()) == "failed 1")
    #expect(text(empty.take()) == "finished", "a failure is heard once")
    #expect(text(empty.take()) == "finished")

    var buffered = Self.open(.unbounded, 1, 2)
    #expect(buffered.ended(.finished) == nil)
    #expect([text(buffered.take()), text(buffered.take()), text(buffered.take())] == ["1", "2", "finished"])

    var waiting = Self.waiting()
    #expect(waiting.ended(.failed(TestError(code: 1))) == "first")
    #expect(waiting.ended(.failed(TestError(code: 2))) == nil)
    #expect(text(waiting.take()) == "finished", "the reader has heard of the failure")

    var over = Self.ended(.finished)
    #expect(over.ended(.failed(TestError())) == nil)
    #expect(text(over.take()) == "finished")

    var cancelled = Self.cancelled()
    #expect(cancelled.ended(.failed(TestError())) == nil)
    #expect(text(cancelled.take()) == "finished", "who cancelled hears of no failure")
  }

  @Test("take: nothing when open and empty, the values, then the end")
  func take() {
    var empty = Self.open()
    #expect(text(empty.take()) == "nothing")
    #expect(empty.values.popFirst() == nil)
    var waiting = Self.waiting()
    #expect(text(waiting.take()) == "nothing")
    #expect(text(waiting.valueArrived(1)) == "resume first with 1", "taking does not lose the reader")
    var failed = Self.ended(.failed(TestError(code: 1)), 5)
    #expect(failed.values.popFirst() == 5)
    #expect(failed.values.popFirst() == nil)
    #expect(text(failed.take()) == "failed 1")
  }

  @Test("reader: waits when there is nothing, is answered when there is, and a second one is refused")
  func readerArrived() {
    var empty = Self.open()
    #expect(text(empty.readerArrived("first")) == "wait")
    #expect(text(empty.readerArrived("second")) == "finished")
    #expect(text(empty.valueArrived(1)) == "resume first with 1")
    #expect(text(empty.readerArrived("third")) == "wait")

    var buffered = Self.open(.unbounded, 1)
    #expect(text(buffered.readerArrived("first")) == "1")
    #expect(text(buffered.readerArrived("first")) == "wait")

    var failed = Self.ended(.failed(TestError(code: 1)), 5)
    #expect(text(failed.readerArrived("first")) == "5")
    #expect(text(failed.readerArrived("first")) == "failed 1")
    #expect(text(failed.readerArrived("first")) == "finished")

    var cancelled = Self.cancelled()
    #expect(text(cancelled.readerArrived("first")) == "finished")
  }

  @Test("cancel: hands out the reader and what was buffered, once, and is final")
  func cancelled() {
    var waiting = Self.waiting()
    #expect(waiting.cancelled().reader == "first")
    #expect(waiting.cancelled().reader == nil)
    #expect(text(waiting.take()) == "finished")

    var buffered = Self.open(.unbounded, 1, 2)
    #expect(buffered.cancelled().abandoned.elements == [1, 2])
    #expect(buffered.cancelled().abandoned.isEmpty)
    #expect(text(buffered.take()) == "finished")

    var failed = Self.ended(.failed(TestError()), 1)
    #expect(failed.cancelled().abandoned.elements == [1])
    #expect(text(failed.take()) == "finished")
  }

  @Test("Any sequence of events: each reader is answered at most once, values keep their order, one end")
  func random() {
    var random = SplitMix(seed: 42)
    for _ in 0..<rounds(20_000) {
      let limit = Int.random(in: 0...3, using: &random)
      let policy = [BufferingPolicy.unbounded, .newest(limit), .oldest(limit)].randomElement(using: &random)
      var buffer = Buffer(policy: policy ?? .unbounded)
      var sent = 0
      var isWaiting = false
      var received: [Int] = []
      var ends = 0
      for _ in 0..<30 {
        switch Int.random(in: 0..<8, using: &random) {
        case 0..<4:
          if case .resume(_, let value) = buffer.valueArrived(sent) {
            #expect(isWaiting)
            isWaiting = false
            received.append(value)
          }
          sent += 1
        case 4..<7 where !isWaiting:
          switch buffer.readerArrived("reader") {
          case .wait: isWaiting = true
          case .resume(.value(let value)): received.append(value)
          case .resume(.end): ends += 1
          }
        case 7 where Int.random(in: 0..<6, using: &random) == 0:
          if buffer.ended(.finished) != nil {
            #expect(isWaiting)
            isWaiting = false
            ends += 1
          }
        default: break
        }
        if ends > 0 { #expect(buffer.values.popFirst() == nil, "the end is behind all values") }
      }
      #expect(zip(received, received.dropFirst()).allSatisfy { $0 < $1 })
    }
  }

  private func drain(_ buffer: inout Buffer) -> [Int] {
    var values: [Int] = []
    while let value = buffer.values.popFirst() { values.append(value) }
    return values
  }

  private func text(_ arrival: Buffer.Arrival) -> String {
    switch arrival {
    case .resume(let reader, let value): "resume \(reader) with \(value)"
    case .buffered: "buffered"
    case .dropped(let value): "dropped \(value)"
    case .ignored: "ignored"
    }
  }

  private func text(_ demand: Buffer.Demand) -> String {
    switch demand {
    case .wait: "wait"
    case .resume(let delivery): text(delivery)
    }
  }

  private func text(_ delivery: ReadResult<Int, TestError>?) -> String {
    switch delivery {
    case nil: "nothing"
    case .value(let value): "\(value)"
    case .end(.finished): "finished"
    case .end(.failed(let error)): "failed \(error.code)"
    }
  }
}
