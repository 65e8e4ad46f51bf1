internal import ArgumentParser
internal import Foundation
internal import LocalAPI

/// What stands on the command line, with what its meaning depends on.
enum TypedInput {
    /// For the agent to read as the type of a field says.
    static func text(_ text: String) -> TypedText {
        TypedText(
            text, folder: InputPath.folder, zone: TimeZone.current.identifier,
            decimalComma: Language.current == .german)
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
