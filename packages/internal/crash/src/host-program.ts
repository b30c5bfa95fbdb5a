// The development host with the sandbox in another process, and operator calls under
// /operator. It serves until it is killed.
import { once } from "node:events";
import { createServer } from "node:http";
import { alipayWallet } from "@tillkit/alipay";
import {
  type EventHandlerOptions,
  parseInput,
  refundOrder,
  refundOrderInput,
  type SmsFailure,
  type SmsMessage,
} from "@tillkit/core";
import { ERROR_CATALOG } from "@tillkit/core/errors";
import { metricsRouter, notificationsRouter, paymentsRouter } from "@tillkit/express";
import { createTillkit } from "@tillkit/host";
import { systemRandom } from "@tillkit/runtime";
import { sandboxClock } from "@tillkit/sandbox";
import { wechatPayWallet } from "@tillkit/wechat-pay";
import express from "express";
import { err, ok, type Result, ResultAsync } from "neverthrow";
import { z } from "zod";
import { readHostFile, writeHostFile } from "../../../cli/src/dev/host-file.js";
import { openKeyring } from "../../../cli/src/dev/open-keyring.js";
import { openStorage } from "../../../cli/src/dev/open-storage.js";
import { seed } from "../../../cli/src/dev/seed.js";
import { createEffects, effectsHandler } from "./effects.js";
import { appendToJournal, journalFile } from "./journal.js";
import { crashSetup, readSandboxFacts } from "./host-setup.js";

/**
 * How often the host reconciles open orders, in milliseconds: often enough to be killed during it.
 */
const RECONCILE_EVERY = 250;

const refundRequest = z.record(z.string(), z.unknown());
const print = (text: string) => void process.stdout.write(`${text}\n`);
const { port, dataDir, databaseUrl, sandboxFile, ahead } = crashSetup.parse(
  JSON.parse(process.env["CRASH_SETUP"] ?? ""),
);
const { control, addresses, payTools } = readSandboxFacts(sandboxFile);
const origin = `http://127.0.0.1:${String(port)}`;
const storage = await openStorage({ dataDir, databaseUrl, print });
const { keyring, stores } = await openKeyring(dataDir, storage);
const clock = sandboxClock();
clock.advance(ahead);

async function post(message: SmsMessage): Promise<Result<void, SmsFailure>> {
  const body = JSON.stringify(message);
  const { ok: taken } = await fetch(`${control}/sms`, { method: "POST", body });
  return taken ? ok() : err({ name: "sms.unknown", detail: "the carrier did not respond in time" });
}

/** Writes each event to a file, and sometimes fails before or after it. */
const journal: EventHandlerOptions = {
  name: "journal",
  handle: async (event) => {
    const chance = Math.random();
    if (chance < 0.05) throw new Error("The handler fails before its effect.");
    appendToJournal(journalFile(dataDir), event);
    if (chance < 0.1) throw new Error("The handler fails after its effect.");
  },
};

await createEffects(storage.preparing);

const tillkit = createTillkit({
  stores,
  clock,
  keyring,
  publicUrl: origin,
  wallets: {
    WALLET_A: wechatPayWallet({ clock, random: systemRandom, gateways: { DEV: addresses.walletA } }),
    WALLET_B: alipayWallet({ clock, gateways: { DEV: addresses.walletB } }),
  },
  smsSender: { send: (message) => new ResultAsync(post(message)) },
  eventHandlers: [journal, effectsHandler(storage.sql)],
  background: { reconcileEveryMs: RECONCILE_EVERY, eventsEveryMs: RECONCILE_EVERY },
});
const { ports } = tillkit;
const seeded = await seed(ports, storage, Object.values(payTools), await readHostFile(dataDir));
tillkit.start();
// Registers the handlers before the first order.
await deliverEvents();

const app = express();
app.use("/pay", paymentsRouter(ports));
app.use("/wallets", notificationsRouter(ports));
app.post("/operator/clock", (request, response) => {
  clock.advance(Number(request.query["advanceMs"]));
  response.json({ now: clock.now() });
});
app.post("/operator/reconcile", async (_request, response) => {
  await tillkit.runNow("reconcile");
  await deliverEvents();
  response.json({ now: clock.now() });
});
app.post("/operator/refund", express.json(), async (request, response) => {
  const answer = await parseInput(refundOrderInput(ports.policy), refundRequest.parse(request.body))
    .asyncAndThen((input) => refundOrder(ports, seeded.appId, input))
    .match(
      ({ status }) => ({ code: 0, data: { status } }),
      ({ name }) => ({ code: ERROR_CATALOG[name].code, msg: name }),
    );
  response.json(answer);
});
app.use(metricsRouter(ports));
const server = createServer((request, response) => void app(request, response));
server.listen(port, "127.0.0.1");
await once(server, "listening");
await writeHostFile(dataDir, {
  baseUrl: `${origin}/pay`,
  metricsBaseUrl: origin,
  sandbox: { control },
  ...seeded,
});
print("ready");

async function deliverEvents(): Promise<void> {
  await Promise.all([tillkit.runNow("events:journal"), tillkit.runNow("events:effects")]);
}
