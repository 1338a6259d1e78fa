package remote

import "syscall"

// credentialsOf reads SO_PEERCRED (unix(7)).
func credentialsOf(fd int) (credentials, error) {
	peer, err := syscall.GetsockoptUcred(fd, syscall.SOL_SOCKET, syscall.SO_PEERCRED)
	if err != nil {
		return credentials{}, err
	}
	return credentials{pid: int(peer.Pid), uid: int(peer.Uid)}, nil
}
