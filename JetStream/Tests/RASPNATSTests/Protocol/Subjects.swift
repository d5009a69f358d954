import NIOCore
import Testing

@testable import RASPNATS

struct Subjects {
  private func matches(_ pattern: String, _ subject: String) -> Bool {
    let pattern = SubjectPattern(pattern)
    return Array(subject.utf8).withUnsafeBytes { pattern.matches($0) }
  }

  /// The rule in words, without the details of bytes.
  private func isOf(_ pattern: [Substring], _ subject: [Substring]) -> Bool {
    guard let first = pattern.first else { return subject.isEmpty }
    if first == ">", pattern.count == 1 { return !subject.isEmpty }
    guard let word = subject.first, first == "*" || first == word else { return false }
    return isOf(Array(pattern.dropFirst()), Array(subject.dropFirst()))
  }

  @Test func aPatternHasTheSubjectsOfItsWords() {
    var random = SeededRandom(state: 7)
    let words = ["a", "b", "ab", "*", ">", "a*", ">b"]
    for _ in 0..<20_000 {
      let pattern = (0..<Int.random(in: 1...4, using: &random)).map { _ in words.randomElement(using: &random) ?? "" }
      let subject = (0..<Int.random(in: 1...4, using: &random)).map { _ in
        words.filter { $0 != "*" && $0 != ">" }.randomElement(using: &random) ?? ""
      }
      guard SubjectRules.isPattern(pattern.joined(separator: ".")) else { continue }
      let expected = isOf(pattern.map { $0[...] }, subject.map { $0[...] })
      let found = matches(pattern.joined(separator: "."), subject.joined(separator: "."))
      #expect(found == expected, "\(pattern) \(subject)")
    }
  }

  @Test func anAnswerIsKnownByItsWholeSubject() throws {
    let prefix = SubjectPrefix("_INBOX.abc.")
    for (subject, number) in [
      ("_INBOX.abc.17", 17), ("_INBOX.abd.17", nil), ("_INBOX.abc.", nil), ("_INBOX.abc.17x", nil), ("_INBOX", nil),
      ("xINBOX.abc.17", nil), ("_INBOX.abc.1.7", nil),
    ] as [(String, UInt64?)] {
      var parser = ProtocolParser()
      parser.append(ByteBuffer(string: "MSG \(subject) 1 0\r\n\r\n"))
      guard case .message(let message, _) = try parser.next() else { continue }
      #expect(message.number(behind: prefix) == number, "\(subject)")
    }
  }
}
