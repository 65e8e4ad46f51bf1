internal import ArgumentParser
internal import Foundation
internal import LocalAPI

/// What stands on the command line, with what its meaning depends on.
package enum TypedInput {
    /// For the agent to read as the type of a field says.
    static func text(_ text: String) -> TypedText {
        TypedText(
            text, folder: InputPath.folder, zone: TimeZone.current.identifier,
            decimalComma: Language.current == .german)
    }

    /// A number with the decimal sign of the language of now.
    package static func metres(_ typed: String) throws -> Double {
        let digits = try argument {
            try NumberInput.plain(typed, decimalComma: Language.current == .german)
        }
        guard let number = Double(digits) else {
            throw ValidationError(tr("Write a number of metres greater than 0."))
        }
        return number
    }

    /// Reads an argument; what is wrong with it is said as of every wrong argument.
    static func argument<Value>(_ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch let error as APIError {
            throw ValidationError(error.sentence)
        }
    }
}
