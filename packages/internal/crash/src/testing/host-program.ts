// A host on a database that it shares with others. It prints its address and serves until it is
// killed.
import { once } from "node:events";
import { createServer } from "node:http";
import { type Ports, policyWith, reconcileOrders, type SmsFailure, type SmsMessage } from "@tillkit/core";
import { metricsRouter, notificationsRouter, paymentsRouter } from "@tillkit/express";
import { nodeDigest, noopObserver, systemClock, systemRandom } from "@tillkit/runtime";
import express from "express";
import { err, ok, type Result, ResultAsync } from "neverthrow";
import { hostSetup, sharedStores, sharedWallets, TEST_NUMBER } from "./host-setup.js";

const setup = hostSetup.parse(JSON.parse(process.env["HOST_SETUP"] ?? ""));

/** The SMS carrier accepts every message. */
async function post(message: SmsMessage): Promise<Result<void, SmsFailure>> {
  const { ok: taken } = await fetch(setup.smsUrl, { method: "POST", body: JSON.stringify(message) });
  return taken ? ok() : err({ name: "sms.unknown", detail: "the carrier did not respond in time" });
}

const ports: Ports = {
  ...sharedStores(setup).stores,
  clock: systemClock,
  random: systemRandom,
  digest: nodeDigest({ peppers: [{ version: 1, key: setup.secret }] }),
  observer: noopObserver,
  policy: policyWith({
    timeZone: setup.timeZone,
    querySchedule: setup.querySchedule,
    testNumbers: [TEST_NUMBER],
    // Concurrent logins with one number use up each other's codes.
    codeTriesPerDay: 10_000,
    // A test sends more messages in an hour than a shop does.
    smsCooldown: 0,
    smsPerHourPerApp: 1_000_000,
    smsPerDayPerApp: 1_000_000,
    smsPerHourPerHost: 1_000_000,
    smsPerDayPerHost: 1_000_000,
    smsReserve: 0,
    wrongCodesPerHourPerApp: 1_000_000,
  }),
  wallets: sharedWallets(setup),
  smsSender: { send: (message) => new ResultAsync(post(message)) },
  notificationsUrl: "http://127.0.0.1/wallets",
};

const app = express();
app.use("/pay", paymentsRouter(ports));
app.use("/wallets", notificationsRouter(ports));
app.post("/reconcile", async (request, response) => {
  const limit = Number(request.query["limit"] ?? 5);
  response.json((await reconcileOrders(ports, limit)).unwrapOr({ orders: -1, refunds: -1 }));
});
app.use(metricsRouter(ports));
const server = createServer((request, response) => void app(request, response));
server.listen(0, "127.0.0.1");
await once(server, "listening");
const address = server.address();
process.stdout.write(`http://127.0.0.1:${typeof address === "object" ? address?.port : ""}\n`);
