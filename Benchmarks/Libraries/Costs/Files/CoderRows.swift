import CostRows
import RASPJournal

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
    should: 2_000,
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
    should: 2_000,
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
    should: 2_000,
    note: "the coder of the toolchain, beside the rows that use it"
  ) { _ in
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let sink = Sink()
    return { count in
      for value in 0..<count { sink.see((try? encoder.encode(Reading(key: 3, value: value)).count) ?? 0) }
    }
  },
  CostRow("jrn.encoder.byHand", "ValueEncoder with a coding by hand", should: 150) { _ in
    let encoder = Encoding(.byHand)
    let sink = Sink()
    return { count in
      for value in 0..<count { sink.see(encoder.count(of: value)) }
    }
  },
]

/// Keeps an encoder, which cannot be copied.
private final class Encoding {
  private var encoder: ValueEncoder<Int>

  init(_ coding: Coding<Int>) { encoder = ValueEncoder(coding) }

  func count(of value: Int) -> Int { (try? encoder.encode(value) { $1.count }) ?? 0 }
}
