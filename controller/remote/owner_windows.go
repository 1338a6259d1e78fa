package remote

import "io/fs"

// ownerOf does not know here, so nobody is served.
func ownerOf(fs.FileInfo) (uid int, known bool) { return 0, false }
