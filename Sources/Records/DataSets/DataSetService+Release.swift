internal import Foundation
package import LocalAPI
internal import SyncCore

/// Tools for the maker of a set.
extension DataSetService {
    private typealias Source = (reading: DataSetReading, set: DataSet, schema: Schema)

    /// Records the values in a folder, and those of earlier versions, in a file beside them. Throws
    /// ``APIError``, also for a mistake in the set: then nothing is written.
    package func release(_ draft: DataSetReleaseDraft) throws -> DataSetRelease {
        let source = try faultless(DataSetSource(path: draft.path, space: draft.space), or: nil)
        let set = source.set
        var file = source.reading.released
        for path in draft.earlier {
            let other = try faultless(
                DataSetSource(path: path, space: draft.space), or: source.schema)
            guard other.set.name == set.name else {
                throw APIError(
                    code: .conflict,
                    sentence: """
                        \(Sentence.name(path)) is no earlier version of \
                        \(Sentence.name(ShownText.line(set.name))): it has the set \
                        \(Sentence.name(ShownText.line(other.set.name))).
                        """,
                    hint: "Nothing was changed.")
            }
            try add(other, at: path, to: &file)
        }
        try add(source, at: draft.path, to: &file)
        for level in set.levels {
            let highest = file[level.level].digests.keys.max() ?? 0
            guard highest <= level.version else {
                throw APIError(
                    code: .badInput,
                    sentence: """
                        Version \(highest) of \(level.level.rawValue) is no earlier one: the set \
                        has version \(level.version).
                        """,
                    hint: "Nothing was changed. Name folders with lower versions.")
            }
        }
        if file.levels != source.reading.released.levels { try write(file, to: draft.path) }
        return DataSetRelease(
            name: ShownText.line(set.name), file: ReleasedFile.name,
            levels: set.levels.map { level in
                let (old, new) = (level.rows.released, file[level.level])
                return DataSetRelease.Level(
                    level: level.level, version: level.version,
                    released: new.digests.keys.sorted(),
                    added: new.entries.count - old.entries.count, values: new.entries.count)
            })
    }

    /// A set without mistakes, and its schema.
    private func faultless(_ source: DataSetSource, or known: Schema?) throws -> Source {
        let (reading, set, schema) = try read(source, or: known)
        guard let set, let schema, reading.mistakes.isEmpty else {
            throw Sentence.DataSet.hasMistakes(reading.check(set), at: source.path)
        }
        return (reading, set, schema)
    }

    private func add(_ source: Source, at path: String, to file: inout ReleasedFile) throws {
        let set = source.set
        let values = set.values(in: nil)
        for level in set.levels {
            guard file[level.level].add(level.rows.released),
                try file[level.level].add(level, values, source.schema)
            else {
                throw APIError(
                    code: .conflict,
                    sentence: """
                        Two folders have the same version of \(level.level.rawValue) with different rows; one of them is \
                        \(Sentence.name(path)).
                        """,
                    hint: "Nothing was changed. Raise the version in the newer one.")
            }
        }
    }

    private func write(_ file: ReleasedFile, to folder: String) throws {
        let bytes = Data(file.text.utf8)
        guard bytes.count <= LocalLimits.dataSetReleasedBytes else {
            throw DataSetErrors.releasedTooLarge
        }
        let path = folder + "/" + ReleasedFile.name
        do {
            try bytes.write(to: URL(fileURLWithPath: path), options: .atomic)
        } catch {
            throw APIError(
                code: .failed,
                sentence: """
                    The file \(Sentence.name(path)) could not be written: \
                    \(Sentence.System.reason(of: error)).
                    """,
                hint: "Nothing was changed. Check who owns that folder.")
        }
    }
}
