import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { businessDay, newId, type Ports } from "@tillkit/core";
import { serverLimits } from "@tillkit/runtime";
import type { Sandbox } from "@tillkit/sandbox";
import { type HostFacts, writeHostFile } from "./host-file.js";
import { openHost } from "./open-host.js";
import { welcomeText } from "./welcome.js";

/** How long a stopping host waits for its clients, in milliseconds. */
const PATIENCE = 3_000;

/** Where a host listens and keeps its files. */
export interface QuickstartOptions {
  /** On 127.0.0.1; 0 takes a free port. */
  readonly port: number;
  /** Keeps everything, for one process at a time, and gets `host.json` once the host is ready; made when it is missing. */
  readonly dataDir: string;
  /** A PostgreSQL server's database to use instead of the one in `dataDir`; everything is in its schema `tillkit`. */
  readonly databaseUrl?: string | undefined;
  /** Takes the start-up text, and a line for a problem in the background. By default the console. */
  readonly print?: (text: string) => void;
}

/** A running host. */
export interface Quickstart {
  readonly facts: HostFacts;
  /** For what an operator does, such as a refund: the APIs have no endpoint for it. */
  readonly ports: Ports;
  readonly sandbox: Sandbox;
  /** Answers the requests under way, frees the port and lets go of the data, which stays. */
  close(): Promise<void>;
}

/** Starts the whole service on one port, with demo data. Rejects when the port is taken or the data cannot be opened. */
export async function startQuickstart(options: QuickstartOptions): Promise<Quickstart> {
  const { port, dataDir, databaseUrl, print = console.log } = options;
  const server = createServer(serverLimits, (request, response) => {
    // Whoever comes while the data is being opened waits for it.
    void opening.then(
      ({ app }) => {
        app(request, response);
      },
      () => response.destroy(),
    );
  });
  const origin = `http://127.0.0.1:${String(await listen(server, port))}`;
  const opening = openHost(origin, { dataDir, databaseUrl, print });
  const close = async () => {
    await stopListening(server);
    await opening.then(
      (host) => host.close(),
      () => undefined,
    );
  };
  try {
    const { facts, ports, sandbox } = await opening;
    await writeHostFile(dataDir, facts);
    const { date: today } = businessDay(ports.policy.timeZone, ports.clock.now());
    print(welcomeText(facts, { dataDir, bizNo: `demo-${newId(ports)}`, today }));
    return { facts, ports, sandbox, close };
  } catch (problem) {
    await close();
    throw problem;
  }
}

/** Resolves with the port once the server listens on it. */
async function listen(server: Server, port: number): Promise<number> {
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  return typeof address === "object" && address !== null ? address.port : port;
}

async function stopListening(server: Server): Promise<void> {
  const closed = once(server, "close");
  server.close();
  // A client may hold its connection open for as long as it likes.
  const impatient = setTimeout(() => {
    server.closeAllConnections();
  }, PATIENCE);
  await closed;
  clearTimeout(impatient);
}
