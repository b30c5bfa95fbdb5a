import { createServer } from "node:http";
import { expectOk } from "@tillkit/contract-tests";
import {
  createOperator,
  createOperatorInput,
  type Operator,
  type OperatorRole,
  parseInput,
  type PasswordHasher,
  policyWith,
} from "@tillkit/core";
import { paymentsSurface } from "@tillkit/core/http";
import { dashboardSurface } from "@tillkit/dashboard";
import { memoryPorts, testClock } from "@tillkit/memory";
import { nodeListener } from "@tillkit/node";

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

/** Hashes at once, so that the tests are fast. */
const passwords: PasswordHasher = {
  hash: async (password) => `hash of ${password}`,
  matches: async (password, hash) => hash === `hash of ${password}`,
};

/** A host on this machine, whose clock and wallets a test controls. */
export type Host = Awaited<ReturnType<typeof openHost>>;

/** Starts a host with the operators' page over stores in memory. */
export async function openHost(pageFolder: string, mountPath = "/dashboard") {
  const clock = { ...testClock(START), sleep: () => new Promise<void>((done) => setTimeout(done, SLEEP)) };
  const policy = policyWith({ refundApprovalOver: APPROVAL_OVER });
  const ports = memoryPorts({ clock, policy });
  const accounts = { passwords, mountPath, issuer: "Notes Shop", secure: false };
  const surface = dashboardSurface(ports, { accounts, page: pageFolder });
  const server = createServer(nodeListener({ [mountPath]: surface, [PAY]: paymentsSurface(ports) }));
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const address = server.address();
  if (address === null || typeof address === "string") throw new TypeError("The server has no port.");
  const by = { operator: "host", reason: "test", from: "host", traceId: "" };
  return {
    ...{ ports, mountPath },
    url: `http://127.0.0.1:${String(address.port)}${mountPath === "/" ? "" : mountPath}`,
    /** The base URL of the payments endpoints. */
    payUrl: `http://127.0.0.1:${String(address.port)}${PAY}`,
    /** Creates an operator. Without apps, the operator sees every app. */
    create: async (name: string, role: OperatorRole, apps?: Operator["apps"]) => {
      const account = { name, role, password: PASSWORD, ...(apps === undefined ? {} : { apps: [...apps] }) };
      const input = parseInput(createOperatorInput(), account)._unsafeUnwrap();
      await expectOk(createOperator({ ...ports, passwords }, input, by));
    },
    close: () =>
      new Promise<void>((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}
