import NIOCore
import RASPJournal
import RASPLogs
import RASPNATS

/// A log in JetStream as an operator sees it, without the types of its entries.
///
/// It owns nothing and folds nothing, so owners and publishers may go on. What it does beside reading is
/// ``cut(at:to:)``.
package struct StoredLog: StoredHistory {
  let connection: LogConnection
  let description: LogDescription

  /// The name of the log.
  package var name: String { connection.name }
  /// The number of partitions.
  package var partitions: Int { description.partitions }
  /// How long the lease of a member is.
  package var lease: Duration { .nanoseconds(description.lease) }
  /// Whether entries may be deleted.
  package var deletion: LogDeletion { description.deletion ?? .allowed }

  /// Opens a log.
  ///
  /// - Parameter servers: addresses, with commas between them.
  /// - Returns: `nil` if there is no such log.
  package static func open(
    _ servers: String,
    name: String,
    options: JetStreamOptions = JetStreamOptions()
  ) async throws(LogError) -> StoredLog? {
    let client = try await connect(servers, log: name, options)
    do throws(LogError) {
      if let log = try await found(name, client, options) { return log }
      await client.close()
      return nil
    } catch {
      await client.close()
      throw error
    }
  }

  /// The names of the logs of some servers, as far as the names of their streams tell.
  package static func names(
    _ servers: String,
    options: JetStreamOptions = JetStreamOptions()
  ) async throws(LogError) -> [String] {
    let client = try await connect(servers, log: "the servers", options)
    do throws(JetStreamError) {
      let names = LogNames.logs(in: try await JetStream(client: client).streamNames())
      await client.close()
      return names
    } catch {
      await client.close()
      throw error.logError("the servers", nil)
    }
  }

  private static func connect(
    _ servers: String,
    log: String,
    _ options: JetStreamOptions
  ) async throws(LogError) -> NATSClient {
    do throws(NATSError) {
      let addresses = servers.split(separator: ",").map { $0.filter { $0 != " " } }
      return try await NATSClient.connect(to: addresses, options: options.nats)
    } catch {
      throw JetStreamError.connection(error).logError(log, nil)
    }
  }

  private static func found(
    _ name: String,
    _ client: NATSClient,
    _ options: JetStreamOptions
  ) async throws(LogError) -> StoredLog? {
    let names: LogNames
    do throws(LogNames.Invalid) {
      names = try LogNames(name)
    } catch {
      throw .refused(log: name, partition: nil, reason: error.reason)
    }
    let opening = LogConnection(names, partitions: 0, replicas: 1, client, options)
    guard let description = try await LogDescription.read(opening) else { return nil }
    let count = description.partitions
    let settings = try await LogSettings.found(opening, partitions: count, replicas: nil, unlimited(options))
    return StoredLog(
      connection: LogConnection(names, partitions: count, replicas: settings.replicas, client, options),
      description: description
    )
  }

  /// Options that ask for nothing, so that each log can be looked at.
  private static func unlimited(_ options: JetStreamOptions) -> JetStreamOptions {
    var options = options
    (options.duplicateWindow, options.maxBytes, options.deletion) = (nil, nil, nil)
    options.timeLimit = .nanoseconds(1)
    return options
  }

  /// Closes the connection.
  package func close() async { await connection.client.close() }
}
