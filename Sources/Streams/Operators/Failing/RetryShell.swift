/// The shell of a ``RetryMachine``, whose inputs come one after the other.
///
/// ```
///   a try ──values──▶ machine ──▶ observer
///     ▲        end──▶ machine ──▶ the end, or the next try ─┐
///     └──────────────────── subscriptions, timer ◀──────────┘
/// ```
///
/// Values need no queue: upstream delivers one at a time (contract, rule 2), and a try is subscribed to when the one
/// before it has ended. Subscribing and the timer have a queue, in which they wait for each other. So a source that
/// fails as soon as it is subscribed to does not nest its tries.
///
/// Safe to share: the machine is touched by the deliveries of the present try, and between two tries by what brings
/// about the next one, so never twice at once; the queue passes it on from one try to the next. The timer belongs to
/// the queue.
@usableFromInline
final class RetryShell<Element: Sendable, Failure: Error>: Sendable {
  @usableFromInline typealias Machine = RetryMachine<Element, Failure>

  @usableFromInline let machine: Confined<Machine>
  @usableFromInline let observer: Observer<Element, Failure>
  @usableFromInline let time: StageTime
  @usableFromInline let subscribing = StageQueue(JobShell())
  @usableFromInline let timer: QueueIsolated<StageTimer>

  @inlinable
  init(_ machine: Machine, on time: StageTime, into observer: Observer<Element, Failure>) {
    self.machine = Confined(machine)
    self.observer = observer
    self.time = time
    timer = QueueIsolated(StageTimer(time, of: observer.lifetime))
  }

  /// Subscribes to the source, as the try of this number.
  @inlinable
  func follow(_ source: Observable<Element, Failure>, as input: Int) {
    subscribing.put { _, _ in self.attach(source, as: input) }
  }

  @inlinable
  @inline(never)
  func attach(_ source: Observable<Element, Failure>, as input: Int) {
    let lifetime = Lifetime(within: observer.lifetime)
    guard lifetime.isActive else { return }
    source.attach(
      Observer(lifetime: lifetime) { value in
        self.send(value, from: input)
      } onEnd: { end in
        self.observer.lifetime.end(lifetime)
        self.receive(end, of: input)
      } onAcknowledge: { acknowledgement in
        self.observer.acknowledge(acknowledgement)
      }
    )
  }

  @inlinable
  @inline(__always)
  func send(_ value: Element, from input: Int) {
    var clock = StageClock(of: time)
    let action = machine.withValue { $0.receive(.value(value, from: input), &clock) }
    if let output = action.output { observer.send(output) }
  }

  @inlinable
  @inline(never)
  func receive(_ end: StreamEnd<Failure>, of input: Int) {
    guard observer.lifetime.isActive else { return }
    var clock = StageClock(of: time)
    let action = machine.withValue { $0.receive(.ended(end, input: input), &clock) }
    if let followed = action.followed {
      follow(followed.stream, as: followed.input)
    } else if let end = action.end {
      observer.end(end)
    } else {
      subscribing.put { _, access in self.setTimer(access) }
    }
  }

  @inlinable
  @inline(never)
  func setTimer(_ access: QueueAccess) {
    guard observer.lifetime.isActive else { return }
    let wanted = machine.withValue(\.wakeAt)
    timer[access].set(to: wanted) { generation in
      { self.subscribing.put { _, access in self.fire(generation, access) } }
    }
  }

  /// Tries again, if the machine is due, and otherwise looks again later.
  @inlinable
  @inline(never)
  func fire(_ generation: Int, _ access: QueueAccess) {
    guard observer.lifetime.isActive, timer[access].hasFired(generation) else { return }
    var clock = StageClock(of: time)
    guard let instant = machine.withValue({ $0.wakeAt }), instant <= clock.now() else { return setTimer(access) }
    let action = machine.withValue { $0.receive(.woken, &clock) }
    guard let followed = action.followed else { return }
    CarriedCause.unknown.deliver { follow(followed.stream, as: followed.input) }
  }
}
