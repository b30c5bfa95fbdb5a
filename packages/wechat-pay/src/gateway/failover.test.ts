import { createHash } from "node:crypto";
import { createServer, type Socket } from "node:net";
import { gzipSync } from "node:zlib";
import { expectFailure, expectOk } from "@tillkit/contract-tests";
import type { PaymentRequest } from "@tillkit/core";
import { systemRandom } from "@tillkit/runtime";
import { okAsync } from "neverthrow";
import { describe, expect, it, onTestFinished } from "vitest";
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
  const clock = { time: NOW, now: () => clock.time };
  const wire = await openWire(second, clock.now);
  onTestFinished(() => wire.close());
  const wallet = wechatPayWallet({ clock, random: systemRandom, gateways: { PROD: [first, wire.url] } });
  const live = { ...account, appEnv: "PROD" } as const;
  const query = (deadline = LIMITS.deadline) => wallet.query(live, request.outTradeNo, { deadline });
  const prepare = (paymentRequest: PaymentRequest = request, deadline = LIMITS.deadline) =>
    wallet.prepare(live, paymentRequest, { deadline });
  const readBill = () => wallet.readBill(live, "2026-11-19", () => okAsync(undefined), LIMITS);
  return { wire, clock, query, prepare, readBill };
}

/** Returns an address without a listening server. */
async function unusedPort(): Promise<string> {
  const host = await openHost(() => undefined);
  await host.close();
  return `http://127.0.0.1:${host.port}`;
}

describe("a host that cannot be reached", () => {
  it("leaves a query and an order to the next one, each with a signature of its own", async () => {
    const { wire, query, prepare } = await twoHosts(await unusedPort());
    expect(await expectOk(query())).toMatchObject({ state: "OPEN" });
    expect(await expectOk(prepare())).toMatchObject({
      values: { code_url: "weixin://wxpay/bizpayurl?pr=1" },
    });
    expect(wire.refused).toEqual([]);
  });

  it("leaves a bill and its file to the next one", async () => {
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

  it("does not eat the deadline by never finishing to connect", async () => {
    // The host never completes the TLS handshake, so the client never gets a connection.
    const silent = await openHost(() => undefined);
    const { query, prepare } = await twoHosts(`https://127.0.0.1:${silent.port}`);
    expect(await expectOk(query(600))).toMatchObject({ state: "OPEN" });
    expect(await expectOk(prepare())).toHaveProperty("values");
    expect(silent.connections()).toBe(1);
  });

  it("is tried again by one call after thirty seconds, and left alone before", async () => {
    const silent = await openHost((socket) => socket.destroy());
    const { clock, query } = await twoHosts(`https://127.0.0.1:${silent.port}`);
    for (let times = 0; times < 3; times += 1) await expectOk(query());
    expect(silent.connections()).toBe(1);
    clock.time += 30_000;
    for (let times = 0; times < 3; times += 1) await expectOk(query());
    expect(silent.connections()).toBe(2);
  });

  it("is named in the failure when the next cannot be reached either", async () => {
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

  it("leaves a query to the next one", async () => {
    const { connections, port } = await dropping();
    const { query } = await twoHosts(`http://127.0.0.1:${port}`);
    expect(await expectOk(query())).toMatchObject({ state: "OPEN" });
    expect(connections()).toBe(1);
  });

  it("leaves an order unknown, which the first host may have taken, and its repetition to the next", async () => {
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

describe("a host that answers", () => {
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
    ["speaks no HTTP", (_call, response) => void response.socket?.end("no HTTP\r\n\r\n"), "network"],
    [
      "changes the protocol",
      (_call, response) =>
        void response.socket?.write("HTTP/1.1 101 Switching\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n"),
      "network",
    ],
    [
      "cuts its answer short",
      (_call, response) => {
        response.writeHead(200, { "content-length": "100" });
        response.write("{", () => response.destroy());
        return undefined;
      },
      "network",
    ],
  ] satisfies readonly (readonly [string, WireHandler, string])[])(
    "and %s is the one that counts",
    async (_what, first, cause) => {
      const { failures, requestCount } = await outcomeOf(first);
      for (const failure of failures) expect(failure).toMatchObject({ name: "wallet.unknown", cause });
      expect(requestCount).toBe(0);
    },
  );

  it("or takes a request and is silent is waited for until the deadline", async () => {
    const { failures, requestCount } = await outcomeOf(() => undefined, 60);
    for (const failure of failures) expect(failure).toMatchObject({ cause: "timeout" });
    expect(requestCount).toBe(0);
  });
});
