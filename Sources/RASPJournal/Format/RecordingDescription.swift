/// What a file says about its recording, in its first record.
///
/// ```
/// zigzag lane · zigzag origin of the clock, µs since 1970 · text name · varint 1, if the origin is no estimate
/// ```
struct RecordingDescription: Equatable {
  static let kind = RecordKind(
    role: .description,
    type: TypeVersion(name: "recording", version: 1)
  )

  var name: String
  var lane: Int
  /// The wall time from which the times of the entries are counted, µs since 1970.
  var origin: Int64
  /// Is `false` if the origin is an estimate. What a description has beyond its name was ignored from the first version
  /// on.
  var isOriginKnown = false

  func append(to bytes: inout ByteWriter) {
    bytes.appendZigzag(Int64(lane))
    bytes.appendZigzag(origin)
    bytes.append(name)
    if isOriginKnown { bytes.appendVarint(1) }
  }
}

extension RecordingDescription {
  init(_ bytes: inout ByteReader) throws(ByteError) {
    guard let lane = Int(exactly: try bytes.readZigzag()) else { throw .numberTooLarge }
    self.lane = lane
    origin = try bytes.readZigzag()
    name = try bytes.readString()
    isOriginKnown = bytes.remaining > 0 ? try bytes.readVarint() == 1 : false
  }
}

extension Duration {
  /// Microseconds, and at most 292,000 years.
  var wholeMicroseconds: Int64 {
    let (seconds, attoseconds) = components
    let (whole, isTooLong) = seconds.multipliedReportingOverflow(by: 1_000_000)
    let (sum, isTooLongNow) = whole.addingReportingOverflow(attoseconds / 1_000_000_000_000)
    return isTooLong || isTooLongNow ? seconds < 0 ? .min : .max : sum
  }
}
