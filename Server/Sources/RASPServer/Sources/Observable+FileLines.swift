import NIOPosix
public import Streams
import Synchronization
import SystemPackage

extension Observable where Element == String, Failure == any Error {
  /// The lines that are appended to a file, as by `tail -F`.
  ///
  ///     let requests = Observable.lines(appendedTo: "/var/log/nginx/access.log").compactMap(Request.init)
  ///
  /// The file may be rotated and truncated. When another file has taken its place, the rest of the old one comes first,
  /// until a look finds nothing new in it. A half line comes when it is completed, or when its file has been replaced
  /// or truncated. A file that is not there is waited for, and read from its beginning.
  ///
  /// What cannot be seen: a file that was replaced twice between two looks, and a file that was truncated and has grown
  /// past its old length between two looks.
  ///
  /// - Parameters:
  ///   - path: the path of the file.
  ///   - start: where to begin.
  ///   - period: the time between two looks at a file in which there is nothing new.
  ///   - scheduler: the source of time.
  /// - Backpressure: the file is not read faster than its lines are handled.
  /// - Concurrency: files are read on threads of NIO's pool for blocking calls.
  /// - Errors: fails with the error of the system if the file cannot be read. `retry` opens it again.
  /// - Complexity: a look is O(bytes), of at most 64 KiB. A line of more than 1 MiB comes in pieces.
  public static func lines(
    appendedTo path: String,
    from start: FileStart = .end,
    every period: Duration = .milliseconds(250),
    on scheduler: some Scheduler = .continuous
  ) -> Observable {
    .deferred {
      let tail = try SharedTail(path, from: start)
      return Observable { producer in
        try await tail.follow(every: period, on: scheduler) { await producer.send(contentsOf: $0) }
      }
    }
  }
}

extension Observable where Element == [String], Failure == any Error {
  /// The lines that are appended to a file, in packets of what one look has found: for `add(packets:)` of an
  /// aggregator, and as ``lines(appendedTo:from:every:on:)`` in all else.
  ///
  /// - Complexity: as for ``lines(appendedTo:from:every:on:)``.
  public static func linePackets(
    appendedTo path: String,
    from start: FileStart = .end,
    every period: Duration = .milliseconds(250),
    on scheduler: some Scheduler = .continuous
  ) -> Observable {
    .deferred {
      let tail = try SharedTail(path, from: start)
      return Observable { producer in try await tail.follow(every: period, on: scheduler) { await producer.send($0) } }
    }
  }
}

/// A tail that threads of a pool read, one at a time.
private final class SharedTail: Sendable {
  private let tail: Mutex<FileTail>

  init(_ path: String, from start: FileStart) throws {
    tail = Mutex(try FileTail(FilePath(path), from: start))
  }

  /// Reads until the stream is over.
  func follow(
    every period: Duration,
    on scheduler: some Scheduler,
    _ send: ([String]) async -> Bool
  ) async throws {
    while true {
      let look = try await NIOThreadPool.singleton.runIfActive { try self.tail.withLock { try $0.read() } }
      if !look.lines.isEmpty {
        guard await send(look.lines) else { return }
      }
      if !look.isBehind { try await scheduler.sleep(until: scheduler.now + period) }
    }
  }
}
