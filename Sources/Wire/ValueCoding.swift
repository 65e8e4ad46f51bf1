internal import FoundationEssentials
internal import SwiftProtobuf
internal import SyncCore

extension Peersync_V1_Value {
    init(_ value: Value) {
        self.init()
        switch value {
        case .null: null = true
        case .text(let text): self.text = text
        case .integer(let number): integer = number
        case .decimal(let digits): decimal = digits
        case .boolean(let flag): boolean = flag
        case .time(let time): self.time = Peersync_V1_Time(time)
        case .position(let position): self.position = Peersync_V1_Position(position)
        case .json(let text): json = text
        case .blob(let blob): self.blob = Data(blob.bytes)
        case .reference(let record): reference = Data(record.bytes)
        case .unknown(let encoded): self = Peersync_V1_Value(kept: encoded)
        }
    }

    /// A value of an unknown kind exists only because it was decoded, so its bytes decode again.
    private init(kept encoded: [UInt8]) {
        do {
            self = try Peersync_V1_Value(decoding: encoded)
        } catch {
            preconditionFailure("an unknown value holds no Value message: \(encoded)")
        }
    }

    /// A kind of a newer version is kept as its bytes; no kind at all is an error.
    func decoded() throws(WireError) -> Value {
        switch value {
        case .null: return .null
        case .text(let text): return .text(text)
        case .integer(let number): return .integer(number)
        case .decimal(let digits): return .decimal(digits)
        case .boolean(let flag): return .boolean(flag)
        case .time(let time):
            return .time(
                TimeValue(
                    milliseconds: time.milliseconds,
                    offsetMinutes: time.hasOffsetMinutes ? time.offsetMinutes : nil))
        case .position(let position): return .position(position.decoded())
        case .json(let text): return .json(text)
        case .blob(let blob): return .blob(try blob.identifier("value.blob"))
        case .reference(let record):
            return .reference(RecordID(try record.bytes16("value.reference")))
        case nil:
            guard !unknownFields.data.isEmpty else { throw .missing("value") }
            return .unknown([UInt8](unknownFields.data))
        }
    }
}

extension Peersync_V1_Time {
    fileprivate init(_ time: TimeValue) {
        self.init()
        milliseconds = time.milliseconds
        if let offset = time.offsetMinutes {
            offsetMinutes = offset
        }
    }
}

extension Peersync_V1_Position {
    fileprivate init(_ position: PositionValue) {
        self.init()
        latitude = position.latitude
        longitude = position.longitude
        if let radius = position.radiusMetres {
            radiusMetres = radius
        }
        if let altitude = position.altitudeMetres {
            altitudeMetres = altitude
        }
    }

    fileprivate func decoded() -> PositionValue {
        PositionValue(
            latitude: latitude, longitude: longitude,
            radiusMetres: hasRadiusMetres ? radiusMetres : nil,
            altitudeMetres: hasAltitudeMetres ? altitudeMetres : nil)
    }
}
