import assert from "node:assert/strict";
import * as till from "@tillkit/core";
import { onEvent } from "@tillkit/host";
import { memoryPorts } from "@tillkit/memory";
import type { Result } from "neverthrow";

const ports = memoryPorts();
const wallet = ports.wallets.WALLET_B;

const { app, appSecret } = unwrapOrExit(await till.createApp(ports, { name: "Notes" }));
assert.match(appSecret, /^sk_/);
console.log(`created the app ${app.appId}`);

const { problems } = unwrapOrExit(await till.configurePayTool(ports, app.appId, payTool()));
assert.deepEqual(problems, []);
console.log("configured WALLET_B; its credentials work");

const granted: string[] = [];
const membership = onEvent(ports, {
  name: "membership",
  types: ["order.paid"],
  // The same event can arrive again. A real handler uses the event's id to grant once.
  handle: async ({ bizNo }) => granted.push(bizNo),
});
// The handler receives events from its first round on.
await membership.runNow();

const purchase = { bizNo: "purchase-1", customerIdentity: "user-1" };
const terms = { ...purchase, amount: 600, goodsTitle: "One month", payChannel: "WALLET_B" };
const input = unwrapOrExit(till.parseInput(till.createOrderInput(ports.policy), terms));
const { order, payload } = unwrapOrExit(await till.createOrder(ports, app.appId, input));
assert.equal(order.paymentStatus, "PENDING");
console.log(`created the order ${order.id}; the customer's app gets: ${Object.keys(payload).join(", ")}`);

wallet.pay(order.id);
const orderRef = order.notifyUrl.split("/").at(-1) ?? "";
const address = { payChannel: order.payChannel, payToolId: order.payToolId, orderRef };
unwrapOrExit(await till.receiveNotification(ports, address, wallet.notificationFor(order.id)));
const paid = unwrapOrExit(await till.getOrder(ports, app.appId, purchase));
assert.equal(paid.paymentStatus, "PAID");
console.log(`the customer paid, and the wallet confirmed it: ${paid.paymentStatus}`);

await membership.runNow();
assert.deepEqual(granted, [purchase.bizNo]);
await membership.stop();
console.log(`the event handler granted the membership for ${granted.join(", ")}`);

const mobileNo = "13800138000";
unwrapOrExit(await till.sendCode(ports, app.appId, { mobileNo }));
const authCode = ports.smsSender.messages.at(-1)?.authCode ?? "";
const { customerId, token } = unwrapOrExit(await till.logIn(ports, app.appId, { mobileNo, authCode }));
assert.equal(unwrapOrExit(await till.checkToken(ports, app.appId, { token })), true);
console.log(`logged ${customerId} in with a code from an SMS`);

const date = till.businessDay(ports.policy.timeZone, ports.clock.now()).date;
const counts = { appId: app.appId, store: "store_01", date, newDownloads: 40, updateDownloads: 2 };
unwrapOrExit(await till.recordDownloads(ports, [[counts]]));
const client = unwrapOrExit(await till.createDownloadsClient(ports, { appId: app.appId, dailyLimit: 10 }));
const report = unwrapOrExit(
  await till.getDownloadsReport(ports, { id: [client.clientId], start: [date], end: [date] }),
);
assert.equal(report.allStores.totalDownloads, 42);
console.log(`read the downloads of ${date}: ${String(report.allStores.totalDownloads)} in all stores`);

/** Returns what a merchant receives from a wallet. The in-memory wallet needs no credentials. */
function payTool(): till.ConfigurePayToolInput {
  const registered = { appName: "Notes", appPackageName: "com.example.notes", appSignature: "0a1b2c" };
  const account = { accountId: "2088000000000000", walletAppId: "2021000000000000", credentials: {} };
  return { payChannel: "WALLET_B", appEnv: "DEV", ...account, ...registered };
}

/** Returns the value of a step that cannot fail here. A server would `match` the failure's name. */
function unwrapOrExit<T>(result: Result<T, { readonly name: string }>): T {
  if (result.isErr()) assert.fail(`unexpected failure: ${result.error.name}`);
  return result.value;
}
