package import LocalAPI
package import SyncCore

/// Checks a person's input before anything is written.
package enum InputCheck {
    package static let badPosition = APIError(
        code: .badInput, sentence: "There is no such place on Earth.",
        hint: "Latitude goes from -90 to 90, longitude from -180 to 180: --position -33.9,151.2")

    package static let badTime = APIError(
        code: .badInput, sentence: "There is no such time.",
        hint: "For example: --at 2008-10-22T16:28+02:00")

    /// Input that may be refused.
    package enum Input: Sendable {
        case tripName, spaceName, title, text, locationName, weather, tag, category, bucketItem

        /// As a sentence begins.
        fileprivate var noun: String {
            switch self {
            case .tripName: tr("The name of the trip")
            case .spaceName: tr("The name of the space")
            case .title: tr("The title")
            case .text: tr("The text")
            case .locationName: tr("The name of the place")
            case .weather: tr("The weather")
            case .tag: tr("The tag")
            case .category: tr("The category")
            case .bucketItem: tr("The item for the bucket list")
            }
        }
    }

    /// A name or title on one line: trimmed, not empty, without invisible characters.
    package static func name(_ text: String, _ what: Input) throws(APIError) -> String {
        let name = try line(text, what)
        guard !name.isEmpty else { throw emptyInput(what) }
        return name
    }

    /// As ``name(_:_:)``; may be empty.
    package static func line(_ text: String, _ what: Input) throws(APIError) -> String {
        let trimmed = trim(text)
        guard trimmed.utf8.count <= Limits.nameBytes else {
            throw inputTooLong(what, limit: Limits.nameBytes)
        }
        guard ShownText.isClean(trimmed) else {
            throw APIError(
                code: .badInput,
                sentence: "\(what.noun) has characters in it that cannot be shown.",
                hint: "Type it on one line, without control characters.")
        }
        return trimmed
    }

    /// A text of several lines, unchanged.
    package static func text(_ text: String) throws(APIError) -> String {
        guard text.utf8.count <= Limits.memoryTextBytes else {
            throw inputTooLong(.text, limit: Limits.memoryTextBytes)
        }
        return text
    }

    /// A position on earth with plausible extents. Throws ``APIError``.
    package static func position(_ position: Position) throws(APIError) -> PositionValue {
        try coordinates(position.latitude, position.longitude)
        guard position.radius.map({ $0.isFinite && $0 >= 0 }) ?? true,
            position.altitude.map({ $0.isFinite }) ?? true
        else { throw badPosition }
        return position.value
    }

    /// A time and an offset that views can show. Throws ``APIError``.
    package static func moment(_ moment: Moment) throws(APIError) -> TimeValue {
        guard Moment.range.contains(moment.milliseconds),
            moment.offsetMinutes.map({ Moment.offsetRange.contains($0) }) ?? true
        else { throw badTime }
        return moment.value
    }

    package static func near(_ near: MemoryFilter.Near) throws(APIError) {
        try coordinates(near.latitude, near.longitude)
        guard near.radius.isFinite, near.radius > 0 else {
            throw APIError(
                code: .badInput, sentence: "The distance must be more than nothing.",
                hint: "Give it in metres or kilometres, for example --near 43.46,11.88,5km")
        }
    }

    package static func tags(_ names: [String]) throws(APIError) -> [String] {
        guard names.count <= Limits.tagsAtOnce else {
            throw APIError(code: .tooLarge, sentence: "Those are too many tags for one memory.")
        }
        var checked: [String] = []
        for name in names { checked.append(try self.name(name, .tag)) }
        return checked
    }

    private static func coordinates(_ latitude: Double, _ longitude: Double) throws(APIError) {
        guard (-90...90).contains(latitude), (-180...180).contains(longitude) else {
            throw badPosition
        }
    }

    private static func trim(_ text: String) -> String {
        var rest = text[...]
        while let first = rest.first, first.isWhitespace { rest.removeFirst() }
        while let last = rest.last, last.isWhitespace { rest.removeLast() }
        return String(rest)
    }
}

/// `limit` in bytes of UTF-8.
private func inputTooLong(_ input: InputCheck.Input, limit: Int) -> APIError {
    APIError(
        code: .tooLarge,
        sentence: "\(input.noun) is too long: \(Sentence.size(Int64(limit))) fit.",
        hint: "Shorten it; letters with accents and emoji take more than one byte each.")
}

private func emptyInput(_ input: InputCheck.Input) -> APIError {
    switch input {
    case .tripName:
        APIError(
            code: .badInput, sentence: "A trip needs a name.",
            hint: "For example: peersync trip create \"Arezzo 2008\"")
    case .bucketItem:
        APIError(
            code: .badInput, sentence: "\(input.noun) is empty.",
            hint: "Say what you want to do some day, for example: \"See the northern lights\"")
    case .tag:
        APIError(
            code: .badInput, sentence: "\(input.noun) is empty.",
            hint: "Give it a name, for example: food")
    case .spaceName, .title, .text, .locationName, .weather, .category:
        APIError(
            code: .badInput, sentence: "\(input.noun) is empty.",
            hint: "Type a text; one with spaces needs quotes.")
    }
}
