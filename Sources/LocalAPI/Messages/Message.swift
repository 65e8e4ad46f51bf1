/// A text for people: a pattern in English, which is the key of its translations, and what is filled in. It becomes
/// text in the language of its reader.
///
/// A literal is one: of `"Nothing answers at \(address)."` the pattern is `Nothing answers at {0}.`; braces that are
/// meant are doubled. So that translators get to see it, it stands in a ``tr(_:context:)``.
package struct Message: ExpressibleByStringInterpolation, Codable, Hashable, Sendable {
    /// What is filled in.
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

    /// So many of something, `3 trips`: the pattern is `{0} trips`.
    init(counting number: Int, _ noun: String) {
        (pattern, arguments) = ("{0} \(Self.escaped(noun))", [.text("\(number)")])
    }

    fileprivate init(pattern: String, arguments: [Argument], isVerbatim: Bool) {
        (self.pattern, self.arguments, self.isVerbatim) = (pattern, arguments, isVerbatim)
    }

    /// A text that is the same in every language, or in its reader's already.
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

    /// In the language of now.
    package var text: String { isVerbatim ? filled(pattern) : tr(self) }

    package func text(in language: Language) -> String {
        Language.$asked.withValue(language) { text }
    }

    /// Messages are the same when they say the same in the language of now.
    package static func == (one: Message, other: Message) -> Bool { one.text == other.text }

    package func hash(into hasher: inout Hasher) { hasher.combine(text) }

    /// The text that was encoded.
    package init(from decoder: any Decoder) throws {
        self.init(verbatim: try decoder.singleValueContainer().decode(String.self))
    }

    /// As text in the language of now.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }

    /// A pattern with what is filled in in its places. A place for which there is nothing stays as it is.
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

    /// Between context and pattern, as in gettext's own files.
    static let endOfContext: UInt8 = 4

    fileprivate func key(_ context: String?) -> String {
        context.map { "\($0)\u{4}\(pattern)" } ?? pattern
    }
}

/// A message that is kept for later: each of its readers gets it in their own language, but for what was text already
/// when it was made.
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

/// A text in the language of now. `context` tells two texts apart that are the same in English only.
package func tr(
    _ message: Message, context: String? = nil, in translation: Translation? = .current
) -> String {
    message.filled(translation?.text(of: message.key(context)) ?? message.pattern)
}

/// A text that counts something, in the language of now: its first form is for one. What is filled into a form stands
/// in that form.
package func tr(
    _ count: Int, _ one: Message, _ many: Message, context: String? = nil,
    in translation: Translation? = .current
) -> String {
    let form = count == 1 ? one : many
    return form.filled(translation?.text(of: one.key(context), count: count) ?? form.pattern)
}

/// A message that is read later, or by somebody else.
@_disfavoredOverload
package func tr(_ message: Message) -> Message { message }
