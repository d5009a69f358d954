import Benchmark
import Foundation
import Shapes

/// Every shape of the table by itself, with the benchmark library's statistics. One that has not done its work makes
/// the command fail.
let benchmarks: @Sendable () -> Void = {
  for shape in Shape.all {
    // The library scales by powers of a thousand; slow shapes are measured a thousand events at a time.
    let scale: BenchmarkScalingFactor = shape.events < 20_000 ? .kilo : .mega
    Benchmark(
      shape.name,
      configuration: .init(
        metrics: [.wallClock, .cpuTotal],
        warmupIterations: 1,
        scalingFactor: scale,
        maxDuration: .seconds(1),
        maxIterations: 1_000
      )
    ) { benchmark in
      do {
        let run = try await shape.prepare(scale.rawValue)
        benchmark.startMeasurement()
        try await run.work()
        benchmark.stopMeasurement()
        try await run.check()
      } catch {
        // The library names it, but calls it a success. The process, which is this shape's alone, is a failure.
        benchmark.error("\(shape.name): \(error)")
        atexit { _exit(EXIT_FAILURE) }
      }
    }
  }
}
