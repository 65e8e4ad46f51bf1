import Foundation
import LocalAPI
import SyncCore

/// A value that a person types to decide a conflict.
enum ConflictInput {
    /// Throws a sentence for what the type does not take.
    static func value(_ text: String, _ type: FieldType) throws(APIError) -> Value {
        switch type {
        case .text: return .text(try InputCheck.text(text))
        case .integer:
            if let number = Int64(text) { return .integer(number) }
            throw APIError.valueDoesNotFit(type: "a whole number")
        case .decimal:
            if isDecimal(text) { return .decimal(text) }
            throw APIError.valueDoesNotFit(type: "a number like 3.90")
        case .boolean:
            if let flag = Bool(text) { return .boolean(flag) }
            throw APIError.valueDoesNotFit(type: "true or false")
        case .time:
            let style = Date.ISO8601FormatStyle(timeZoneSeparator: .colon)
            guard let date = try? style.parse(text) else {
                throw APIError.valueDoesNotFit(type: "a time like 2008-10-22T16:28:39+02:00")
            }
            let milliseconds = Int64((date.timeIntervalSince1970 * 1000).rounded())
            return .time(try InputCheck.moment(Moment(milliseconds: milliseconds)))
        case .position:
            let parts = text.split(separator: ",").map { Double($0.filter { $0 != " " }) }
            guard parts.count == 2, let latitude = parts[0], let longitude = parts[1] else {
                throw APIError.valueDoesNotFit(type: "a position like 43.46,11.88")
            }
            let position = Position(latitude: latitude, longitude: longitude)
            return .position(try InputCheck.position(position))
        default: throw APIError.valueDoesNotFit(type: "one of those that were written")
        }
    }

    private static func isDecimal(_ text: String) -> Bool {
        let digits = text.hasPrefix("-") ? text.dropFirst() : text[...]
        let parts = digits.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count <= 2
            && parts.allSatisfy { part in
                !part.isEmpty
                    && part.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
            }
    }
}
