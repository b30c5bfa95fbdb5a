// Embeds the core: creates an order, lets the customer pay, and reads the payment.
import assert from "node:assert/strict";
import {
  configurePayTool,
  createApp,
  createOrder,
  createOrderInput,
  getOrder,
  getOrderInput,
  orThrow,
  parseInput,
} from "@tillkit/core";
import { ERROR_CATALOG } from "@tillkit/core/errors";
import { memoryPorts } from "@tillkit/memory";

const ports = memoryPorts();
const { app } = await orThrow(createApp(ports, { name: "Smoke" }));
const { problems } = await orThrow(
  configurePayTool(ports, app.appId, {
    payChannel: "WALLET_A",
    accountId: "1900000001",
    walletAppId: "wx0000000000000001",
    appEnv: "DEV",
    appName: "Smoke",
    appPackageName: "example.smoke",
    appSignature: "0".repeat(32),
    credentials: {},
  }),
);
assert.deepEqual(problems, []);

const wanted = { bizNo: "smoke-1", customerIdentity: "user-1" };
const input = orThrow(
  parseInput(createOrderInput(ports.policy), {
    ...wanted,
    amount: 600,
    goodsTitle: "A month of smoke",
    payChannel: "WALLET_A",
  }),
);
const { order, payload } = await orThrow(createOrder(ports, app.appId, input));
assert.equal(order.paymentStatus, "PENDING");
assert.ok("prepayid" in payload);

ports.wallets.WALLET_A.pay(order.id);
const query = orThrow(parseInput(getOrderInput(ports.policy), wanted));
const paid = await orThrow(getOrder(ports, app.appId, query));
assert.equal(paid.paymentStatus, "PAID");
assert.equal(paid.amount, 600);

const stranger = await getOrder(ports, app.appId, { ...query, customerIdentity: "user-2" });
const failure = stranger._unsafeUnwrapErr();
assert.equal(failure.name, "order.not-found");
assert.equal(ERROR_CATALOG[failure.name].code, 50001);
console.log("embed-core: created, paid and read back");
