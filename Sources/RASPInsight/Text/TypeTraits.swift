import Aggregate
import RASPKeyed
import Streams

/// What reflection needs to know of a type, which does not change.
///
/// To ask the runtime whether a value conforms to a protocol takes longer than all the rest of a short text, so each
/// type is asked once in the time of the process.
struct TypeTraits: Sendable {
  /// Whether values describe themselves.
  let hasOwnText: Bool
  /// Whether values are what happened to a row.
  let isRowStep: Bool
  /// Whether the type belongs to the standard library or to Foundation.
  let isOfSystem: Bool

  private static let known = Lock<[ObjectIdentifier: TypeTraits]>([:])

  static func of(_ value: Any) -> TypeTraits {
    let id = ObjectIdentifier(type(of: value))
    if let traits = known.withLock({ $0[id] }) { return traits }
    let traits = TypeTraits(value)
    known.withLock { $0[id] = traits }
    return traits
  }

  private init(_ value: Any) {
    hasOwnText = value is any CustomStringConvertible || value is any CustomDebugStringConvertible
    isRowStep = value is any AnyRowStep
    let module = String(reflecting: type(of: value)).prefix { $0 != "." }
    isOfSystem = module == "Swift" || module.hasPrefix("Foundation")
  }
}

extension String {
  /// Whether all characters are ASCII, can be seen, and take one column.
  var isPlainASCII: Bool { utf8.allSatisfy { 0x20 <= $0 && $0 < 0x7F } }
}
