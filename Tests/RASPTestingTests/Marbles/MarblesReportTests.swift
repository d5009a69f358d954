import RASPTesting
import Streams
import Testing

/// What is reported when an expectation fails, to the letter: it is what a user has to find the mistake by.
@Suite("Reports of Marbles")
struct MarblesReportTests {
  private let marbles = Marbles()

  @Test("both diagrams are printed, aligned")
  func mismatch() {
    #expect(reports { marbles.expect(marbles.stream("a-b|"), "a-c|") } == ["expected  a-c|\nobserved  a-b|"])
    #expect(
      reports { marbles.expect(marbles.stream("[ab]-c|"), "ab-c|") } == ["expected  a   b-c|\nobserved  [ab]-c|-"]
    )
    #expect(reports { marbles.expect(marbles.stream("a|"), "a-") } == ["expected  a-\nobserved  a|"])
    #expect(reports { marbles.expect(marbles.stream("a-"), "a|") } == ["expected  a|\nobserved  a-"])
    #expect(reports { marbles.expect(marbles.stream("a^"), "a|") } == ["expected  a|\nobserved  a^"])
    #expect(reports { marbles.expect(marbles.stream("a|"), "a-;") } == ["expected  a-;\nobserved  a|;"])
  }

  @Test("what comes behind the last step of the diagram is a difference, and is shown")
  func behindTheDiagram() {
    #expect(reports { marbles.expect(marbles.stream("ab---c|"), "a") } == ["expected  a      \nobserved  ab---c|"])
    #expect(reports { marbles.expect(marbles.stream("a-|"), "a") } == ["expected  a  \nobserved  a-|"])
    #expect(reports { marbles.expect(marbles.sharedStream("-a^"), "-") } == ["expected  -  \nobserved  -a^"])
    #expect(reports { marbles.expect(marbles.stream("a-|"), "a;") } == [])
    let late = reports { marbles.expect(marbles.stream("a").delay(by: .seconds(500), on: marbles.time), "-") }
    #expect(late == ["expected  -\nbut also\n  value(\"a\") at 500.0 seconds, long after the last step"])
  }

  @Test("of a stream without an end as much is shown as is enough to see it")
  func endless() {
    let ticks = Observable<Int, Never>.interval(.seconds(1), on: marbles.time).map { _ in "t" }
    let ts = String(repeating: "t", count: 20)
    let expected = "expected  -t" + String(repeating: " ", count: 20)
    #expect(reports { marbles.expect(ticks, "-t") } == ["\(expected)\nobserved  -t\(ts)"])
    #expect(marbles.time.pending == [])
  }

  @Test("the order within one instant counts")
  func order() {
    #expect(reports { marbles.expect(marbles.stream("[ab]"), "[ba]") } == ["expected  [ba]\nobserved  [ab]"])
  }

  @Test("the report is where the expectation is")
  func location() {
    let line = #_sourceLocation.line + 1
    let issues = reportsWithLocations { marbles.expect(marbles.stream("a"), "b") }
    #expect(issues.map { $0.sourceLocation.line } == [line])
    let syntax = reportsWithLocations { marbles.expect(marbles.stream("-"), "]") }
    #expect(syntax.map { $0.sourceLocation.line } == [line + 2])
    let input = reportsWithLocations { _ = marbles.stream("[") }
    #expect(input.map { $0.sourceLocation.line } == [line + 4])
    let shared = reportsWithLocations { _ = marbles.sharedStream("[") }
    #expect(shared.map { $0.sourceLocation.line } == [line + 6])
  }

  @Test("a text that is not a diagram is reported once, with the remedy, and nothing else is")
  func syntax() {
    for text in ["[", "]", "[-]", "a|b", ""] {
      let expectation = reports { marbles.expect(Observable([1]), text) }
      #expect(expectation.count == 1 && expectation[0].hasPrefix("`\(text)`: "), "\(expectation)")
      let input = reports { _ = marbles.stream(text) }
      #expect(input.count == 1 && input[0].hasPrefix("`\(text)`: "), "\(input)")
    }
  }

  @Test("an input cannot cancel: only an expectation can")
  func cancellingInput() {
    let own = reports { _ = marbles.stream("a;") }
    #expect(own.count == 1 && own[0].contains("`;`"), "\(own)")
    let shared = reports { _ = marbles.sharedStream("a;") }
    #expect(shared == own)
  }

  @Test("what comes between two steps is told with its instant")
  func betweenSteps() {
    let stream = marbles.stream("a--").delay(by: .milliseconds(1500), on: marbles.time)
    let reported = reports { marbles.expect(stream, "---") }
    #expect(reported.count == 1)
    #expect(reported.first?.hasPrefix("expected  ---\nbut also\n") == true, "\(reported)")
    #expect(reported.first?.contains("1.5 seconds") == true, "\(reported)")
    let both = reports { marbles.expect(stream, "-a-") }
    #expect(both.first?.hasPrefix("expected  -a-\nobserved  ---\n") == true, "\(both)")
  }

  @Test("values that are not one character long are set off")
  func longValues() {
    #expect(reports { marbles.expect(Observable([10]), "[a|]") } == ["expected  [a|]   \nobserved  [(10)|]"])
  }

  @Test("a value without a name is not taken for one that is named like its description")
  func unnamedValue() {
    #expect(reports { marbles.expect(Observable([1]), "[1|]", values: ["1": 10]) }.count == 1)
    #expect(reports { marbles.expect(Observable([10]), "[1|]", values: ["1": 10]) } == [])
  }

  @Test("work that a pipeline leaves on the scheduler is reported, and only that")
  func forgottenWork() {
    let time = marbles.time
    let forgetful = Observable<String, Never> { producer in
      time.schedule(at: time.now + .seconds(100)) { producer.send("x") }.detach()
    }
    let reported = reports { marbles.expect(forgetful, "--;") }
    #expect(reported.count == 1 && reported[0].contains("left 1 action"), "\(reported)")
    #expect(reports { marbles.expect(marbles.stream("a").delay(by: .seconds(50), on: time), "--;") } == [])
  }

  @Test("inputs that play meanwhile do not hide forgotten work, and those that have not ended are none")
  func forgottenWorkBesidesInputs() {
    let time = marbles.time
    let input = marbles.sharedStream("abcdefgh")
    let forgetful = input.map { value in
      if value == "b" { time.schedule(at: time.now + .seconds(100)) {}.detach() }
      return value
    }
    let reported = reports { marbles.expect(forgetful, "abcd[e;]") }
    #expect(reported.count == 1 && reported[0].contains("left 1 action"), "\(reported)")
    let more = marbles.sharedStream("------------a")
    #expect(reports { marbles.expect(more, "----;") } == [])
  }
}
