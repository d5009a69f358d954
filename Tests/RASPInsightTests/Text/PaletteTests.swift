import Foundation
import Testing

@testable import RASPInsight

@Suite("Colours of the drawings")
struct PaletteTests {
  @Test("each text and each lane has a contrast of at least 4.5 to 1 with each background, as WCAG measures it")
  func contrast() {
    for scheme in [Palette.light, Palette.dark] {
      for colour in scheme.lanes + [scheme.text, scheme.quiet, scheme.failure] {
        for background in [scheme.background, scheme.selected, scheme.field] {
          #expect(contrast(colour, background) >= 4.5, "\(colour) on \(background)")
        }
      }
      #expect(Set(scheme.lanes).count == 8)
    }
  }

  private func contrast(_ first: String, _ second: String) -> Double {
    let pair = [luminance(first), luminance(second)].sorted()
    return (pair[1] + 0.05) / (pair[0] + 0.05)
  }

  private func luminance(_ colour: String) -> Double {
    let number = Int(colour.dropFirst(), radix: 16) ?? 0
    let parts = [number >> 16, number >> 8, number].map { part in
      let value = Double(part & 0xFF) / 255
      return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
    }
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]
  }
}
