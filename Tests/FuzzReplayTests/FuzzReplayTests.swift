import Foundation
import FuzzTargets
import TestKit
import Testing

@Suite("Inputs of fuzzing, again", .serialized)
struct FuzzReplayTests {
    /// Seconds of processor time that one input may take here, however busy the machine is; an
    /// optimised program is several times faster.
    private static let seconds = 5.0

    @Test("honest inputs hold in every target", arguments: FuzzTarget.all.map(\.name))
    func seeds(name: String) throws {
        let target = try #require(FuzzTarget.all.first { $0.name == name })
        try replay(try FuzzInputs.seeds(of: target), target)
    }

    @Test("what fuzzing came upon holds in every target", arguments: FuzzTarget.all.map(\.name))
    func corpus(name: String) throws {
        let target = try #require(FuzzTarget.all.first { $0.name == name })
        let inputs = try FuzzInputs.corpus(of: target)
        try #require(!inputs.isEmpty)
        try replay(inputs, target)
    }

    @Test("what failed once holds now, in every target", arguments: FuzzTarget.all.map(\.name))
    func failures(name: String) throws {
        let target = try #require(FuzzTarget.all.first { $0.name == name })
        try replay(try FuzzInputs.failures(of: target), target)
    }

    @Test("every kept input belongs to a target, and all of them are small")
    func places() throws {
        let names = Set(FuzzTarget.all.map(\.name))
        #expect(names.count == FuzzTarget.all.count)
        #expect(Set(try FuzzInputs.names(in: "Corpus")) == Set(names.map { $0 + ".txt" }))
        #expect(Set(try FuzzInputs.names(in: "Failures")).isSubset(of: names))
        let bytes = try FuzzTarget.all
            .flatMap { try FuzzInputs.corpus(of: $0) + FuzzInputs.failures(of: $0) }
            .reduce(0) { $0 + $1.bytes.count }
        #expect(bytes < 300_000)
    }

    private func replay(_ inputs: [FuzzInputs.Input], _ target: FuzzTarget) throws {
        for input in inputs {
            let taken = ProcessorTime.seconds {
                #expect(throws: Never.self, "\(target.name), \(input.name)") {
                    try target.check(input.bytes)
                }
            }
            #expect(taken < Self.seconds, "\(target.name), \(input.name)")
        }
    }
}
