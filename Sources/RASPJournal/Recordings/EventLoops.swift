import Aggregate
import RASPHistory
import RASPSupport

/// What a journal does with one event after the other, compiled for the types of its state.
///
/// Generic code that is not compiled for its types looks them up for each event, and a journal is no part of the module
/// of the user. So these closures are made in code that is compiled there, and called once for many events.
@usableFromInline
struct EventLoops<State: AggregateState>: Sendable {
  @usableFromInline typealias Take =
    @Sendable (
      _ channel: TapeChannel<State.Event>,
      _ most: Int,
      _ origin: Int64,
      _ encoder: inout ValueEncoder<State.Event>,
      _ state: inout State,
      _ chain: inout SegmentChain
    ) throws(JournalError) -> Int
  @usableFromInline typealias Fold =
    @Sendable (
      _ record: Record,
      _ decoder: inout ValueDecoder<State.Event>,
      _ state: inout State
    ) throws(FileFailure) -> Void

  /// Takes events from the line, appends and folds them.
  ///
  /// - Returns: the number of events.
  let take: Take
  /// Folds what a record becomes.
  let fold: Fold

  @inlinable
  @inline(__always)
  init() {
    self.init { (channel, most, origin, encoder, state, chain) throws(JournalError) in
      try channel.take(most) { (item) throws(JournalError) in
        let isWritten = try chain.append(item.event, cause: item.cause, time: (item.time &+ origin) / 1_000, &encoder)
        if isWritten { _ = state.fold(item.event) }
      }
    } fold: { (record, decoder, state) throws(FileFailure) in
      try decoder.decode(record) { event in _ = state.fold(event) }
    }
  }

  @usableFromInline
  init(take: @escaping Take, fold: @escaping Fold) {
    self.take = take
    self.fold = fold
  }
}
