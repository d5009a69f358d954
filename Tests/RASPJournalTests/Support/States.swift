import Aggregate
import RASPJournal
import TestSupport

/// What a boat's sensors tell, as a `Codable` type.
enum BoatEvent: Codable, Hashable, Sendable {
  case heading(Double)
  case position(latitude: Double, longitude: Double)
  case crew([String: Int], aboard: Set<String>)
  case silence
}

struct BoatState: AggregateState, Codable, Equatable {
  var heading: Double?
  var latitude: Double?
  var crew: [String: Int] = [:]
  var aboard: Set<String> = []
  var events = 0

  mutating func apply(_ event: BoatEvent) {
    events += 1
    switch event {
    case .heading(let heading): self.heading = heading
    case .position(let latitude, _): self.latitude = latitude
    case .crew(let crew, let aboard):
      self.crew = crew
      self.aboard = aboard
    case .silence: break
    }
  }
}

/// A state and its events as bytes by hand.
struct Total: AggregateState, Equatable {
  var sum: Int64 = 0
  var words: [String] = []

  mutating func apply(_ event: TotalEvent) {
    switch event {
    case .add(let number): sum &+= number
    case .word(let word): words.append(word)
    }
  }
}

enum TotalEvent: Hashable, Sendable {
  case add(Int64)
  case word(String)
}

extension Coding<TotalEvent> {
  static var byHand: Coding {
    Coding(version: 1) { event, bytes in
      switch event {
      case .add(let number):
        bytes.append(UInt8(0))
        bytes.append(number)
      case .word(let word):
        bytes.append(UInt8(1))
        bytes.append(word)
      }
    } decode: { bytes in
      switch try bytes.readByte() {
      case 0: .add(try bytes.read(Int64.self))
      case 1: .word(try bytes.readString())
      case let other: throw TestError(code: Int(other))
      }
    }
  }
}

extension Coding<Total> {
  static var byHand: Coding {
    Coding(version: 1) { state, bytes in
      bytes.append(state.sum)
      bytes.appendVarint(UInt64(state.words.count))
      for word in state.words { bytes.append(word) }
    } decode: { bytes in
      var state = Total(sum: try bytes.read(Int64.self))
      for _ in 0..<(try bytes.readVarint()) { state.words.append(try bytes.readString()) }
      return state
    }
  }
}

extension RecordingCoding<Total> {
  static var byHand: RecordingCoding { RecordingCoding(states: .byHand, events: .byHand) }
}
