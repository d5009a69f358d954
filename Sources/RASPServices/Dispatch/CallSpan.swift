import Streams
import Synchronization

/// A stretch of work that a cluster does: an action that it dispatches, or a part of that. A span is open from its
/// beginning to its end, and knows the span in which it began.
///
///     send ◀── section ◀── send of another cluster
///       ▲
///       └── feedback ◀── send of the error's action
///
/// Tasks inherit the span in which they are started, and may outlive it. Therefore a span that is over is skipped: the
/// question is always which of the spans around the running code are open.
///
/// Invariants:
/// - A span that is over never opens again.
/// - Along the chain of outer spans, a link changes only to skip spans that are over.
///
/// Safe to share: the parts that change are atomic or behind the lock.
final class CallSpan: Sendable {
  enum Kind: Sendable {
    /// An action, a section of its dispatch, or the work of the start and the end of the cluster.
    case work
    /// The action that an error was turned into. An error that it causes is not turned into an action again.
    case feedback
    /// An effect that runs in this line.
    case effect(ObjectIdentifier)
    /// An action that an emitter sends, which goes to the services under it. The number is that of the emitter.
    case emission(Int)
  }

  /// A type of its own, because what destroys an optional in a lock looks the type up each time.
  private struct Link: Sendable {
    var span: CallSpan?
  }

  let kind: Kind
  let cluster: ObjectIdentifier
  /// The nearest feedback around this span when it began.
  private let feedback: CallSpan?
  private let outer: Lock<Link>
  /// What was sent in the sections of this span, if it is a dispatch.
  let outbox = Outbox()
  /// Is `true` if this span has never had an outer one. Then the lock need not be taken.
  private let isOutermost: Bool
  private let isOver = Atomic<Bool>(false)

  /// Begins a span.
  ///
  /// - Parameters:
  ///   - outer: the span in which this one takes place.
  ///   - cause: the span that asked for this one, if that is another one: an action that was postponed takes place
  ///     later than it was sent.
  /// - Complexity: O(1), amortised over the spans that are over.
  init(_ kind: Kind, of cluster: ObjectIdentifier, in outer: CallSpan?, causedBy cause: CallSpan? = nil) {
    let cause = cause ?? outer
    self.kind = kind
    self.cluster = cluster
    let outer = outer?.nearestOpen
    self.outer = Lock(Link(span: outer))
    isOutermost = outer == nil
    feedback = cause?.nearestFeedback
  }

  /// Releases a chain of spans that are over one by one. Recursion would need a stack as deep as the chain is long.
  deinit {
    guard !isOutermost else { return }
    var next = outer.exchange(with: Link()).span
    while isKnownUniquelyReferenced(&next) { next = next?.outer.exchange(with: Link()).span }
  }

  private var isEmission: Bool {
    if case .emission = kind { true } else { false }
  }

  var isOpen: Bool { !isOver.load(ordering: .acquiring) }

  /// Ends the span.
  func close() {
    isOver.store(true, ordering: .releasing)
    // A task that this span leaves behind does not need the spans that are over.
    if !isOutermost, let outer = outer.withLock(\.span), !outer.isOpen { skip(to: outer.nearestOpen) }
  }

  /// Returns `true` inside of a feedback of `cluster`.
  ///
  /// - Complexity: O(clusters that turn an error into an action around this span).
  func isFeedback(of cluster: ObjectIdentifier) -> Bool {
    var span = nearestFeedback
    while let current = span {
      if current.cluster == cluster, current.isOpen { return true }
      span = current.feedback
    }
    return false
  }

  /// Returns `true` inside of work of `cluster` that is still running. To emit an action is no such work.
  ///
  /// - Complexity: O(1) in the work of one cluster. If several clusters send to each other, O(spans between two of the
  ///   same cluster).
  func isInside(_ cluster: ObjectIdentifier) -> Bool {
    var span = nearestOpen
    while let current = span {
      if current.cluster == cluster, !current.isEmission { return true }
      span = current.outer.withLock(\.span)?.nearestOpen
    }
    return false
  }

  /// Returns `true` inside of an effect that runs in this line.
  ///
  /// - Complexity: O(open spans up to that effect).
  func isInside(effectOf line: ObjectIdentifier) -> Bool {
    var span = nearestOpen
    while let current = span {
      if case .effect(line) = current.kind { return true }
      span = current.outer.withLock(\.span)?.nearestOpen
    }
    return false
  }

  private var nearestFeedback: CallSpan? {
    if case .feedback = kind, isOpen { return self }
    var span = feedback
    while let current = span, !current.isOpen { span = current.feedback }
    return span
  }

  /// This span if it is open, or the nearest one around it that is.
  private var nearestOpen: CallSpan? {
    if isOpen { return self }
    var span = outer.withLock(\.span)
    guard let first = span, !first.isOpen else { return span }
    while let current = span, !current.isOpen { span = current.outer.withLock(\.span) }
    skip(to: span)
    return span
  }

  private func skip(to span: CallSpan?) {
    outer.exchange(with: Link(span: span))
  }
}
