/// What travels down a chain besides values.
@usableFromInline
package enum Signal<Failure: Error>: Sendable {
  /// The last thing an observer hears.
  case end(StreamEnd<Failure>)

  /// Call the closure when everything sent before has been handled. This is how a source that can wait learns that it
  /// may go on (rule 12); a queue on the way puts it in line behind the values.
  case barrier(@Sendable () -> Void)
}
