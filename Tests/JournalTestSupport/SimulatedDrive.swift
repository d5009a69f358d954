/// What a disk holds, apart from what is only in the memory of the system: synced bytes and pending changes, synced
/// names and pending changes of names.
///
/// A power failure chooses for each pending change, independent of the others, so they also come in another order.
struct SimulatedDrive: Sendable {
  /// Changes of names that take place together or not at all; `nil` removes a name.
  typealias NameChange = [String: Int?]

  struct File: Sendable {
    enum Change: Sendable {
      case write([UInt8], at: Int)
      case truncate(to: Int)
    }

    /// What a program reads.
    private(set) var bytes: [UInt8]
    private var synced: [UInt8]
    private var pending: [Change] = []
    /// After a failed sync the system takes for written what it has not written, and a later sync does not write it.
    private var hasFailed = false

    init(_ bytes: [UInt8] = []) {
      self.bytes = bytes
      synced = bytes
    }

    mutating func append(_ more: [UInt8]) {
      pending.append(.write(more, at: bytes.count))
      bytes += more
    }

    mutating func truncate(to size: Int) {
      pending.append(.truncate(to: size))
      bytes.removeSubrange(min(size, bytes.count)...)
    }

    mutating func sync() {
      if hasFailed { return }
      synced = bytes
      pending = []
    }

    mutating func failSync() { hasFailed = true }

    func bytes(afterPowerFailure choose: (Int) -> Int) -> [UInt8] {
      var bytes = synced
      for change in pending {
        switch change {
        case .write(let more, let offset):
          // Lost, whole, zeros in its place, or cut.
          switch choose(4) {
          case 0: break
          case 1: bytes.put(more, at: offset)
          case 2: bytes.put([UInt8](repeating: 0, count: more.count), at: offset)
          default: bytes.put(more.prefix(choose(max(1, more.count))), at: offset)
          }
        case .truncate(let size):
          if choose(2) == 1 { bytes.removeSubrange(min(size, bytes.count)...) }
        }
      }
      return bytes
    }
  }

  var files: [File] = []
  private(set) var names: [String: Int] = [:]
  private var syncedNames: [String: Int] = [:]
  private var pending: [NameChange] = []

  init(_ contents: [String: [UInt8]]) {
    for (name, bytes) in contents.sorted(by: { $0.key < $1.key }) {
      names[name] = files.count
      files.append(File(bytes))
    }
    syncedNames = names
  }

  var contents: [String: [UInt8]] { names.mapValues { files[$0].bytes } }

  mutating func create(_ name: String) -> Int {
    files.append(File())
    change([name: files.count - 1])
    return files.count - 1
  }

  mutating func change(_ change: NameChange) {
    pending.append(change)
    for (name, file) in change { names[name] = file }
  }

  mutating func syncNames(where isInFolder: (String) -> Bool) {
    pending.removeAll { change in
      guard change.keys.allSatisfy(isInFolder) else { return false }
      for (name, file) in change { syncedNames[name] = file }
      return true
    }
  }

  func contents(afterPowerFailure choose: (Int) -> Int) -> [String: [UInt8]] {
    var names = syncedNames
    for change in pending where choose(2) == 1 {
      for (name, file) in change { names[name] = file }
    }
    // In an order that is always the same, so that the choices can be made again.
    var contents: [String: [UInt8]] = [:]
    for (name, file) in names.sorted(by: { $0.key < $1.key }) {
      contents[name] = files[file].bytes(afterPowerFailure: choose)
    }
    return contents
  }
}

extension [UInt8] {
  /// Replaces a part, also one behind the end; zeros fill what is between.
  fileprivate mutating func put(_ part: some Collection<UInt8>, at offset: Int) {
    if part.isEmpty { return }
    if count < offset + part.count { self += repeatElement(0, count: offset + part.count - count) }
    replaceSubrange(offset..<offset + part.count, with: part)
  }
}
