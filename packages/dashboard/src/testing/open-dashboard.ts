import { randomUUID } from "node:crypto";
import { type Operator, orThrow, parseInput, type PasswordHasher, type Ports } from "@tillkit/core";
import { expectOk } from "@tillkit/contract-tests";
import { headersIn, type Surface } from "@tillkit/core/http";
import { createOperator, createOperatorInput } from "@tillkit/core/operators";
import type { OperatorRole } from "@tillkit/core/ports";
import { memoryPorts, type MemoryPorts } from "@tillkit/memory";
import { Secret, TOTP } from "otpauth";
import * as z from "zod";
import { type AccountOptions, type DashboardOptions, dashboardSurface } from "../dashboard-surface.js";

/** The password of every operator in tests. */
export const PASSWORD = "correct horse battery";

/** Hashes at once, so that the tests are fast. */
const passwords: PasswordHasher = {
  hash: async (password) => `hash of ${password}`,
  matches: async (password, hash) => hash === `hash of ${password}`,
};

/** A request of a test. */
export interface TestRequest {
  readonly method?: "GET" | "POST" | "DELETE";
  readonly path: string;
  readonly query?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Defaults to `192.0.2.1`. */
  readonly peer?: string;
}

/** The answer to a request of a test. */
export interface TestAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly cookies: readonly string[];
  readonly json: Record<string, unknown>;
}

const jsonObject = z.record(z.string(), z.unknown());

/** Sends a request to the surface, and returns the whole text of the answer. */
export async function sendForText(
  surface: Surface,
  { method = "GET", path, query = "", body, headers = {}, peer = "192.0.2.1" }: TestRequest,
): Promise<Omit<TestAnswer, "json"> & { readonly text: string }> {
  const sent = body === undefined ? "" : JSON.stringify(body);
  const reply = await surface.handle({
    method,
    path,
    query,
    peer,
    headers: headersIn(headers),
    body: new TextEncoder().encode(sent),
  });
  const { status, headers: received, cookies = [] } = reply;
  if (typeof reply.body === "string") return { status, headers: received, cookies, text: reply.body };
  if (reply.body instanceof Uint8Array) throw new TypeError("The reply is no text.");
  let text = "";
  for await (const block of reply.body) text += typeof block === "string" ? block : "";
  return { status, headers: received, cookies, text };
}

/** Sends a request to the surface. */
export async function send(surface: Surface, request: TestRequest): Promise<TestAnswer> {
  const { text, ...reply } = await sendForText(surface, request);
  return { ...reply, json: jsonObject.parse(JSON.parse(text)) };
}

/** An operator who has signed in. */
export interface Browser {
  readonly name: string;
  readonly cookie: string;
  readonly csrfToken: string;
  get(path: string, query?: string): Promise<TestAnswer>;
  /** Sends a change, with a new id by default. */
  post(path: string, body?: unknown, changeId?: string): Promise<TestAnswer>;
}

type TestOptions = Pick<DashboardOptions, "walletCalls"> & Pick<AccountOptions, "secondFactor">;

/** A dashboard with its operators. */
export interface TestDashboard<P extends Ports> {
  readonly ports: P;
  readonly surface: Surface;
  readonly create: (name: string, role: OperatorRole, apps?: Operator["apps"]) => Promise<void>;
  /** Signs in an operator who has no second factor yet. */
  readonly signIn: (name: string) => Promise<Browser>;
}

/** Opens a dashboard over stores in memory, or over the given ports. */
export function openDashboard(): TestDashboard<MemoryPorts>;
export function openDashboard<P extends Ports>(ports: P, options?: TestOptions): TestDashboard<P>;
export function openDashboard(ports: Ports = memoryPorts(), options: TestOptions = {}): TestDashboard<Ports> {
  const { secondFactor = "required", ...others } = options;
  const accounts = { passwords, mountPath: "/dashboard", issuer: "Shop", secondFactor };
  const surface = dashboardSurface(ports, { ...others, accounts });
  const by = { operator: "host", reason: "test", from: "host", traceId: "" };
  const create = async (name: string, role: OperatorRole, apps?: Operator["apps"]) => {
    const account = { name, role, password: PASSWORD, ...(apps === undefined ? {} : { apps: [...apps] }) };
    const input = orThrow(parseInput(createOperatorInput(), account));
    await expectOk(createOperator({ ...ports, passwords }, input, by));
  };
  /** Signs in an operator who has no second factor yet. */
  const signIn = async (name: string): Promise<Browser> => {
    const opened = await send(surface, {
      ...({ method: "POST", path: "/api/session", body: { name, password: PASSWORD } } as const),
    });
    const first = browserOf(surface, name, opened);
    // If a second factor is optional, the session is already complete, and the enrolment needs the
    // password.
    const password = { password: PASSWORD };
    const { json } = await first.post("/api/session/enrolment", password);
    const code = codeOf(String(json["key"]), ports.clock.now());
    const confirmed = await first.post("/api/session/enrolment/confirm", { ...password, code });
    return browserOf(surface, name, confirmed);
  };
  return { ports, surface, create, signIn };
}

/** Returns the code of a second factor. */
export function codeOf(key: string, timestamp: number): string {
  return new TOTP({ secret: Secret.fromBase32(key) }).generate({ timestamp });
}

/** Returns a browser that has the cookie and the token of an answer. */
export function browserOf(surface: Surface, name: string, { cookies, json }: TestAnswer): Browser {
  const cookie = cookies.map((one) => one.slice(0, one.indexOf(";"))).join("; ");
  const csrfToken = String(json["csrfToken"]);
  return {
    name,
    cookie,
    csrfToken,
    get: (path, query = "") => send(surface, { path, query, headers: { cookie } }),
    post: (path, body = {}, changeId = `test-${randomUUID()}`) =>
      send(surface, {
        method: "POST",
        path,
        body,
        headers: { cookie, "x-csrf-token": csrfToken, "x-change-id": changeId },
      }),
  };
}
