import { isError } from "@tillkit/core/errors";
import { writePathSegment } from "@tillkit/core/text";
import { err, ok, type Result } from "neverthrow";
import { type z } from "zod";
import { type CliFailure, failure, reasonOf } from "../failure.js";
import { type ServerError, serverErrorSchema, serverFailure } from "./server-failure.js";

/** How long a server may take to answer, in milliseconds. It may call a wallet meanwhile. */
const ANSWER_MS = 60_000;

/** How long a file may take to arrive, in milliseconds. */
const FILE_MS = 600_000;

/** A request to the operator API. */
export interface ServerRequest {
  readonly method: "GET" | "POST" | "DELETE";
  /** The parts of the path behind `/api`. */
  readonly path: readonly string[];
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  readonly body?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What the server answered to a request that succeeded. */
export interface ServerAnswer {
  readonly json: unknown;
  /** Each as `name=value`. */
  readonly cookies: readonly string[];
}

/** Sends a request to the server. Follows no redirect, and never rejects. */
export async function sendToServer(
  server: string,
  request: ServerRequest,
): Promise<Result<ServerAnswer, CliFailure>> {
  return (await receive(server, request, ANSWER_MS)).andThen(({ text, headers }) => {
    const json = jsonOf(text);
    return json === undefined
      ? err(unsupported(server, "the answer is not JSON"))
      : ok({ json, cookies: cookiesIn(headers) });
  });
}

/** Reads a whole CSV file from the server. An incomplete file is a failure. */
export async function readFileOfServer(
  server: string,
  request: Omit<ServerRequest, "method" | "body">,
): Promise<Result<string, CliFailure>> {
  return (await receive(server, { ...request, method: "GET" }, FILE_MS)).andThen(({ text, headers }) =>
    headers.get("content-type")?.startsWith("text/csv") === true
      ? ok(text)
      : err(unsupported(server, "the answer is not CSV")),
  );
}

/** Returns the text of a successful answer. */
async function receive(
  server: string,
  { method, path, query = {}, body, headers = {} }: ServerRequest,
  timeoutMs: number,
): Promise<Result<{ readonly text: string; readonly headers: Headers }, CliFailure>> {
  const url = new URL([server, "api", ...path.map(writePathSegment)].join("/"));
  for (const [name, value] of Object.entries(query))
    if (value !== undefined) url.searchParams.set(name, String(value));
  let status: number;
  let text: string;
  let received: Headers;
  try {
    const response = await fetch(url, {
      method,
      headers: {
        accept: "application/json, text/csv",
        "accept-language": "en",
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      // The session and the password go to the named address only.
      redirect: "manual",
      signal: AbortSignal.timeout(timeoutMs),
    });
    ({ status, headers: received } = response);
    text = await response.text();
  } catch (error) {
    return err(unreachable(server, reasonOf(isError(error) ? (error.cause ?? error) : error)));
  }
  if (status >= 300 && status < 400) return err(redirected(server, received.get("location")));
  if (status >= 200 && status < 300) return ok({ text, headers: received });
  const refused = serverErrorSchema.safeParse(jsonOf(text));
  if (refused.success) return err(refusal(server, refused.data.error, status));
  // A status of 500 or more may come from a proxy whose host is down.
  return err(
    status >= 500
      ? unreachable(server, `status ${String(status)}`)
      : unsupported(server, `status ${String(status)}`),
  );
}

/** Checks an answer of the server. Unknown members are ignored. */
export function readAnswer<S extends z.ZodType>(
  server: string,
  schema: S,
  json: unknown,
): Result<z.output<S>, CliFailure> {
  const read = schema.safeParse(json);
  if (read.success) return ok(read.data);
  const where = read.error.issues.map(({ path }) => path.join(".")).join(", ");
  return err(unsupported(server, `unexpected: ${where === "" ? "the whole answer" : where}`));
}

/** The name of the failure of a request without an answer, whose effect is therefore unknown. */
export const UNREACHABLE = "server.unreachable";

function unreachable(server: string, reason: string): CliFailure {
  return failure(
    "unavailable",
    UNREACHABLE,
    `The server ${server} gave no answer (${reason}). Check that the host runs and that --server is its address.`,
  );
}

function unsupported(server: string, reason: string): CliFailure {
  return failure(
    "schema",
    "server.unsupported",
    `${server} is not the operators' page of a host that this version of tillkit knows (${reason}). The address includes the path of the page, such as https://pay.example/dashboard. If it is right, use the tillkit of the host's version.`,
  );
}

/**
 * Creates the failure for a redirect. Omits the query, which may contain a single sign-on token.
 */
function redirected(server: string, location: string | null): CliFailure {
  const isKnown = location !== null && URL.canParse(location, `${server}/`);
  const { origin, pathname } = new URL(isKnown ? location : server, `${server}/`);
  const where = isKnown ? origin + pathname : "another address";
  return failure(
    "refused",
    "server.redirects",
    `The server ${server} redirects to ${where}. The command did not follow, because it would send your session there. If you trust this address, name it with --server.`,
  );
}

function refusal(server: string, error: ServerError, status: number): CliFailure {
  return error.name === "endpoint.not-found"
    ? unsupported(server, `status ${String(status)}, ${error.name}`)
    : serverFailure(server, error);
}

function cookiesIn(headers: Headers): readonly string[] {
  return headers.getSetCookie().map((cookie) => cookie.split(";", 1)[0] ?? "");
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
