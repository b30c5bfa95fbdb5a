import type { RequestListener } from "node:http";
import { connect, type Socket } from "node:net";
import { setImmediate } from "node:timers/promises";
import { metricsRouter, notificationsRouter, paymentsRouter } from "@tillkit/express";
import express, { type ErrorRequestHandler } from "express";
import fc from "fast-check";
import { openTargetBy, reportBroken, type FuzzTarget } from "./fuzz-target.js";
import { type ByteChange, byteChanges, changedBytes } from "./byte-changes.js";
import { listen } from "./listen.js";
import { expectNoSecret } from "./payments-answers.js";
import { requestAt } from "./payments.js";
import { type RequestStep, stepsOf } from "./payments-requests.js";
import { visible } from "./requests.js";
import { responsesIn } from "./responses.js";
import { openFixture, type TestFixture } from "./fixture.js";

const LENGTHS = [
  "right",
  "none",
  "less",
  "more",
  "twice",
  "repeated and different",
  "negative",
  "a sum",
  "huge",
  "chunked",
  "chunked, with a length",
  "invalid chunks",
] as const;

/** A request as bytes on a socket. */
interface Sent {
  readonly step: RequestStep;
  readonly base: string;
  readonly version: string;
  readonly newline: "\r\n" | "\n";
  readonly length: (typeof LENGTHS)[number];
  /** Additional raw header lines. */
  readonly more: readonly string[];
  readonly bytes: readonly ByteChange[];
  readonly pieces: number;
}

/** Timeout in milliseconds for the response and the close of a connection. */
const PATIENCE = 15_000;

/** The three Express routers on a socket. The input starts with the request line. */
export const wire: FuzzTarget = {
  name: "wire",
  share: 8,
  open: async () => {
    const fixture = await openFixture();
    let answer: RequestListener = () => undefined;
    const { port, close } = await listen((request, response) => {
      answer(request, response);
    });
    const sent = fc.record<Sent>({
      step: stepsOf(fixture),
      base: fc.constantFrom(
        "/pay",
        "",
        "/wallets/return/WALLET_A",
        "http://elsewhere.example/pay",
        "/pay/../pay",
        "*",
      ),
      version: fc.constantFrom("HTTP/1.1", "HTTP/1.0", "HTTP/2.0", "HTTP/9.9", "http/1.1", ""),
      newline: fc.constantFrom("\r\n", "\n"),
      length: fc.constantFrom(...LENGTHS),
      more: fc.array(fc.constantFrom(...HEADERS), { maxLength: 3 }),
      bytes: fc.oneof({ weight: 2, arbitrary: fc.constant([]) }, { weight: 1, arbitrary: byteChanges }),
      pieces: fc.integer({ min: 1, max: 4 }),
    });
    return openTargetBy<readonly Sent[]>({
      cases: fc.array(sent, { maxLength: 6, size: "max" }),
      requestsIn: (all) => all.length,
      play: async (all) => {
        const errors: unknown[] = [];
        const host = hostOf(fixture, errors);
        answer = host.answer;
        for (const each of all) {
          expectResponses(await exchanged(port, pieces(bytesOf(fixture, each), each.pieces)), host.secrets);
          if (errors.length > 0) reportBroken("nothing reaches the host's error handler", String(errors[0]));
        }
        expectHealth(await exchanged(port, [healthy(fixture)]));
      },
      toText: (all) =>
        all.map((each) => visible(Buffer.from(bytesOf(fixture, each)).toString("latin1"))).join("\n\n"),
      close,
    });
  },
};

const HEADERS = [
  "Expect: 100-continue",
  "Expect: something",
  "Connection: close",
  "Connection: upgrade\r\nUpgrade: websocket",
  "Transfer-Encoding: gzip, chunked",
  "Transfer-Encoding : chunked",
  "Content-Encoding: gzip",
  "APP_ID: another",
  "APP_SECRET: another",
  "Host: a\r\nHost: b",
  " folded: x",
  "no colon",
  ": no name",
  "x\u0000: y",
  "x: \u0000",
  "x: 会员",
  `x: ${"a".repeat(20_000)}`,
  ...Array.from({ length: 2 }, (_, index) => `x-${index}: ${"b\r\nx: ".repeat(900)}`),
];

function hostOf(fixture: TestFixture, errors: unknown[]) {
  const { ports } = fixture.again();
  const noteError: ErrorRequestHandler = (error: unknown, _request, response, _next) => {
    const status = error instanceof Error && "status" in error ? Number(error.status) : 500;
    // The host answers errors of Express, such as a path with broken percent-encoding.
    if (status >= 500) errors.push(error);
    response.status(status).end();
  };
  const answer = express()
    .use("/pay", paymentsRouter(ports))
    .use("/wallets", notificationsRouter(ports))
    .use(metricsRouter(ports))
    .use(noteError);
  return { answer, secrets: fixture.secrets };
}

