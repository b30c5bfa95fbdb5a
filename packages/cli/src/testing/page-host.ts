import { createHmac } from "node:crypto";
import { createServer, type RequestListener } from "node:http";
import { orThrow, parseInput, type PasswordHasher, type Ports } from "@tillkit/core";
import { createOperator, createOperatorInput } from "@tillkit/core/operators";
import type { OperatorRole } from "@tillkit/core/ports";
import { type AccountOptions, dashboardSurface } from "@tillkit/dashboard";
import { nodeListener } from "@tillkit/node";
import { onTestFinished } from "vitest";

/** The password of every operator in tests. */
export const PASSWORD = "correct horse battery";

/** Hashes at once, so that the tests are fast. */
export const passwords: PasswordHasher = {
  hash: async (password) => `hash of ${password}`,
  matches: async (password, hash) => hash === `hash of ${password}`,
};

/** Serves HTTP on this machine until the test ends. Returns the address. */
export async function listen(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The server has no port.");
  return `http://127.0.0.1:${String(address.port)}`;
}

/** A request that the host of a test received. */
export interface Seen {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
}

/** What happens to a request beside its handling, such as a redirect to an address. */
export type Fault = (seen: Seen) => "lose-request" | "lose-answer" | "other-answer" | URL | undefined;

/** Serves the operators' page of a host over HTTP. */
export async function openPage(ports: Ports, options: Pick<AccountOptions, "secondFactor"> = {}) {
  const accounts = { passwords, mountPath: "/dashboard", ...options };
  const handle = nodeListener(
    { "/dashboard": dashboardSurface(ports, { accounts }) },
    { peerOf: ({ headers }) => headers["x-real-ip"]?.toString() ?? "192.0.2.1" },
  );
  const seen: Seen[] = [];
  const faults: { fault: Fault } = { fault: () => undefined };
  const origin = await listen((request, response) => {
    const one = { method: request.method ?? "", path: request.url ?? "", headers: request.headers };
    seen.push(one);
    const fault = faults.fault(one);
    if (fault === "lose-request") return void request.socket.destroy();
    // What a host of another version might answer.
    if (fault === "other-answer") return void response.end("{}");
    if (fault instanceof URL) return void response.writeHead(302, { location: fault.href }).end();
    // The host makes the change, and its answer does not arrive.
    if (fault === "lose-answer") {
      response.end = () => {
        request.socket.destroy();
        return response;
      };
      response.write = () => true;
    }
    handle(request, response);
  });
  const create = async (name: string, role: OperatorRole, apps?: readonly string[]) => {
    const account = { name, role, password: PASSWORD, ...(apps === undefined ? {} : { apps: [...apps] }) };
    const input = orThrow(parseInput(createOperatorInput(), account));
    const by = { operator: "host", reason: "test", from: "host", traceId: "" };
    await orThrow(createOperator({ ...ports, passwords }, input, by));
  };
  return { url: `${origin}/dashboard`, origin, seen, faults, create };
}

/** Returns the code that an authenticator app shows. */
export function codeAt(key: string, time: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(time / 30_000)));
  const digest = createHmac("sha1", fromBase32(key)).update(counter).digest();
  const offset = (digest.at(-1) ?? 0) & 15;
  return String((digest.readUInt32BE(offset) & 0x7f_ff_ff_ff) % 1_000_000).padStart(6, "0");
}

function fromBase32(text: string): Buffer {
  const bits = [...text].map((one) =>
    "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".indexOf(one).toString(2).padStart(5, "0"),
  );
  const bytes = bits.join("").match(/.{8}/g) ?? [];
  return Buffer.from(bytes.map((byte) => Number.parseInt(byte, 2)));
}
