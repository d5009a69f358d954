import Foundation
import Synchronization

/// A file, a device or standard input, opened for reading: a sequence of the bytes in it, in chunks.
///
/// Reading may block, which must not happen on the threads that Swift's tasks share. So each chunk is read on a
/// dispatch queue, and not before it is asked for. The bytes can be read only once.
///
/// Foundation's `FileHandle` cannot do this: on Linux it has no asynchronous sequence of bytes, its `read` cannot be
/// cancelled, and its `readabilityHandler` reads ahead of what is asked for.
final class Input: AsyncSequence, Sendable {
  /// What went wrong while reading: the error number of the system.
  struct ReadError: Error, Equatable, CustomStringConvertible {
    var number: Int32

    var description: String { RunFailure.reason(forError: number) }
  }

  private static let chunkSize = 65_536

  /// Whether this is a recording, all there from the beginning, and not a receiver, a pipe or a terminal.
  let isRecording: Bool
  private let descriptor: Int32
  private let queue = DispatchQueue(label: "Playground.Input")
  private let hasRead = Atomic<Bool>(false)
  private let isNamedPipe: Bool

  /// Opens what is at `path`; `-` is standard input.
  init(path: String) throws(RunFailure) {
    descriptor = path == "-" ? STDIN_FILENO : Self.openWithoutWaiting(path)
    var status = stat()
    guard descriptor >= 0, fstat(descriptor, &status) == 0 else {
      let reason = RunFailure.reason(forError: errno)
      throw RunFailure(.noInput, "cannot read \(path.quoted): \(reason); name a file you may read")
    }
    let kind = status.st_mode & mode_t(S_IFMT)
    guard kind != mode_t(S_IFDIR) else {
      throw RunFailure(.noInput, "cannot read \(path.quoted): it is a folder; name a file in it")
    }
    isNamedPipe = kind == mode_t(S_IFIFO) && path != "-"
    isRecording = kind == mode_t(S_IFREG)
  }

  /// Neither a serial line without a carrier nor a pipe without a writer holds the program here. Reading waits, and an
  /// end of the run ends that.
  private static func openWithoutWaiting(_ path: String) -> Int32 {
    open(path, O_RDONLY | O_NOCTTY | O_CLOEXEC | O_NONBLOCK)
  }

  deinit {
    if descriptor > STDERR_FILENO { close(descriptor) }
  }

  func makeAsyncIterator() -> Iterator { Iterator(input: self) }

  struct Iterator: AsyncIteratorProtocol {
    fileprivate let input: Input

    func next(isolation actor: isolated (any Actor)? = #isolation) async throws(ReadError) -> [UInt8]? {
      try await input.read().get()
    }

    func next() async throws(ReadError) -> [UInt8]? { try await next(isolation: nil) }
  }

  /// The wish that one read ends. A later reader goes on where it stood.
  private final class Cancellation: Sendable {
    let isRequested = Atomic<Bool>(false)
  }

  private func read() async -> Result<[UInt8]?, ReadError> {
    let cancellation = Cancellation()
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        queue.async { continuation.resume(returning: self.readWhenReady(unless: cancellation)) }
      }
    } onCancel: {
      cancellation.isRequested.store(true, ordering: .releasing)
    }
  }

  /// Waits for bytes, with an eye on cancellation, which cannot interrupt a read that has begun.
  private func readWhenReady(unless cancellation: Cancellation) -> Result<[UInt8]?, ReadError> {
    var chunk = [UInt8](repeating: 0, count: Self.chunkSize)
    while !cancellation.isRequested.load(ordering: .relaxed) {
      var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      guard poll(&request, 1, 100) > 0 else { continue }
      // What comes after a cancellation is for the next reader: on a terminal, for the shell.
      if cancellation.isRequested.load(ordering: .acquiring) { break }
      let count = systemRead(descriptor, &chunk, chunk.count)
      if count > 0 {
        hasRead.store(true, ordering: .relaxed)
        return .success(Array(chunk.prefix(count)))
      }
      #if canImport(Darwin)
        // An end of a pipe is none before a writer has come. Linux does not report such a pipe as readable.
        if count == 0, isNamedPipe, !hasRead.load(ordering: .relaxed) {
          _ = poll(nil, 0, 100)
          continue
        }
      #endif
      if count == 0 { return .success(nil) }
      if errno != EINTR && errno != EAGAIN { return .failure(ReadError(number: errno)) }
    }
    return .success(nil)
  }
}

private func systemRead(_ descriptor: Int32, _ bytes: UnsafeMutablePointer<UInt8>, _ count: Int) -> Int {
  read(descriptor, bytes, count)
}
