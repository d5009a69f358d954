import Foundation

/// What users of the package see, held from outside: random programs with public imports only, and a table with what
/// they have said. **A hash changes only in a commit that says which promise has changed.**
///
///     Outside check [N] < Hashes.txt      compares one line in N with the table; fails with what differs
///     Outside write > Hashes.txt          makes the table anew
///     Outside seeds KIND FIRST END        a hash for each seed, to find the one that differs beside an earlier build
///     Outside show KIND SEED              what a program says, to compare it with what it said before
@main
enum Outside {
  static func main() async {
    let arguments = Array(CommandLine.arguments.dropFirst())
    let kind = arguments.dropFirst().first.flatMap { name in Kind.all.first { $0.name == name } }
    let numbers = arguments.dropFirst().compactMap { Int($0) }
    switch (arguments.first, kind, numbers.count) {
    case ("check", nil, 0...1): await check(each: max(1, numbers.first ?? 1))
    case ("write", nil, 0): await write()
    case ("seeds", let kind?, 2):
      for seed in numbers[0]..<max(numbers[0], numbers[1]) {
        print(seed, Hashes.text(await kind.transcript(of: seed).hash))
      }
    case ("show", let kind?, 1):
      for line in await kind.transcript(of: numbers[0]).lines { print(line) }
    default:
      print("Outside check [N] | write | seeds KIND FIRST END | show KIND SEED; kinds:", Kind.all.map(\.name))
      exit(2)
    }
  }

  private static func check(each stride: Int) async {
    var table: [String] = []
    while let line = readLine() { table.append(line) }
    if await !Hashes.areEqual(to: table, each: stride) { exit(1) }
  }

  private static func write() async {
    print(Hashes.head)
    for line in 0..<Hashes.lineCount { print(Hashes.row(line, await Hashes.columns(ofLine: line))) }
  }
}
