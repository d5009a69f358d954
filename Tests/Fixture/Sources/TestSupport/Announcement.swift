/// What the fixture's executable prints, and `.ci/full` looks for.
public func announcement(of sum: Int) -> String {
  "the Playground of the fixture has counted \(sum)"
}
