import { once } from "node:events";
import { request } from "node:http";
import { Webhook } from "standardwebhooks";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type ReceivedWebhook, webhookReceiver } from "./webhook-receiver.js";

const SECRET = `whsec_${Buffer.alloc(24, 7).toString("base64")}`;

let receive: (webhook: ReceivedWebhook) => void | Promise<void>;
let url = "";
let end: () => Promise<void>;
beforeEach(async () => {
  receive = () => undefined;
  const receiver = webhookReceiver(SECRET, (webhook) => receive(webhook)).listen(0, "127.0.0.1");
  await once(receiver, "listening");
  const address = receiver.address();
  if (address === null || typeof address === "string") throw new Error("The receiver has no port.");
  url = `http://127.0.0.1:${String(address.port)}/`;
  end = async () => {
    receiver.closeAllConnections();
    await new Promise((resolve) => receiver.close(resolve));
  };
});
afterEach(() => end());

function signed(id: string, body: string) {
  const now = new Date();
  return {
    "webhook-id": id,
    "webhook-timestamp": String(Math.floor(now.getTime() / 1_000)),
    "webhook-signature": new Webhook(SECRET).sign(id, now, body),
  };
}

const post = async (id: string, body = "{}") =>
  (await fetch(url, { method: "POST", body, headers: signed(id, body) })).status;

it("answers 500 if the work fails, and passes the repeated webhook on", async () => {
  const failures = [() => Promise.reject(new Error("the database is down")), thrown];
  const received: string[] = [];
  receive = ({ id }) => failures.shift()?.() ?? void received.push(id);
  expect([await post("m-1"), await post("m-1"), await post("m-1"), await post("m-1")]).toEqual([
    500, 500, 204, 204,
  ]);
  expect(received).toEqual(["m-1"]);
});

function thrown(): never {
  throw new Error("the handler is broken");
}

it("passes a webhook on once if it arrives twice at the same time", async () => {
  let release = (): void => undefined;
  const received: string[] = [];
  receive = async ({ id }) => {
    received.push(id);
    await new Promise<void>((resolve) => (release = resolve));
  };
  const both = [post("m-1"), post("m-1")];
  await expect.poll(() => received).toEqual(["m-1"]);
  release();
  expect(await Promise.all(both)).toEqual([204, 204]);
});

it("refuses a request without the three headers before it reads the body", async () => {
  const sending = request(url, { method: "POST", headers: { "content-length": 300_000_000 } });
  sending.on("error", () => undefined);
  sending.flushHeaders();
  expect((await once(sending, "response"))[0]).toMatchObject({ statusCode: 400 });
  sending.destroy();
});

it("reads only the beginning of a long body", async () => {
  const body = "x".repeat(20 * 1_024);
  const sending = request(url, { method: "POST", headers: signed("m-1", body) });
  sending.on("error", () => undefined);
  sending.write(body);
  // The request has no end.
  expect((await once(sending, "response"))[0]).toMatchObject({
    statusCode: 413,
    headers: { connection: "close" },
  });
  sending.destroy();
});
