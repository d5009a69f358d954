public import Aggregate

extension Journal {
  /// Cuts off what is damaged in a folder, and all that is behind it, so that the journal can be opened again. What is
  /// cut off is kept, in files whose names end with `.cut`.
  ///
  /// Call it when opening the journal has thrown ``JournalError/damaged(file:offset:event:reason:)``, and when to go on
  /// with an older state is better than to have a human look at the files. A whole journal is left as it is.
  ///
  /// - Parameters:
  ///   - path: the folder.
  ///   - initial: the state before the first event.
  ///   - coding: how events and snapshots are read.
  ///   - poison: what becomes of events that cannot be read. They are no damage.
  /// - Returns: what is there then.
  /// - Concurrency: it blocks the thread, and keeps other writers out.
  /// - Errors: what cannot be repaired in this way: a call of the system that fails, a value that the coding does not
  ///   read, and events that are missing before all others.
  /// - Complexity: O(events) since the newest snapshot, for each snapshot that is cut off.
  @discardableResult
  public static func repair(
    at path: String,
    startingWith initial: State,
    coding: RecordingCoding<State>,
    onPoison poison: PoisonPolicy = .stop
  ) throws(JournalError) -> JournalRecovery {
    let folder = JournalFolder(path: path, system: POSIXFileSystem())
    return try repair(folder, startingWith: initial, coding: coding, onPoison: poison)
  }

  static func repair(
    _ folder: JournalFolder,
    startingWith initial: State,
    coding: RecordingCoding<State>,
    onPoison poison: PoisonPolicy = .stop
  ) throws(JournalError) -> JournalRecovery {
    let folder = try folder.made()
    let lock = try folder.open()
    defer { try? folder.system.close(lock) }
    var cutBytes = 0
    while true {
      let recovery: Recovery
      var isDone = true
      do throws(JournalError) {
        recovery = try folder.restored(startingWith: initial, coding: coding, onPoison: poison).recovery
      } catch {
        recovery =
          try folder.restored(startingWith: initial, coding: coding, cutsDamage: true, onPoison: poison).recovery
        // Each time there is less to be read.
        if recovery.repairs.isEmpty, recovery.lostSnapshots.isEmpty, recovery.lostClosings.isEmpty { throw error }
        isDone = false
      }
      cutBytes += recovery.report.cutBytes
      if !isDone || cutBytes > 0 { try folder.carryOut(recovery) }
      if isDone {
        var report = recovery.report
        report.cutBytes = cutBytes
        return report
      }
    }
  }
}

extension Journal where State: Codable, State.Event: Codable {
  /// Cuts off what is damaged in a folder of JSON; see ``repair(at:startingWith:coding:onPoison:)``.
  @discardableResult
  public static func repair(
    at path: String,
    startingWith initial: State,
    onPoison poison: PoisonPolicy = .stop
  ) throws(JournalError) -> JournalRecovery {
    try repair(at: path, startingWith: initial, coding: .codable, onPoison: poison)
  }
}
