import RASPTesting
import Streams
import Testing

@Suite("debounce")
struct DebounceTests {
  private let marbles = Marbles()

  @Test(
    "a value is sent when nothing newer has come for a while",
    arguments: [
      ("ab----c-|", "---b----[c|]"),
      ("abcdef--|", "-------f|"),
      ("[abc]---|", "--c-|"),
      ("a---b---|", "--a---b-|"),
      ("----|", "----|"),
      ("^", "^"),
    ]
  )
  func quiet(source: String, result: String) {
    marbles.expectEitherWay(source, result) { $0.debounce(for: .seconds(2), on: marbles.time) }
  }

  @Test(
    "a value whose quiet time ends at the instant at which the next one arrives is sent",
    arguments: [
      ("a-b-c---|", "--a-b-c-|"),
      ("a-|", "--[a|]"),
      ("a-^", "--[a^]"),
    ]
  )
  func boundary(source: String, result: String) {
    marbles.expectEitherWay(source, result) { $0.debounce(for: .seconds(2), on: marbles.time) }
  }

  @Test("completion sends what waits; a failure drops it")
  func ends() {
    marbles.expectEitherWay("a|", "-[a|]") { $0.debounce(for: .seconds(2), on: marbles.time) }
    marbles.expectEitherWay("a^", "-^") { $0.debounce(for: .seconds(2), on: marbles.time) }
  }

  @Test("no quiet time: every value, at its instant", arguments: [Duration.zero, .seconds(-2)])
  func noQuiet(quiet: Duration) {
    marbles.expectEitherWay("[ab]c-|", "[ab]c-|") { $0.debounce(for: quiet, on: marbles.time) }
  }

  @Test("a value that comes while the timer is late is not missed, nor is the one that waits")
  func late() {
    let slow = LaggingScheduler(time: marbles.time, lag: .seconds(1))
    // By the clock, the quiet time of a was over before b came, or just then: so a is sent, though its timer has not
    // fired yet.
    marbles.expect(marbles.stream("a--b-----|").debounce(for: .seconds(2), on: slow), "---a--b--|")
    marbles.expect(marbles.streamAfterTimers("a-b------|").debounce(for: .seconds(2), on: slow), "--a--b---|")
  }
}
