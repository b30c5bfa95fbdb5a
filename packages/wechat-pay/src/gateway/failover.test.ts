import { createHash } from "node:crypto";
import { createServer, type Socket } from "node:net";
import { gzipSync } from "node:zlib";
import { expectFailure, expectOk } from "@tillkit/contract-tests";
import type { PaymentRequest } from "@tillkit/core/ports";
import { systemRandom } from "@tillkit/runtime";
import { okAsync } from "neverthrow";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { BILL } from "../testing/bill-text.js";
import { account, NOW } from "../testing/keys.js";
import { LIMITS, request } from "../testing/requests.js";
import { openWire, type WireHandler } from "../testing/wechat-wire.js";
import { wechatPayWallet } from "../wechat-pay-wallet.js";

const QUERIED = JSON.stringify({
  appid: account.walletAppId,
  mchid: account.accountId,
  out_trade_no: request.outTradeNo,
  trade_state: "NOTPAY",
});
const answers: WireHandler = ({ method }) => ({
  status: 200,
  body: method === "GET" ? QUERIED : '{"code_url":"weixin://wxpay/bizpayurl?pr=1"}',
});

/** Starts a host that calls `act` for every connection and counts the connections. */
async function openHost(act: (socket: Socket) => void) {
  const sockets = new Set<Socket>();
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on("error", () => socket.destroy());
    act(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const close = () =>
    new Promise<void>((resolve) => {
      for (const socket of sockets) socket.destroy();
      server.close(() => resolve());
    });
  onTestFinished(close);
  return { port, connections: () => connections, close };
}

/**
 * Creates a wallet whose PROD gateway has the host `first` and a second host that runs `second`.
 */
async function twoHosts(first: string, second: WireHandler = answers) {
  const clock = { now: () => NOW };
  const wire = await openWire(second, clock.now);
  onTestFinished(() => wire.close());
  const wallet = wechatPayWallet({ clock, random: systemRandom, gateways: { PROD: [first, wire.url] } });
  const live = { ...account, appEnv: "PROD" } as const;
  const query = (deadline = LIMITS.deadline) => wallet.query(live, request.outTradeNo, { deadline });
  const prepare = (paymentRequest: PaymentRequest = request, deadline = LIMITS.deadline) =>
    wallet.prepare(live, paymentRequest, { deadline });
  const readBill = () => wallet.readBill(live, "2026-11-19", () => okAsync(undefined), LIMITS);
  return { wire, query, prepare, readBill };
}

/** Returns an address without a listening server. */
async function unusedPort(): Promise<string> {
  const host = await openHost(() => undefined);
  await host.close();
  return `http://127.0.0.1:${host.port}`;
}

describe("a host that cannot be reached", () => {
  it("is replaced by the next host for a query and an order, each with its own signature", async () => {
    const { wire, query, prepare } = await twoHosts(await unusedPort());
    expect(await expectOk(query())).toMatchObject({ state: "OPEN" });
    expect(await expectOk(prepare())).toMatchObject({
      values: { code_url: "weixin://wxpay/bizpayurl?pr=1" },
    });
    expect(wire.refused).toEqual([]);
  });

  it("is replaced by the next host for a bill and its file", async () => {
    const text = BILL.join("\r\n");
    const named = JSON.stringify({
      hash_type: "SHA1",
      hash_value: createHash("sha1").update(text).digest("hex"),
      download_url: "https://api.mch.weixin.qq.com/v3/billdownload/file?token=x",
    });
    const { readBill } = await twoHosts(await unusedPort(), ({ target }, response) => {
      if (!target.includes("/billdownload/")) return { status: 200, body: named };
      response.writeHead(200).end(gzipSync(text));
      return undefined;
    });
    expect(await expectOk(readBill())).toMatchObject({ payments: 1, refunds: 1 });
  });

  it("does not use up the deadline while the client connects to it", async () => {
    // The host never completes the TLS handshake, so the client never gets a connection.
    const silent = await openHost(() => undefined);
    const { query, prepare } = await twoHosts(`https://127.0.0.1:${silent.port}`);
    expect(await expectOk(query(600))).toMatchObject({ state: "OPEN" });
    expect(await expectOk(prepare())).toHaveProperty("values");
    expect(silent.connections()).toBe(1);
  });

  it("is tried again by one call after thirty seconds, and not before", async () => {
    const silent = await openHost((socket) => socket.destroy());
    const { query } = await twoHosts(`https://127.0.0.1:${silent.port}`);
    for (let times = 0; times < 3; times += 1) await expectOk(query());
    expect(silent.connections()).toBe(1);
    const later = performance.now() + 30_000;
    vi.spyOn(performance, "now").mockReturnValue(later);
    onTestFinished(() => void vi.restoreAllMocks());
    for (let times = 0; times < 3; times += 1) await expectOk(query());
    expect(silent.connections()).toBe(2);
  });

  it("is reported in the failure if the next host cannot be reached either", async () => {
    const { wire, query } = await twoHosts(await unusedPort());
    await wire.close();
    expect(await expectFailure(query())).toMatchObject({
      name: "wallet.unknown",
      cause: "network",
      detail: "the connection failed: ECONNREFUSED",
    });
  });
});

describe("a host that drops the connection before it answers", () => {
  const dropping = () => openHost((socket) => socket.on("data", () => socket.resetAndDestroy()));

  it("is replaced by the next host for a query", async () => {
    const { connections, port } = await dropping();
    const { query } = await twoHosts(`http://127.0.0.1:${port}`);
    expect(await expectOk(query())).toMatchObject({ state: "OPEN" });
    expect(connections()).toBe(1);
  });

  it("leaves the outcome of an order unknown, and its repetition goes to the next host", async () => {
    const targets: string[] = [];
    const { port } = await dropping();
    const { prepare } = await twoHosts(`http://127.0.0.1:${port}`, (call, response) => {
      targets.push(call.target);
      return answers(call, response);
    });
    expect(await expectFailure(prepare())).toMatchObject({ name: "wallet.unknown", cause: "network" });
    expect(targets).toEqual([]);
    await expectOk(prepare());
    expect(targets).toEqual(["/base/v3/pay/transactions/native"]);
  });
});

describe("a host that accepts the connection", () => {
  /**
   * Returns the failures of two queries at this first host, and the requests to the second host.
   */
  async function outcomeOf(first: WireHandler, deadline = LIMITS.deadline) {
    let requestCount = 0;
    const wire = await openWire(first, () => NOW);
    onTestFinished(() => wire.close());
    const { query } = await twoHosts(wire.url, (call, response) => {
      requestCount += 1;
      return answers(call, response);
    });
    const failures = [await expectFailure(query(deadline)), await expectFailure(query(deadline))];
    return { failures, requestCount };
  }

  it.each([
    ["fails", () => ({ status: 500, body: "", proof: "none" }), "server-error"],
    [
      "is busy",
      () => ({ status: 429, body: '{"code":"RATELIMIT_EXCEEDED"}', proof: "none" }),
      "rate-limited",
    ],
    ["does not sign", () => ({ status: 200, body: QUERIED, proof: "none" }), "unverified"],
    ["signs badly", () => ({ status: 200, body: QUERIED, proof: "stranger" }), "unverified"],
    ["does not speak HTTP", (_call, response) => void response.socket?.end("no HTTP\r\n\r\n"), "network"],
    [
      "changes the protocol",
      (_call, response) =>
        void response.socket?.write("HTTP/1.1 101 Switching\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n"),
      "network",
    ],
    [
      "truncates its response",
      (_call, response) => {
        response.writeHead(200, { "content-length": "100" });
        response.write("{", () => response.destroy());
        return undefined;
      },
      "network",
    ],
  ] satisfies readonly (readonly [string, WireHandler, string])[])(
    "and %s is not replaced by another host",
    async (_what, first, cause) => {
      const { failures, requestCount } = await outcomeOf(first);
      for (const failure of failures) expect(failure).toMatchObject({ name: "wallet.unknown", cause });
      expect(requestCount).toBe(0);
    },
  );

  it("and does not respond delays the call until its deadline", async () => {
    const { failures, requestCount } = await outcomeOf(() => undefined, 60);
    for (const failure of failures) expect(failure).toMatchObject({ cause: "timeout" });
    expect(requestCount).toBe(0);
  });
});
