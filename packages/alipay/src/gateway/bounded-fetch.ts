import { err, ok, type Result, ResultAsync } from "neverthrow";

/** An answer over HTTP, with the bytes of its body as they came. */
export interface HttpAnswer {
  readonly status: number;
  readonly body: Uint8Array;
}

/** Why there is no whole answer. `detail` is a word of the system, such as `ECONNRESET`; never a part of the request. */
export interface NoHttpAnswer {
  readonly name: "http.no-answer";
  readonly cause: "timeout" | "network" | "too-large";
  readonly detail: string;
}

/** What bounds one request. */
export interface HttpBounds {
  /** Ends the request, and the reading of its answer, wherever they are. */
  readonly signal: AbortSignal;
  /** Bytes that a body may have, after decompression. */
  readonly maxBytes: number;
}

/** One request with an end: within the time `signal` gives, up to `maxBytes`, to this address and no other. A redirect is an answer like any other. */
export function boundedFetch(
  url: string,
  request: Pick<RequestInit, "method" | "headers" | "body">,
  { signal, maxBytes }: HttpBounds,
): ResultAsync<HttpAnswer, NoHttpAnswer> {
  const attempt = async (): Promise<Result<HttpAnswer, NoHttpAnswer>> => {
    try {
      const response = await fetch(url, { ...request, redirect: "manual", signal });
      const body = await bodyWithin(maxBytes, response);
      if (body === undefined) return failed("too-large", `more than ${maxBytes} bytes`);
      return ok({ status: response.status, body });
    } catch (error) {
      return signal.aborted
        ? failed("timeout", "no whole answer in time")
        : failed("network", systemCodeOf(error));
    }
  };
  return new ResultAsync(attempt());
}

/** Reads the body as far as it may go; leaving the loop early drops the connection. */
async function bodyWithin(maxBytes: number, { body }: Response): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body ?? []) {
    if (!(chunk instanceof Uint8Array)) continue;
    length += chunk.length;
    if (length > maxBytes) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** `fetch` wraps what went wrong; the code is the innermost thing that is safe to repeat. */
function systemCodeOf(error: unknown): string {
  if (!(error instanceof Error)) return "no connection";
  if ("code" in error && typeof error.code === "string") return error.code;
  return systemCodeOf(error.cause);
}

function failed(cause: NoHttpAnswer["cause"], detail: string) {
  return err<never, NoHttpAnswer>({ name: "http.no-answer", cause, detail });
}
