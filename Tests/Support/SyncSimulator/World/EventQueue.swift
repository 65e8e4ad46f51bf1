/// Future events, by virtual time; of two at one time the one added first comes first.
struct EventQueue<Event> {
    private struct Entry {
        let time: UInt64
        let order: UInt64
        let event: Event

        static func precedes(_ left: Entry, _ right: Entry) -> Bool {
            (left.time, left.order) < (right.time, right.order)
        }
    }

    private var heap: [Entry] = []
    private var order: UInt64 = 0

    var nextTime: UInt64? { heap.first?.time }

    mutating func add(_ event: Event, at time: UInt64) {
        order += 1
        heap.append(Entry(time: time, order: order, event: event))
        var child = heap.count - 1
        while child > 0 {
            let parent = (child - 1) / 2
            guard Entry.precedes(heap[child], heap[parent]) else { break }
            heap.swapAt(child, parent)
            child = parent
        }
    }

    mutating func next() -> (time: UInt64, event: Event)? {
        guard let first = heap.first else { return nil }
        heap.swapAt(0, heap.count - 1)
        heap.removeLast()
        var parent = 0
        while true {
            let left = 2 * parent + 1
            guard left < heap.count else { break }
            let right = left + 1
            let isRight = right < heap.count && Entry.precedes(heap[right], heap[left])
            let child = isRight ? right : left
            guard Entry.precedes(heap[child], heap[parent]) else { break }
            heap.swapAt(child, parent)
            parent = child
        }
        return (first.time, first.event)
    }
}
