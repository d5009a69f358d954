import TestSupport
import Testing

@testable import Streams

/// Issue 24, "Must be flat that is not", 5: the hand-over of a line started a task without priority.
@Suite("Handing over: the priority")
struct HandOverPriorityTests {
  /// A queue whose deliveries note their number and the priority that they have.
  private final class Line: Sendable {
    struct Delivered: Sendable {
      let number: Int
      let priority: TaskPriority
    }

    struct Shell: ~Copyable, DeliveryShell {
      let delivered: Log<Delivered>
      let inside: Box<@Sendable (Int) -> Void>

      mutating func deliver(_ number: Int, _ access: QueueAccess) {
        delivered.note(Delivered(number: number, priority: Task.currentPriority))
        inside.value?(number)
      }
    }

    let delivered = Log<Delivered>()
    let inside = Box<@Sendable (Int) -> Void>()
    let queue: DeliveryQueue<Shell>
    let limit = DeliveryQueue<Shell>.foreignLimit

    init() {
      queue = DeliveryQueue(Shell(delivered: delivered, inside: inside))
    }

    /// Sends number 0 from a task. While that is delivered, another task sends so many numbers, more than one call
    /// delivers for others. So the task hands the line over.
    func flood(from priority: TaskPriority, by senders: TaskPriority, count: Int) async {
      let (isHeld, isSent, isFilled) = (Flag(), Flag(), Flag())
      inside.value = { number in
        guard number == 0 else { return }
        isHeld.raise()
        _ = isFilled.wait()
      }
      Task.detached(priority: priority) { [queue] in _ = queue.send(0) }
      await onThread { _ = isHeld.wait() }
      // Nothing awaits the task, because that would raise its priority.
      Task.detached(priority: senders) { [queue] in
        for number in 1...count { _ = queue.send(number) }
        isSent.raise()
      }
      await onThread {
        _ = isSent.wait()
        isFilled.raise()
      }
    }
  }

  @Test("The task that goes on with a line has the priority of the owner", arguments: [TaskPriority.high, .low])
  func ownersPriority(priority: TaskPriority) async {
    let line = Line()
    await line.flood(from: priority, by: .background, count: 3 * line.limit)
    #expect(await eventually { line.delivered.count == 3 * line.limit + 1 })
    #expect(line.delivered.entries.map(\.number) == Array(0...3 * line.limit))
    #expect(line.delivered.entries.allSatisfy { $0.priority == priority })
    line.inside.take()
  }

  @Test("It has the priority of those who waited before the hand-over, if that is higher")
  func sendersPriority() async {
    let line = Line()
    await line.flood(from: .background, by: .high, count: 3 * line.limit)
    #expect(await eventually { line.delivered.count == 3 * line.limit + 1 })
    let priorities = line.delivered.entries.map(\.priority)
    #expect(priorities[...line.limit].allSatisfy { $0 == .background }, "the owner delivers these itself")
    #expect(priorities[(line.limit + 1)...].allSatisfy { $0 == .high })
    line.inside.take()
  }

  @Test("What was urgent and has been delivered does not count at a later hand-over")
  func forgotten() async {
    let line = Line()
    await line.flood(from: .background, by: .high, count: line.limit + 10)
    #expect(await eventually { line.delivered.count == line.limit + 11 })
    await onThread { _ = line.queue.send(-1) }
    await line.flood(from: .low, by: .background, count: 3 * line.limit)
    #expect(await eventually { line.delivered.count == 4 * line.limit + 13 })
    #expect(line.delivered.entries.suffix(3 * line.limit).allSatisfy { $0.priority == .low })
    line.inside.take()
  }
}
