import { writePathSegment } from "@tillkit/core/text";
import { createFinalURL, createQuerySerializer } from "openapi-fetch";
import { ApiError, apiErrorOf } from "./api-error.js";
import { MOUNT_PATH } from "./mount-path.js";
import type { AnyParameters } from "./routes.js";

/** How long the page waits for the answer to a change, in milliseconds. */
export const CHANGE_TIMEOUT = 20_000;
/** How long the page waits for the answer to a read, in milliseconds. */
export const READ_TIMEOUT = 15_000;

/** What each request contains about the page. */
const sender: { csrfToken: string; language: string } = { csrfToken: "", language: "en" };

const querySerializer = createQuerySerializer();

/** Sets the token that changes are sent with. */
export function sendCsrfToken(token: string | undefined): void {
  sender.csrfToken = token ?? "";
}

/** Sets the language of the texts in answers. */
export function askForLanguage(tag: string): void {
  sender.language = tag;
}

/** Returns the address of a path below the mount path. */
export function addressOf(path: string, { path: inPath, query }: AnyParameters): string {
  return createFinalURL(path, {
    baseUrl: MOUNT_PATH,
    params: { path: { ...inPath }, query: { ...query } },
    querySerializer,
    pathSerializer: (pattern, parameters) =>
      pattern.replaceAll(/\{(\w+)\}/g, (_, name: string) => writePathSegment(String(parameters[name]))),
  });
}

/** A request to the operator API. */
export interface ApiRequest {
  readonly method: "GET" | "POST" | "DELETE";
  readonly address: string;
  readonly timeout: number;
  /** JSON text. */
  readonly body?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  /** Aborts the request before its time-out. */
  readonly signal?: AbortSignal;
}

/**
 * Sends a request, and returns the JSON of the answer. All JSON requests use this function.
 *
 * Without a connection, the request fails at once instead of waiting.
 *
 * @throws ApiError if the server refuses the request, or if it gives no answer that can be read
 *   within the time-out.
 */
export async function sendRequest<T>(request: ApiRequest): Promise<T> {
  const { method, address, timeout, body, headers, signal } = request;
  if (!navigator.onLine) throw new ApiError("offline", "");
  const limit = AbortSignal.timeout(timeout);
  const answered = await fetch(address, {
    method,
    headers: {
      "accept-language": sender.language,
      ...(method !== "GET" && { "x-csrf-token": sender.csrfToken }),
      ...(body !== undefined && { "content-type": "application/json" }),
      ...headers,
    },
    ...(body !== undefined && { body }),
    // A redirect may lead to the page of a proxy, which is no answer of the server.
    redirect: "manual",
    signal: signal === undefined ? limit : AbortSignal.any([signal, limit]),
  })
    .then(async (response) => ({ status: response.status, json: await jsonIn(response) }))
    .catch(() => {
      throw new ApiError("unreachable", "");
    });
  const { status, json } = answered;
  if (status !== 200 || !isObject<T>(json)) throw apiErrorOf(json, status);
  return json;
}

/**
 * Loads a file of the operator API.
 *
 * The time-out covers only the time until the headers arrive, because a large file takes longer.
 *
 * @throws ApiError if the server refuses the request or does not answer. `file.incomplete` if the
 *   connection broke, so that only a part of the file arrived.
 */
export async function loadFile(address: string, view: AbortSignal): Promise<Blob> {
  if (!navigator.onLine) throw new ApiError("offline", "");
  const begun = new AbortController();
  const timer = setTimeout(() => begun.abort(), READ_TIMEOUT);
  const response = await fetch(address, {
    headers: { "accept-language": sender.language },
    redirect: "manual",
    signal: AbortSignal.any([view, begun.signal]),
  })
    .catch(() => {
      throw new ApiError("unreachable", "");
    })
    .finally(() => clearTimeout(timer));
  if (response.status !== 200) throw apiErrorOf(await jsonIn(response), response.status);
  return response.blob().catch(() => {
    throw new ApiError("file.incomplete", "");
  });
}

async function jsonIn(response: Response): Promise<unknown> {
  const text = await response.text();
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

// The server's tests compare every answer with its schema, from which `T` is generated.
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters
function isObject<T>(json: unknown): json is T {
  return typeof json === "object" && json !== null;
}
