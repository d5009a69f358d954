import Aggregate
import CostRows
import RASPJournal
import RASPKeyed

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The rows of coders: what a journal or a log cannot do for less.
let coderRows: [CostRow] = [
  CostRow(
    "jrn.coder.int",
    "(JSONEncoder alone, an Int)",
    should: 4_600,
    note: "the coder of the toolchain, beside the rows that use it"
  ) { _ in
    let encoder = JSONEncoder()
    let sink = Sink()
    return { count in
      for value in 0..<count { sink.see((try? encoder.encode(value).count) ?? 0) }
    }
  },
  CostRow(
    "jrn.coder.struct",
    "(JSONEncoder alone, a struct of four fields)",
    should: 22_000,
    note: "the coder of the toolchain, beside the rows that use it"
  ) { _ in
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let sink = Sink()
    return { count in
      for value in 0..<count { sink.see((try? encoder.encode(Fix(value)).count) ?? 0) }
    }
  },
  CostRow(
    "jrn.coder.row",
    "(JSONEncoder alone, an event of a row)",
    should: 60_000,
    note: "the coder of the toolchain, beside the rows that use it"
  ) { _ in
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let sink = Sink()
    return { count in
      for value in 0..<count {
        sink.see(
          (try? encoder.encode(RowStep<Int, KeyedMeter>(key: 3, .event(Reading(key: 3, value: value)))).count) ?? 0
        )
      }
    }
  },
  CostRow("jrn.encoder.byHand", "ValueEncoder with a coding by hand", should: 150) { _ in
    let encoder = Encoding(.byHand)
    let sink = Sink()
    return { count in
      for value in 0..<count { sink.see(encoder.count(of: value)) }
    }
  },
  CostRow(
    "jrn.coder.part",
    "a coding by hand with a part that has its own, written and read",
    should: 2_000,
    note: "the name of the type is written with each part, and looked up when it is read"
  ) { _ in
    let part = Coding<Int>.byHand
    let coding = Coding<Int>(version: 1) { value, bytes in
      try bytes.append(value, with: part)
    } decode: { bytes in
      try bytes.readValues(with: part)[0]
    }
    let encoder = Encoding(coding)
    let sink = Sink()
    return { count in
      for value in 0..<count { sink.see(encoder.readAgain(value)) }
    }
  },
  CostRow(
    "jrn.coder.sealed",
    "a sealed coding with a cipher that does nothing, written and read",
    should: 2_000,
    note: "a cipher takes and returns arrays"
  ) { _ in
    let encoder = Encoding(Coding.byHand.sealed(by: NoCipher(), subject: { _ in "a" }, forgotten: { _ in [] }))
    let sink = Sink()
    return { count in
      for value in 0..<count { sink.see(encoder.readAgain(value)) }
    }
  },
]

private struct NoCipher: SubjectCipher {
  func seal(_ bytes: [UInt8], of subject: String) -> [UInt8] { bytes }
  func open(_ sealed: [UInt8], of subject: String) -> [UInt8]? { sealed }
}

/// Keeps an encoder, which cannot be copied, and a decoder.
private final class Encoding {
  private var encoder: ValueEncoder<Int>
  private var decoder: ValueDecoder<Int>

  init(_ coding: Coding<Int>) {
    encoder = ValueEncoder(coding)
    decoder = ValueDecoder(coding)
  }

  func count(of value: Int) -> Int { (try? encoder.encode(value) { $1.count }) ?? 0 }

  func readAgain(_ value: Int) -> Int {
    var found = 0
    must { try encoder.encode(value) { type, bytes in must { try decoder.decode(bytes, of: type) { found = $0 } } } }
    return found
  }
}
