import { OPERATOR_ROLES } from "@tillkit/core/ports";
import { err, ok, type Result, ResultAsync } from "neverthrow";
import { z } from "zod";
import { type CliFailure, failure } from "../failure.js";
import { readAnswer, sendToServer, type ServerAnswer } from "./send.js";
import { serverFailure } from "./server-failure.js";
import type { StoredSession } from "./session-file.js";

/** Schema of the answer about the sender's own session. */
const sessionSchema = z.object({
  operator: z.object({ name: z.string(), role: z.enum(OPERATOR_ROLES) }).nullable(),
  csrfToken: z.string().optional(),
  accounts: z.boolean(),
  secondFactor: z.enum(["none", "required", "enrol"]),
  mustChangePassword: z.boolean(),
});

/** How an operator signs in. */
export interface SignInRequest {
  readonly server: string;
  readonly operator: string;
  /** The cookies that make this machine known, of an earlier sign-in. */
  readonly devices: readonly string[];
  /** Asks for a secret of the operator. */
  readonly ask: (what: "Password" | "Code") => ResultAsync<string, CliFailure>;
}

/** An operator who has signed in, and the session to store. */
export interface SignedIn {
  readonly role: string;
  readonly session: StoredSession;
}

/** Signs an operator in with the same requests as the page. */
export function signInAtServer(request: SignInRequest): ResultAsync<SignedIn, CliFailure> {
  return new ResultAsync(signIn(request));
}

/**
 * Returns a session at a host that lets every request of this machine in, as in development.
 *
 * Otherwise fails with `session.missing` if operators sign in to the server, and with
 * `sign-in.elsewhere` if the host identifies them in another way.
 */
export function sessionOfHost(server: string): ResultAsync<StoredSession, CliFailure> {
  return new ResultAsync(sendToServer(server, { method: "GET", path: ["session"] }))
    .andThen(({ json }) => readAnswer(server, sessionSchema, json))
    .andThen(({ accounts, operator, csrfToken }) =>
      accounts || operator === null || csrfToken === undefined
        ? err(
            serverFailure(server, { name: accounts ? "session.missing" : "sign-in.elsewhere", message: "" }),
          )
        : ok({ server, operator: operator.name, cookie: "", csrfToken, devices: [] }),
    );
}

/** Ends a session at its server. Succeeds also if the session has ended before. */
export function signOutAtServer({ server, cookie, csrfToken }: Credentials): ResultAsync<void, CliFailure> {
  const headers = { cookie, "x-csrf-token": csrfToken };
  const ended = sendToServer(server, { method: "DELETE", path: ["session"], headers });
  return new ResultAsync(ended)
    .map(() => undefined)
    .orElse((failed) => (ENDED.includes(failed.name) ? ok(undefined) : err(failed)));
}

/** The failures of a session that the server does not have any more. */
const ENDED: readonly string[] = ["session.missing", "csrf.invalid"];

type Credentials = Pick<StoredSession, "server" | "cookie" | "csrfToken">;

async function signIn({
  server,
  operator,
  devices,
  ask,
}: SignInRequest): Promise<Result<SignedIn, CliFailure>> {
  // The password is sent only to a page on which operators sign in with accounts.
  const page = await sendToServer(server, { method: "GET", path: ["session"] });
  const found = page.andThen(({ json }) => readAnswer(server, sessionSchema, json));
  if (found.isErr()) return err(found.error);
  if (!found.value.accounts) {
    const name = found.value.operator === null ? "sign-in.elsewhere" : "sign-in.needless";
    return err(serverFailure(server, { name, message: "" }));
  }
  const password = await ask("Password");
  if (password.isErr()) return err(password.error);
  const opened = await openSession(server, "", devices, {
    path: ["session"],
    body: { name: operator, password: password.value },
  });
  if (opened.isErr() || opened.value.body.secondFactor !== "required") return complete(server, opened);
  const code = await ask("Code");
  const { credentials, devices: known } = opened.value;
  const completed = code.isErr()
    ? err(code.error)
    : await openSession(server, credentials.cookie, known, {
        path: ["session", "code"],
        body: { code: code.value.replaceAll(/\s/g, "") },
        csrfToken: credentials.csrfToken,
      });
  // A wrong code leaves the session of the first step open.
  if (completed.isErr()) await signOutAtServer(credentials);
  return complete(server, completed);
}

/** A session that the server has opened. */
interface Opened {
  readonly body: z.output<typeof sessionSchema>;
  readonly credentials: Credentials;
  readonly devices: readonly string[];
}

async function openSession(
  server: string,
  cookie: string,
  devices: readonly string[],
  step: {
    readonly path: readonly string[];
    readonly body: Readonly<Record<string, string>>;
    readonly csrfToken?: string;
  },
): Promise<Result<Opened, CliFailure>> {
  const { path, body, csrfToken } = step;
  const cookies = [...(cookie === "" ? [] : [cookie]), ...devices].join("; ");
  const headers = {
    ...(cookies === "" ? {} : { cookie: cookies }),
    ...(csrfToken === undefined ? {} : { "x-csrf-token": csrfToken }),
  };
  const sent = await sendToServer(server, { method: "POST", path, body, headers });
  return sent.andThen((answer) =>
    readAnswer(server, sessionSchema, answer.json).andThen((session) =>
      openedOf(server, answer, session, devices),
    ),
  );
}

function openedOf(
  server: string,
  { cookies }: Pick<ServerAnswer, "cookies">,
  body: Opened["body"],
  earlier: readonly string[],
): Result<Opened, CliFailure> {
  const cookie = cookies.find((one) => SESSION_COOKIE.test(one));
  if (cookie === undefined || body.csrfToken === undefined) return readAnswer(server, z.never(), body);
  const set = cookies.filter((one) => DEVICE_COOKIE.test(one));
  const nameOf = (one: string) => one.split("=", 1)[0];
  const kept = earlier.filter((one) => !set.some((other) => nameOf(other) === nameOf(one)));
  return ok({ body, credentials: { server, cookie, csrfToken: body.csrfToken }, devices: [...kept, ...set] });
}

/**
 * Browsers accept the prefix `__Secure-` only over HTTPS, so a page on this machine may omit it.
 */
const SESSION_COOKIE = /^(?:__Secure-)?tillkit-operator=[\w-]{43}$/;
const DEVICE_COOKIE = /^(?:__Secure-)?tillkit-operator-device-[^=;]+=[^;]+$/;

/**
 * Returns the session. Ends it and fails if the operator must first complete a step on the page.
 */
async function complete(
  server: string,
  opened: Result<Opened, CliFailure>,
): Promise<Result<SignedIn, CliFailure>> {
  if (opened.isErr()) return err(opened.error);
  const { body, credentials, devices } = opened.value;
  const { operator, secondFactor, mustChangePassword } = body;
  if (operator !== null && secondFactor === "none" && !mustChangePassword)
    return ok({ role: operator.role, session: { ...credentials, operator: operator.name, devices } });
  await signOutAtServer(credentials);
  return err(
    mustChangePassword && secondFactor === "none"
      ? failure("refused", "password.must-change", `Choose another password on the page first: ${server}`)
      : failure(
          "refused",
          "second-factor.missing",
          `Set up your second factor on the page first, and choose a password if it asks for one: ${server}`,
        ),
  );
}
