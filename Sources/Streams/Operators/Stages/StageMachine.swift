/// The rules of an operator that keeps a state or needs time: a plain state machine, event in, action out.
///
/// It has no lock, no timer and no subscription, and it calls no user code but the closures of its operator.
/// ``Stage`` tells it what has happened, one event after the other, and carries out its answers. So a machine is
/// tested by itself, with events as values.
///
/// A machine is put into the user's module together with the code that calls it, once for each kind of event. There the
/// compiler knows the event, so nothing is left of the events and actions but what is done.
@usableFromInline
protocol StageMachine<Input, Output, Failure>: Sendable {
  /// The values that its inputs send.
  associatedtype Input: Sendable
  associatedtype Output: Sendable
  associatedtype Failure: Error

  typealias Event = StageEvent<Input, Failure>
  typealias Action = StageAction<Input, Output, Failure>

  /// Is `true` if it asks for the time or to be woken. The code for that is left out of the stages of the others.
  static var isTimed: Bool { get }

  /// The instant to be woken at; `nil` for none. The shell looks at it after each event.
  var wakeAt: Duration? { get }

  /// Takes an event and returns the action to be carried out.
  ///
  /// - Parameter clock: tells the time. A machine that does not ask for it needs no scheduler.
  mutating func receive(_ event: Event, _ clock: inout StageClock) -> Action
}

extension StageMachine {
  @inlinable
  static var isTimed: Bool { false }

  @inlinable
  var wakeAt: Duration? { nil }
}

/// A value of one of two inputs, which have the numbers 0 and 1.
@usableFromInline
enum Either<First: Sendable, Second: Sendable>: Sendable {
  case first(First)
  case second(Second)
}

/// An event of a stage.
@usableFromInline
enum StageEvent<Input: Sendable, Failure: Error>: Sendable {
  /// An input has sent something. Inputs are numbered; a number is used once.
  case value(Input, from: Int)
  case ended(StreamEnd<Failure>, input: Int)
  /// Time has reached the instant that the machine asked to be woken at.
  case woken
}

extension StageEvent: Equatable where Input: Equatable, Failure: Equatable {}

/// The action of a stage, done in this order: send, subscribe to a new input, end.
@usableFromInline
struct StageAction<Input: Sendable, Output: Sendable, Failure: Error>: Sendable {
  /// A stream, and its number as an input. Only a machine whose inputs come one after the other has new ones.
  @usableFromInline
  struct Followed: Sendable {
    @usableFromInline let stream: Observable<Input, Failure>
    @usableFromInline let input: Int

    @inlinable
    init(_ stream: Observable<Input, Failure>, as input: Int) {
      self.stream = stream
      self.input = input
    }
  }

  @usableFromInline var output: Output?
  @usableFromInline var followed: Followed?
  /// The end of the result. It cancels all inputs.
  @usableFromInline var end: StreamEnd<Failure>?
  /// What the output arrived with; of an action without an output, what its end arrived with. `none` if it is the event
  /// that the machine was told, which the shell is delivering.
  @usableFromInline var cause: CarriedCause

  /// Nothing is to be done.
  @inlinable
  static var none: Self { Self() }

  @inlinable
  init(
    send output: Output? = nil,
    by cause: CarriedCause = .none,
    follow followed: Followed? = nil,
    end: StreamEnd<Failure>? = nil
  ) {
    self.output = output
    self.followed = followed
    self.end = end
    self.cause = cause
  }
}

extension StageAction {
  /// Sends what was kept, as what it arrived with brings it about.
  @inlinable
  init(send kept: Kept<Output>?, end: StreamEnd<Failure>? = nil) {
    self.init(send: kept?.value, by: kept?.cause ?? .none, end: end)
  }
}
