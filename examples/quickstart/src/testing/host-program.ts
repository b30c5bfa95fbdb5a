// A host on a database it shares with others. It reaches WALLET_A and the SMS carrier over HTTP, prints its address and serves until it is killed.
import { once } from "node:events";
import { createServer } from "node:http";
import {
  type Ports,
  policyWith,
  type Prepayment,
  reconcileOrders,
  type WalletFailure,
  type WalletOrder,
} from "@tillkit/core";
import { metricsRouter, notificationsRouter, paymentsRouter } from "@tillkit/express";
import { nodeDigest, silentObserver, systemClock, systemRandom } from "@tillkit/runtime";
import { openSandbox } from "@tillkit/sandbox";
import express from "express";
import { err, ok, type Result, ResultAsync } from "neverthrow";
import { z } from "zod";
import { hostSetup, sharedStores, TEST_NUMBER } from "./host-setup.js";
import type { DoubleCall } from "./shared-double.js";

const setup = hostSetup.parse(JSON.parse(process.env["HOST_SETUP"] ?? ""));
const sandbox = await openSandbox({ keys: setup.sandboxKeys });

async function ask<T, E>(call: DoubleCall): Promise<Result<T, E>> {
  const response = await fetch(setup.doubleUrl, { method: "POST", body: JSON.stringify(call) });
  const said = z
    .object({ value: z.custom<T>().optional(), failure: z.custom<E>().optional() })
    .parse(await response.json());
  return said.failure === undefined ? ok(z.custom<T>().parse(said.value)) : err(said.failure);
}

const ports: Ports = {
  ...sharedStores(setup).stores,
  clock: systemClock,
  random: systemRandom,
  digest: nodeDigest({ peppers: [{ version: 1, key: setup.secret }] }),
  observer: silentObserver,
  policy: policyWith({
    // Every order is due at once, and then not for a long time.
    querySchedule: [1, 3_600_000],
    testNumbers: [TEST_NUMBER],
    // Those who log in with one number at once use each other's codes up.
    codeTries: 10_000,
    codeTriesPerDay: 10_000,
  }),
  wallets: {
    ...sandbox.wallets,
    WALLET_A: {
      ...sandbox.wallets.WALLET_A,
      prepare: (account, request) =>
        new ResultAsync(ask<Prepayment, WalletFailure>({ verb: "prepare", account, request })),
      query: (account, outTradeNo) =>
        new ResultAsync(ask<WalletOrder | undefined, WalletFailure>({ verb: "query", account, outTradeNo })),
    },
  },
  smsSender: { send: (message) => new ResultAsync(ask({ verb: "sms", message })) },
  notificationsUrl: "http://127.0.0.1/wallets",
};

const app = express();
app.use("/pay", paymentsRouter(ports));
app.use("/wallets", notificationsRouter(ports));
app.post("/reconcile", async (_request, response) => {
  response.json((await reconcileOrders(ports, 5)).unwrapOr({ orders: -1, refunds: -1 }));
});
app.use(metricsRouter(ports));
const server = createServer((request, response) => void app(request, response));
server.listen(0, "127.0.0.1");
await once(server, "listening");
const address = server.address();
process.stdout.write(`http://127.0.0.1:${typeof address === "object" ? address?.port : ""}\n`);
