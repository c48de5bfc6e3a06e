/* Sockets of NCCL's ranks in several processes, over IPv4: on one node through its loopback device. */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include "cucc.h"
#include "nccl_message.h"

#define WEEK_S 604800.0 /* no limit */

const char *node_name(void) {
  static __thread char name[60];
  if (gethostname(name, sizeof name - 1)) strcpy(name, "this node");
  return name;
}

double nccl_limit_ms(void) {
  const double seconds = options()->nccl_wait;
  return seconds > 0 && seconds < WEEK_S ? seconds * 1e3 : WEEK_S * 1e3;
}

int socket_listen(uint32_t *port) {
  struct sockaddr_in a = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_ANY)};
  socklen_t size = sizeof a;
  const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (fd < 0) return -1;
  if (bind(fd, (struct sockaddr *)&a, sizeof a) || listen(fd, RANKS_MAX) ||
      getsockname(fd, (struct sockaddr *)&a, &size)) {
    close(fd);
    return -1;
  }
  *port = ntohs(a.sin_port);
  return fd;
}

/* NCCL_SOCKET_IFNAME chooses devices by how their names begin, as in NVIDIA's NCCL. */
void socket_addresses(uint32_t address[4]) {
  const char *wanted = getenv("NCCL_SOCKET_IFNAME");
  struct ifaddrs *all;
  int count = 0;
  if (getifaddrs(&all)) return;
  for (struct ifaddrs *i = all; i && count < 4; i = i->ifa_next) {
    if (!i->ifa_addr || i->ifa_addr->sa_family != AF_INET || !(i->ifa_flags & IFF_UP)) continue;
    if (i->ifa_flags & IFF_LOOPBACK || (wanted && strncmp(i->ifa_name, wanted, strlen(wanted)))) continue;
    if (!wanted && (!strncmp(i->ifa_name, "docker", 6) || !strncmp(i->ifa_name, "virbr", 5))) continue;
    address[count++] = ((struct sockaddr_in *)i->ifa_addr)->sin_addr.s_addr;
  }
  freeifaddrs(all);
}

static int connect_to(uint32_t address, uint32_t port, int limit_ms) {
  struct sockaddr_in a = {
      .sin_family = AF_INET, .sin_port = htons((uint16_t)port), .sin_addr.s_addr = address};
  const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0), one = 1;
  if (fd < 0) return -1;
  int error = connect(fd, (struct sockaddr *)&a, sizeof a) ? errno : 0;
  if (error == EINPROGRESS) {
    struct pollfd p = {.fd = fd, .events = POLLOUT};
    socklen_t size = sizeof error;
    if (poll(&p, 1, limit_ms) != 1 || getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &size)) error = ETIMEDOUT;
  }
  if (error) {
    close(fd);
    return -1;
  }
  fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) & ~O_NONBLOCK);
  setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
  return fd;
}

static int given = -1; /* cucc_nccl_link */

void cucc_nccl_link(int socket) { given = socket; }

/* Nodes that are one machine, as in a small cluster on a laptop, reach each other by loopback alone. */
int socket_connect(const struct unique *u, double limit_ms) {
  const int link = given;
  given = -1;
  if (link >= 0) return link;
  const uint32_t loopback = htonl(INADDR_LOOPBACK);
  const bool here = !strcmp(u->node, node_name());
  int fd = here ? connect_to(loopback, u->port, (int)limit_ms) : -1;
  for (int i = 0; fd < 0 && i < 4 && u->address[i]; i++)
    fd = connect_to(u->address[i], u->port, (int)(limit_ms / 4));
  return fd < 0 && !here ? connect_to(loopback, u->port, (int)limit_ms) : fd;
}

static bool send_all(int fd, const char *at, size_t bytes) {
  while (bytes) {
    const ssize_t n = send(fd, at, bytes, MSG_NOSIGNAL);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    at += n;
    bytes -= (size_t)n;
  }
  return true;
}

bool socket_send(int fd, const struct header *h, const void *body) {
  return send_all(fd, (const char *)h, sizeof *h) && send_all(fd, body, h->bytes);
}

bool socket_receive(int fd, void *into, size_t bytes) {
  char *at = into;
  while (bytes) {
    const ssize_t n = recv(fd, at, bytes, 0);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    at += n;
    bytes -= (size_t)n;
  }
  return true;
}
