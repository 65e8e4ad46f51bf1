internal import Foundation
internal import LocalAPI

/// The files that `service install` writes and `service remove` deletes.
struct ServiceFiles: Sendable {
    private let unit: String
    private let dropIns: String
    private var dropIn: String { dropIns + "/home.conf" }

    /// `folder` contains this person's unit files.
    init(in folder: String) {
        unit = folder + "/" + ServiceUnit.name
        dropIns = unit + ".d"
    }

    /// The person's own unit file, which is never replaced; nil if there is none.
    var foreignUnit: String? { isThere(unit) && !isOurs(unit) ? unit : nil }

    /// Writes the files that a program and a home need, and deletes the others; nil stands for the
    /// package's program and the default home. Returns whether anything changed. Throws
    /// ``APIError``.
    func write(program: String?, home: String?) throws -> Bool {
        let unitChanged = try set(unit, to: program.map { try ServiceUnit.text(program: $0) })
        let homeChanged = try set(dropIn, to: home.map { ServiceUnit.dropIn(home: $0) })
        return unitChanged || homeChanged
    }

    /// Deletes only the files that were written here.
    func remove() throws { _ = try write(program: nil, home: nil) }

    private func set(_ path: String, to text: String?) throws -> Bool {
        let manager = FileManager.default
        guard let text else {
            guard isOurs(path) else { return false }
            try manager.removeItem(atPath: path)
            // This fails, as it should, while other files are in the folder.
            if path == dropIn { _ = unsafe rmdir(dropIns) }
            return true
        }
        guard content(of: path) != text else { return false }
        guard !isThere(path) || isOurs(path) else { throw ServiceFiles.foreignUnit(path) }
        do {
            let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
            try manager.createDirectory(at: folder, withIntermediateDirectories: true)
            try Data(text.utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
        } catch {
            throw APIError(
                code: .failed,
                sentence: """
                    The file \(Printable.line(path)) could not be written: \
                    \(Sentence.System.reason(of: error)).
                    """,
                hint: "Nothing was started. Check who owns that folder.")
        }
        return true
    }

    private func isOurs(_ path: String) -> Bool {
        content(of: path).map { ServiceUnit.isOurs($0) } ?? false
    }

    /// Nil also for a link, with which systemctl masks units.
    private func content(of path: String) -> String? {
        guard type(of: path) == .typeRegular else { return nil }
        return FileManager.default.contents(atPath: path).map {
            String(decoding: $0, as: UTF8.self)
        }
    }

    private func isThere(_ path: String) -> Bool { type(of: path) != nil }

    private func type(of path: String) -> FileAttributeType? {
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        return attributes?[.type] as? FileAttributeType
    }
}

extension ServiceFiles {
    static func foreignUnit(_ path: String) -> APIError {
        APIError(
            code: .conflict,
            sentence: """
                The file \(Printable.line(path)) was not written by 'peersync service install', and \
                is left as it is.
                """,
            hint: "Move it away, then run 'peersync service install' again.")
    }
}
