public import RASPJournal
public import RASPLogs

extension JetStreamLog where Entry: Codable {
  /// Opens a log of JSON; see ``init(_:name:partitions:coding:replicas:onPoison:options:)``.
  public convenience init(
    _ servers: String,
    name: String,
    partitions: Int? = nil,
    replicas: Int? = nil,
    onPoison poison: PoisonPolicy = .stop,
    options: JetStreamOptions = JetStreamOptions()
  ) async throws(LogError) {
    try await self.init(
      servers,
      name: name,
      partitions: partitions,
      coding: .codable,
      replicas: replicas,
      onPoison: poison,
      options: options
    )
  }
}
