import { innerErrors, isError } from "@tillkit/core/errors";
import {
  type AlertChannel,
  type AlertMessage,
  type AlertNotSent,
  ATTENTION_KINDS,
  type AttentionKind,
} from "@tillkit/core";
import { err, ok, type Result, ResultAsync } from "neverthrow";

/** The options of every channel. */
export interface ChannelOptions {
  /**
   * The address of the robot or of the receiver. It is a secret, so no log and no error shows it.
   *
   * Must use `https`, except on this machine. A redirect is not followed.
   */
  readonly url: string;
  /** The name under which the storage records the sent alerts. Defaults to the service's name. */
  readonly name?: string | undefined;
  /** The language of the messages. */
  readonly language?: AlertChannel["language"] | undefined;
  /** The kinds of alerts that the channel receives. Defaults to all kinds. */
  readonly kinds?: readonly AttentionKind[] | undefined;
  /** How long the service may take, in milliseconds. Defaults to 10,000, at most 20,000. */
  readonly timeoutMs?: number | undefined;
}

/** The response of a service, with at most {@link LONGEST_ANSWER} characters of its body. */
export interface ServiceAnswer {
  readonly status: number;
  readonly text: string;
  /** How long the service asks to wait, in milliseconds. */
  readonly retryAfterMs?: number | undefined;
}

/** The defaults of one service, how to send it a message, and how to read its answer. */
export interface Service {
  /** The name of the service, and of its channel by default. */
  readonly service: string;
  readonly language: AlertChannel["language"];
  readonly pauseMs: number;
  /** Secrets that no failure may contain. */
  readonly secrets?: readonly (string | undefined)[];
  /** Builds the request of a message: the address, further headers, and the body. */
  request(url: URL, message: AlertMessage): WebhookRequest;
  /** Reads the answer: `undefined` if the service accepted the message. */
  failureOf(answer: ServiceAnswer): Omit<AlertNotSent, "name"> | undefined;
}

/** What the codes of a service mean. */
export interface ServiceCodes {
  /** The members of the answer that contain the code and its text. */
  readonly members: readonly [code: string, text: string];
  /** The codes after which Tillkit sends the message again, with the delay and the advice. */
  readonly later: Readonly<Record<number, { readonly retryAfterMs: number; readonly advice: string }>>;
  /** What to do about every other code. */
  readonly adviceOf: (code: number, text: string) => string;
}

