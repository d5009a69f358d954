import RASPJournal

/// Why the program ends early: one line for the user that names the remedy, and an exit status, as in sysexits.h.
struct FilesFailure: Error {
  /// The command line was wrong.
  static let wrongUsage: Int32 = 64
  /// The input cannot be read.
  static let noInput: Int32 = 66
  /// The output cannot be written.
  static let cannotWrite: Int32 = 74

  let status: Int32
  let message: String

  init(_ status: Int32, _ message: String) {
    self.status = status
    self.message = message.printable
  }

  static func usage(_ message: String) -> FilesFailure {
    FilesFailure(wrongUsage, "\(message); see `rasp-files --help`")
  }

  /// What is wrong with a journal, and what can be done.
  ///
  /// - Parameter status: the status if a call of the system has failed, or something was refused.
  init(_ error: JournalError, status: Int32) {
    let text = "\(error)"
    let reason = "the journal \(text.hasSuffix(".") ? String(text.dropLast()) : text)"
    switch error {
    case .refused: self.init(status, reason)
    case .system where status == Self.cannotWrite:
      self.init(status, "\(reason); name a folder that you may write, in a folder that is there")
    case .system: self.init(status, "\(reason); name a folder that you may read")
    case .laterVersion: self.init(Self.noInput, "\(reason); use the `rasp-files` of that version")
    case .missing:
      self.init(Self.noInput, "\(reason); name a place that is there, or bring back the files that are missing")
    default: self.init(Self.noInput, "\(reason); bring back a copy of the folder, or name another one")
    }
  }
}

extension String {
  /// A text from outside on one line, without what a terminal would obey, and what would turn its direction.
  var printable: String {
    let unwanted: [Unicode.GeneralCategory] = [.control, .format, .lineSeparator, .paragraphSeparator]
    let scalars = unicodeScalars.map { unwanted.contains($0.properties.generalCategory) ? "?" : $0 }
    return String(String.UnicodeScalarView(scalars))
  }

  /// What the user typed, on one line and not too long to be read.
  var quoted: String { "“" + String(String.UnicodeScalarView(unicodeScalars.prefix(80))).printable + "”" }
}

extension [String] {
  /// The words as a list in a sentence: `a, b and c`.
  var listed: String {
    count < 2 ? first ?? "" : dropLast().joined(separator: ", ") + " and " + self[count - 1]
  }
}
