extension Selection {
  /// The selection of the transform of each value. It has a ``current`` value and speaks only when that changes.
  ///
  ///     let title = form.select(\.name).map { $0.isEmpty ? "New" : $0 }
  ///     title.current
  ///
  /// It does what `select` does with a closure. All other operators give an `Observable`, which has no current value;
  /// `observable.map` is the one that sends the transform of each value, also if it is equal to the one before.
  ///
  /// - Complexity: O(1). The transform runs once for each change of this selection, and once for each read of
  ///   ``current``.
  @inlinable
  public func map<Output: Equatable & Sendable>(
    _ transform: @escaping @Sendable (Field) -> Output
  ) -> Selection<Output> {
    select(transform)
  }

  /// The selection of the transform of each value, where the result cannot be compared: its subscribers are told
  /// whenever this selection changes.
  ///
  /// - Complexity: as ``map(_:)``.
  @inlinable
  public func map<Output: Sendable>(_ transform: @escaping @Sendable (Field) -> Output) -> Selection<Output> {
    select(transform)
  }
}
