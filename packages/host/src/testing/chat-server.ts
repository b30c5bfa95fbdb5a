import { createHmac, timingSafeEqual } from "node:crypto";
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A message that a service accepted. */
export interface Received {
  readonly service: string;
  readonly text: string;
  readonly body: string;
}

/** Local services that check messages as the real ones do. */
export interface ChatServer {
  readonly url: (path: string) => string;
  readonly received: Received[];
  /** Functions that answer the next requests instead of the services. */
  readonly script: ((response: ServerResponse) => void)[];
  close(): Promise<void>;
}

/** The secrets that the robots of {@link openChatServer} expect. */
export const SECRETS = {
  feishu: "feishu-secret-of-the-robot",
  dingtalk: "SECdingtalk-secret-of-the-robot",
  json: `whsec_${Buffer.alloc(32, 7).toString("base64")}`,
} as const;
/** The part of each address that identifies the robot. */
export const TOKEN = "0123456789abcdef-token";

const HOUR = 3_600_000;

interface Request {
  readonly url: URL;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}
/** The answer of a service, and the text of the message if the service accepted the message. */
interface Answer {
  readonly status?: number;
  readonly body: string;
  readonly text?: string;
}

/** Starts the services on one free port. */
export async function openChatServer(): Promise<ChatServer> {
  const received: Received[] = [];
  const script: ((response: ServerResponse) => void)[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const body = Buffer.concat(chunks).toString("utf8");
      const url = new URL(request.url ?? "", "http://127.0.0.1");
      const service = url.pathname.split("/")[1] ?? "";
      const answer = SERVICES[service]?.({ url, headers: request.headers, body }) ?? {
        status: 404,
        body: "",
      };
      if (answer.text !== undefined) received.push({ service, text: answer.text, body });
      const scripted = script.shift();
      if (scripted !== undefined) {
        scripted(response);
        return;
      }
      response.writeHead(answer.status ?? 200, { "content-type": "application/json" }).end(answer.body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = addressOf(server.address());
  return {
    url: (path) => `http://127.0.0.1:${port}${path}`,
    received,
    script,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function addressOf(address: string | AddressInfo | null): AddressInfo {
  if (address === null || typeof address === "string") throw new Error("The server has no port.");
  return address;
}

const SERVICES: Readonly<Record<string, (request: Request) => Answer>> = {
  feishu: ({ url, body }) => {
    const [timestamp, sign] = [memberOf(body, "timestamp"), memberOf(body, "sign")];
    const text = memberOf(body, "content", "text");
    if (!url.pathname.endsWith(TOKEN))
      return feishu(19001, "param invalid: incoming webhook access token invalid");
    if (Buffer.byteLength(body) > 20_480) return feishu(11246, "request too large");
    const expected = base64Hmac(`${timestamp}\n${SECRETS.feishu}`, "");
    if (!isNear(Number(timestamp) * 1_000) || !equal(sign, expected))
      return feishu(19021, "sign match fail or timestamp is not within one hour from current time");
    if (memberOf(body, "msg_type") !== "text" || text === "") return feishu(9499, "Bad Request");
    return { ...feishu(0, "success"), text };
  },
  dingtalk: ({ url, body }) => {
    const text = memberOf(body, "text", "content");
    const timestamp = url.searchParams.get("timestamp") ?? "";
    const sign = url.searchParams.get("sign") ?? "";
    if (url.searchParams.get("access_token") !== TOKEN) return errcode(300001, "token is not exist");
    if (!isNear(Number(timestamp))) return errcode(310000, "invalid timestamp");
    const expected = base64Hmac(SECRETS.dingtalk, `${timestamp}\n${SECRETS.dingtalk}`);
    if (!equal(sign, expected)) return errcode(310000, "sign not match");
    if (memberOf(body, "msgtype") !== "text" || text === "") return errcode(40035, "params error");
    return { ...errcode(0, "ok"), text };
  },
  wecom: ({ url, body }) => {
    const text = memberOf(body, "text", "content");
    if (url.searchParams.get("key") !== TOKEN) return errcode(93000, "invalid webhook url");
    if (memberOf(body, "msgtype") !== "text" || text === "") return errcode(40008, "invalid message type");
    if (Buffer.byteLength(text) > 2_048) return errcode(40058, "text.content exceed max length 2048");
    return { ...errcode(0, "ok"), text };
  },
  slack: ({ url, body }) => {
    const text = memberOf(body, "text");
    if (!url.pathname.endsWith(TOKEN)) return { status: 404, body: "no_service" };
    if (text === "") return { status: 400, body: "no_text" };
    return { body: "ok", text };
  },
  json: ({ headers, body }) => {
    const header = (name: string) => String(headers[name] ?? "");
    const key = Buffer.from(SECRETS.json.slice("whsec_".length), "base64");
    const signed = `${header("webhook-id")}.${header("webhook-timestamp")}.${body}`;
    const expected = `v1,${base64Hmac(key, signed)}`;
    const isValid = isNear(Number(header("webhook-timestamp")) * 1_000);
    if (!isValid || !equal(header("webhook-signature"), expected))
      return { status: 401, body: "bad signature" };
    return { status: 204, body: "", text: body };
  },
};

/** Returns the text at a path of a JSON object. Empty if there is none. */
function memberOf(body: string, ...path: readonly string[]): string {
  let value: unknown = JSON.parse(body);
  for (const name of path) {
    if (typeof value !== "object" || value === null) return "";
    value = new Map<string, unknown>(Object.entries(value)).get(name);
  }
  return typeof value === "string" ? value : "";
}

function feishu(code: number, msg: string): Answer {
  return { body: JSON.stringify({ code, msg, data: {} }) };
}

function errcode(code: number, errmsg: string): Answer {
  return { body: JSON.stringify({ errcode: code, errmsg }) };
}

function base64Hmac(key: string | Buffer, text: string): string {
  return createHmac("sha256", key).update(text).digest("base64");
}

function isNear(time: number): boolean {
  return Math.abs(Date.now() - time) < HOUR;
}

function equal(given: string, expected: string): boolean {
  const bytes = Buffer.from(given);
  return bytes.length === expected.length && timingSafeEqual(bytes, Buffer.from(expected));
}
