/// Why the bytes of a file are refused, and where.
struct Damage: Error, Equatable {
  enum Kind: Equatable {
    /// The file does not begin as ours do.
    case notOurs
    /// Another format than the one that is read here.
    case format(Int)
    /// A file of ours that is for something else.
    case content(Int)
    /// The file ends before it is complete.
    case endsEarly
    /// The bytes go on after the end of the content.
    case goesOn
    /// A changed bit.
    case checksum
    /// A batch that belongs to another file.
    case salt
    /// A batch is missing before this one, is doubled, or stands in the wrong place.
    case link
    /// The checksums are right, but the content is not; so it was written wrongly.
    case malformed(String)

    /// Is `true` if a write that was not completed can look like it.
    var canBeTorn: Bool {
      switch self {
      case .endsEarly, .checksum, .salt, .link: true
      case .notOurs, .format, .content, .goesOn, .malformed: false
      }
    }
  }

  let offset: Int
  let kind: Kind

  init(at offset: Int, _ kind: Kind) {
    self.offset = offset
    self.kind = kind
  }
}
