import RASPTesting
import Streams
import Testing

@Suite("throttle")
struct ThrottleTests {
  private let marbles = Marbles()

  @Test(
    "latest: the first value of a window at once, the newest at its end, which opens the next window",
    arguments: [
      ("abc----d|", "a--c---d|"),
      ("a----b----|", "a----b----|"),
      ("[abc]----|", "a--c-|"),
      ("ab--c--|", "a--b--c|"),
      ("|", "|"),
      ("---|", "---|"),
      ("^", "^"),
    ]
  )
  func latest(source: String, result: String) {
    marbles.expectEitherWay(source, result) { $0.throttle(for: .seconds(3), on: marbles.time) }
  }

  @Test(
    "first: only the first value of a window",
    arguments: [
      ("abc-d-e--f|", "a---d----f|"),
      ("[abc]----|", "a----|"),
      ("ab|", "a-|"),
      ("ab^", "a-^"),
      ("|", "|"),
    ]
  )
  func first(source: String, result: String) {
    marbles.expectEitherWay(source, result) { $0.throttle(for: .seconds(3), latest: false, on: marbles.time) }
  }

  @Test(
    "at the end of a window, a waiting value is sent before what arrives is looked at",
    arguments: [
      ("ab-c--|", "a--b--[c|]"),
      ("a--b--|", "a--b--|"),
      ("ab-cd-e|", "a--b--d[e|]"),
      ("ab-|", "a--[b|]"),
      ("ab-^", "a--[b^]"),
    ]
  )
  func boundary(source: String, result: String) {
    marbles.expectEitherWay(source, result) { $0.throttle(for: .seconds(3), on: marbles.time) }
  }

  @Test("first: at the end of a window it is over")
  func boundaryOfFirst() {
    marbles.expectEitherWay("ab-c-d|", "a--c--|") { $0.throttle(for: .seconds(3), latest: false, on: marbles.time) }
  }

  @Test("completion sends what waits; a failure drops it")
  func ends() {
    marbles.expectEitherWay("ab|", "a-[b|]") { $0.throttle(for: .seconds(3), on: marbles.time) }
    marbles.expectEitherWay("ab^", "a-^") { $0.throttle(for: .seconds(3), on: marbles.time) }
  }

  @Test("a window that is not positive lets everything through", arguments: [Duration.zero, .seconds(-3)])
  func noWindow(window: Duration) {
    marbles.expectEitherWay("[ab]c-^", "[ab]c-^") { $0.throttle(for: window, on: marbles.time) }
    marbles.expectEitherWay("[ab]c-|", "[ab]c-|") { $0.throttle(for: window, latest: false, on: marbles.time) }
  }

  @Test("a late timer does not shorten the distance to the next value")
  func late() {
    let slow = LaggingScheduler(time: marbles.time, lag: .seconds(2))
    // Timers fire when the clock shows two seconds more than they asked for: b at 5 instead of 3, and c three seconds
    // after b by the clock, at 10 instead of 8.
    marbles.expect(marbles.stream("ab----c-----|").throttle(for: .seconds(3), on: slow), "a----b----c-|")
  }
}
