internal import Foundation
import LocalAPI

/// The agent's unit: one text for the package, builds and examples.
package enum ServiceUnit {
    #if DEBUG
        /// A debug build has its own data folder, and so its own service.
        package static let name = "peersync-debug.service"
    #else
        package static let name = "peersync.service"
    #endif

    /// The path of the packaged program.
    package static let packagedProgram = "/usr/bin/peersync"

    /// The unit as it is in the package.
    package static var packaged: String {
        String(decoding: PackageResources.peersync_service, as: UTF8.self)
    }

    /// The unit for a program at another path; marked as written by `service install`. Throws
    /// ``APIError`` for a path that systemd accepts in no form.
    package static func text(program: String) throws -> String {
        let isFit = program.unicodeScalars.allSatisfy { scalar in
            scalar.value >= 0x20 && scalar.value != 0x7F && scalar != "\"" && scalar != "\\"
        }
        guard isFit else {
            throw APIError(
                code: .badInput,
                sentence:
                    "systemd cannot start a program with such a name: \(Printable.line(program))",
                hint: "Move it to a folder without quotes and backslashes in its name.")
        }
        return mark + "\n"
            + packaged.replacing(
                "ExecStart=\(packagedProgram) ", with: "ExecStart=\(quoted(program)) ")
    }

    /// The drop-in that makes the unit use another home than the default one.
    package static func dropIn(home: String) -> String {
        "\(mark)\n[Service]\nEnvironment=\(quoted("PEERSYNC_HOME=" + home))\n"
    }

    /// Whether `service install` wrote a file: only then it may replace or delete it.
    package static func isOurs(_ text: String) -> Bool { text.hasPrefix(mark) }

    private static let mark =
        "# Written by 'peersync service install'; 'peersync service remove' deletes it."

    /// A word in a unit file: in quotes, with `%` doubled because it starts a specifier
    /// (systemd.syntax(7)).
    private static func quoted(_ word: String) -> String {
        var text = "\""
        for scalar in word.unicodeScalars {
            switch scalar {
            case "\"", "\\": text += "\\\(scalar)"
            case "%": text += "%%"
            case _ where scalar.value < 0x20 || scalar.value == 0x7F:
                text += String(format: "\\x%02x", scalar.value)
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text + "\""
    }
}
