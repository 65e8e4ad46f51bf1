import Node
import SyncCore

/// One connection; `ends[0]` dialled. What one end says arrives at the other in its order, or not at
/// all.
struct Link {
    enum Arrival {
        case message([UInt8])
        case chunk(request: UInt32, index: UInt32, bytes: [UInt8])
        case ending
    }

    struct End {
        let replica: Int
        /// Which start of the replica it belongs to.
        let boot: Int
        /// The number under which the engine knows it, once the other side said hello.
        var number: UInt64?
        /// In order; each has its own happening.
        var arriving: WaitingLine<Arrival> = []
        var lastArrival: UInt64 = 0
        /// Nothing arrives any more, and nobody is told.
        var isDeaf = false
        /// This end is over.
        var isClosed = false
    }

    let purpose: Hello.Purpose
    /// What the one who dialled wanted to reach, and when it got through; nil beside a session.
    var call: (target: DialPlan.Target, at: UInt64)?
    /// Who dialled has others enough.
    var isLetGo = false
    var ends: [End]
}

/// What the network does to everybody.
struct NetworkState {
    /// Pairs that cannot reach each other, the smaller replica first.
    var blocked: Set<Pair> = []
    var slow: [Pair: UInt64] = [:]
    /// Replicas of which nothing arrives.
    var silent: Set<Int> = []

    struct Pair: Hashable {
        let low: Int
        let high: Int

        init(_ one: Int, _ other: Int) {
            low = min(one, other)
            high = max(one, other)
        }
    }
}
