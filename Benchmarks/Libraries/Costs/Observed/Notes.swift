/// Notes that several rows of the map have.
enum Note {
  static let plain = "the peer: a class with @Observable"
  static let lent = "allocates the frame of the coroutine that lends the row, and three more for a row with references"
  static let lookedUp =
    "three look-ups by hash: the row changes, its selection is found, it is read; allocates as Keyed[key]?.v ="
}
