import Logging
import NIOConcurrencyHelpers
import NIOCore
import RASPLogs
import RASPNATS
import Streams

/// What all parts of a log have in common.
///
/// Safe to share: what changes is behind locks.
final class LogConnection: Sendable {
  let names: LogNames
  let options: JetStreamOptions
  /// How many servers have each entry.
  let replicas: Int
  let client: NATSClient
  let readers = Readers()
  let partitions: [KnownPartition]
  let hooks: LogHooks
  private let isOver = NIOLockedValueBox(false)
  private let hasConnection = NIOLockedValueBox(true)

  init(_ names: LogNames, partitions: Int, replicas: Int, _ client: NATSClient, _ options: JetStreamOptions) {
    self.names = names
    self.replicas = replicas
    self.client = client
    self.options = options
    self.partitions = (0..<partitions).map { _ in KnownPartition() }
    hooks = LogHooks(log: names.log, logger: options.logger, lease: options.lease)
  }

  /// Whether there is a connection, as far as is known.
  var isConnected: Bool { hasConnection.withLockedValue { $0 } }

  /// The client has lost its connection, or has one again.
  func heard(_ status: NATSStatus) {
    let isConnected = if case .connected = status { true } else { false }
    let wasConnected = hasConnection.withLockedValue { hasConnection in
      defer { hasConnection = isConnected }
      return hasConnection
    }
    // Consumers live in the memory of a server, which may have stopped.
    if isConnected, !wasConnected { for reader in readers.all { reader.interrupt() } }
  }

  var name: String { names.log }
  var logger: Logger { options.logger }
  var jetStream: JetStream { JetStream(client: client) }
  var isClosed: Bool { isOver.withLockedValue { $0 } }

  /// - Returns: whether it was open.
  func end() -> Bool {
    isOver.withLockedValue { isOver in
      defer { isOver = true }
      return !isOver
    }
  }

  /// A consumer of a stream for a reader. It is interrupted when the connection was lost, and when nothing comes.
  func consumer(of stream: String, subjects: [String]) -> ConsumerHandle {
    let handle = ConsumerHandle(of: stream, subjects: subjects, jetStream, heartbeat: options.heartbeat)
    readers.add(handle)
    return handle
  }

  func check(_ partition: Int) throws(LogError) {
    guard partitions.indices.contains(partition) else {
      throw .noPartition(log: name, partition: partition, partitions: partitions.count)
    }
    if isClosed { throw .closed(log: name) }
  }

  /// Does what may be done twice, again and again until `timeLimit` is over.
  ///
  /// - Parameter body: is given what sends nothing after that.
  func retrying<Result>(
    _ partition: Int?,
    _ body: (JetStream) async throws(JetStreamError) -> Result
  ) async throws(LogError) -> Result {
    let limit = ContinuousClock.now + options.timeLimit
    while true {
      // What is sent before the log is closed may have its effect. What is not sent then has none.
      guard !isClosed else { throw .closed(log: name) }
      let failure: LogError
      do throws(JetStreamError) {
        return try await body(JetStream(client: client, deadline: limit))
      } catch {
        failure = error.logError(name, partition)
      }
      guard failure.isTemporary, !Task.isCancelled else { throw failure }
      logger.debug("A request to JetStream is tried again.", metadata: ["log": "\(name)", "reason": "\(failure)"])
      try? await Task.sleep(for: options.pause)
      // Also a process that was stopped in the pause does not send it again when its time is over.
      guard ContinuousClock.now < limit, !Task.isCancelled else { throw failure }
    }
  }

  /// Stores something, again and again until `timeLimit` is over.
  ///
  /// - Errors: ``LogError/unacknowledged(log:partition:)`` if one of the tries may have stored it. That a later one is
  ///   refused tells nothing of those before.
  func storing<Result>(
    _ partition: Int,
    _ body: (JetStream) async throws(JetStreamError) -> Result
  ) async throws(LogError) -> Result {
    var mayBeStored = false
    do throws(LogError) {
      return try await retrying(partition) { jetStream async throws(JetStreamError) in
        do throws(JetStreamError) {
          return try await body(jetStream)
        } catch {
          if !error.isWithoutEffect(replicas: replicas) { mayBeStored = true }
          throw error
        }
      }
    } catch {
      throw mayBeStored ? .unacknowledged(log: name, partition: partition) : error
    }
  }

  /// What the stream of a partition has now.
  ///
  /// Of several servers, one that leads may have applied less than another one has, for a moment after it has stood
  /// still. So less than is known to be there is asked for again until `timeLimit` is over.
  ///
  /// - Parameter expected: an entry that was there, as a record or a reader says.
  /// - Errors: ``LogError/wentBack(log:partition:newest:wanted:)`` if it has less than was seen here, or is another
  ///   stream than the one that was seen here.
  func stream(of partition: Int, expecting expected: Int = 0) async throws(LogError) -> StreamInformation {
    let seen = partitions[partition].newestSeen
    var outdated: StreamInformation?
    let stream: StreamInformation
    do throws(LogError) {
      stream = try await retrying(partition) { jetStream async throws(JetStreamError) in
        outdated = nil
        let stream = try await jetStream.stream(names.stream(partition))
        if replicas == 1 || stream.state.last >= max(seen, expected) { return stream }
        outdated = stream
        throw .outdated(reason: "a server has fewer entries of partition \(partition) than were seen")
      }
    } catch {
      // Who does not wait until the time is over does not know whether it stays so.
      guard let outdated, !isClosed, !Task.isCancelled else { throw error }
      stream = outdated
    }
    guard stream.state.last >= seen, partitions[partition].isSame(created: stream.creation, seen: seen) else {
      throw .wentBack(log: name, partition: partition, newest: stream.state.last, wanted: seen)
    }
    partitions[partition].see(stream.state.last)
    return stream
  }
}

/// What this process knows of a partition.
///
/// Safe to share: what changes is behind the lock.
final class KnownPartition: Sendable {
  private let newest = NIOLockedValueBox(0)
  private let created = NIOLockedValueBox<Int64>(0)

  /// When the stream was made that was looked at first, nanoseconds since 1970; 0 if none was.
  var creation: Int64 { created.withLockedValue { $0 } }

  /// Whether a stream is the one that was looked at first. One that was deleted and made anew is another one.
  ///
  /// - Parameter seen: the newest entry that was seen. Without one nothing can have changed.
  func isSame(created time: Int64, seen: Int) -> Bool {
    created.withLockedValue { created in
      if created == 0 || seen == 0 { created = time }
      return created == time || time == 0
    }
  }

  /// The newest entry that was read, acknowledged, or heard of.
  var newestSeen: Int { newest.withLockedValue { $0 } }

  func see(_ offset: Int) {
    assert(offset >= 0, "Offsets count from 1; 0 is before all entries.")
    newest.withLockedValue { $0 = max($0, offset) }
  }
}

extension NATSServerInfo {
  func isAtLeast(_ major: Int, _ minor: Int, _ patch: Int) -> Bool {
    // 2.15.1, or 2.16.0-dev
    let numbers = version.split(whereSeparator: { $0 == "." || $0 == "-" }).prefix(3).map { Int($0) ?? 0 }
    return !numbers.lexicographicallyPrecedes([major, minor, patch])
  }
}
