import { type AlertChannel, orThrow, type ServiceEvent } from "@tillkit/core";
import type { FoundException } from "@tillkit/core/ports";
import { memoryPorts, testClock } from "@tillkit/memory";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { createTillkit, type Tillkit } from "../create-tillkit.js";
import { type ChatServer, openChatServer, SECRETS, TOKEN } from "../testing/chat-server.js";
import { dingtalkChannel } from "./dingtalk-channel.js";
import { feishuChannel } from "./feishu-channel.js";
import { slackChannel } from "./slack-channel.js";

const KEYRING = { peppers: [{ version: 1, key: new Uint8Array(32).fill(7) }] };
const NOON = Date.parse("2026-03-10T12:00:00+08:00");

const EXCEPTION: FoundException = {
  id: "e-1",
  payChannel: "WALLET_A",
  appEnv: "PROD",
  accountId: "merchant-1",
  day: "2026-03-09",
  kind: "PAYMENT_NOT_HERE",
  outTradeNo: "order-1",
  asOf: 1,
  at: NOON - 86_400_000,
};

let server: ChatServer;
beforeAll(async () => {
  server = await openChatServer();
});
afterAll(() => server.close());

/** Creates a host with an open bill exception, and starts it. */
async function aHost(alerts: readonly AlertChannel[], ports = memoryPorts({ clock: testClock(NOON) })) {
  const events: ServiceEvent[] = [];
  const { wallets, clock, ...stores } = ports;
  const tillkit = createTillkit({
    stores,
    wallets,
    clock,
    publicUrl: "https://pay.example.com",
    keyring: KEYRING,
    alerts,
    dashboardUrl: "https://ops.example.com/dashboard/",
    observer: { onEvent: (event) => events.push(event) },
    background: { alertsEveryMs: 60_000, reconcileEveryMs: 60_000 },
  });
  return { tillkit, events, ports };
}

const run = async (tillkit: Tillkit, names: readonly string[]) => {
  tillkit.start();
  for (const name of names) await tillkit.runNow(`alerts:${name}`);
};

const feishu = () => feishuChannel({ url: server.url(`/feishu/hook/${TOKEN}`), secret: SECRETS.feishu });

it("sends what needs a person to each channel, with a link, and a failing channel delays no other", async () => {
  const broken = dingtalkChannel({ url: server.url(`/dingtalk?access_token=${TOKEN}`), secret: "SECwrong" });
  const slack = slackChannel({ url: server.url(`/slack/${TOKEN}`) });
  const { tillkit, events, ports } = await aHost([broken, feishu(), slack]);
  await orThrow(ports.billExceptions.report([EXCEPTION]));
  server.received.length = 0;
  await run(tillkit, ["dingtalk", "feishu", "slack"]);
  expect(server.received.map(({ service }) => service)).toEqual(["feishu", "slack"]);
  expect(server.received[0]?.text).toContain("[Tillkit] 对账差错");
  expect(server.received[1]?.text).toContain("https://ops.example.com/dashboard/bills");
  expect(events).toContainEqual(
    expect.objectContaining({ type: "alert.not-sent", channel: "dingtalk", reason: "refused" }),
  );
  expect(JSON.stringify(events)).not.toMatch(new RegExp(`${TOKEN}|SECwrong|127\\.0\\.0\\.1`));
  expect((await tillkit.health()).background["alerts:dingtalk"]?.failure).toBeUndefined();
  await tillkit.stop();
});

it("does not send an alert again after a restart", async () => {
  const first = await aHost([feishu()]);
  await orThrow(first.ports.billExceptions.report([EXCEPTION]));
  server.received.length = 0;
  await run(first.tillkit, ["feishu"]);
  await first.tillkit.stop();
  first.ports.clock.advance(60_000);
  const second = await aHost([feishu()], first.ports);
  await run(second.tillkit, ["feishu"]);
  expect(server.received).toHaveLength(1);
  await second.tillkit.stop();
});

it("reads the credentials of all pay tools at most every ten minutes", async () => {
  const { tillkit, ports } = await aHost([feishu()]);
  const listAll = vi.spyOn(tillkit.ports.payTools, "listAll");
  await run(tillkit, ["feishu"]);
  const reads = listAll.mock.calls.length;
  ports.clock.advance(60_000);
  await run(tillkit, ["feishu"]);
  // Only the search for missing days lists the pay tools again.
  expect(listAll.mock.calls.length).toBe(reads + 1);
  await tillkit.stop();
});

it("rejects two channels with one name, and a dashboardUrl with a query", async () => {
  await expect(aHost([feishu(), feishu()])).rejects.toThrow('Two alert channels have the name "feishu".');
  const { wallets, clock, ...stores } = memoryPorts();
  const options = { stores, wallets, clock, publicUrl: "https://pay.example.com", keyring: KEYRING };
  expect(() => createTillkit({ ...options, dashboardUrl: "https://ops.example.com?x" })).toThrow(
    /dashboardUrl/,
  );
});
