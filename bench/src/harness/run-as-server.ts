import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import { runAsProgram } from "./run-as-program.js";

// A connection must stay open during the rounds of other contestants.
const KEEP_ALIVE_MS = 600_000;

/**
 * Makes this process a server of the bench on a free port. Answers messages with its usage.
 *
 * @param open - receives the facts and returns the request listener.
 */
export function runAsServer(open: (facts: unknown) => Promise<RequestListener>): void {
  runAsProgram(async (facts) => {
    const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, await open(facts));
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const address = server.address();
    return {
      says: { port: typeof address === "object" && address !== null ? address.port : 0 },
      answer: async () => {
        const { user, system } = process.cpuUsage();
        return { cpu: user + system, rss: process.memoryUsage.rss() / 1_048_576 };
      },
    };
  });
}
