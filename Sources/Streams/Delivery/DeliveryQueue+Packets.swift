extension DeliveryQueue where Shell: ~Copyable {
  /// Does the same as ``send(contentsOf:)`` for values that are made only if they have to wait.
  ///
  /// - Parameter deliver: does what the shell does with each of the values.
  @inlinable
  @inline(__always)
  package func send(
    contentsOf values: @autoclosure () -> [Value],
    now deliver: (inout Shell, QueueAccess) -> Void
  ) -> Bool {
    guard enter(isShared: Shell.isShared) else { return sendLater(contentsOf: values()) }
    let access = QueueAccess(of: self)
    deliver(&shell[access], access)
    leaveOrDrain()
    return true
  }
}
