import { randomBytes } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { KeyObject } from "node:crypto";
import { Formatter, Rsa } from "wechatpay-axios-plugin";
import * as keys from "./keys.js";

/** A request with a valid signature. */
export interface WireCall {
  readonly method: string;
  readonly target: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

/** How a response is signed, correctly or not. */
export type ResponseProof =
  "certificate" | "public-key" | "none" | "stranger" | "unknown-key" | "stale" | "probe" | "other-body";

/** A response. */
export interface WireReply {
  readonly status: number;
  /** JSON text. Empty if there is no body. */
  readonly body: string;
  /** Defaults to `certificate`. */
  readonly proof?: ResponseProof;
}

/** Simulates WeChat Pay: returns a reply, writes to the response itself, or sends no response. */
export type WireHandler = (call: WireCall, response: ServerResponse) => WireReply | undefined;

/** An HTTP server with WeChat Pay's signing rules, based on a third-party SDK. */
export interface WechatWire {
  readonly url: string;
  /** Problems of the requests so far. */
  readonly refused: readonly string[];
  readonly connections: () => number;
  close(): Promise<void>;
}

/**
 * Starts the server.
 *
 * It responds with 401 to a request without a valid signature, as WeChat Pay does, and records the
 * problem.
 */
export async function openWire(part: WireHandler, now: () => number): Promise<WechatWire> {
  const refused: string[] = [];
  let connections = 0;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const { method = "", url: target = "", headers } = request;
      const call = { method, target, headers, body: Buffer.concat(chunks).toString("utf8") };
      const problem = problemOf(call, now());
      if (problem !== undefined) refused.push(problem);
      const reply =
        problem === undefined
          ? part(call, response)
          : { status: 401, body: '{"code":"SIGN_ERROR","message":"signature"}', proof: "none" as const };
      if (reply === undefined) return;
      response.writeHead(reply.status, {
        "content-type": "application/json; charset=utf-8",
        "request-id": randomBytes(8).toString("hex"),
        ...proofOf(reply.body, reply.proof ?? "certificate", now()),
      });
      response.end(reply.body);
    });
  });
  server.on("connection", () => {
    connections += 1;
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}/base`,
    refused,
    connections: () => connections,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Returns the headers with which WeChat Pay signs a body at the time `now`. */
export function signedHeaders(
  body: string,
  { serial, key, now }: { readonly serial: string; readonly key: KeyObject; readonly now: number },
): Record<string, string> {
  const timestamp = String(Math.floor(now / 1000));
  const nonce = Formatter.nonce();
  return {
    "wechatpay-timestamp": timestamp,
    "wechatpay-nonce": nonce,
    "wechatpay-serial": serial,
    "wechatpay-signature": Rsa.sign(Formatter.response(timestamp, nonce, body), key),
    "wechatpay-signature-type": "WECHATPAY2-SHA256-RSA2048",
  };
}

function proofOf(body: string, proof: ResponseProof, now: number): Record<string, string> {
  const certified = { serial: keys.PLATFORM_SERIAL, key: keys.platform.privateKey, now };
  switch (proof) {
    case "certificate":
      return signedHeaders(body, certified);
    case "public-key":
      return signedHeaders(body, { serial: keys.MODERN_ID, key: keys.modern.privateKey, now });
    case "none":
      return {};
    case "stranger":
      return signedHeaders(body, { ...certified, key: keys.stranger.privateKey });
    case "unknown-key":
      return signedHeaders(body, { ...certified, serial: "7777777777" });
    case "stale":
      return signedHeaders(body, { ...certified, now: now - 302_000 });
    case "probe":
      return {
        ...signedHeaders(body, certified),
        "wechatpay-signature": `WECHATPAY/SIGNTEST/${randomBytes(32).toString("base64")}`,
      };
    case "other-body":
      return signedHeaders(`${body} `, certified);
  }
}

function problemOf({ method, target, headers, body }: WireCall, now: number): string | undefined {
  const [scheme, rest = ""] = (headers.authorization ?? "").split(" ", 2);
  const pairs = new Map(
    [...rest.matchAll(/([a-z_]+)="([^"]*)"/g)].map(([, name = "", value = ""]) => [name, value]),
  );
  const timestamp = pairs.get("timestamp") ?? "";
  const nonce = pairs.get("nonce_str") ?? "";
  if (scheme !== "WECHATPAY2-SHA256-RSA2048") return "another scheme";
  if (pairs.get("mchid") !== keys.account.accountId) return "another merchant";
  if (pairs.get("serial_no") !== keys.MERCHANT_SERIAL) return "another serial number";
  if (!/^[0-9A-Za-z]{32}$/.test(nonce)) return "a nonce that is none";
  if (Math.abs(now - Number(timestamp) * 1000) > 300_000) return "another time";
  if (headers.accept !== "application/json" || headers["user-agent"] === undefined)
    return "a header is missing";
  if (method === "POST" && headers["content-type"] !== "application/json") return "another content type";
  const text = Formatter.request(method, target, timestamp, nonce, body);
  return Rsa.verify(text, pairs.get("signature") ?? "", keys.merchant.publicKey)
    ? undefined
    : "a bad signature";
}
