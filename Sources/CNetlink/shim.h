#pragma once

/* Kernel notices about interfaces and addresses (rtnetlink(7)).

   <sys/socket.h> stays out: its types belong to Swift's Glibc module. */

#include <linux/netlink.h>
#include <linux/rtnetlink.h>
