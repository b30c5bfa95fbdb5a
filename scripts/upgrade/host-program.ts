// A host with the packages of the folder in which it runs. It serves until SIGTERM, and then stops
// in the order of @tillkit/server.
import {
  orThrow,
  parseInput,
  refundOrder,
  refundOrderInput,
  type SmsFailure,
  type SmsMessage,
} from "@tillkit/core";
import { ERROR_CATALOG } from "@tillkit/core/errors";
import { metricsRouter, notificationsRouter, paymentsRouter } from "@tillkit/express";
import { createTillkit } from "@tillkit/host";
import { checkReadiness, checkSchema, pgClient, postgresStores } from "@tillkit/postgres";
import { readKeyring } from "@tillkit/runtime";
import { sandboxClock } from "@tillkit/sandbox";
import { listen } from "../../packages/server/src/http/http-server.js";
import { stopInOrder } from "../../packages/server/src/process/shutdown.js";
import express from "express";
import { err, ok, type Result, ResultAsync } from "neverthrow";
import pg from "pg";
import { z } from "zod";
import { preparedFacts, readSetup } from "./set-up.js";
import { walletsAt } from "./wallets.js";

/** Milliseconds between becoming not ready and closing the port. */
const DRAIN_DELAY = 1_000;
const refundRequest = z.record(z.string(), z.unknown());
const LOOPBACK = { host: "127.0.0.1", port: 0 };

const setup = readSetup();
const { databaseUrl, keyringFile, publicUrl, sandbox } = setup;
const { appId } = preparedFacts.pick({ appId: true }).parse(JSON.parse(process.env["UPGRADE_APP"] ?? ""));
const schema = "tillkit";
const clock = sandboxClock();
const sql = pgClient(new pg.Pool({ connectionString: databaseUrl, max: 8 }));
const checked = await checkSchema(sql, schema);
if (checked.isErr()) {
  console.error("message" in checked.error ? checked.error.message : checked.error.name);
  process.exit(1);
}
const keyring = await orThrow(readKeyring(keyringFile));

async function post(message: SmsMessage): Promise<Result<void, SmsFailure>> {
  const { ok: taken } = await fetch(`${sandbox.control}/sms`, {
    method: "POST",
    body: JSON.stringify(message),
  });
  return taken ? ok() : err({ name: "sms.unknown", detail: "the carrier did not respond in time" });
}

const tillkit = createTillkit({
  stores: postgresStores({ sql, schema, credentialKeys: keyring.credentialKeys }),
  wallets: walletsAt(setup, clock),
  clock,
  keyring,
  publicUrl,
  smsSender: { send: (message) => new ResultAsync(post(message)) },
  background: { reconcileEveryMs: 250 },
  checkStorage: () => checkReadiness(sql, schema),
});
const { ports } = tillkit;

const app = express();
app.use("/pay", paymentsRouter(ports));
app.use("/wallets", notificationsRouter(ports));
app.post("/operator/refund", express.json(), async (request, response) => {
  const answer = await parseInput(refundOrderInput(ports.policy), refundRequest.parse(request.body))
    .asyncAndThen((input) => refundOrder(ports, appId, input))
    .match(
      ({ status }) => ({ code: 0, data: { status } }),
      ({ name }) => ({ code: ERROR_CATALOG[name].code, msg: name }),
    );
  response.json(answer);
});
app.use(metricsRouter(ports));

const adminApp = express();
adminApp.get("/health/ready", async (_request, response) => {
  const health = await tillkit.health();
  response.status(health.ready ? 200 : 503).json(health);
});
adminApp.post("/clock", (request, response) => {
  clock.advance(Number(request.query["advanceMs"]));
  response.json({ now: clock.now() });
});
adminApp.post("/reconcile", async (_request, response) => {
  await tillkit.runNow("reconcile");
  response.json({ now: clock.now() });
});

const admin = await listen(adminApp, LOOPBACK);
const api = await listen(app, LOOPBACK);
tillkit.start();
console.log(JSON.stringify({ msg: "ready", port: api.port, admin: { port: admin.port } }));
process.once("SIGTERM", () => {
  const release = () => sql.close();
  const stopping = stopInOrder({
    tillkit,
    api,
    admin,
    release,
    drainDelay: DRAIN_DELAY,
    tasksDeadline: 10_000,
  });
  void stopping.done.then(() => process.exit(0));
});
