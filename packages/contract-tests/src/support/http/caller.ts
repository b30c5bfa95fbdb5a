import { at, parsedJson } from "./json.js";

/** A reply, read once as text and once as JSON. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  /** The raw body. */
  readonly text: string;
  /** The body's JSON value, or `undefined` when it is none. */
  readonly json: unknown;
  /** The members of the payments envelope. */
  readonly code: unknown;
  readonly msg: unknown;
  readonly data: unknown;
  readonly traceId: unknown;
}

/** One request to the payments surface, as it goes over the wire. */
export interface CallerRequest {
  readonly method?: "GET" | "POST" | "PUT" | "DELETE";
  readonly path: string;
  /** Text goes out as it is, after a `?`. */
  readonly query?: string | Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array<ArrayBuffer>;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A caller of the payments surface: an app's credentials, and how to send with them. */
export interface Caller {
  readonly appId: string;
  readonly appSecret: string;
  send(request: CallerRequest): Promise<Answer>;
  get(path: string, query?: Readonly<Record<string, string>>): Promise<Answer>;
  /** Posts `body` as JSON. */
  post(path: string, body: unknown): Promise<Answer>;
  /** Posts JSON text as it is. */
  postText(path: string, body: string): Promise<Answer>;
}

/** A caller at `baseUrl`. `always` are headers of every request of it. */
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

/** Fetches `url` and reads the answer. */
export async function fetchAnswer(url: string, init: RequestInit = {}): Promise<Answer> {
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