/** One request. The body is JSON. */
export interface WebhookRequest {
  readonly url: URL;
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const LONGEST_ANSWER = 16_384;
const LONGEST_DETAIL = 200;
const LONGEST_TIMEOUT = 20_000;
/** The longest wait before a retry, in milliseconds, even if the service asks for a longer one. */
const LONGEST_WAIT = 3_600_000;

/** Codes of errors that prove that no request was sent. */
const NEVER_SENT = [
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "UND_ERR_CONNECT_TIMEOUT",
  "CERT_HAS_EXPIRED",
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "SELF_SIGNED_CERT_IN_CHAIN",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
  "ERR_TLS_CERT_ALTNAME_INVALID",
];

/** Creates the channel of a service. Throws a `TypeError` that names the option, not its value. */
export function webhookChannel(
  { url, name, language, kinds, timeoutMs = 10_000 }: ChannelOptions,
  service: Service,
): AlertChannel {
  const channel = name ?? service.service;
  if (!/^[a-z0-9][a-z0-9._-]{0,62}$/.test(channel))
    throw new TypeError(
      "The name of an alert channel must have 1 to 63 characters of a-z, 0-9 and . _ -, and begin with a letter or digit.",
    );
  const address = addressOf(channel, url);
  if (!(timeoutMs >= 1 && timeoutMs <= LONGEST_TIMEOUT))
    throw new TypeError(
      `The timeoutMs of the alert channel "${channel}" must be from 1 to ${LONGEST_TIMEOUT}.`,
    );
  // Options may come from code without types.
  const given: unknown = language;
  if (given !== undefined && given !== "en" && given !== "zh")
    throw new TypeError(`The language of the alert channel "${channel}" must be en or zh.`);
  if (kinds?.some((kind) => !ATTENTION_KINDS.includes(kind)) === true)
    throw new TypeError(
      `The kinds of the alert channel "${channel}" must be of ${ATTENTION_KINDS.join(", ")}.`,
    );
  const secrets = [...secretsOf(address), ...(service.secrets ?? [])].filter((one) => one !== undefined);
  const send = async (message: AlertMessage): Promise<Result<void, AlertNotSent>> => {
    const answer = await post(service.request(address, message), timeoutMs);
    const failure = answer.isErr() ? answer.error : service.failureOf(answer.value);
    if (failure === undefined) return ok(undefined);
    return err({ ...failure, name: "alert.not-sent", detail: redacted(failure.detail, secrets) });
  };
  return {
    name: channel,
    language: language ?? service.language,
    kinds,
    pauseMs: service.pauseMs,
    send: (message) => new ResultAsync(send(message)),
  };
}

/**
 * Returns the text of a message: title, lines and link.
 *
 * If the text has more than `mostBytes` bytes, cuts off the end of the lines, but never the link.
 */
export function textOf({ title, lines, url }: AlertMessage, mostBytes: number): string {
  const link = url === undefined ? "" : `\n${url}`;
  const room = mostBytes - Buffer.byteLength(link);
  const bytes = Buffer.from([title, ...lines].join("\n")).subarray(0, Math.max(room, 0));
  // A character that was cut in two is removed.
  return new TextDecoder().decode(bytes, { stream: true }) + link;
}

/**
 * Returns the failure that the code in a JSON answer means, whatever the HTTP status is.
 *
 * @returns `undefined` if the code is 0. Without a code, the result of {@link failureOfStatus}.
 */
export function failureOfCode(
  answer: ServiceAnswer,
  { members: [codeName, textName], later, adviceOf }: ServiceCodes,
): Omit<AlertNotSent, "name"> | undefined {
  const body = parsed(answer.text);
  if (typeof body !== "object" || body === null) return failureOfStatus(answer);
  const found = new Map<string, unknown>(Object.entries(body));
  const [code, said] = [found.get(codeName), found.get(textName)];
  if (typeof code !== "number") return failureOfStatus(answer);
  if (code === 0) return undefined;
  const text = typeof said === "string" ? said : "";
  const detail = `${code} ${text}`;
  const limit = later[code];
  if (limit !== undefined) return { reason: "rate-limited", detail, ...limit, ...wait(answer.retryAfterMs) };
  if (answer.status === 429) return { ...failureOfStatus(answer), detail };
  return { reason: "refused", detail, advice: adviceOf(code, text) };
}

/** Returns the failure that the HTTP status of an answer means. */
export function failureOfStatus({ status, text, retryAfterMs }: ServiceAnswer): Omit<AlertNotSent, "name"> {
  const detail = `HTTP ${status} ${text}`;
  if (status === 429)
    return {
      reason: "rate-limited",
      detail,
      advice: "Wait. Tillkit sends the message later.",
      ...wait(retryAfterMs),
    };
  if (status >= 500)
    return {
      reason: "unknown",
      detail,
      advice: "The service has a fault. Tillkit tries again.",
      ...wait(retryAfterMs),
    };
  if (status >= 300 && status < 400)
    return {
      reason: "refused",
      detail: `HTTP ${status}`,
      advice: "The address redirects. Enter the address of the robot itself.",
    };
  return {
    reason: "refused",
    detail,
    advice: "Check the address of the channel, and that its robot still exists.",
  };
}

function wait(retryAfterMs: number | undefined): { readonly retryAfterMs?: number } {
  return retryAfterMs === undefined ? {} : { retryAfterMs };
}

function addressOf(channel: string, url: string): URL {
  const address = URL.canParse(url) ? new URL(url) : undefined;
  const isLocal = ["127.0.0.1", "[::1]", "localhost"].includes(address?.hostname ?? "");
  const isSafe = address?.protocol === "https:" || (address?.protocol === "http:" && isLocal);
  if (address === undefined || !isSafe || address.username + address.password !== "")
    throw new TypeError(
      `The url of the alert channel "${channel}" must be an https address without a user. This machine may use http.`,
    );
  return address;
}

/**
 * Returns the parts of an address that can identify a robot: path segments, query names and values.
 *
 * The result contains each part of at least 8 characters in several forms: as in the address,
 * decoded, and encoded in other ways. An answer of the service may contain each of the forms.
 */
function secretsOf({ pathname, searchParams, href, search }: URL): readonly string[] {
  const written = [...pathname.split("/"), ...search.slice(1).split(/[&=]/)];
  const plain = [...pathname.split("/").map(decoded), ...searchParams.keys(), ...searchParams.values()];
  const encoded = plain.flatMap((part) => [
    encodeURIComponent(part),
    new URLSearchParams([["", part]]).toString().slice(1),
  ]);
  return [href, ...[...written, ...plain, ...encoded].filter((part) => part.length >= 8)];
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

async function post(
  { url, body, headers }: WebhookRequest,
  timeoutMs: number,
): Promise<Result<ServiceAnswer, Omit<AlertNotSent, "name">>> {
  try {
    const response = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json; charset=utf-8", ...headers },
      body,
      redirect: "manual",
      signal: AbortSignal.timeout(timeoutMs),
    });
    const { headers: answered } = response;
    // Feishu uses the second header.
    const seconds = Number(
      answered.get("retry-after") ?? answered.get("x-ogw-ratelimit-reset") ?? Number.NaN,
    );
    return ok({
      status: response.status,
      text: await readText(response),
      retryAfterMs: seconds > 0 ? Math.min(seconds * 1_000, LONGEST_WAIT) : undefined,
    });
  } catch (thrown) {
    const code = codesOf(thrown).find((one) => NEVER_SENT.includes(one));
    if (code === undefined)
      return err({
        reason: "unknown",
        detail: `no answer within ${timeoutMs} ms (${codesOf(thrown)[0] ?? "no code"})`,
        advice: "Check that the host reaches the service. Tillkit sends the message once more.",
      });
    return err({
      reason: "unreachable",
      detail: `no connection (${code})`,
      advice: "Check the address of the channel, the DNS and the firewall of the host.",
    });
  }
}

