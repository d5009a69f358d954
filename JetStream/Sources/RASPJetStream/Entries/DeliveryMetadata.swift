import RASPNATS

/// What JetStream says of a message that a consumer delivers, in the subject for its acknowledgement.
///
/// ```
/// $JS.ACK.<stream>.<consumer>.<deliveries>.<sequence>.<number of the message>.<time>.<pending>
/// $JS.ACK.<domain>.<account>.<stream>.<consumer>.<deliveries>.<sequence>.<number of the message>.<time>.<pending>…
/// ```
struct DeliveryMetadata: Equatable, Sendable {
  /// The sequence in the stream: the offset.
  var offset: Int
  /// How many messages the consumer has sent, with this one.
  var number: Int
  /// When the stream took the entry: nanoseconds since 1970.
  var time: Int64
  /// How many messages follow that are there already.
  var pending: Int

  /// - Returns: `nil` if the subject is another one.
  init?(_ subject: UnsafeRawBufferPointer) {
    guard subject.count > 8, subject.starts(with: "$JS.ACK.".utf8) else { return nil }
    let numbers = withUnsafeTemporaryAllocation(of: Int.self, capacity: 12) { dots -> (Int, Int, Int, Int)? in
      var count = 0
      for index in 0..<subject.count where subject[index] == UInt8(ascii: ".") && count < 12 {
        dots[count] = index
        count += 1
      }
      // The numbers are where they are in both forms, counted from the start of the tokens.
      let first = count >= 10 ? 6 : 4
      guard count >= 8 else { return nil }
      func number(_ token: Int) -> Int? {
        let end = first + token + 1 < count ? dots[first + token + 1] : subject.count
        return subject.decimal(from: dots[first + token] + 1, to: end)
      }
      guard let offset = number(0), let count = number(1), let time = number(2), let pending = number(3),
        offset > 0, count > 0
      else { return nil }
      return (offset, count, time, pending)
    }
    guard let numbers else { return nil }
    (offset, number, pending) = (numbers.0, numbers.1, numbers.3)
    time = Int64(numbers.2)
  }
}
