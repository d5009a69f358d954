/// Why a file cannot be read, and where. The code that reads bytes throws nothing else; it does not know the path,
/// which ``JournalError`` adds.
@usableFromInline
struct FileFailure: Error {
  enum Kind {
    /// The file does not begin as ours do.
    case notOurs
    /// Another format than the one that is read here.
    case format(Int)
    /// A file of ours that is for something else.
    case content(Int)
    /// Something that a later version of this library writes, and that must be understood to read the file.
    case later(String)
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
    /// The file is as it was written, but the coding does not read a value in it.
    case value(CodingError)
    /// A call of the system has failed.
    case system(SystemError)

    /// Is `true` if a write that was not completed can look like it.
    var canBeTorn: Bool {
      switch self {
      case .endsEarly, .checksum, .salt, .link: true
      case .notOurs, .format, .content, .later, .goesOn, .malformed, .value, .system: false
      }
    }

    /// Is `true` if the bytes are not as they should be, so that another copy of the file may help.
    var isDamage: Bool {
      switch self {
      case .notOurs, .format, .content, .endsEarly, .goesOn, .checksum, .salt, .link, .malformed: true
      case .later, .value, .system: false
      }
    }
  }

  /// The format that is written, and the only one that is read.
  static let format: UInt16 = 1

  let offset: Int
  let kind: Kind
  /// The number of the first event that cannot be read; `nil` if it is not known, or if there is none.
  var event: Int?

  init(at offset: Int, _ kind: Kind, event: Int? = nil) {
    self.offset = offset
    self.kind = kind
    self.event = event
  }
}
