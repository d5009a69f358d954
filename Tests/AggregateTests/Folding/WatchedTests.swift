import AggregateTestSupport
import RASPTesting
import Streams
import TestSupport
import Testing

@testable import Aggregate

/// Subscribers to each event come and go, of three kinds, and events go the short way again when the last one has left.
@Suite("Watched aggregators")
struct WatchedTests {
  /// What a subscriber has got, in words.
  private final class Watcher {
    let kind: Int
    let log: Log<String>
    let token: Subscription
    var expected: [String]
    var last: Int

    init(_ kind: Int, of account: Aggregator<Account>, state: Account) {
      let log = Log<String>()
      self.kind = kind
      self.log = log
      last = state.balance
      switch kind {
      case 0:
        expected = []
        token = account.events.subscribe { log.note("\($0)") }
      case 1:
        expected = ["\(state.balance)"]
        token = account.states.subscribe { log.note("\($0.balance)") }
      default:
        expected = []
        token = account.transitions(of: \.balance).subscribe { log.note("\($0.old) \($0.event) \($0.new)") }
      }
    }

    func expect(_ amount: Int, _ state: Account, isRefused: Bool) {
      switch kind {
      case 0: expected.append("\(amount)")
      case 1: if !isRefused { expected.append("\(state.balance)") }
      default:
        if isRefused { return }
        if last != state.balance { expected.append("\(last) \(amount) \(state.balance)") }
        last = state.balance
      }
    }
  }

  /// Whether events take the long way.
  private func isWatched(_ account: Aggregator<Account>) -> Bool { account.core.queue.address.pointee.isWatched }

  @Test("Each subscriber gets what a plain loop says, and the aggregator is watched as long as it has one")
  func program() {
    for seed in 0..<UInt64(rounds(2_000)) {
      var random = SplitMix(seed: seed)
      let account = Aggregator(initial: Account())
      var state = Account()
      var watchers: [Watcher] = []
      for _ in 0..<60 {
        switch Int.random(in: 0..<6, using: &random) {
        case 0: watchers.append(Watcher(Int.random(in: 0..<3, using: &random), of: account, state: state))
        case 1 where !watchers.isEmpty:
          let left = watchers.remove(at: Int.random(in: 0..<watchers.count, using: &random))
          left.token.cancel()
          #expect(left.log.entries == left.expected, "seed \(seed)")
        default:
          let amount = Int.random(in: -3...3, using: &random)
          var next = state
          let isRefused = (try? next.apply(amount)) == nil
          if !isRefused { state = next }
          account.send(amount)
          for watcher in watchers { watcher.expect(amount, state, isRefused: isRefused) }
        }
        #expect(account.snapshot == state)
        #expect(isWatched(account) == !watchers.isEmpty, "seed \(seed)")
      }
      for watcher in watchers { #expect(watcher.log.entries == watcher.expected, "seed \(seed)") }
    }
  }

  @Test("The last subscriber may leave from inside its own call, and come back")
  func leavingInside() {
    let account = Aggregator(initial: Account())
    let token = Box<Subscription>()
    let log = Log<Int>()
    for round in 1...3 {
      token.value = account.events.subscribe { amount in
        log.note(amount)
        token.value?.cancel()
      }
      account.send(round)
      account.send(10 * round)
      #expect(!isWatched(account))
    }
    #expect(log.entries == [1, 2, 3])
  }

  @Test("A recorder keeps the aggregator watched when the subscribers have left, and subscribers do when it has")
  func recorderAndSubscribers() {
    let account = Aggregator(initial: Account())
    let events = Recorder(account.events)
    var recorder: TapeRecorder<Account>? = TapeRecorder(account)
    account.send(1)
    withExtendedLifetime(recorder) {}
    recorder = nil
    account.send(2)
    #expect(isWatched(account))
    #expect(events.values == [1, 2])

    recorder = TapeRecorder(account)
    events.cancel()
    account.send(3)
    #expect(isWatched(account))
    #expect(recorder?.recording.entries.map(\.event) == [3])
    recorder = nil
    #expect(!isWatched(account))
  }
}
