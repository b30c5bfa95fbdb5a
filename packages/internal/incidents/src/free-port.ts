import { once } from "node:events";
import { createServer } from "node:net";

/**
 * Finds a free port below the range of outgoing connections.
 *
 * A connection could otherwise take the port while a program restarts.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = 20_000 + Math.floor(Math.random() * 10_000);
    const probe = createServer();
    const free = once(probe.listen(port, "127.0.0.1"), "listening").then(
      () => true,
      () => false,
    );
    if (!(await free)) continue;
    probe.close();
    await once(probe, "close");
    return port;
  }
}
