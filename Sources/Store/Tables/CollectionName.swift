/// The name of a collection as the database compares it: by its bytes. Swift's own `==` equates different ones.
struct CollectionName: Hashable, Sendable {
    let text: String

    init(_ text: String) { self.text = text }

    static func == (left: CollectionName, right: CollectionName) -> Bool {
        left.text.utf8.elementsEqual(right.text.utf8)
    }
}
