import FleetProcesses
import Testing

@testable import RASPFleet

struct FleetPictureTests {
  private let picture = FleetPicture(
    title: "200 sensors",
    partitions: 4,
    rows: [
      FleetPicture.Row(name: "owner-1", pid: 17, partitions: [0, 3], rate: 900, lag: 2, hottest: "boiler-7 81.5"),
      FleetPicture.Row(name: "owner-2", pid: 4242, partitions: [1], rate: 300, lag: 0, hottest: ""),
    ],
    takeover: .milliseconds(5_230)
  )

  @Test("the table tells who owns what, and what nobody owns")
  func table() {
    #expect(
      picture.table.map { $0.reversed().drop { $0 == " " }.reversed() }.map { String($0) } == [
        "200 sensors",
        "",
        "owner     pid    partitions   readings/s   lag   hottest",
        "owner-1   17     0 3          900          2     boiler-7 81.5",
        "owner-2   4242   1            300          0",
        "",
        "1200 readings/s, lag 2",
        "Partitions without an owner: 2",
        "The last takeover took 5.2 s.",
        "",
        "k kills an owner   n starts one   q quits",
      ]
    )
  }

  @Test("the line tells the same")
  func line() {
    #expect(picture.line == "1200 readings/s, lag 2; owner-1 owns 0 3; owner-2 owns 1; without an owner: 2")
  }

  @Test("what an owner tells is read as it was written")
  func status() throws {
    var status = OwnerStatus()
    #expect(jsonValue(of: jsonLine(of: status)) == status)
    status.offsets = [0: 12, 7: 0]
    status.folded = 40
    status.hottest = "boiler-7 81.5"
    #expect(jsonValue(of: jsonLine(of: status)) == status)
    #expect(jsonValue(of: "live 3", as: OwnerStatus.self) == nil)
  }

  @Test("options are read, and mistakes are named")
  func options() throws {
    let options = try FleetOptions.parse(["--sensors", "10", "--by", "append", "--seconds", "3"])
    #expect(options.sensors == 10)
    #expect(options.way == .append)
    #expect(options.seconds == 3)
    #expect(try FleetOptions.parse([]).way == .mqtt)
    #expect(try FleetOptions.parse(["--servers", "nats://a:1"]).way == .append)
    #expect(throws: (any Error).self) { try FleetOptions.parse(["--by", "post"]) }
    #expect(throws: (any Error).self) { try FleetCommand.parse(["--by", "mqtt", "--servers", "nats://a:1"]) }
  }
}
