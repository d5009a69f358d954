import Foundation

/// One line of JSON, with its keys in order.
func jsonText(_ value: some Encodable) -> String {
  let encoder = JSONEncoder()
  encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
  encoder.nonConformingFloatEncodingStrategy = .convertToString(
    positiveInfinity: "Infinity",
    negativeInfinity: "-Infinity",
    nan: "NaN"
  )
  // What is written here was made of JSON, or has plain fields.
  return (try? encoder.encode(value)).map { String(decoding: $0, as: UTF8.self) } ?? "null"
}

extension Duration {
  /// A time since 1970, as ISO 8601 writes it.
  var wallTime: String {
    Date(timeIntervalSince1970: self / .seconds(1)).formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
  }
}
