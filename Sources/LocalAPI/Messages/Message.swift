/// A text for people: a pattern in English, which is the key of its translations, and its arguments. It
/// becomes text in the language of its reader.
///
/// A literal is a message: the pattern of `"Nothing answers at \(address)."` is `Nothing answers at {0}.`;
/// literal braces are doubled. Put it into ``tr(_:context:)``, so that translators see it.
package struct Message: ExpressibleByStringInterpolation, Codable, Hashable, Sendable {
    /// An argument of the pattern.
    fileprivate enum Argument: Sendable {
        case text(String)
        case message(Message)

        var text: String {
            switch self {
            case .text(let text): text
            case .message(let message): message.text
            }
        }
    }

    fileprivate let pattern: String
    fileprivate let arguments: [Argument]
    fileprivate var isVerbatim = false

    package init(stringLiteral text: String) {
        (pattern, arguments) = (Self.escaped(text), [])
    }

    package init(stringInterpolation parts: StringInterpolation) {
        (pattern, arguments) = (parts.pattern, parts.arguments)
    }

    /// A number with a noun, `3 trips`: the pattern is `{0} trips`.
    init(counting number: Int, _ noun: String) {
        (pattern, arguments) = ("{0} \(Self.escaped(noun))", [.text("\(number)")])
    }

    fileprivate init(pattern: String, arguments: [Argument], isVerbatim: Bool) {
        (self.pattern, self.arguments, self.isVerbatim) = (pattern, arguments, isVerbatim)
    }

    /// A text that needs no translation, or is in its reader's language already.
    package init(verbatim text: String) {
        (pattern, arguments, isVerbatim) = (Self.escaped(text), [], true)
    }

    package struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var pattern = ""
        fileprivate var arguments: [Argument] = []

        package init(literalCapacity: Int, interpolationCount: Int) {
            pattern.reserveCapacity(literalCapacity + 3 * interpolationCount)
        }

        package mutating func appendLiteral(_ text: String) { pattern += Message.escaped(text) }

        package mutating func appendInterpolation(_ message: Message) { append(.message(message)) }

        package mutating func appendInterpolation(_ value: some CustomStringConvertible) {
            append(.text(value.description))
        }

        package mutating func appendInterpolation(_ error: some Error) { append(.text("\(error)")) }

        private mutating func append(_ argument: Argument) {
            pattern += "{\(arguments.count)}"
            arguments.append(argument)
        }
    }

    /// In the current language.
    package var text: String { isVerbatim ? filled(pattern) : tr(self) }

    package func text(in language: Language) -> String {
        Language.$asked.withValue(language) { text }
    }

    /// Messages are equal when their texts are equal in the current language.
    package static func == (one: Message, other: Message) -> Bool { one.text == other.text }

    package func hash(into hasher: inout Hasher) { hasher.combine(text) }

    /// Decodes the encoded text.
    package init(from decoder: any Decoder) throws {
        self.init(verbatim: try decoder.singleValueContainer().decode(String.self))
    }

    /// Encodes the text in the current language.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }

    /// The pattern with its arguments. A placeholder without an argument stays.
    fileprivate func filled(_ pattern: String) -> String {
        var text = ""
        var rest = pattern[...]
        while let brace = rest.utf8.firstIndex(where: Self.isBrace) {
            text += rest[..<brace]
            rest = rest[brace...]
            let place = rest.dropFirst().prefix { $0 != "}" }
            if rest.hasPrefix("{{") || rest.hasPrefix("}}") {
                text.append(rest.removeFirst())
                rest.removeFirst()
            } else if let number = Int(place), arguments.indices.contains(number) {
                text += arguments[number].text
                rest = rest[place.endIndex...].dropFirst()
            } else {
                text.append(rest.removeFirst())
            }
        }
        return text + rest
    }

    private static func escaped(_ text: String) -> String {
        guard text.utf8.contains(where: isBrace) else { return text }
        return text.replacing("{", with: "{{").replacing("}", with: "}}")
    }

    private static func isBrace(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "{") || byte == UInt8(ascii: "}")
    }

    /// Separates context and pattern, as in gettext's own files.
    static let endOfContext: UInt8 = 4

    fileprivate func key(_ context: String?) -> String {
        context.map { "\($0)\u{4}\(pattern)" } ?? pattern
    }
}

/// A message to keep: each reader gets it in their own language, except for arguments that were text
/// already.
package struct StoredMessage: Codable, Hashable, Sendable {
    private enum Argument: Codable, Hashable, Sendable {
        case text(String)
        case message(StoredMessage)
    }

    private let pattern: String
    private let arguments: [Argument]
    private let isVerbatim: Bool

    package init(_ message: Message) {
        (pattern, isVerbatim) = (message.pattern, message.isVerbatim)
        arguments = message.arguments.map { argument in
            switch argument {
            case .text(let text): .text(text)
            case .message(let message): .message(StoredMessage(message))
            }
        }
    }

    package var message: Message {
        Message(
            pattern: pattern,
            arguments: arguments.map { argument in
                switch argument {
                case .text(let text): .text(text)
                case .message(let stored): .message(stored.message)
                }
            }, isVerbatim: isVerbatim)
    }
}

/// A text in the current language. `context` distinguishes two texts that are equal only in English.
package func tr(
    _ message: Message, context: String? = nil, in translation: Translation? = .current
) -> String {
    message.filled(translation?.text(of: message.key(context)) ?? message.pattern)
}

/// A text that counts something, in the current language: its first form is the singular. Each form
/// contains its own arguments.
package func tr(
    _ count: Int, _ one: Message, _ many: Message, context: String? = nil,
    in translation: Translation? = .current
) -> String {
    let form = count == 1 ? one : many
    return form.filled(translation?.text(of: one.key(context), count: count) ?? form.pattern)
}

/// A message to be read later, or by another person.
@_disfavoredOverload
package func tr(_ message: Message) -> Message { message }

/// A message that counts something, in the current language.
@_disfavoredOverload
package func tr(_ count: Int, _ one: Message, _ many: Message) -> Message {
    Message(verbatim: tr(count, one, many))
}
