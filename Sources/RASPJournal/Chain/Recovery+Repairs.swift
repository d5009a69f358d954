extension JournalFolder {
  /// Makes the folder one that a writer can go on with. If it is interrupted, it is done again when the journal is
  /// opened again.
  func carryOut(_ recovery: Recovery) throws(JournalError) {
    for (segment, repair) in recovery.repairs {
      let file = self.segment(from: segment)
      switch repair {
      case .remove: try remove(file)
      case .setAside: try setAside(file)
      case .end(let size, let rest):
        if !rest.bytes.isEmpty { try replace(unusedName("\(file).\(size)"), with: rest.bytes) }
        try end(file, at: size, isCut: !rest.isEmpty, with: recovery.lastBatch)
      }
    }
    for event in recovery.lostSnapshots { try setAside(snapshot(after: event)) }
    for event in recovery.lostClosings { try remove(closing(behind: event)) }
    for name in recovery.listing.leftovers { try remove("\(path)/\(name)") }
  }

  private func setAside(_ file: String) throws(JournalError) {
    let name = try unusedName(file)
    try call(file) { (system) throws(SystemError) in
      try system.rename(file, to: name)
      try system.syncFolder(path)
    }
  }

  /// A name for what is cut off. What was cut off before keeps its own.
  private func unusedName(_ name: String) throws(JournalError) -> String {
    let list = try call(path) { (system) throws(SystemError) in try system.list(path) }
    let names = Set(list.map { "\(path)/\($0.lowercased())" })
    var number = 1
    var unused = "\(name).cut"
    while names.contains(unused) {
      number += 1
      unused = "\(name).\(number).cut"
    }
    return unused
  }

  private func end(_ file: String, at size: Int, isCut: Bool, with lastBatch: [UInt8]) throws(JournalError) {
    try call(file) { (system) throws(SystemError) in
      let descriptor = try system.append(to: file)
      do throws(SystemError) {
        assert(isCut || !lastBatch.isEmpty, "a segment that is not ended")
        if isCut { try system.truncate(descriptor, to: size) }
        // What was read is built upon, so it has to be on the medium before the last batch says that it is.
        try system.sync(descriptor)
        try system.writeAll(lastBatch, to: descriptor)
        try system.sync(descriptor)
      } catch {
        try? system.close(descriptor)
        throw error
      }
      try system.close(descriptor)
    }
  }
}
