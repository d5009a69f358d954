import Aggregate
import Logging
import RASPServer
import ServiceLifecycle

struct Thermostat: AggregateState {
  var target = 20.0

  mutating func apply(_ target: Double) { self.target = target }
}

/// Sets the target of a thermostat, and then ends the service.
struct Client: Service {
  let thermostat: Aggregator<Thermostat>

  func run() async throws { thermostat.send(21) }
}

@main
struct Program {
  static func main() async throws {
    let logger = Logger(label: "thermostat")
    let thermostat = Aggregator(initial: Thermostat())
    let pipeline = PipelineService([PipelinePart(thermostat, as: "thermostat")], logger: logger)
    let client = ServiceGroupConfiguration.ServiceConfiguration(
      service: Client(thermostat: thermostat),
      successTerminationBehavior: .gracefullyShutdownGroup
    )
    let services = [ServiceGroupConfiguration.ServiceConfiguration(service: pipeline), client]
    try await ServiceGroup(configuration: ServiceGroupConfiguration(services: services, logger: logger)).run()
    print("the target is \(thermostat.snapshot.target)")
  }
}
