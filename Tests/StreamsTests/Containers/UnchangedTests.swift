import Testing

@testable import Streams

/// The one rule for what has changed.
struct UnchangedTests {
  private struct Reading: Equatable { var value = Double.nan }

  /// A type whose `==` is always `false`.
  private struct Always: Equatable {
    static func == (left: Always, right: Always) -> Bool { false }
  }

  @Test("a value is unchanged by ==, and a floating-point number that stays NaN is unchanged too")
  func numbers() {
    #expect(isUnchanged(1, 1) && !isUnchanged(1, 2) && isUnchanged("a", "a") && isUnchanged(0.0, -0.0))
    #expect(isUnchanged(Double.nan, -.nan) && isUnchanged(Float.nan, .signalingNaN))
    #expect(!isUnchanged(Double.nan, 1) && !isUnchanged(1, Double.nan))
    #if arch(x86_64) && !os(Windows) && !os(Android)
      #expect(isUnchanged(Float80.nan, .nan))
    #endif
  }

  @Test("so is its optional, and the optional of that")
  func optionals() {
    #expect(isUnchanged(Double?.some(.nan), .nan) && isUnchanged(Double?.none, nil))
    #expect(!isUnchanged(Double?.some(.nan), nil) && !isUnchanged(nil, Double?.some(.nan)))
    #expect(isUnchanged(Double??.some(.some(.nan)), .some(.some(.nan))))
    #expect(!isUnchanged(Double??.some(.some(.nan)), .some(.none)))
  }

  @Test("anything else that is not == has changed: what holds NaN, and what never equals itself")
  func others() {
    #expect(!isUnchanged(Reading(), Reading()) && !isUnchanged(Reading?.some(Reading()), Reading()))
    #expect(!isUnchanged(Always(), Always()) && !isUnchanged(Always?.some(Always()), Always()))
    #expect(!isUnchanged(SIMD2(Double.nan, 1), SIMD2(.nan, 1)))
    #expect(!isUnchanged([Double.nan], [Double.nan].map { $0 }))
  }
}
