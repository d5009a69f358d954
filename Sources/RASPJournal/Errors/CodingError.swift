/// Why a ``Coding`` could not make bytes of a value, or a value of bytes. Its description says what can be done.
public struct CodingError: Error, Sendable, CustomStringConvertible {
  /// What went wrong.
  #if hasAttribute(nonexhaustive)
    @nonexhaustive
  #endif
  public enum Problem: Sendable {
    /// The type of the value is not in the registry.
    case unregistered
    /// Two types of the registry have this name and this version.
    case ambiguous
    /// The coding does not read this kind. It reads the named ones.
    case unknown(readable: [String])
    /// The coder, or a closure of the coding, has thrown.
    case failed(error: any Error)
    /// The coding has read the value, and so many bytes are left.
    case unreadBytes(count: Int)
    /// A conversion gave so many states, and a state becomes one.
    case stateCount(count: Int)
    /// The bytes of one value are more than a file can hold, which is two gigabytes.
    case tooLarge
  }

  /// The type of the value, as it is named in the file.
  public let type: String

  /// The version of the type; `nil` if it has none.
  public let version: Int?

  /// What went wrong.
  public let problem: Problem

  @usableFromInline
  init(_ kind: TypeVersion, _ problem: Problem) {
    type = kind.name
    version = kind.version
    self.problem = problem
  }

  /// An error that a coding has thrown while it wrote a value.
  @usableFromInline
  init(writing value: Any, kind: TypeVersion?, _ error: any Error) {
    if let error = error as? CodingError {
      self = error
      return
    }
    type = kind?.name ?? TypeName.of(Swift.type(of: value))
    version = kind?.version
    problem = .failed(error: error)
  }

  /// A value of a type that a registry does not have.
  init(unregistered value: Any) {
    type = TypeName.of(Swift.type(of: value))
    version = nil
    problem = .unregistered
  }

  /// A sentence in English, with the remedy.
  public var description: String {
    let kind = version.map { "\(type), version \($0)" } ?? type
    return switch problem {
    case .unregistered:
      "\(type) is not in the registry. Add \(type).self to `.registry([…])`."
    case .ambiguous:
      "Two types of the registry are called \(kind). Give the coding of one of them another name with `named:`."
    case .unknown(let readable):
      """
      \(kind), is a kind that the coding does not read. It reads \(readable.joined(separator: "; ")). Add \
      `.reading(version: \(version ?? 1), as: …)`, or give the coding the name "\(type)" if the type was renamed.
      """
    case .failed(let error):
      "\(kind): \(Self.words(for: error))"
    case .unreadBytes(let count):
      "\(kind): \(count) bytes are left when the value has been read. `decode` must read what `encode` has appended."
    case .stateCount(let count):
      "\(kind): the conversion gave \(count) states. The closure of `reading` returns exactly one for a state."
    case .tooLarge:
      "\(kind): the value takes more than two gigabytes."
    }
  }

  private static func words(for error: any Error) -> String {
    switch error {
    case DecodingError.keyNotFound(let key, let context):
      """
      there is no key "\(key.stringValue)"\(place(context.codingPath)). A field that an older file does not have must be \
      optional.
      """
    case DecodingError.valueNotFound(let type, let context):
      "there is no value of the type \(type)\(place(context.codingPath))."
    case DecodingError.typeMismatch(let type, let context):
      "there is no \(type)\(place(context.codingPath)), but something else: \(context.debugDescription)"
    case DecodingError.dataCorrupted(let context):
      "the value cannot be read\(place(context.codingPath)): \(context.debugDescription)"
    case EncodingError.invalidValue(_, let context):
      "the value cannot be written\(place(context.codingPath)): \(context.debugDescription)"
    default:
      "\(error)"
    }
  }

  private static func place(_ path: [any CodingKey]) -> String {
    path.isEmpty ? "" : " at \(path.map { $0.intValue.map { "[\($0)]" } ?? $0.stringValue }.joined(separator: "."))"
  }
}
