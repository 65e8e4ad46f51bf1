import Foundation
import Glibc
import LocalAPI
import Testing

@Suite("What the system says has words in the language of its reader")
struct SystemReasonTests {
    @Test(
        "Common reasons are those of the C library, and German in German",
        arguments: [
            EACCES, EPERM, ENOSPC, EDQUOT, EROFS, ENOENT, ENOTDIR, EISDIR, EEXIST, EIO,
            ENAMETOOLONG, EBUSY, EFBIG, EINVAL, ELOOP, EMFILE, ENOTEMPTY,
        ])
    func common(number: Int32) {
        let english = unsafe String(cString: strerror(number))
        #expect(Sentence.System.reason(number) == english)
        #expect(Language.$asked.withValue(.german) { Sentence.System.reason(number) } != english)
    }

    @Test("An error of Foundation is told as what the system said")
    func foundation() {
        let errors: [(any Error, Int32)] = [
            (CocoaError(.fileWriteNoPermission), EACCES),
            (CocoaError(.fileWriteOutOfSpace), ENOSPC),
            (CocoaError(.fileWriteVolumeReadOnly), EROFS),
        ]
        for (error, number) in errors {
            #expect(Sentence.System.reason(of: error) == Sentence.System.reason(number))
        }
    }
}
