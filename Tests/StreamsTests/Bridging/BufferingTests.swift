import RASPTesting
import Streams
import TestSupport
import Testing

@Suite("values: buffering")
struct BufferingTests {
  private func read(_ policy: BufferingPolicy, sending count: Int) async -> (seen: [Int], dropped: Int) {
    let subject = Subject<Int, Never>()
    let values = subject.values(buffering: policy)
    var iterator = values.makeAsyncIterator()
    for value in 0..<count { subject.send(value) }
    subject.finish()
    var seen: [Int] = []
    while let value = await iterator.next() { seen.append(value) }
    return (seen, values.droppedCount)
  }

  @Test("BR-08: unbounded misses nothing, however far the reader falls behind")
  func unbounded() async {
    let (seen, dropped) = await read(.unbounded, sending: 10_000)
    #expect(seen == Array(0..<10_000))
    #expect(dropped == 0)
  }

  @Test("BR-09: newest(n) keeps the last n", arguments: [1, 2, 9, 10, 11, .max])
  func newest(limit: Int) async {
    let (seen, dropped) = await read(.newest(limit), sending: 10)
    #expect(seen == Array((0..<10).suffix(limit)))
    #expect(dropped == 10 - seen.count)
  }

  @Test("BR-09: oldest(n) keeps the first n", arguments: [1, 2, 9, 10, 11, .max])
  func oldest(limit: Int) async {
    let (seen, dropped) = await read(.oldest(limit), sending: 10)
    #expect(seen == Array((0..<10).prefix(limit)))
    #expect(dropped == 10 - seen.count)
  }

  @Test(
    "A bound of zero or less keeps nothing, counts everything and still ends",
    arguments: [
      BufferingPolicy.newest(0), .newest(-1), .newest(.min), .oldest(0), .oldest(-1), .oldest(.min),
    ]
  )
  func nothing(policy: BufferingPolicy) async {
    let (seen, dropped) = await read(policy, sending: 10)
    #expect(seen == [])
    #expect(dropped == 10)
  }

  @MainActor
  @Test(
    "BR-09: the value being waited for does not count against n",
    arguments: [BufferingPolicy.newest(1), .oldest(1)]
  )
  func waiting(policy: BufferingPolicy) async {
    let subject = Subject<Int, Never>()
    let values = subject.values(buffering: policy)
    let reading = Flag()
    let task = Task { @MainActor () -> [Int?] in
      var iterator = values.makeAsyncIterator()
      reading.raise()
      return [await iterator.next(), await iterator.next()]
    }
    // Both run on the main actor, so the flag is seen only when the reader has suspended.
    #expect(await eventually { reading.isRaised })
    subject.send(1)
    subject.send(2)
    #expect(await task.value == [1, 2])
    #expect(values.droppedCount == 0)
  }

  @Test("Rule 9: what several iterators drop is counted together")
  func counted() async {
    let subject = Subject<Int, Never>()
    let values = subject.values(buffering: .newest(1))
    let first = values.makeAsyncIterator()
    let second = values.makeAsyncIterator()
    for value in 0..<5 { subject.send(value) }
    #expect(values.droppedCount == 8)
    withExtendedLifetime((first, second)) {}
  }

  @Test("What a policy drops is released at once")
  func release() {
    let tracker = LifetimeTracker()
    let subject = Subject<LifetimeTracker.Object, Never>()
    let newest = subject.values(buffering: .newest(2)).makeAsyncIterator()
    let oldest = subject.values(buffering: .oldest(1)).makeAsyncIterator()
    for _ in 0..<50 { subject.send(tracker.make()) }
    #expect(tracker.liveCount == 3)
    withExtendedLifetime((newest, oldest)) {}
  }

  @Test(
    "A stream that ends while values wait gives them first, and the failure of a bounded one is never dropped"
  )
  func endIsKept() async {
    let subject = Subject<Int, TestError>()
    var iterator = subject.values(buffering: .oldest(1)).makeAsyncIterator()
    subject.send(1)
    subject.send(2)
    subject.fail(TestError(code: 3))
    do {
      #expect(try await iterator.next() == 1)
      _ = try await iterator.next()
      Issue.record("The failure was lost")
    } catch {
      #expect(error.code == 3)
    }
  }
}
