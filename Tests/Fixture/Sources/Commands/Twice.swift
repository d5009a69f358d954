import RASPCommands

/// Asks for twice a number.
public struct Twice: ActionCommand {
  private let number: Int

  /// A command for one number.
  public init(_ number: Int) {
    self.number = number
  }

  /// Doubles the number.
  public func handle(publish: Publisher<Twice>) -> Int {
    number * 2
  }
}
