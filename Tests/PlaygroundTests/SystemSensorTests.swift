import Testing

@testable import Playground

@Suite("The sensors of this machine")
struct SystemSensorTests {
  // MARK: Processor

  @Test("processor times add up to busy and idle, guests not counted twice")
  func processorTimes() {
    let times = ProcessorReading(procStat: "cpu  100 10 50 800 40 3 2 5 90 9\ncpu0 1 2 3 4\nintr 5\n")
    #expect(times?.total == ProcessorTimes(busy: 170, idle: 840))
    #expect(times?.each == [ProcessorTimes(busy: 6, idle: 4)])
    #expect(ProcessorReading(procStat: "cpu 1 2 3 4") == ProcessorReading(total: ProcessorTimes(busy: 6, idle: 4)))
  }

  @Test(
    "what is no line of processor times is nothing",
    arguments: ["", "\n", "intr 1 2 3 4", "cpu", "cpu 1 2 x"]
  )
  func noProcessorTimes(text: String) {
    #expect(ProcessorReading(procStat: text) == nil)
  }

  @Test("the load is the busy share of the time since the last reading")
  func processorLoad() {
    let earlier = ProcessorTimes(busy: 100, idle: 100)
    #expect(ProcessorTimes(busy: 125, idle: 175).load(since: earlier) == 0.25)
    #expect(earlier.load(since: earlier) == nil)
    #expect(ProcessorTimes(busy: 110, idle: 90).load(since: earlier) == 1)
    let greatest = "cpu " + String(repeating: "18446744073709551615 ", count: 8)
    #expect(ProcessorTimes(line: greatest)?.load(since: earlier) != nil)
  }

  // MARK: Memory and load average

  @Test("memory is the total without what is available")
  func memory() {
    let text = "MemTotal:  1000 kB\nMemFree:  100 kB\nMemAvailable:   600 kB\nHugePages_Total:   0\n"
    #expect(Memory(procMeminfo: text) == Memory(used: 400 * 1024, total: 1000 * 1024))
    #expect(Memory(procMeminfo: "MemTotal: 10 kB\nMemFree: 1 kB")?.used == 9 * 1024)
  }

  @Test(
    "what is no memory is nothing, and absurd amounts do no harm",
    arguments: [
      "", "MemTotal: 1 kB", "MemFree: 1 kB", "MemTotal: 18446744073709551615 kB\nMemFree: 1 kB", "::::",
    ]
  )
  func noMemory(text: String) {
    #expect(Memory(procMeminfo: text) == nil)
  }

