extension JournalFolder {
  /// The files that are there now, without the snapshots of another journal that were put into the folder.
  ///
  /// - Parameter foreign: gets the event of each snapshot that has another identity than the segment with this event.
  func ownListing(foreign: (Int) -> Void = { _ in }) throws(JournalError) -> FolderListing {
    var listing = try listing()
    for event in listing.snapshots {
      guard let segment = listing.segments.last(where: { $0 <= event }),
        let own = try header(of: self.segment(from: segment)),
        let other = try header(of: snapshot(after: event)),
        own.identity != other.identity
      else { continue }
      listing.removeSnapshot(after: event)
      foreign(event)
    }
    return listing
  }

  /// The header of a file; `nil` if the file is damaged, which is found by those who read all of it, or was just
  /// deleted.
  private func header(of file: String) throws(JournalError) -> FileHeader? {
    do throws(FileFailure) {
      var input = try FileInput(file, on: system)
      return try FileHeader(from: &input)
    } catch {
      guard case .system(let cause) = error.kind, cause.code != SystemError.notThere else { return nil }
      throw JournalError(error, file: file)
    }
  }
}
