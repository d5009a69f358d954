import TestSupport
import Testing

@testable import RASPPrimitives

/// The word machine of the triple buffer against a plain reference: three named cells and four flags.
@Suite("TripleBufferWord")
struct TripleBufferWordTests {
  private typealias Word = TripleBufferWord

  /// What the word stands for, written out.
  private struct Reference {
    var cells: [Int?] = [nil, nil, nil]
    var writer = 0
    var shared = 1
    var reader = 2
    var isReplaced = false
    var isWaiting = false
    var isEnded = false
    var isCancelled = false

    var isFresh: Bool { cells[shared] != nil }
    var bits: UInt8 {
      UInt8(shared) | (isFresh ? 4 : 0) | (isWaiting ? 8 : 0) | (isEnded ? 16 : 0) | (isCancelled ? 32 : 0)
        | (isReplaced ? 64 : 0)
    }
  }

  @Test("Any sequence of events: the cells stay a permutation, each wait is woken once, and no value is lost unseen")
  func random() {
    var random = SplitMix(seed: 7)
    for _ in 0..<rounds(20_000) {
      var word = Word.initial
      var reference = Reference()
      var sent = 0
      for _ in 0..<40 {
        let before = reference
        switch Int.random(in: 0..<24, using: &random) {
        case 0..<9 where !reference.isEnded:
          let step = word.published(from: UInt8(reference.writer))
          #expect((step == nil) == before.isCancelled)
          guard let step else { continue }
          sent += 1
          reference.isReplaced = before.isFresh
          reference.isWaiting = false
          reference.cells[reference.writer] = sent
          swap(&reference.writer, &reference.shared)
          reference.cells[reference.writer] = nil
          #expect(Int(step.cell) == reference.writer)
          #expect(step.hasValue == before.isFresh)
          #expect(step.wakesReader == before.isWaiting)
          word = step.word
        case 9..<16:
          let step = word.taken(from: UInt8(reference.reader))
          #expect((step == nil) == !before.isFresh)
          guard let step else { continue }
          swap(&reference.reader, &reference.shared)
          #expect(reference.cells[Int(step.cell)] == sent, "the newest")
          reference.cells[reference.reader] = nil
          reference.isReplaced = false
          #expect(step.hasValue && !step.wakesReader)
          word = step.word
        case 16..<22 where !reference.isWaiting:
          let step = word.willWait()
          #expect((step == nil) == (before.isFresh || before.isEnded || before.isCancelled))
          guard let step else { continue }
          reference.isWaiting = true
          word = step.word
        case 22:
          let step = word.ended()
          #expect((step == nil) == (before.isEnded || before.isCancelled))
          guard let step else { continue }
          reference.isEnded = true
          reference.isWaiting = false
          #expect(step.wakesReader == before.isWaiting)
          word = step.word
        case 23:
          let step = word.cancelled()
          #expect((step == nil) == before.isCancelled)
          guard let step else { continue }
          #expect(step.hasValue == before.isFresh)
          #expect(Int(step.cell) == before.shared)
          #expect(step.wakesReader == before.isWaiting)
          reference.cells[reference.shared] = nil
          reference.isCancelled = true
          reference.isReplaced = false
          reference.isWaiting = false
          word = step.word
        default: continue
        }
        #expect(word.bits == reference.bits)
        #expect(Set([reference.writer, reference.shared, reference.reader]) == [0, 1, 2])
      }
    }
  }
}
