import Aggregate

/// What one reading of one sensor says.
enum SystemEvent: Codable, Sendable {
  case processor(ProcessorTimes)
  case memory(Memory)
  case network(NetworkCounters, at: Duration)
  case temperature(Temperature)
  /// The run goes on after a pause: what sensors count may begin anew.
  case resumed
  /// The time is up, or the user has seen enough.
  case end
}

extension SystemEvent {
  /// The names of the sensors, in the order in which they are shown.
  static let sourceNames = ["processor", "memory", "network", "temperature"]
}

/// What this machine is doing. Where a sensor counts from the start of the machine, the state remembers its
/// last reading, and shows the difference.
struct SystemState: AggregateState, Codable {
  /// How busy the processors are, from 0 to 1.
  private(set) var processor: Double?
  private(set) var memory: Memory?
  private(set) var network: NetworkTraffic?
  private(set) var temperature: Temperature?
  private(set) var hasEnded = false

  private var processorTimes: ProcessorTimes?
  private var networkReading: NetworkReading?

  private struct NetworkReading: Codable {
    let counters: NetworkCounters
    let instant: Duration
  }

  mutating func apply(_ event: SystemEvent) {
    switch event {
    case .processor(let times):
      if let earlier = processorTimes { processor = times.load(since: earlier) ?? processor }
      processorTimes = times
    case .memory(let memory): self.memory = memory
    case .network(let counters, let instant):
      if let earlier = networkReading {
        network = counters.traffic(since: earlier.counters, over: instant - earlier.instant) ?? network
      }
      networkReading = NetworkReading(counters: counters, instant: instant)
    case .temperature(let temperature): self.temperature = temperature
    case .resumed: (hasEnded, processorTimes, networkReading) = (false, nil, nil)
    case .end: hasEnded = true
    }
  }
}
