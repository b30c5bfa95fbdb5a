import {
  aBillLine,
  aComparedBill,
  anAuditEntry,
  anEntry,
  aFoundException,
  aKeptBill,
  aKeptBillLine,
  aRefundApproval,
  requestApproval,
  aSettlementEntry,
  expectOk,
} from "@tillkit/contract-tests";
import {
  orThrow,
  configurePayTool,
  createApp,
  createDownloadsClient,
  createOrder,
  createOrderInput,
  createServiceType,
  getDownloadsReport,
  logIn,
  parseInput,
  readSharedFigures,
  refundOrder,
  refundOrderInput,
  sendAlerts,
  sendCode,
  receiveNotification,
} from "@tillkit/core";
import {
  confirmSecondFactor,
  createOperator,
  createOperatorInput,
  signIn,
  signInInput,
  rotateSecret,
} from "@tillkit/core/operators";
import type { Totp } from "@tillkit/core/ports";
import { memoryPorts } from "@tillkit/memory";
import { scryptHasher } from "@tillkit/runtime";
import { okAsync } from "neverthrow";
import { expect, it } from "vitest";
import { postgresStores } from "./postgres-stores.js";
import { text } from "../sql/row.js";
import { statement } from "../sql/statement.js";
import { TABLE_NAMES, type TableName, tablesOf } from "../sql/tables.js";
import { KEY, serverSchema } from "../testing/databases.js";

const PRIVATE_KEY = "MIIEvQIBADANBgkqhkiG9w0BAQEFAASC-this-would-open-the-merchant";

/** Tables that this run leaves empty. Only a cluster uses the second one. */
const EMPTY: ReadonlySet<TableName> = new Set(["quota_spacing", "customer_orders"]);

