/// What a subject may be: words between points, without spaces and control characters.
enum SubjectRules {
  /// Whether something can be published to it: without wildcards, and without empty words.
  static func isSubject(_ subject: String) -> Bool {
    isWritable(subject, wildcards: false)
  }

  /// Whether it can be subscribed to: a word may be `*`, and the last one `>`.
  static func isPattern(_ subject: String) -> Bool {
    isWritable(subject, wildcards: true)
  }

  private static func isWritable(_ subject: String, wildcards: Bool) -> Bool {
    var subject = subject
    return subject.withUTF8 { bytes in
      var wordStart = 0
      for (index, byte) in bytes.enumerated() {
        switch byte {
        case UInt8(ascii: "."):
          if index == wordStart { return false }
          wordStart = index + 1
        case 0...32, 127:
          return false
        case UInt8(ascii: "*"), UInt8(ascii: ">"):
          // Beside other characters a wildcard is an ordinary character.
          let isWord = index == wordStart && (index + 1 == bytes.count || bytes[index + 1] == UInt8(ascii: "."))
          let isLast = index + 1 == bytes.count
          if isWord && (!wildcards || (byte == UInt8(ascii: ">") && !isLast)) { return false }
        default:
          break
        }
      }
      return wordStart < bytes.count
    }
  }
}
