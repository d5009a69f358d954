/// The numbers that the kinds of a coding have in a file. A kind is defined when it is used first.
struct KindNumbers {
  private let kinds: [RecordKind]
  /// 0 if it is not defined.
  private var numbers: [UInt64]

  init(_ role: RecordKind.Role, of types: [TypeVersion]) {
    kinds = types.map { RecordKind(role: role, type: $0) }
    numbers = types.map { _ in 0 }
  }

  /// The number of the kind that has a place in the coding.
  mutating func number(at index: Int, in segment: inout SegmentWriter) -> UInt64 {
    assert(numbers.indices.contains(index), "a kind that the coding does not have")
    if numbers[index] == 0 { numbers[index] = segment.define(kinds[index]) }
    return numbers[index]
  }
}
