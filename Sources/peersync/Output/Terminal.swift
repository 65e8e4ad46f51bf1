internal import Foundation
internal import Glibc

/// The terminal or files that this process is connected to.
package struct Terminal: Sendable {
    /// A person can answer questions.
    let canAsk: Bool
    let outputIsTerminal: Bool
    let errorIsTerminal: Bool
    /// Colours and bold on the terminal; not with NO_COLOR (no-color.org).
    let wantsStyle: Bool
    /// Columns of the terminal; 80 when unknown.
    let columns: Int

    package static var current: Terminal {
        let environment = ProcessInfo.processInfo.environment
        let noColor = environment["NO_COLOR"].map { !$0.isEmpty } ?? false
        return Terminal(
            canAsk: isatty(STDIN_FILENO) == 1, outputIsTerminal: isatty(STDOUT_FILENO) == 1,
            errorIsTerminal: isatty(STDERR_FILENO) == 1,
            wantsStyle: !noColor && environment["TERM"] != "dumb", columns: width() ?? 80)
    }

    private static func width() -> Int? {
        var size = winsize()
        guard unsafe ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else {
            return nil
        }
        return Int(size.ws_col)
    }
}