it("the database contains no phone number, code, token, app secret or wallet key in clear text after a full run", async () => {
  const { sql, schema } = await serverSchema();
  const ports = { ...memoryPorts(), ...postgresStores({ sql, schema, credentialKeys: [KEY] }) };
  const wallet = ports.wallets.WALLET_B;

  await expectOk(ports.eventDeliveries.registerHandler("mailer", ports.clock.now()));
  const { app, appSecret } = await expectOk(createApp(ports, { name: "Notes" }));
  const { appId } = app;
  const { appSecret: secondSecret } = await expectOk(rotateSecret(ports, appId, 60_000));
  await expectOk(
    configurePayTool(ports, appId, {
      payChannel: "WALLET_B",
      appEnv: "DEV",
      accountId: "2088000000000000",
      walletAppId: "2021000000000000",
      appName: "Notes",
      appPackageName: "notes",
      appSignature: "0a",
      credentials: { privateKey: PRIVATE_KEY },
    }),
  );
  const type = { serviceTypeNo: "T-1", serviceName: "Member", durationMs: 86_400_000 };
  await expectOk(createServiceType(ports, appId, type));
  const terms = { bizNo: "b-1", customerIdentity: "user-1", amount: 600, goodsTitle: "One month" };
  const input = { ...terms, payChannel: "WALLET_B", serviceTypeNo: "T-1" };
  const { order } = await expectOk(
    createOrder(ports, appId, orThrow(parseInput(createOrderInput(ports.policy), input))),
  );
  const old = { ...order, bizNo: "b-old", id: "w-old", payToolId: "" };
  await expectOk(ports.orders.importOnce(old, anEntry({ type: "IMPORTED" })));
  wallet.pay(order.id);
  const orderRef = order.notifyUrl.split("/").at(-1) ?? "";
  const address = { payChannel: order.payChannel, payToolId: order.payToolId, orderRef };
  await expectOk(receiveNotification(ports, address, wallet.notificationFor(order.id)));
  const refund = {
    bizNo: "b-1",
    refundNo: "case-1",
    amount: 300,
    reason: "changed their mind",
    operator: "han",
  };
  await expectOk(refundOrder(ports, appId, orThrow(parseInput(refundOrderInput(ports.policy), refund))));

  const mobileNo = "13800138000";
  await expectOk(sendCode(ports, appId, { mobileNo }));
  const usedCode = ports.smsSender.messages.at(-1)?.authCode ?? "";
  const { token, customerId } = await expectOk(logIn(ports, appId, { mobileNo, authCode: usedCode }));
  ports.clock.advance(ports.policy.smsCooldown);
  await expectOk(sendCode(ports, appId, { mobileNo }));
  const liveCode = ports.smsSender.messages.at(-1)?.authCode ?? "";
  const client = await expectOk(createDownloadsClient(ports, { appId, dailyLimit: 10 }));
  const day = "2026-01-15";
  await expectOk(
    ports.downloads.upsert([[{ appId, store: "store_01", date: day, newDownloads: 1, updateDownloads: 2 }]]),
  );
  await expectOk(getDownloadsReport(ports, { id: [client.clientId], start: [day], end: [day] }));
  await expectOk(ports.billLines.stage("run-1", [aBillLine()], ports.clock.now()));
  await expectOk(ports.billSettlements.stage("run-1", [aSettlementEntry()], ports.clock.now()));
  const keptBill = aKeptBill({ runId: "run-1" });
  await expectOk(ports.keptBills.begin("run-1", keptBill, keptBill.asOf));
  await expectOk(ports.keptBills.add("run-1", [aKeptBillLine()]));
  expect(await expectOk(ports.keptBills.keep(keptBill, undefined, ports.clock.now()))).toBe(true);
  await expectOk(ports.billExceptions.report([aFoundException()]));
  await expectOk(ports.billExceptions.recordCompared(aComparedBill()));
  await requestApproval(ports, aRefundApproval());
  await expectOk(readSharedFigures(ports, () => okAsync([])));
  await expectOk(ports.readiness.write(ports.clock.now()));
  const walletToken = "86_an-access-token-that-opens-the-mini-program";
  const now = ports.clock.now();
  await expectOk(ports.accessTokens.claim("tool-1", { id: "claim-1", now, until: now + 60_000 }));
  const fetched = { id: "claim-1", token: walletToken, expiresAt: now + 7_200_000 };
  expect(await expectOk(ports.accessTokens.save("tool-1", fetched))).toBe(true);
  const chat = { name: "chat", language: "en", pauseMs: 1, send: () => okAsync(undefined) } as const;
  await expectOk(sendAlerts(ports, chat, { readExpiries: () => okAsync([]) }));

  const passwords = scryptHasher();
  const key = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ";
  const totp: Totp = { keyOf: () => key, uri: () => "", stepOf: () => 1 };
  const accountPorts = { ...ports, passwords, totp };
  const origin = { from: "192.0.2.1", traceId: "" };
  const li = { name: "li", role: "admin", password: "correct horse battery" };
  const by = { operator: "han", reason: "joined the team", from: "cli", traceId: "" };
  const newOperator = orThrow(parseInput(createOperatorInput(), li));
  await expectOk(createOperator(accountPorts, newOperator, by));
  const sent = orThrow(parseInput(signInInput(), { name: "li", password: li.password }));
  const opened = await expectOk(signIn(accountPorts, sent, "required", origin));
  const complete = await expectOk(confirmSecondFactor(accountPorts, opened, { code: "123456" }, origin));
  const draft = { ...anAuditEntry(), change: { id: "change-1", digest: "digest" } };
  await expectOk(ports.auditLog.begin({ draft, leaseUntil: ports.clock.now() }, ports.clock.now()));
  const operatorSecrets = [li.password, key, complete.token, complete.csrfToken];

  const rows: string[] = [];
  const tables = tablesOf(schema);
  for (const table of TABLE_NAMES) {
    const dump = statement("test_dump", `select row_to_json(held)::text as line from ${tables[table]} held`);
    const lines = (await sql.query(dump, [])).map((row) => text(row, "line"));
    if (!EMPTY.has(table)) expect(lines.length, table).toBeGreaterThan(0);
    rows.push(...lines);
  }
  const secret = token.slice(customerId.length + 1);
  expect([usedCode, liveCode].every((code) => /^\d{6}$/.test(code))).toBe(true);
  expect(secret.length).toBeGreaterThan(30);
  const whole = rows.join("\n");
  for (const clear of [
    PRIVATE_KEY,
    mobileNo,
    `+86${mobileNo}`,
    token,
    secret,
    appSecret,
    secondSecret,
    walletToken,
    ...operatorSecrets,
  ]) {
    expect(whole.includes(clear)).toBe(false);
    expect(whole.includes(Buffer.from(clear).toString("base64url").slice(0, -3))).toBe(false);
  }
  // Other numbers may contain the six digits, so the test looks for codes as complete values.
  for (const code of [usedCode, liveCode]) expect(whole).not.toMatch(new RegExp(`["' :]${code}["' ,}]`));
});
