import Aggregate

/// What one reading of one sensor says.
enum SystemEvent: Codable, Sendable {
  case processor(ProcessorReading)
  case memory(Memory)
  case load(LoadAverage)
  case network(NetworkCounters, at: Duration)
  case temperature([Temperature])
  case processes([BusyProcess])
  /// The run goes on after a pause: what sensors count may begin anew.
  case resumed
  /// The time is up, or the user has seen enough.
  case end
}

extension SystemEvent {
  /// The name under which the summary counts events of this kind.
  var name: String {
    switch self {
    case .processor: "processor"
    case .memory: "memory"
    case .load: "load"
    case .network: "network"
    case .temperature: "temperature"
    case .processes: "processes"
    case .resumed: "resumed"
    case .end: "end"
    }
  }

  /// The names of the sensors, in the order in which they are shown.
  static let sourceNames = ["processor", "memory", "load", "network", "temperature", "processes"]
}

/// What this machine is doing. Where a sensor counts from the start of the machine, the state remembers its
/// last reading, and shows the difference.
struct SystemState: AggregateState, Codable {
  private(set) var processor: ProcessorLoad?
  private(set) var memory: Memory?
  private(set) var load: LoadAverage?
  private(set) var network: NetworkTraffic?
  private(set) var temperatures: [Temperature] = []
  /// The busiest first.
  private(set) var processes: [BusyProcess] = []
  private(set) var hasEnded = false

  private var processorReading: ProcessorReading?
  private var networkReading: NetworkReading?

  private struct NetworkReading: Codable {
    let counters: NetworkCounters
    let instant: Duration
  }

  mutating func apply(_ event: SystemEvent) {
    switch event {
    case .processor(let reading):
      if let earlier = processorReading { processor = reading.load(since: earlier) ?? processor }
      processorReading = reading
    case .memory(let memory):
      self.memory = memory
    case .load(let load):
      self.load = load
    case .network(let counters, let instant):
      if let earlier = networkReading {
        network = counters.traffic(since: earlier.counters, over: instant - earlier.instant) ?? network
      }
      networkReading = NetworkReading(counters: counters, instant: instant)
    case .temperature(let temperatures):
      self.temperatures = temperatures
    case .processes(let processes):
      self.processes = processes
    case .resumed:
      hasEnded = false
      processorReading = nil
      networkReading = nil
    case .end:
      hasEnded = true
    }
  }
}
