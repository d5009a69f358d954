import RASPTesting
import TestSupport
import Testing

/// Delivers "left" on one thread, and holds it there while another thread sends "right", which has to wait for it. Each
/// must have the cause that it was sent with.
///
/// - Parameter connect: connects both senders with what delivers their words: it has to call `hold` with each.
func expectOwnCauses(
  _ connect: (_ left: Traced, _ right: Traced, _ hold: @escaping @Sendable (String) -> Void) -> [any Sendable]
) async {
  let (left, right, target) = (Traced(), Traced(), Traced())
  let (leftBegan, rightSent) = (Gate(patience: longestWait), Gate(patience: longestWait))
  let tokens = connect(left, right) { word in
    if word == "left" {
      leftBegan.open()
      rightSent.hold()
    }
    target.send(word)
  }
  await Threads.run(
    { left.send("left") },
    {
      leftBegan.hold()
      right.send("right")
      rightSent.open()
    }
  )
  #expect(target.causes["left"] == left.identity("left"))
  #expect(target.causes["right"] == right.identity("right"))
  withExtendedLifetime(tokens) {}
}
