internal import Foundation
internal import Glibc

extension Sentence {
    /// Why the system refused something, in words that go on after a colon; without a full stop.
    package enum System {
        /// Of an `errno`.
        package static func reason(_ number: Int32) -> String {
            switch number {
            case EACCES: tr("Permission denied")
            case EPERM: tr("Operation not permitted")
            case ENOSPC: tr("No space left on device")
            case EDQUOT: tr("Disk quota exceeded")
            case EROFS: tr("Read-only file system")
            case ENOENT: tr("No such file or directory")
            case ENOTDIR: tr("Not a directory")
            case EISDIR: tr("Is a directory")
            case EEXIST: tr("File exists")
            case EIO: tr("Input/output error")
            case ENAMETOOLONG: tr("File name too long")
            case EBUSY: tr("Device or resource busy")
            case EFBIG: tr("File too large")
            case EINVAL: tr("Invalid argument")
            case ELOOP: tr("Too many levels of symbolic links")
            case EMFILE: tr("Too many open files")
            case ENOTEMPTY: tr("Directory not empty")
            default:
                if let text = unsafe strerror(number) {
                    unsafe String(cString: text)
                } else {
                    "\(number)"
                }
            }
        }

        /// Of what Foundation threw, whose own words name its classes.
        package static func reason(of error: any Error) -> String {
            switch (error as? CocoaError)?.code {
            case .fileWriteNoPermission?, .fileReadNoPermission?: return reason(EACCES)
            case .fileWriteVolumeReadOnly?: return reason(EROFS)
            case .fileWriteOutOfSpace?: return reason(ENOSPC)
            case .fileNoSuchFile?, .fileReadNoSuchFile?: return reason(ENOENT)
            case .fileWriteFileExists?: return reason(EEXIST)
            default: break
            }
            let cause = (error as NSError).userInfo[NSUnderlyingErrorKey] as? NSError
            guard let cause, cause.domain == NSPOSIXErrorDomain else {
                let text = error.localizedDescription
                return text.hasSuffix(".") ? String(text.dropLast()) : text
            }
            return reason(Int32(clamping: cause.code))
        }
    }
}