  @Test("the load average is three numbers")
  func loadAverage() {
    let load = LoadAverage(one: 0.02, five: 1.5, fifteen: 12)
    #expect(LoadAverage(procLoadavg: "0.02 1.5 12 2/81 2805\n") == load)
    for text in ["", "1 2", "1 2 nan", "1 2 x", "-1 2 3"] { #expect(LoadAverage(procLoadavg: text) == nil) }
  }

  // MARK: Network

  @Test("network counters are summed over all interfaces but the loopback")
  func network() {
    let text = """
      Inter-|   Receive                                                |  Transmit
       face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets errs drop
          lo:    9999      29    0    0    0     0          0         0     9999      29    0    0
        eth0:    5903      41    0    0    0     0          0         0     5713      61    0    0
       wlan0:100 1 0 0 0 0 0 0 200 1 0 0
      """
    #expect(NetworkCounters(procNetDev: text) == NetworkCounters(received: 6003, sent: 5913))
  }

  @Test(
    "a machine with nothing but a loopback has no network",
    arguments: ["", "lo: 1 2 3 4 5 6 7 8 9", "eth0: 1", ":"]
  )
  func noNetwork(text: String) {
    #expect(NetworkCounters(procNetDev: text) == nil)
  }

  @Test("traffic is the difference of the counters over time, and never negative")
  func traffic() {
    let earlier = NetworkCounters(received: 1000, sent: 1000)
    let later = NetworkCounters(received: 3000, sent: 500)
    #expect(later.traffic(since: earlier, over: .seconds(2)) == NetworkTraffic(received: 1000, sent: 0))
    #expect(later.traffic(since: earlier, over: .zero) == nil)
  }

  // MARK: Temperature

  @Test("a temperature is given in thousandths of a degree")
  func temperature() {
    #expect(Temperature(sensor: "core", thousandths: "48500\n")?.celsius == 48.5)
    for text in ["", "x", "999999999999999999999999", "-274000", "250000"] {
      #expect(Temperature(sensor: "core", thousandths: text) == nil)
    }
  }

  @Test("sensors of one name are told apart")
  func sameName() {
    let temperatures = ["core", "board", "core"].map { Temperature(sensor: $0, celsius: 1) }
    #expect(Temperature.unique(temperatures).map(\.sensor) == ["core", "board", "core 2"])
  }

  @Test("each processor has a load of its own, as long as there are as many")
  func eachProcessor() {
    func reading(_ each: (UInt64, UInt64)...) -> ProcessorReading {
      let each = each.map { ProcessorTimes(busy: $0.0, idle: $0.1) }
      let total = ProcessorTimes(busy: each.map(\.busy).reduce(0, +), idle: each.map(\.idle).reduce(0, +))
      return ProcessorReading(total: total, each: each)
    }
    let load = reading((10, 0), (0, 10)).load(since: reading((0, 0), (0, 0)))
    #expect(load == ProcessorLoad(total: 0.5, each: [1, 0]))
    #expect(reading((10, 0), (0, 10)).load(since: reading((0, 0)))?.each == [])
    #expect(reading((1, 1)).load(since: reading((1, 1))) == nil)
  }

  @Test("a line about a process is read, whatever its name is")
  func processTimes() {
    let rest = "S 1 2 3 4 5 6 7 8 9 10 7 3 0 0 20"
    #expect(ProcessTimes(procStat: "42 (a) b) (c) \(rest)") == ProcessTimes(id: 42, name: "a) b) (c", ticks: 10))
    for text in [
      "", "42", "42 (a", "42 a) S", "x (a) \(rest)", "42 (a) S 1 2 3", ")(", "42 (a) S 1 2 3 4 5 6 7 8 9 10 x y",
    ] {
      #expect(ProcessTimes(procStat: text) == nil)
    }
  }

  @Test("the busiest processes since the last reading are found")
  func busiest() {
    let meter = ProcessMeter()
    func read(_ ticks: [UInt64], at seconds: Int) -> [BusyProcess]? {
      let processes = ticks.enumerated().map { ProcessTimes(id: $0, name: "p\($0)", ticks: $1) }
      return meter.busiest(of: processes, at: .seconds(seconds), ticksPerSecond: 100)
    }
    #expect(read([0, 0, 0, 0], at: 1) == nil)
    #expect(
      read([10, 200, 0, 50], at: 2) == [
        BusyProcess(name: "p1", share: 2), BusyProcess(name: "p3", share: 0.5), BusyProcess(name: "p0", share: 0.1),
      ]
    )
    #expect(read([10, 100, 0, 50, 900], at: 3) == [])
    #expect(read([], at: 4) == nil)
  }

  // MARK: This machine

  @Test("reading whatever this machine has does no harm")
  func thisMachine() {
    _ = (
      ProcessorReading.read(), ProcessTimes.readAll(), Memory.read(), LoadAverage.read(), NetworkCounters.read(),
      Temperature.readAll()
    )
    #expect(SystemFile.text("/nowhere/at/all") == nil)
    #expect(SystemFile.text("/") == nil)
    #expect(SystemFile.paths(matching: "/nowhere/*/temp").isEmpty)
  }

  // MARK: State

  @Test("readings of all sensors make one state")
  func fold() {
    let start: Duration = .seconds(7)
    let events: [SystemEvent] = [
      .processor(ProcessorReading(total: ProcessorTimes(busy: 0, idle: 0))),
      .processor(ProcessorReading(total: ProcessorTimes(busy: 1, idle: 3))),
      .processor(ProcessorReading(total: ProcessorTimes(busy: 1, idle: 3))),
      .memory(Memory(used: 1, total: 2)),
      .load(LoadAverage(one: 1, five: 2, fifteen: 3)),
      .network(NetworkCounters(received: 0, sent: 0), at: start),
      .network(NetworkCounters(received: 10, sent: 20), at: start + .seconds(2)),
      .temperature([Temperature(sensor: "core", celsius: 40)]),
    ]
    let state = events.reduce(into: SystemState()) { $0.apply($1) }
    #expect(state.processor?.total == 0.25)
    #expect(state.memory?.fraction == 0.5)
    #expect(state.load?.five == 2)
    #expect(state.network == NetworkTraffic(received: 5, sent: 10))
    #expect(state.temperatures.count == 1)
    #expect(!state.hasEnded)
    #expect(Memory(used: 0, total: 0).fraction == 0)
  }

  @Test("events are counted by the name of their sensor")
  func tally() {
    var tally = Tally(["memory", "load"])
    for name in ["load", "network", "load"] { tally.count(name) }
    #expect(tally.json.text == #"{"memory":0,"load":2,"network":1}"#)
    #expect(tally.text == "memory 0, load 2, network 1")
    #expect(tally.total == 3)
  }
}
