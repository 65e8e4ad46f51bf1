import Crypto
import SyncCore
import Testing

@Suite struct WatermarkTests {
    private let one = TestDevice(1, person: 1)
    private let two = TestDevice(2, person: 2)

    private func head(_ sequence: UInt64) -> LogHead {
        LogHead(sequence: sequence, commit: CommitID(number: sequence))
    }

    @Test("Advancing moves forward and never backward")
    func advance() {
        var mark = Watermark()
        mark.advance(one.log, to: head(3))
        mark.advance(one.log, to: head(2))
        #expect(mark.sequence(of: one.log) == 3)
        mark.advance(one.log, to: LogHead(sequence: 3, commit: .zero))
        #expect(mark.heads[one.log] == head(3))
        mark.advance(one.log, to: head(4))
        #expect(mark.sequence(of: one.log) == 4)
    }

    @Test("Only a cut moves backward")
    func cut() {
        var mark = Watermark([one.log: head(3)])
        mark.cut(one.log, to: head(1))
        #expect(mark.sequence(of: one.log) == 1)
        mark.cut(one.log, to: nil)
        #expect(mark.isEmpty)
    }

    @Test("A watermark covers another when it knows every log at least as far")
    func covers() {
        let mine = Watermark([one.log: head(3), two.log: head(1)])
        #expect(mine.covers(Watermark()))
        #expect(mine.covers(mine))
        #expect(mine.covers(Watermark([one.log: head(3)])))
        #expect(!mine.covers(Watermark([two.log: head(2)])))
        #expect(!Watermark().covers(mine))
        #expect(mine.covers(one.log, 3))
        #expect(!mine.covers(one.log, 4))
        // Another incarnation is another log.
        #expect(!mine.covers(one.restored(9), 1))
    }

    @Test("Merging takes the further of both for every log")
    func merge() {
        var mine = Watermark([one.log: head(3), two.log: head(1)])
        mine.merge(Watermark([one.log: head(2), two.log: head(5)]))
        #expect(mine == Watermark([one.log: head(3), two.log: head(5)]))
    }

    @Test("Of two positions for one log the higher counts")
    func positions() {
        let mark = Watermark([
            LogPosition(log: one.log, head: head(5)), LogPosition(log: one.log, head: head(2)),
        ])
        #expect(mark.sequence(of: one.log) == 5)
    }

    @Test("Counting leaves out what is known and what a device wrote itself")
    func count() {
        let mine = Watermark([one.log: head(10), two.log: head(4)])
        #expect(mine.count(beyond: Watermark()) == 14)
        #expect(mine.count(beyond: Watermark([one.log: head(7)])) == 7)
        #expect(mine.count(beyond: Watermark([one.log: head(70)])) == 4)
        #expect(mine.count(beyond: Watermark(), exceptOf: two.id) == 10)
    }

    @Test("The digest is the labelled hash of the sorted positions in fixed width")
    func digest() {
        // Built from the description alone, with the hash function itself.
        let logs = [one.log, two.log].sorted {
            ($0.device.bytes + $0.incarnation.bytes)
                .lexicographicallyPrecedes($1.device.bytes + $1.incarnation.bytes)
        }
        var message = Array("peersync space digest v1".utf8) + [0]
        var mark = Watermark()
        for (index, log) in logs.enumerated() {
            let sequence = UInt64(index + 1) * 0x0102
            mark.advance(log, to: head(sequence))
            message += log.device.bytes + log.incarnation.bytes
            message += [0, 0, 0, 0, 0, 0, UInt8(sequence >> 8), UInt8(sequence & 255)]
            message += Array(SHA256.hash(data: bigEndian(sequence)))
        }
        #expect(mark.digest().bytes == Array(SHA256.hash(data: message)))
    }

    @Test("The digest of nothing is the value that sha256sum gives for the label and a zero byte")
    func emptyDigest() {
        // printf 'peersync space digest v1\0' | sha256sum
        #expect(
            hexadecimal(Watermark().digest().bytes)
                == "c035ca66a3e58ddf2268e6f0a7034d5502a3f7e6685472cd111b7f88db0c719a")
    }
}
