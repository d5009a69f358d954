extension JournalError {
  /// - Parameter event: the first event that cannot be read.
  init(_ damage: Damage, file: String, event: Int?) {
    let reason: String
    switch damage.kind {
    case .notOurs:
      self = .notARecording(file: file, reason: "the file was not written by RASPJournal")
      return
    case .content(let content):
      self = .notARecording(file: file, reason: "the file has another content than a recording (\(content))")
      return
    case .format(let format):
      self = .unsupportedFormat(file: file, format: format)
      return
    case .endsEarly: reason = "it ends before it is complete"
    case .goesOn: reason = "bytes follow after its end"
    case .checksum: reason = "a checksum is wrong, so at least one bit was changed"
    case .salt: reason = "a batch of another file, or a changed bit"
    case .link: reason = "a batch is missing, doubled or in the wrong place, or a bit was changed"
    case .malformed(let words): reason = "the checksums are right, but \(words)"
    }
    self = .damaged(file: file, offset: damage.offset, event: event, reason: reason)
  }
}
