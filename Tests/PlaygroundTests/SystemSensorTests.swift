import Testing

@testable import Playground

@Suite("The sensors of this machine")
struct SystemSensorTests {
  // MARK: Processor

  @Test("processor times add up to busy and idle, guests not counted twice")
  func processorTimes() {
    let times = ProcessorTimes(procStat: "cpu  100 10 50 800 40 3 2 5 90 9\ncpu0 1 2 3 4\nintr 5\n")
    #expect(times == ProcessorTimes(busy: 170, idle: 840))
    #expect(ProcessorTimes(procStat: "cpu 1 2 3 4") == ProcessorTimes(busy: 6, idle: 4))
  }

  @Test(
    "what is no line of processor times is nothing",
    arguments: ["", "\n", "intr 1 2 3 4", "cpu", "cpu 1 2 x"]
  )
  func noProcessorTimes(text: String) {
    #expect(ProcessorTimes(procStat: text) == nil)
  }

  @Test("the load is the busy share of the time since the last reading")
  func processorLoad() {
    let earlier = ProcessorTimes(busy: 100, idle: 100)
    #expect(ProcessorTimes(busy: 125, idle: 175).load(since: earlier) == 0.25)
    #expect(earlier.load(since: earlier) == nil)
    #expect(ProcessorTimes(busy: 110, idle: 90).load(since: earlier) == 1)
    let greatest = "cpu " + String(repeating: "18446744073709551615 ", count: 8)
    #expect(ProcessorTimes(procStat: greatest)?.load(since: earlier) != nil)
  }

  // MARK: Memory

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

  // MARK: This machine

  @Test("reading whatever this machine has does no harm")
  func thisMachine() {
    _ = (ProcessorTimes.read(), Memory.read(), NetworkCounters.read(), Temperature.read())
    #expect(SystemFile.text("/nowhere/at/all") == nil)
    #expect(SystemFile.text("/") == nil)
    #expect(SystemFile.paths(matching: "/nowhere/*/temp").isEmpty)
  }

  // MARK: State

  @Test("readings of all sensors make one state")
  func fold() {
    let start: Duration = .seconds(7)
    let events: [SystemEvent] = [
      .processor(ProcessorTimes(busy: 0, idle: 0)), .processor(ProcessorTimes(busy: 1, idle: 3)),
      .processor(ProcessorTimes(busy: 1, idle: 3)),
      .memory(Memory(used: 1, total: 2)),
      .network(NetworkCounters(received: 0, sent: 0), at: start),
      .network(NetworkCounters(received: 10, sent: 20), at: start + .seconds(2)),
      .temperature(Temperature(sensor: "core", celsius: 40)),
    ]
    let state = events.reduce(into: SystemState()) { $0.apply($1) }
    #expect(state.processor == 0.25)
    #expect(state.memory?.fraction == 0.5)
    #expect(state.network == NetworkTraffic(received: 5, sent: 10))
    #expect(state.temperature?.celsius == 40)
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
