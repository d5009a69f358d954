/// The concrete error that streams under test fail with.
struct TestError: Error, Hashable {
  var code = 0
}
