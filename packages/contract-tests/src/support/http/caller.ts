import { at, parsedJson } from "./json.js";

/** A response, with its body as text and as JSON. */
export interface ServiceReply {
  readonly status: number;
  readonly headers: Headers;
  /** The raw body. */
  readonly text: string;
  /** The JSON value of the body, or `undefined` if the body is not JSON. */
  readonly json: unknown;
  /** The members of the payments envelope. */
  readonly code: unknown;
  readonly msg: unknown;
  readonly data: unknown;
  readonly traceId: unknown;
}

/** One request to the payments surface. */
export interface CallerRequest {
  readonly method?: "GET" | "POST" | "PUT" | "DELETE";
  readonly path: string;
  /** A text is sent unchanged, after a `?`. */
  readonly query?: string | Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array<ArrayBuffer>;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Sends requests to the payments surface with the credentials of an app. */
export interface Caller {
  readonly appId: string;
  readonly appSecret: string;
  send(request: CallerRequest): Promise<ServiceReply>;
  get(path: string, query?: Readonly<Record<string, string>>): Promise<ServiceReply>;
  /** Posts `body` as JSON. */
  post(path: string, body: unknown): Promise<ServiceReply>;
  /** Posts JSON text unchanged. */
  postText(path: string, body: string): Promise<ServiceReply>;
}

/**
 * Creates a caller for `baseUrl`.
 *
 * @param always - Headers of every request.
 */
export function callerAt(
  baseUrl: string,
  { appId, appSecret }: { readonly appId: string; readonly appSecret: string },
  always: Readonly<Record<string, string>> = {},
): Caller {
  const send = ({ method = "GET", path, query = "", body, headers }: CallerRequest) => {
    const search = typeof query === "string" ? query : new URLSearchParams(query).toString();
    return fetchAnswer(`${baseUrl}${path}${search === "" ? "" : `?${search}`}`, {
      method,
      headers: { APP_ID: appId, APP_SECRET: appSecret, ...always, ...headers },
      ...(body === undefined ? {} : { body }),
    });
  };
  const postText = (path: string, body: string) =>
    send({ method: "POST", path, body, headers: { "content-type": "application/json" } });
  return {
    appId,
    appSecret,
    send,
    get: (path, query = {}) => send({ path, query }),
    post: (path, body) => postText(path, JSON.stringify(body)),
    postText,
  };
}

/** Fetches `url` and reads the response. */
export async function fetchAnswer(url: string, init: RequestInit = {}): Promise<ServiceReply> {
  const response = await fetch(url, { redirect: "manual", ...init });
  const text = await response.text();
  const json = parsedJson(text);
  return {
    status: response.status,
    headers: response.headers,
    text,
    json,
    code: at(json, "code"),
    msg: at(json, "msg"),
    data: at(json, "data"),
    traceId: at(json, "traceId"),
  };
}
