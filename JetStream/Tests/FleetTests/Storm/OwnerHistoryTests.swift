import Testing

@testable import Storm

/// Each mistake that is looked for in the reports of owners is made here.
struct OwnerHistoryTests {
  private typealias Line = OwnerReport.Line

  private func commit(_ offset: Int, _ replacing: UInt64, _ revision: UInt64) -> Line {
    .commit(partition: 0, offset: offset, replacing: replacing, revision: revision)
  }

  private func history(_ reports: [String: [Line]]) -> OwnerHistory {
    OwnerHistory(
      of: 0,
      reports: reports.mapValues { lines in OwnerReport(text: lines.map { "\($0.text)\n" }.joined()) }
    )
  }

  private func findings(_ check: (inout Findings) -> Void) -> Findings {
    var findings = Findings()
    check(&findings)
    return findings
  }

  @Test("a line is read as it was written, and one that is torn is left out")
  func lines() {
    let lines: [Line] = [
      .read(partition: 1, revision: 22), commit(33, 22, 44), .deposed(partition: 3, replacing: 55),
      .reaction(partition: 4, offset: 66, revision: 77), .skipped(partition: 5, offset: 88),
      .unanswered(partition: 6, replacing: 99),
    ]
    let text = lines.map(\.text).joined(separator: "\n")
    #expect(OwnerReport(text: text).lines == lines)
    #expect(OwnerReport(text: String(text.dropLast(2))).lines == Array(lines.dropLast()))
    #expect(OwnerReport(text: "x 1 2 .\n\nr 1 .").lines.isEmpty)
  }

  @Test("a commit that replaces another record than it names is one of an owner that was deposed")
  func blindCommits() {
    let right = ["a": [commit(5, 0, 1), commit(9, 1, 3)], "b": [commit(9, 3, 4), commit(12, 4, 8)]]
    #expect(findings(history(right).checkCommits).areRight)
    let wrong = ["a": [commit(5, 0, 1), commit(9, 1, 5)], "b": [commit(5, 1, 2)]]
    #expect(findings(history(wrong).checkCommits).blindCommits == 1)
  }

  @Test("an owner that says it was deposed is right if a later record is of another one")
  func deposals() {
    let deposed = [commit(5, 0, 3), Line.deposed(partition: 0, replacing: 3)]
    func isFalse(_ other: [Line], last: UInt64) -> Bool {
      findings { history(["a": deposed, "b": other]).checkDeposals(last: last, &$0) }.falseReports == 1
    }
    #expect(!isFalse([commit(5, 3, 4)], last: 4))
    #expect(!isFalse([.read(partition: 0, revision: 4)], last: 4))
    // One that was killed before it could write its report.
    #expect(!isFalse([], last: 4))
    #expect(isFalse([], last: 3))
    #expect(isFalse([commit(1, 0, 1), .read(partition: 0, revision: 3)], last: 3))
  }

  @Test("where no owner was killed, one that was deposed has the next record of another one behind its own")
  func wholeDeposals() {
    let deposed = [commit(5, 0, 3), Line.deposed(partition: 0, replacing: 3)]
    func isFalse(_ own: [Line], _ other: [Line], last: UInt64) -> Bool {
      findings { history(["a": deposed + own, "b": other]).checkDeposals(last: last, isWhole: true, &$0) }
        .falseReports == 1
    }
    #expect(!isFalse([commit(5, 4, 6)], [commit(5, 3, 4)], last: 6))
    // Its own record had no answer, and it goes on behind it. Later another one takes the partition over.
    let own: [Line] = [.read(partition: 0, revision: 4), commit(5, 4, 6)]
    #expect(isFalse(own, [commit(5, 6, 7)], last: 7))
    #expect(isFalse(own, [.unanswered(partition: 0, replacing: 2)], last: 6))
    #expect(isFalse([.unanswered(partition: 0, replacing: 3)], [], last: 4))
    // That of another one may be there, which had no answer either.
    #expect(!isFalse(own, [.unanswered(partition: 0, replacing: 3)], last: 6))
    #expect(!isFalse([], [.unanswered(partition: 0, replacing: 3)], last: 4))
  }

  @Test("entries that are passed over are those that cannot be read")
  func skipped() {
    let history = history(["a": [.skipped(partition: 0, offset: 3), .skipped(partition: 0, offset: 3)]])
    #expect(findings { history.checkSkipped([3, 9], upTo: 8, &$0) }.areRight)
    #expect(findings { history.checkSkipped([3, 9], upTo: 9, &$0) }.falseReports == 1)
    #expect(findings { history.checkSkipped([], upTo: 9, &$0) }.falseReports == 1)
  }

  @Test("what a record has is not reacted to again, and all that it has was reacted to")
  func reactions() {
    func reaction(_ offset: Int, _ revision: UInt64) -> Line {
      .reaction(partition: 0, offset: offset, revision: revision)
    }
    let first = [commit(0, 0, 1), reaction(1, 1), reaction(2, 1), commit(2, 1, 2), reaction(3, 2)]
    // The third one was not committed: another owner may react to it again.
    let right = ["a": first, "b": [commit(2, 2, 3), reaction(3, 3)]]
    #expect(findings { history(right).checkReactions(to: 1...3, &$0) }.areRight)
    #expect(findings { history(right).checkReactions(to: 1...5, &$0) }.missedReactions == 2)
    let wrong = ["a": first, "b": [commit(2, 2, 3), reaction(2, 3), reaction(3, 3)]]
    #expect(findings { history(wrong).checkReactions(to: 1...3, &$0) }.repeatedReactions == 1)
  }
}
