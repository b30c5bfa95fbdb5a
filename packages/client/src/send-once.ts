import type { Answer } from "./answer.js";
import type { Call, Surface } from "./call.js";
import type { TillkitClientOptions } from "./options.js";
import { readText } from "./read-text.js";
import { retryAfterOf } from "./retry-after.js";
import { answerWithoutSecret, withoutSecret } from "./without-secret.js";

/** The outcome of one request. */
export type Sent<T> =
  | {
      readonly kind: "answered";
      readonly status: number;
      readonly traceId: string | undefined;
      readonly retryAfter: number | undefined;
      readonly answer: Answer<T>;
    }
  | {
      readonly kind: "unreadable";
      readonly status: number;
      readonly traceId: string | undefined;
      readonly retryAfter: number | undefined;
    }
  | { readonly kind: "timeout" }
  | { readonly kind: "disconnected" }
  | { readonly kind: "aborted" };

/** Sends one request and reads its response. Never rejects. */
export async function sendOnce<T>(
  { baseUrl, headers }: Surface,
  call: Call<T>,
  options: TillkitClientOptions & { readonly timeout: number },
  signal: AbortSignal | undefined,
): Promise<Sent<T>> {
  if (isAborted(signal)) return { kind: "aborted" };
  const { fetch = globalThis.fetch, timeout, maxResponseBytes = 4 * 1024 * 1024 } = options;
  const controller = new AbortController();
  const abort = () => controller.abort();
  signal?.addEventListener("abort", abort);
  const timer = setTimeout(abort, timeout);
  try {
    const response = await fetch(urlOf(baseUrl, call), {
      method: call.method,
      headers: {
        ...headers,
        ...call.headers,
        accept: "application/json",
        ...(call.body === undefined ? {} : { "content-type": "application/json" }),
      },
      ...(call.body === undefined ? {} : { body: JSON.stringify(call.body) }),
      // The credentials must not follow a redirect to another server.
      redirect: "manual",
      signal: controller.signal,
    });
    const text = await readText(response, maxResponseBytes);
    const { status } = response;
    const { appSecret } = options;
    const traceHeader = response.headers.get("x-trace-id");
    const traceId = traceHeader === null ? undefined : withoutSecret(traceHeader, appSecret);
    const read = text === undefined ? undefined : call.read(text);
    const answer = read && answerWithoutSecret(read, appSecret);
    const facts = { status, traceId, retryAfter: retryAfterOf(response, Date.now()) };
    return answer === undefined ? { kind: "unreadable", ...facts } : { kind: "answered", ...facts, answer };
  } catch {
    // The error of `fetch` may contain the address with its parameters, so it is dropped.
    if (isAborted(signal)) return { kind: "aborted" };
    return { kind: controller.signal.aborted ? "timeout" : "disconnected" };
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", abort);
  }
}

function isAborted(signal: AbortSignal | undefined): boolean {
  return signal?.aborted ?? false;
}

function urlOf(baseUrl: string, { path, actualPath = path, query = {} }: Call<unknown>): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) parameters.set(name, String(value));
  }
  const text = parameters.toString();
  return `${baseUrl}${actualPath}${text === "" ? "" : `?${text}`}`;
}
