/// A file that is read from its beginning to its end, or bytes in memory that have the format of one.
struct FileInput: ~Copyable {
  private enum Source {
    case file(Int32, any FileSystem)
    case memory([UInt8])
  }

  /// How many bytes have not been read, if the file does not change.
  private(set) var remaining: Int

  private var position = 0
  private let source: Source

  /// Opens a file.
  init(_ path: String, on system: any FileSystem) throws(FileFailure) {
    do throws(SystemError) {
      if path.utf8.contains(0) { throw SystemError("open", SystemError.invalid) }
      let file = try system.open(path)
      do throws(SystemError) {
        remaining = try system.size(of: file)
      } catch {
        try? system.close(file)
        throw error
      }
      source = .file(file, system)
    } catch {
      throw FileFailure(at: 0, .system(error))
    }
  }

  init(_ bytes: [UInt8]) {
    remaining = bytes.count
    source = .memory(bytes)
  }

  deinit {
    // Nothing was written, so nothing can be lost.
    if case .file(let file, let system) = source { try? system.close(file) }
  }

  /// Looks again how long the file is.
  mutating func noteGrowth() throws(FileFailure) {
    guard case .file(let file, let system) = source else { return }
    do throws(SystemError) {
      remaining = max(0, try system.size(of: file) - position)
    } catch {
      throw FileFailure(at: position, .system(error))
    }
  }

  /// Reads the next bytes into the place of those before: `count`, or all that are left if they are fewer. So it takes
  /// no more memory than the file has bytes.
  mutating func read(_ count: Int, into bytes: inout [UInt8]) throws(FileFailure) {
    let count = min(count, remaining)
    assert(count >= 0, "less than no bytes")
    switch source {
    case .memory(let all):
      bytes = Array(all[position..<position + count])
      position += count
    case .file(let file, let system):
      if bytes.count != count { bytes = [UInt8](repeating: 0, count: count) }
      let done: Int
      do throws(SystemError) {
        done = try system.readAll(file, into: &bytes)
      } catch {
        throw FileFailure(at: position, .system(error))
      }
      // The file has become shorter meanwhile.
      if done < count { bytes.removeSubrange(done...) }
      position += done
    }
    remaining -= count
  }
}