/** Returns the first {@link LONGEST_ANSWER} characters of a body, and does not read the rest. */
async function readText(response: Response): Promise<string> {
  const reader = response.body?.getReader();
  if (reader === undefined) return "";
  const decoder = new TextDecoder();
  let text = "";
  for (;;) {
    const read = await reader.read();
    const chunk: unknown = read.value;
    if (read.done || !(chunk instanceof Uint8Array)) return text;
    text += decoder.decode(chunk, { stream: true });
    if (text.length >= LONGEST_ANSWER) {
      await reader.cancel();
      return text.slice(0, LONGEST_ANSWER);
    }
  }
}

/** Returns the codes of an error and its causes. The messages may contain the address. */
function codesOf(thrown: unknown, depth = 0): readonly string[] {
  if (depth > 5 || !isError(thrown)) return [];
  const code = "code" in thrown && typeof thrown.code === "string" ? [thrown.code] : [];
  const causes = [...innerErrors(thrown), thrown.cause].flatMap((one) => codesOf(one, depth + 1));
  return [...code, ...causes, ...(thrown.name === "TimeoutError" ? ["TIMEOUT"] : [])];
}

function redacted(detail: string, secrets: readonly string[]): string {
  const hidden = secrets.reduce(
    (text, secret) => (secret === "" ? text : text.replaceAll(secret, "***")),
    detail,
  );
  return hidden
    .replaceAll(/[\p{Cc}\p{Cf}]+/gu, " ")
    .trim()
    .slice(0, LONGEST_DETAIL);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
