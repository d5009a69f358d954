/// The time of one event, for a machine that asks for it. It stands still while the event is handled, however often it
/// is asked, so every part of the handling sees the same instant.
@usableFromInline
struct StageClock {
  @usableFromInline let time: StageTime?
  @usableFromInline var read: Duration?

  @inlinable
  init(of time: StageTime?) {
    self.time = time
  }

  init(_ scheduler: (any Scheduler)?) {
    time = scheduler.map { StageTime($0) }
  }

  @inlinable
  mutating func now() -> Duration {
    if let read { return read }
    let now = look()
    read = now
    return now
  }

  @usableFromInline
  func look() -> Duration {
    assert(time != nil, "A machine asks for the time, and its stage has no scheduler.")
    return time?.now ?? .zero
  }
}

/// The source of time of one stage.
///
/// It is an object, because a scheduler that is handed around as any type is copied by functions that look its type up. And
/// what is generic over the type of a scheduler is not specialised where a scheduler is of any type. So operators hand their
/// scheduler to this, and are inlined up to there.
@usableFromInline
final class StageTime: Sendable {
  let scheduler: any Scheduler

  @usableFromInline
  init(_ scheduler: any Scheduler) {
    self.scheduler = scheduler
  }

  @usableFromInline var now: Duration { scheduler.now }
}
