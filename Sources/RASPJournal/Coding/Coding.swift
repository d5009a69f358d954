/// A way to make bytes of the values of a type, and values of bytes that were written today or years ago.
///
/// ```
/// let coding = Coding<GeoEvent>.codable(version: 3)
///   .reading(version: 2, as: GeoEventV2.self) { [.heading($0.degrees)] }
///   .reading(version: 1, as: GeoEventV1.self) { _ in [] }
/// ```
///
/// A value is written in one version, and read in each version that the coding knows. The name of the type and the
/// version stand in the file, so a file that a coding does not know is refused with their names. The name has no module
/// in it, by the rule in <doc:RecordingFormat>; a type that is renamed keeps its old name in files with the parameter
/// `named`.
///
/// - Concurrency: the closures of a coding may be called on any thread.
public struct Coding<Value: Sendable>: Sendable {
  /// How bytes of one kind are read: an older event may become several events or none.
  @usableFromInline
  enum Decoder: Sendable {
    case one(@Sendable (inout ByteReader) throws -> Value)
    case several(@Sendable (inout ByteReader) throws -> [Value])
  }

  /// Appends a value, and returns the place of its kind in ``kinds``.
  @usableFromInline typealias Encode = @Sendable (Value, inout ByteWriter) throws -> Int

  /// The types and versions that the coding writes: one, except for a registry.
  public let kinds: [TypeVersion]
  @usableFromInline let encode: Encode
  /// What the coding reads.
  @usableFromInline var decoders: [TypeVersion: Decoder]
  /// The types of a registry; empty for other codings.
  var members: [ObjectIdentifier: Encode] = [:]
  /// Which of these types has a name in files.
  var owners: [TypeVersion: ObjectIdentifier] = [:]

  @usableFromInline
  init(kinds: [TypeVersion], decoders: [TypeVersion: Decoder], encode: @escaping Encode) {
    self.kinds = kinds
    self.decoders = decoders
    self.encode = encode
  }

  /// Makes a coding by hand, which is several times as fast as `codable`.
  ///
  /// ```
  /// let coding = Coding<Tick>(version: 1) { tick, bytes in
  ///   bytes.append(tick.price)
  ///   bytes.appendVarint(UInt64(tick.volume))
  /// } decode: { bytes in
  ///   Tick(price: try bytes.read(Double.self), volume: Int(try bytes.readVarint()))
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - version: the version of what `encode` appends. It rises when that changes.
  ///   - name: the name of the type in files; its own unless it is given.
  ///   - encode: appends a value.
  ///   - decode: reads what `encode` has appended, all of it.
  /// - Errors: what a closure throws is the reason of the ``CodingError``.
  @inlinable
  public init(
    version: Int,
    named name: String? = nil,
    encode: @escaping @Sendable (Value, inout ByteWriter) throws -> Void,
    decode: @escaping @Sendable (inout ByteReader) throws -> Value
  ) {
    let kind = TypeVersion(of: Value.self, named: name, version: version)
    self.init(kinds: [kind], decoders: [kind: .one(decode)]) { value, bytes in
      try encode(value, &bytes)
      return 0
    }
  }

  /// Makes a coding that reads an older version, too.
  ///
  /// An event becomes as many events as `convert` returns, also none. The events that it becomes have its number, its
  /// time and its cause. A state becomes exactly one.
  ///
  /// - Parameters:
  ///   - version: the version that is read. It replaces what the coding had for it.
  ///   - coding: the coding that the version was written with.
  ///   - name: the name of the type in files; that of the present type unless it is given.
  ///   - convert: makes present values of an old one.
  public func reading<Old: Sendable>(
    version: Int,
    with coding: Coding<Old>,
    named name: String? = nil,
    _ convert: @escaping @Sendable (Old) throws -> [Value]
  ) -> Coding {
    let name = name ?? (kinds.count == 1 ? kinds[0].name : TypeName.of(Old.self))
    guard let old = coding.kinds.first.flatMap({ coding.decoders[$0] }) else { return self }
    var extended = self
    extended.decoders[TypeVersion(name: name, version: version)] = .several { bytes in
      try old.values(&bytes).flatMap(convert)
    }
    return extended
  }
}

extension Coding.Decoder {
  /// The values that the bytes become.
  func values(_ bytes: inout ByteReader) throws -> [Value] {
    switch self {
    case .one(let decode): [try decode(&bytes)]
    case .several(let decode): try decode(&bytes)
    }
  }
}

extension Coding {
  /// What the coding reads, in words, for an error.
  var readable: [String] { decoders.keys.map { "\($0.name), version \($0.version)" }.sorted() }

  /// Whether values of a type are written today.
  func writes(_ type: TypeVersion) -> Bool { kinds.contains(type) }
}
