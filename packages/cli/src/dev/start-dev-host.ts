import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { businessDay, newId, type Ports } from "@tillkit/core";
import { errorCode } from "@tillkit/core/errors";
import { serverLimits } from "@tillkit/runtime";
import type { Sandbox } from "@tillkit/sandbox";
import { type HostFacts, writeHostFile } from "./host-file.js";
import { openHost } from "./open-host.js";
import { welcomeText } from "./welcome.js";

/** The first port that is tried by default, and the number of further ports. */
const DEFAULT_PORT = 8787;
const MORE_PORTS = 20;

/** How long a stopping host waits for its clients, in milliseconds. */
const PATIENCE = 3_000;

/** Where a host listens and keeps its files. */
export interface DevHostOptions {
  /** The port on 127.0.0.1. 0 selects a free port. Defaults to 8787, or the next free port. */
  readonly port?: number | undefined;
  /**
   * The folder for all files, which one process at a time may use. Created if it is missing.
   *
   * Contains `host.json` once the host is ready.
   */
  readonly dataDir: string;
  /**
   * The URL of a PostgreSQL database to use instead of the one in `dataDir`.
   *
   * Uses the schema `tillkit`.
   */
  readonly databaseUrl?: string | undefined;
  /**
   * The path of a folder with prepared files, from which a new `dataDir` starts.
   *
   * The files are a snapshot of the migrated database, and the keys of the simulated wallets. The
   * host creates missing files, which takes some seconds.
   */
  readonly prepared?: string | undefined;
  /** Whether an app gets the history of a shop, for the dashboard. Defaults to false. */
  readonly history?: boolean;
  /** Prints the start-up text and background problems. Defaults to standard output. */
  readonly print?: (text: string) => void;
}

/** A running host. */
export interface DevHost {
  readonly facts: HostFacts;
  /** For operator actions such as a refund, for which the APIs have no endpoint. */
  readonly ports: Ports;
  readonly sandbox: Sandbox;
  /** Answers the pending requests, frees the port and closes the storage. The data stays. */
  close(): Promise<void>;
}

/**
 * Starts the whole service on one port, with demo data, as `tillkit dev` does.
 *
 * @returns the running host. Rejects if the port is in use or the data cannot be opened.
 * @example
 * ```ts
 * import { startDevHost } from "tillkit/dev";
 *
 * const host = await startDevHost({ port: 0, dataDir: ".tillkit" });
 * console.log(host.facts.baseUrl);
 * await host.close();
 * ```
 */
export async function startDevHost(options: DevHostOptions): Promise<DevHost> {
  const { port, dataDir, databaseUrl, prepared, history, print = printLine } = options;
  const server = createServer(serverLimits, (request, response) => {
    // Requests that arrive while the data is being opened wait for it.
    void opening.then(
      ({ listener }) => {
        listener(request, response);
      },
      () => response.destroy(),
    );
  });
  const origin = `http://127.0.0.1:${String(await listen(server, port, print))}`;
  const opening = openHost(origin, { dataDir, databaseUrl, prepared, print });
  const close = async () => {
    await opening.then(
      (host) => host.beginClose(),
      () => undefined,
    );
    await stopListening(server);
    await opening.then(
      (host) => host.close(),
      () => undefined,
    );
  };
  try {
    const host = await opening;
    const { facts, ports, sandbox } = host;
    await writeHostFile(dataDir, facts);
    const { date: today } = businessDay(ports.policy.timeZone, ports.clock.now());
    print(welcomeText(facts, { dataDir, bizNo: `demo-${newId(ports)}`, today }));
    // The host is ready before it starts this work, which takes seconds.
    if (history === true) host.storeHistory();
    return { facts, ports, sandbox, close };
  } catch (problem) {
    await close();
    throw problem;
  }
}

function printLine(text: string): void {
  process.stdout.write(`${text}\n`);
}

/**
 * Listens on the wanted port, or on the first free one of the default ports.
 *
 * @returns the port. Rejects with the error of the last attempt if no port is free.
 */
async function listen(
  server: Server,
  wanted: number | undefined,
  print: (text: string) => void,
): Promise<number> {
  if (wanted !== undefined) return listenOn(server, wanted);
  for (let port = DEFAULT_PORT; ; port += 1) {
    try {
      const found = await listenOn(server, port);
      if (found !== DEFAULT_PORT)
        print(`Port ${String(DEFAULT_PORT)} is in use, so the host uses port ${String(found)}.`);
      return found;
    } catch (problem) {
      if (!isPortInUse(problem) || port === DEFAULT_PORT + MORE_PORTS) throw problem;
    }
  }
}

async function listenOn(server: Server, port: number): Promise<number> {
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  return typeof address === "object" && address !== null ? address.port : port;
}

/** Returns whether a host rejected because another program listens on its port. */
export function isPortInUse(problem: unknown): boolean {
  return errorCode(problem) === "EADDRINUSE";
}

async function stopListening(server: Server): Promise<void> {
  const closed = once(server, "close");
  server.close();
  // A client could keep its connection open without limit.
  const impatient = setTimeout(() => {
    server.closeAllConnections();
  }, PATIENCE);
  await closed;
  clearTimeout(impatient);
}
