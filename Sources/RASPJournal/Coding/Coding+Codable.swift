extension Coding where Value: Codable {
  /// JSON of a `Codable` type, in version 1.
  ///
  /// - Complexity: making it is O(1).
  public static var codable: Coding { codable(version: 1) }

  /// JSON of a `Codable` type. Keys are sorted, and `"NaN"`, `"Infinity"` and `"-Infinity"` stand for the numbers that
  /// JSON does not have. Keys that the type does not have are ignored.
  ///
  /// Equal values need not give equal bytes: the order of a `Set` differs from process to process.
  ///
  /// - Parameters:
  ///   - version: the version of the type. It rises when files of the present version could not be read any more: a
  ///     case or a field has another name, or a field that is not optional is new.
  ///   - name: the name of the type in files; its own unless it is given.
  public static func codable(version: Int, named name: String? = nil) -> Coding {
    let coder = JSONCoder()
    return Coding(version: version, named: name) { value, bytes in
      try coder.append(value, to: &bytes)
    } decode: { bytes in
      try coder.read(Value.self, from: &bytes)
    }
  }
}

extension Coding {
  /// Makes a coding that reads JSON of an older version, too; see ``reading(version:with:named:_:)``.
  ///
  /// - Parameters:
  ///   - version: the version that is read.
  ///   - type: a type with the fields of that version.
  ///   - name: the name of the type in files; that of the present type unless it is given.
  ///   - convert: makes present values of an old one.
  public func reading<Old: Codable & Sendable>(
    version: Int,
    as type: Old.Type,
    named name: String? = nil,
    _ convert: @escaping @Sendable (Old) throws -> [Value]
  ) -> Coding {
    reading(version: version, with: Coding<Old>.codable, named: name, convert)
  }
}
