/// First in, first out. A flooder makes long lines, so removing from the front has constant cost.
struct WaitingLine<Element>: ExpressibleByArrayLiteral {
    private var elements: [Element?] = []
    private var first = 0

    init(arrayLiteral elements: Element...) {
        self.elements = elements
    }

    var isEmpty: Bool { first == elements.count }

    mutating func append(_ element: Element) {
        elements.append(element)
    }

    mutating func append(contentsOf more: [Element]) {
        for element in more { elements.append(element) }
    }

    /// Nil if it is empty.
    mutating func next() -> Element? {
        guard !isEmpty else { return nil }
        let element = elements[first]
        elements[first] = nil
        first += 1
        if 2 * first > elements.count {
            elements.removeFirst(first)
            first = 0
        }
        return element
    }
}
