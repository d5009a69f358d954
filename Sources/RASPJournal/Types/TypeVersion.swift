/// A type in one of its versions, as it is named beside the bytes of a value.
public struct TypeVersion: Hashable, Sendable {
  /// The name of the type.
  public var name: String

  /// The version.
  public var version: Int

  /// Names a version of a type.
  public init(name: String, version: Int) {
    self.name = name
    self.version = version
  }
}

extension TypeVersion {
  /// An event that had no bytes: the text says why. It becomes no event.
  static let unwritable = TypeVersion(name: "(unwritable)", version: 1)

  /// - Parameter name: that in the file, if it is another one.
  @usableFromInline
  init(of type: Any.Type, named name: String?, version: Int) {
    self.init(name: name ?? TypeName.of(type), version: version)
  }
}
