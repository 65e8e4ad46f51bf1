import FoundationEssentials

/// Inputs of requests that only read: they travel in the query, so that the address says it all.
///
/// Times are milliseconds since 1970 (UTC), a circle is `LATITUDE,LONGITUDE,METRES`.
protocol QueryInput: RequestInput {
    var query: [(name: String, value: String?)] { get throws }
    init(query: [String: String]) throws
}

extension QueryInput {
    func parts() throws -> (query: [(name: String, value: String)], body: Data?) {
        let present = try query.compactMap { pair in
            pair.value.map { (name: pair.name, value: $0) }
        }
        return (present, nil)
    }

    static func read(query: [String: String], body: Data) throws -> Self {
        try Self(query: query)
    }
}

extension ScopeFilter: QueryInput {
    var query: [(name: String, value: String?)] { [("trip", trip)] }

    init(query: [String: String]) {
        self.init(trip: query["trip"])
    }
}

extension MediaFilter: QueryInput {
    var query: [(name: String, value: String?)] { [("trip", trip), ("memory", memory)] }

    init(query: [String: String]) {
        self.init(trip: query["trip"], memory: query["memory"])
    }
}

extension RecordScope: QueryInput {
    var query: [(name: String, value: String?)] { [("space", space), ("collection", collection)] }

    init(query: [String: String]) throws {
        self.init(
            space: try query.required("space"), collection: try query.required("collection"))
    }
}

extension WhyScope: QueryInput {
    var query: [(name: String, value: String?)] { [("space", space)] }

    init(query: [String: String]) {
        self.init(space: query["space"])
    }
}

extension StandingScope: QueryInput {
    var query: [(name: String, value: String?)] {
        [("collection", collection), ("record", record)]
    }

    init(query: [String: String]) {
        self.init(collection: query["collection"], record: query["record"])
    }
}

/// Conditions on fields are one JSON object under `fields`.
extension RecordFilter: QueryInput {
    var query: [(name: String, value: String?)] {
        get throws {
            // Left out, they would list all records instead of few.
            let conditions = fields.isEmpty ? nil : try JSONCoding.encode(fields)
            return [
                ("space", space), ("collection", collection), ("text", text),
                ("fields", conditions.map { String(decoding: $0, as: UTF8.self) }),
                ("deleted", deleted ? "true" : nil),
            ]
        }
    }

    init(query: [String: String]) throws {
        self.init(
            space: try query.required("space"), collection: try query.required("collection"))
        text = query["text"]
        deleted = query["deleted"] == "true"
        guard let conditions = query["fields"] else { return }
        do {
            fields = try JSONCoding.decode(
                [String: FieldValue].self, from: Data(conditions.utf8))
        } catch let error as DecodingError {
            throw APIError.unreadableRequest(detail: "fields: \(error.shortDescription)")
        }
    }
}

extension PairingPoll: QueryInput {
    var query: [(name: String, value: String?)] {
        [("knownRevision", String(knownRevision)), ("waitSeconds", String(waitSeconds))]
    }

    /// Both are optional: without them the answer comes at once.
    init(query: [String: String]) throws {
        let wait = try query.number("waitSeconds", as: Int.self) ?? 0
        self.init(
            knownRevision: try query.number("knownRevision", as: Int.self) ?? -1,
            waitSeconds: min(max(wait, 0), LocalLimits.pollSeconds))
    }
}

extension DoctorPoll: QueryInput {
    var query: [(name: String, value: String?)] {
        [("knownRevision", String(knownRevision)), ("waitSeconds", String(waitSeconds))]
    }

    /// As for a pairing.
    init(query: [String: String]) throws {
        let poll = try PairingPoll(query: query)
        self.init(knownRevision: poll.knownRevision, waitSeconds: poll.waitSeconds)
    }
}

extension MemoryFilter: QueryInput {
    var query: [(name: String, value: String?)] {
        [
            ("trip", trip), ("tag", tag), ("text", text),
            ("since", since.map { String($0.milliseconds) }),
            ("until", until.map { String($0.milliseconds) }),
            ("near", near.map { "\($0.latitude),\($0.longitude),\($0.radius)" }),
        ]
    }

    init(query: [String: String]) throws {
        self.init()
        trip = query["trip"]
        tag = query["tag"]
        text = query["text"]
        since = try query.number("since", as: Int64.self).map { Moment(milliseconds: $0) }
        until = try query.number("until", as: Int64.self).map { Moment(milliseconds: $0) }
        if let circle = query["near"] {
            let numbers = circle.split(separator: ",").map { Double($0) }
            guard numbers.count == 3, let latitude = numbers[0], let longitude = numbers[1],
                let radius = numbers[2], abs(latitude) <= 90, abs(longitude) <= 180, radius > 0
            else {
                throw APIError.unreadableRequest(detail: "near is not LATITUDE,LONGITUDE,METRES")
            }
            near = Near(latitude: latitude, longitude: longitude, radius: radius)
        }
    }
}

extension [String: String] {
    /// A part of the query that must be there.
    fileprivate func required(_ name: String) throws -> String {
        guard let text = self[name] else {
            throw APIError.unreadableRequest(detail: "\(name) is missing")
        }
        return text
    }

    /// A whole number of the query; `nil` when absent.
    fileprivate func number<Number: FixedWidthInteger>(
        _ name: String, as type: Number.Type
    ) throws -> Number? {
        guard let text = self[name] else { return nil }
        guard let number = Number(text) else {
            throw APIError.unreadableRequest(detail: "\(name) is not a whole number")
        }
        return number
    }
}
