/// Encrypts the values of each subject, such as a person, with a key of the subject's own.
///
/// Journals, snapshots and logs are not rewritten when a person is to be forgotten: the key is deleted, and what was
/// sealed with it cannot be opened any more (crypto-shredding). The package has no cipher of its own: an application
/// conforms with one that is well kept, such as `AES.GCM` of swift-crypto, and keeps the keys where they can be
/// deleted.
///
/// - Concurrency: both functions may be called on any thread, several at once.
public protocol SubjectCipher: Sendable {
  /// Encrypts bytes with the key of a subject, which is made if there is none.
  ///
  /// - Errors: what it throws is the reason of a ``CodingError``: the value is not written.
  func seal(_ bytes: [UInt8], of subject: String) throws -> [UInt8]

  /// Decrypts what ``seal(_:of:)`` has made.
  ///
  /// - Returns: `nil` if the subject has been forgotten.
  /// - Errors: what it throws is the reason of a ``CodingError``. A key that cannot be reached now must throw: a value
  ///   of a subject without a key counts as forgotten.
  func open(_ sealed: [UInt8], of subject: String) throws -> [UInt8]?
}

extension Coding {
  /// Makes a coding that seals each value with the key of the subject to whom it belongs.
  ///
  /// ```
  /// let events = Coding<ShopEvent>.codable.sealed(by: keys) { $0.customer } forgotten: { _ in [] }
  /// ```
  ///
  /// It reads what was written without it, too. A coding without it refuses what this one has written.
  ///
  /// - Parameters:
  ///   - cipher: has the keys.
  ///   - subject: returns to whom a value belongs, or `nil` if it is to be written as it is. The name of the subject is
  ///     written in the clear, so it must be one that tells nothing by itself, such as a random identifier.
  ///   - forgotten: returns what stands for a value whose subject has been forgotten: for an event as many events as
  ///     it returns, also none; for a state exactly one. The state must be able to fold what is left.
  /// - Errors: what the cipher throws is the reason of the ``CodingError``.
  /// - Complexity: that of the coding and of the cipher. Each value is copied once.
  public func sealed(
    by cipher: some SubjectCipher,
    subject: @escaping @Sendable (Value) -> String?,
    forgotten: @escaping @Sendable (String) throws -> [Value]
  ) -> Coding {
    var decoders = decoders
    for (kind, decoder) in self.decoders {
      decoders[kind.sealed] = .several { bytes in
        guard try bytes.readByte() == SealedBytes.isSealed else { return try decoder.values(&bytes) }
        let name = try bytes.readString()
        guard let opened = try cipher.open(bytes.readBytes(bytes.remaining), of: name) else {
          return try forgotten(name)
        }
        return try opened.withUnsafeBytes { part in
          var reader = ByteReader(part)
          let values = try decoder.values(&reader)
          if reader.remaining != 0 { throw CodingError(kind, .unreadBytes(count: reader.remaining)) }
          return values
        }
      }
    }
    return Coding(kinds: kinds.map(\.sealed), decoders: decoders) { [encode] value, bytes in
      guard let name = subject(value) else {
        bytes.append(SealedBytes.isOpen)
        return try encode(value, &bytes)
      }
      var plain = ByteWriter()
      let kind = try encode(value, &plain)
      bytes.append(SealedBytes.isSealed)
      bytes.append(name)
      bytes.append(contentsOf: try cipher.seal(plain.bytes, of: name))
      return kind
    }
  }
}

/// The first byte of a value of a sealed coding.
private enum SealedBytes {
  static let isOpen: UInt8 = 0
  static let isSealed: UInt8 = 1
}

extension TypeVersion {
  /// The kind of the sealed values of a kind.
  fileprivate var sealed: TypeVersion { TypeVersion(name: "sealed \(name)", version: version) }
}
