import RASPNATS

/// Finds the sequence in an acknowledgement without a JSON decoder, which would cost more than all the rest of an
/// append.
enum AcknowledgedSequence {
  /// - Returns: `nil` if the answer is an error, or none at all.
  static func read(_ json: UnsafeRawBufferPointer) -> Int? {
    // The name of a stream has no quotation marks, so what looks like a key is one.
    guard !contains(json, #""error""#.utf8), let start = end(of: #""seq":"#.utf8, in: json) else { return nil }
    let digits = json[start...].prefix { $0 >= 48 && $0 <= 57 }
    return json.decimal(from: start, to: digits.endIndex).flatMap { $0 > 0 ? $0 : nil }
  }

  private static func contains(_ json: UnsafeRawBufferPointer, _ key: String.UTF8View) -> Bool {
    end(of: key, in: json) != nil
  }

  private static func end(of key: String.UTF8View, in json: UnsafeRawBufferPointer) -> Int? {
    let length = key.count
    guard json.count >= length else { return nil }
    return (0...json.count - length).first { json[$0..<$0 + length].elementsEqual(key) }.map { $0 + length }
  }
}
