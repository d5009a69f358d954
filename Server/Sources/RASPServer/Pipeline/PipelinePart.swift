/// When a part of a pipeline ends, beside the others of the process: see ``PipelineService``.
#if hasAttribute(nonexhaustive)
  @nonexhaustive
#endif
public enum PipelineStage: Int, Sendable, Comparable, CaseIterable {
  /// What sends events: a cluster, an engine, a listener. It ends first, so that nothing new comes in.
  case intake

  /// What folds events. When it ends, every stream of its values ends, and so do the answers to clients.
  case states

  /// What keeps events: a journal, a log, a database. It ends last, when all that was folded has reached it.
  case storage

  /// Compares by the order in which they end.
  public static func < (first: PipelineStage, second: PipelineStage) -> Bool { first.rawValue < second.rawValue }
}

/// One thing that a ``PipelineService`` watches while the process runs, and ends when the process ends.
///
/// There is an initialiser for each type of RASP that needs an end, and ``init(_:in:end:)`` for everything else.
public struct PipelinePart: Sendable {
  /// The name in logs, and the dimension `part` of metrics.
  public let name: String

  /// When it ends.
  public let stage: PipelineStage

  /// Subscribes to what the part reports.
  let watch: @Sendable (PartMonitor) -> Void

  /// What keeps the process from answering as it should.
  let problems: @Sendable () -> [String]

  let end: @Sendable () async throws -> Void

  init(
    name: String,
    stage: PipelineStage,
    watch: @escaping @Sendable (PartMonitor) -> Void,
    problems: @escaping @Sendable () -> [String],
    end: @escaping @Sendable () async throws -> Void
  ) {
    self.name = name
    self.stage = stage
    self.watch = watch
    self.problems = problems
    self.end = end
  }

  /// Makes a part of something that only has to be ended.
  ///
  ///     PipelinePart("cluster", in: .intake) { await cluster.shutdown() }
  ///
  /// - Parameters:
  ///   - name: the name.
  ///   - stage: when it ends.
  ///   - end: ends it, and returns when it has ended. An error is logged, and thrown by the service at its end.
  public init(_ name: String, in stage: PipelineStage, end: @escaping @Sendable () async throws -> Void) {
    self.init(name: name, stage: stage, watch: { _ in }, problems: { [] }, end: end)
  }
}
