import Node
import SyncCore

/// One connection; `ends[0]` dialled. Messages of one end arrive at the other in order, or not at
/// all.
struct Link {
    enum Arrival {
        case message([UInt8])
        case chunk(request: UInt32, index: UInt32, bytes: [UInt8])
        case ending
    }

    struct End {
        let replica: Int
        /// The start of the replica that it belongs to.
        let boot: Int
        /// The engine's number for it, once the other side said hello.
        var number: UInt64?
        /// In order; each has its own event.
        var arriving: WaitingLine<Arrival> = []
        var lastArrival: UInt64 = 0
        /// Nothing arrives any more, and neither side is told.
        var isDeaf = false
        /// This end is closed.
        var isClosed = false
    }

    let purpose: Hello.Purpose
    /// The dialler's target, and when it connected; nil for a connection beside a session.
    var call: (target: DialPlan.Target, at: UInt64)?
    /// The dialling side has enough other sessions.
    var isLetGo = false
    var ends: [End]
}

/// The state of the network, for all replicas.
struct NetworkState {
    /// Pairs that cannot reach each other, the smaller replica first.
    var blocked: Set<Pair> = []
    var slow: [Pair: UInt64] = [:]
    /// Replicas of which nothing arrives.
    var silent: Set<Int> = []

    /// Whether nothing of a replica arrives; `withAll`: one silent replica silences all of them.
    func silences(_ replica: Int, withAll: Bool) -> Bool {
        withAll ? !silent.isEmpty : silent.contains(replica)
    }

    struct Pair: Hashable {
        let low: Int
        let high: Int

        init(_ one: Int, _ other: Int) {
            low = min(one, other)
            high = max(one, other)
        }
    }
}
