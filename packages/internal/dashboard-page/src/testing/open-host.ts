import { createServer, type RequestListener } from "node:http";
import { createSecureServer } from "node:http2";
import type { Socket } from "node:net";
import { expectOk } from "@tillkit/contract-tests";
import {
  type Operator,
  orThrow,
  parseInput,
  type PasswordHasher,
  type Policy,
  policyWith,
} from "@tillkit/core";
import { paymentsSurface } from "@tillkit/core/http";
import { createOperator, createOperatorInput, type SecondFactor } from "@tillkit/core/operators";
import type { OperatorRole } from "@tillkit/core/ports";
import { dashboardSurface } from "@tillkit/dashboard";
import { testClock } from "@tillkit/memory";
import { nodeListener } from "@tillkit/node";
import { rsaPairs } from "@tillkit/test-keys";
import { certificatePem } from "../../../../sandbox/src/shared/certificate.js";
import { faultyProxy } from "./faulty-proxy.js";
import { openStores, type Storage } from "./stores.js";

/** The password of every operator in tests. */
export const PASSWORD = "correct horse battery";
/** Monday, 2026-11-23, 14:05:00 in China. */
const START = Date.UTC(2026, 10, 23, 6, 5);
/** Refunds of one order above this sum need a second operator, in cents. */
const APPROVAL_OVER = 10_000;
/** Where callers reach the payments endpoints. */
const PAY = "/pay";
/** How long a sleep of the host really lasts, in milliseconds. */
const SLEEP = 50;

/** Computes no slow hash, so that the tests are fast. */
const passwords: PasswordHasher = {
  hash: async (password) => `hash of ${password}`,
  matches: async (password, hash) => hash === `hash of ${password}`,
};

/** How the browser reaches the hosts. `h2` is HTTP/2 over TLS. */
export type Protocol = "http/1.1" | "h2";

/** How hosts are started. */
export interface HostOptions {
  readonly mountPath?: string;
  /** Defaults to memory. */
  readonly storage?: Storage;
  /** Defaults to HTTP/1.1. */
  readonly protocol?: Protocol;
  readonly policy?: Partial<Policy>;
  /** Whether operators must have a second factor. Defaults to `required`. */
  readonly secondFactor?: SecondFactor;
}

/** A host on this machine, whose clock and wallets a test controls. */
export type Host = Awaited<ReturnType<typeof openHost>>;

/**
 * Starts a host with the operators' page, or two hosts of one database on PostgreSQL.
 *
 * The browser reaches the hosts through a proxy, which sends each request to the next host.
 */
export async function openHost(pageFolder: string, options: HostOptions = {}) {
  const {
    mountPath = "/dashboard",
    storage = "memory",
    protocol = "http/1.1",
    policy: set = {},
    secondFactor = "required",
  } = options;
  const clock = { ...testClock(START), sleep: () => new Promise<void>((done) => setTimeout(done, SLEEP)) };
  const policy = policyWith({ refundApprovalOver: APPROVAL_OVER, ...set });
  const { hosts, sql, schema, close: closeStores } = await openStores(storage, { clock, policy });
  const [ports] = hosts;
  const secure = protocol === "h2";
  const accounts = { passwords, mountPath, issuer: "Notes Shop", secure, secondFactor };
  const listeners = hosts.map((one) =>
    nodeListener({
      [mountPath]: dashboardSurface(one, { accounts, page: pageFolder }),
      [PAY]: paymentsSurface(one),
    }),
  );
  const { listener, faults, seen, openStreams } = faultyProxy(listeners);
  const { port, close } = await listen(listener, protocol);
  const origin = `${secure ? "https" : "http"}://127.0.0.1:${String(port)}`;
  const by = { operator: "host", reason: "test", from: "host", traceId: "" };
  return {
    ports,
    mountPath,
    faults,
    seen,
    openStreams,
    sql,
    schema,
    origin,
    url: `${origin}${mountPath === "/" ? "" : mountPath}`,
    /** The base URL of the payments endpoints. */
    payUrl: `${origin}${PAY}`,
    /**
     * Creates an operator. Without apps, the operator sees every app.
     *
     * @param creator - the operator who creates the account on the page. Absent: the host does.
     */
    create: async (name: string, role: OperatorRole, apps?: Operator["apps"], creator?: string) => {
      const account = { name, role, password: PASSWORD, ...(apps === undefined ? {} : { apps: [...apps] }) };
      const input = orThrow(parseInput(createOperatorInput(), account));
      const command = creator === undefined ? by : { ...by, operator: creator, from: "192.0.2.1" };
      await expectOk(createOperator({ ...ports, passwords }, input, command));
    },
    close: async () => {
      await close();
      await closeStores();
    },
  };
}

/** Starts a server on a free port of this machine. */
async function listen(listener: RequestListener, protocol: Protocol) {
  const server = protocol === "h2" ? createSecureServer(certificate()) : createServer();
  // The types of Node do not know that requests of HTTP/2 have the interface of HTTP/1.1.
  server.on("request", listener);
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const address = server.address();
  if (address === null || typeof address === "string") throw new TypeError("The server has no port.");
  return {
    port: address.port,
    close: () =>
      new Promise<void>((done) => {
        server.close(() => done());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

/** A certificate that no browser trusts. Contexts of the tests ignore that. */
function certificate() {
  const [{ publicKey, privateKey }] = rsaPairs;
  const issuer = { commonName: "127.0.0.1", privateKey };
  const cert = certificatePem({ commonName: "127.0.0.1", publicKey, serial: "5a", issuer });
  // For requests of the test itself.
  return { key: privateKey, cert, allowHTTP1: true };
}
