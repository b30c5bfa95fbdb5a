import { createHmac } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { createApp } from "@tillkit/core";
import { expectOk } from "@tillkit/contract-tests";
import { memoryPorts } from "@tillkit/memory";
import { afterEach, beforeEach, expect, it } from "vitest";
import { openLogger } from "../log/logger.js";
import { hostObserver } from "../log/observer.js";
import { openSmsCarriers } from "./sms-carriers.js";
import { openTelemetry } from "../telemetry/telemetry.js";
import { listenApi } from "../testing/listen-api.js";

const mobileNo = "+8613800138000";
const receiptSecret = "0123456789abcdef0123456789abcdef";
const authToken = "twilio-token-4711";
const statusCallback = "https://pay.example/sms-receipts/twilio";

const closing: (() => Promise<unknown>)[] = [];
let host: Awaited<ReturnType<typeof openHost>>;
beforeEach(async () => {
  host = await openHost();
});
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** Starts a carrier that accepts every message, as Twilio answers it. */
async function openCarrier() {
  const bodies: string[] = [];
  const server = createServer((request, response) => {
    let body = "";
    request.setEncoding("utf8").on("data", (text: string) => (body += text));
    request.on("end", () => {
      bodies.push(body);
      response.writeHead(201, { "content-type": "application/json" }).end('{"sid":"SM1","status":"queued"}');
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  closing.push(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The carrier has no port.");
  const { port }: AddressInfo = address;
  return { endpoint: `http://127.0.0.1:${port}`, bodies };
}

/** Starts the application with the carriers of a file, on real ports. */
async function openHost() {
  const { endpoint, bodies } = await openCarrier();
  const folder = await mkdtemp(`${tmpdir()}/sms-receipts-`);
  closing.push(() => rm(folder, { recursive: true }));
  const sender = { from: "+15005550006" };
  const twilio = { carrier: "twilio", accountSid: "AC1", authToken, sender, text: "{code}", statusCallback };
  const tencent = { carrier: "tencent", secretId: "i", secretKey: "s", sdkAppId: "1", receiptSecret };
  const carriers = [
    { ...twilio, endpoint },
    { ...tencent, international: { templateId: "1" } },
  ];
  await writeFile(`${folder}/sms.json`, JSON.stringify(carriers), { mode: 0o600 });
  const lines: string[] = [];
  const logger = openLogger("debug", { write: (line) => void lines.push(line) });
  const telemetry = openTelemetry({});
  closing.push(() => telemetry.close());
  const observer = hostObserver(logger, telemetry.meter);
  const sms = await openSmsCarriers(`${folder}/sms.json`, { ...memoryPorts(), observer });
  if (sms === undefined) throw new Error("There are no carriers.");
  const ports = { ...memoryPorts(), observer, smsSender: sms.smsSender };
  const { app, appSecret } = await expectOk(createApp(ports, { name: "Notes" }));
  const concurrency = { maxConcurrent: 8, maxQueued: 0 };
  const server = await listenApi(ports, { trustProxy: 0, concurrency }, logger, telemetry, sms.receipts);
  closing.push(() => server.close());
  const origin = `http://127.0.0.1:${server.port}`;
  const post = async (path: string, body: string, headers: Record<string, string> = {}) => {
    const response = await fetch(`${origin}${path}`, { method: "POST", body, headers });
    return { status: response.status, text: await response.text() };
  };
  return {
    lines,
    bodies,
    post,
    /** Requests a code as a caller does. */
    requestCode: async () => {
      const headers = { APP_ID: app.appId, APP_SECRET: appSecret };
      const url = `${origin}/pay/sms.json?mobileNo=${encodeURIComponent(mobileNo)}`;
      const answer: unknown = await (await fetch(url, { headers })).json();
      return answer;
    },
    /** Posts a callback of Twilio with this signature, by default the right one. */
    postCallback: (status: string, signature = signatureOf(status)) =>
      post("/sms-receipts/twilio", formOf(status).toString(), {
        "content-type": "application/x-www-form-urlencoded",
        "x-twilio-signature": signature,
      }),
    /** Returns the lines of the metrics about receipts that have counted one. */
    receipts: async () =>
      (await telemetry.metricsText())
        .split("\n")
        .filter((line) => line.startsWith("tillkit_sms_receipts") && !line.endsWith(" 0")),
  };
}

function formOf(MessageStatus: string): URLSearchParams {
  return new URLSearchParams({ AccountSid: "AC1", MessageSid: "SM1", MessageStatus, To: mobileNo });
}

/** Signs a callback as Twilio documents it. */
function signatureOf(status: string, key = authToken): string {
  const parameters = [...formOf(status)].sort(([left], [right]) => (left < right ? -1 : 1));
  const signed = statusCallback + parameters.map(([name, value]) => name + value).join("");
  return createHmac("sha1", key).update(signed).digest("base64");
}

it("counts a code that did not arrive, once", async () => {
  expect(await host.requestCode()).toMatchObject({ code: 0 });
  expect(host.bodies).toHaveLength(1);
  expect(await host.receipts()).toEqual([]);
  for (const status of ["sent", "undelivered", "undelivered", "sent"])
    expect(await host.postCallback(status)).toEqual({ status: 200, text: "" });
  expect(await host.receipts()).toEqual([
    'tillkit_sms_receipts_total{carrier="twilio",outcome="undelivered"} 1',
  ]);
});

it("refuses forged receipts, and counts nothing", async () => {
  for (const signature of ["", "AAAA", signatureOf("sent"), signatureOf("undelivered", "another-token")])
    expect(await host.postCallback("undelivered", signature)).toEqual({ status: 403, text: "" });
  const report = JSON.stringify([{ report_status: "FAIL", sid: "1" }]);
  expect(await host.post(`/sms-receipts/tencent/${receiptSecret}x`, report)).toMatchObject({ status: 403 });
  expect(await host.receipts()).toEqual([]);
});

it("accepts an unsigned report of a carrier if the URL contains the secret, and counts it", async () => {
  const report = JSON.stringify([
    { report_status: "FAIL", sid: "1", mobile: mobileNo },
    { report_status: "SUCCESS", sid: "2", mobile: mobileNo },
  ]);
  for (let round = 0; round < 2; round += 1)
    expect(await host.post(`/sms-receipts/tencent/${receiptSecret}`, report)).toMatchObject({
      status: 200,
      text: '{"result":0,"errmsg":"OK"}',
    });
  expect((await host.receipts()).toSorted()).toEqual([
    'tillkit_sms_receipts_total{carrier="tencent",outcome="delivered"} 1',
    'tillkit_sms_receipts_total{carrier="tencent",outcome="undelivered"} 1',
  ]);
});

it("refuses a body that is too large", async () => {
  const body = `[${" ".repeat(300 * 1_024)}]`;
  const answer = await host.post(`/sms-receipts/tencent/${receiptSecret}`, body);
  expect(answer).toEqual({ status: 413, text: "" });
});

it("has no endpoint for a carrier without receipts, and none for other methods", async () => {
  expect(await host.post(`/sms-receipts/aliyun/${receiptSecret}`, "[]")).toMatchObject({ status: 404 });
  expect(await host.post("/sms-receipts", "[]")).toMatchObject({ status: 404 });
});

it("logs each receipt without secrets, ids and phone numbers", async () => {
  await host.requestCode();
  await host.postCallback("undelivered");
  await host.postCallback("undelivered", "forged");
  await host.post(`/sms-receipts/tencent/${receiptSecret}`, JSON.stringify([{ mobile: mobileNo }]));
  const logged = host.lines.join("");
  expect(logged).toContain('"route":"/tencent/{secret}"');
  const code = /Body=(\d+)/.exec(host.bodies.join())?.[1] ?? "no code";
  expect(logged).not.toMatch(new RegExp(`(?<!\\d)${code}(?!\\d)`));
  for (const hidden of [mobileNo, "13800138000", receiptSecret, authToken, "SM1", "AC1"])
    expect(logged).not.toContain(hidden);
});
