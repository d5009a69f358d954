import Aggregate
import RASPObservation
import TestSupport
import Testing

/// States that change at random, with some of their fields tracked.
struct RandomFieldsTests {
  @Test("OBS-09: of the fields that are tracked exactly those notify that differ, in random programs")
  func randomPrograms() {
    for seed in 0..<UInt64(rounds(20_000)) {
      var random = SplitMix(seed: seed)
      let form = Observed(Aggregator(initial: DeskState()))
      for _ in 0..<10 {
        let before = form[\.self]
        let tracked = reads.map { _ in Bool.random(using: &random) }
        let counters = zip(reads, tracked).map { read, isTracked in
          changes { if isTracked { _ = read.value(form) } }
        }
        form.send(event(&random))
        let after = form[\.self]
        for (index, read) in reads.enumerated() {
          let expected = tracked[index] && read.text(before) != read.text(after) ? 1 : 0
          #expect(counters[index].value == expected, "seed \(seed), \(read.name)")
        }
      }
    }
  }

  private struct Read {
    let name: String
    let value: (Observed<DeskState>) -> Any
    let text: (DeskState) -> String
  }

  private let reads = [
    Read(name: "isOpen", value: { $0.isOpen }, text: { "\($0.isOpen)" }),
    Read(name: "isClosed", value: { $0.isClosed }, text: { "\($0.isClosed)" }),
    Read(name: "name", value: { $0.name }, text: { $0.name }),
    Read(name: "address", value: { $0.address }, text: { "\($0.address)" }),
    Read(name: "street", value: { $0[\.address.street] }, text: { $0.address.street }),
    Read(name: "number", value: { $0[\.address.number] }, text: { "\($0.address.number)" }),
    Read(name: "reading", value: { $0.reading }, text: { "\($0.reading)" }),
    Read(name: "opaque", value: { $0.opaque }, text: { "\($0.opaque)" }),
    Read(name: "wind", value: { $0.wind }, text: { "\($0.wind)" }),
    Read(name: "initial", value: { $0.initial as Any }, text: { "\(String(describing: $0.initial))" }),
    Read(name: "letter", value: { $0[\.[letter: 2]] as Any }, text: { "\(String(describing: $0[letter: 2]))" }),
  ]

  private func event(_ random: inout SplitMix) -> DeskState.Event {
    switch Int.random(in: 0..<7, using: &random) {
    case 0:
      .rename(["", "Kim", "Kay", "a name that is too long for sixteen bytes"].randomElement(using: &random) ?? "")
    case 1: .open(.random(using: &random))
    case 2: .close(.random(using: &random))
    case 3: .move(street: Bool.random(using: &random) ? "High Street" : "", number: .random(in: 0..<2, using: &random))
    case 4: .measure([0, 1, .nan].randomElement(using: &random) ?? 0)
    case 5: .blow(Double(Int.random(in: 0..<3, using: &random)))
    default: .mark(.random(in: 0..<2, using: &random))
    }
  }
}
