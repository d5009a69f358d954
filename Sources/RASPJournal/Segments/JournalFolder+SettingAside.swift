extension JournalFolder {
  /// The file of an event that was set aside: a line of text, and the bytes of the event as they stand in its segment.
  ///
  /// ```
  /// event 17, type "Reading", version 1, 1790000000123456 µs since 1970: the value cannot be read: …
  /// ```
  package func poison(_ event: Int) -> String { "\(path)/\(Self.digits(event)).poison" }

  /// Copies an event that cannot be used into a file of its own. It does nothing if the file is there.
  ///
  /// From then on the event is passed over if it cannot be read, whatever the policy.
  ///
  /// - Returns: `false` if there is no such event.
  /// - Complexity: O(bytes) of the segment before the event.
  @discardableResult
  package func setAside(_ event: Int, because reason: String) throws(JournalError) -> Bool {
    let listing = try listing()
    if listing.setAside.contains(event) { return true }
    guard let start = listing.segments.last(where: { $0 <= event }) else { return false }
    var input = try openSegment(from: start)
    var found: [UInt8]?
    do throws(FileFailure) {
      _ = try input.read { _ in }
      while input.nextEvent <= event {
        let step = try input.read { (record) throws(FileFailure) in
          guard let (number, _, time) = try record.journalEvent(), number == event else { return }
          let (type, line) = (record.kind.type, reason.split(whereSeparator: \.isNewline).joined(separator: " "))
          let kind = "type \"\(type.name)\", version \(type.version)"
          let head = "event \(number), \(kind), \(time.wholeMicroseconds) µs since 1970"
          found = Array("\(head): \(line)\n".utf8) + Array(record.payload)
        }
        guard case .batch = step else { break }
      }
    } catch {
      throw JournalError(error, file: segment(from: start))
    }
    if let found { try replace(poison(event), with: found) }
    return found != nil
  }
}

extension FolderListing {
  /// Whether an event that cannot be read is passed over: by the policy, or because it was set aside before.
  func passes(over event: Int, _ policy: PoisonPolicy) -> Bool { policy != .stop || setAside.contains(event) }
}