function bytesOf(
  fixture: TestFixture,
  { step, base, version, newline, length, more, bytes }: Sent,
): Uint8Array {
  const { method, path, query, lines: headers, body } = requestAt(fixture, step, Infinity);
  const content = body === "too-large" ? new Uint8Array() : body;
  const lines = [
    `${method} ${base}${path}${query === "" ? "" : `?${query}`} ${version}`.trimEnd(),
    "Host: 127.0.0.1",
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ...lengthLines(length, content.length),
    ...more,
    "",
    "",
  ];
  const chunked = length.startsWith("chunk");
  const framed = chunked ? inChunks(content, length === "invalid chunks") : content;
  return changedBytes(Buffer.concat([Buffer.from(lines.join(newline)), framed]), bytes);
}

function lengthLines(length: Sent["length"], actual: number): readonly string[] {
  const printed = (text: string) => `Content-Length: ${text}`;
  switch (length) {
    case "right":
      return actual === 0 ? [] : [printed(String(actual))];
    case "none":
      return [];
    case "less":
      return [printed(String(Math.max(0, actual - 1)))];
    case "more":
      return [printed(String(actual + 1))];
    case "twice":
      return [printed(String(actual)), printed(String(actual))];
    case "repeated and different":
      return [printed(String(actual)), printed("0")];
    case "negative":
      return [printed("-1")];
    case "a sum":
      return [printed(`${actual}+0`)];
    case "huge":
      return [printed("99999999999999999999")];
    case "chunked":
    case "invalid chunks":
      return ["Transfer-Encoding: chunked"];
    case "chunked, with a length":
      return ["Transfer-Encoding: chunked", printed(String(actual))];
  }
}

function inChunks(content: Uint8Array, faulty: boolean): Uint8Array {
  const size = faulty ? `${content.length.toString(16)}zz` : content.length.toString(16);
  const first = content.length === 0 ? [] : [Buffer.from(`${size}\r\n`), content, Buffer.from("\r\n")];
  return Buffer.concat([...first, Buffer.from("0\r\n\r\n")]);
}

function pieces(bytes: Uint8Array, count: number): readonly Uint8Array[] {
  const size = Math.ceil(bytes.length / count);
  return Array.from({ length: count }, (_, index) => bytes.subarray(index * size, (index + 1) * size));
}

function healthy({ apps: { demo } }: TestFixture): Uint8Array {
  const lines = [
    "GET /pay/payTools.json HTTP/1.1",
    "Host: x",
    `APP_ID: ${demo.appId}`,
    `APP_SECRET: ${demo.appSecret}`,
  ];
  return Buffer.from(`${lines.join("\r\n")}\r\n\r\n`);
}

/**
 * Sends the pieces, ends the stream and returns everything until the server closes the connection.
 */
function exchanged(port: number, parts: readonly Uint8Array[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Uint8Array[] = [];
    const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
    const silence = setTimeout(() => {
      socket.destroy();
      reject(new Error("a connection over which all was said is answered and closed"));
    }, PATIENCE);
    socket
      .on("data", (chunk) => void chunks.push(chunk))
      // A reset is an allowed response to an unreadable request.
      .on("error", () => undefined)
      .on("end", () => socket.destroy())
      .on("close", () => {
        clearTimeout(silence);
        resolve(Buffer.concat(chunks).toString("latin1"));
      });
    void send(socket, parts);
  });
}

async function send(socket: Socket, parts: readonly Uint8Array[]): Promise<void> {
  for (const part of parts) {
    socket.write(part);
    await setImmediate();
  }
  socket.end();
}

function expectResponses(text: string, secrets: readonly string[]): void {
  for (const { status, headers, body } of responsesIn(text)) {
    const reply = { status, headers, body };
    expectNoSecret(reply, secrets);
    if (status >= 500) reportBroken("nothing fails while nothing is broken", reply);
    if (headers["x-trace-id"] !== undefined && body !== "" && !/^\{"code":\d+,"msg":"/.test(body))
      reportBroken("every answer is enveloped", reply);
    if (body.includes('"code":99998')) reportBroken("nothing fails while nothing is broken", reply);
  }
}

function expectHealth(text: string): void {
  const [only] = responsesIn(text);
  if (only?.status !== 200 || !only.body.startsWith('{"code":0,'))
    reportBroken("the next caller is served", text);
}
