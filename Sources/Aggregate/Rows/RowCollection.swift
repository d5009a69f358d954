/// A collection with keys that can tell which of its rows have changed: a ``Keyed``.
///
/// `select(_:key:)` takes it. A type of your own conforms if it holds a ``Keyed`` and hands its rows and stamps on;
/// stamps cannot be made in another way.
///
///     struct Fleet: RowCollection {
///       private var boats: Keyed<String, Boat> = [:]
///       subscript(key: String) -> Boat? { boats[key] }
///       var rowStamps: RowStamps<String> { boats.rowStamps }
///     }
public protocol RowCollection<Key, Row>: Sendable {
  /// The type that tells the rows apart.
  associatedtype Key: Hashable & Sendable

  /// The type of a row.
  associatedtype Row: Sendable

  /// The row of a key; `nil` if there is none.
  subscript(key: Key) -> Row? { get }

  /// Which rows have changed.
  var rowStamps: RowStamps<Key> { get }
}
