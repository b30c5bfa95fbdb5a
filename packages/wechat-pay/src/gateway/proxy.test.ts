import { createServer, Agent, type AgentOptions } from "node:http";
import { connect, type Socket } from "node:net";
import { expectFailure, expectOk } from "@tillkit/contract-tests";
import { outgoingAgent } from "@tillkit/wallet-kit";
import { describe, expect, it, onTestFinished } from "vitest";
import { account } from "../testing/keys.js";
import { openWallet } from "../testing/open-wallet.js";
import { LIMITS, refundRequest, request } from "../testing/requests.js";
import type { WireHandler } from "../testing/wechat-wire.js";

const good: WireHandler = () => ({ status: 200, body: '{"code_url":"weixin://wxpay/bizpayurl?pr=1"}' });

/** Starts a proxy that opens tunnels, and records their targets. */
async function openProxy() {
  const tunnels: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer();
  server.on("connect", ({ url = "" }, client: Socket) => {
    tunnels.push(url);
    const [host, port] = url.split(":");
    const upstream = connect(Number(port), host, () => {
      client.write("HTTP/1.1 200 Connection established\r\n\r\n");
      client.pipe(upstream).pipe(client);
    });
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(socket);
      socket.on("error", () => socket.destroy());
      socket.on("close", () => other.destroy());
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const address = server.address();
  return { tunnels, port: typeof address === "object" ? (address?.port ?? 0) : 0 };
}

/** Creates an agent whose sockets are tunnels through a proxy, open before a request gets them. */
function tunnelAgent(proxyPort: number): Agent {
  const agent = new Agent({ keepAlive: true });
  Object.assign(agent, {
    createConnection: (
      { host, port }: { readonly host: string; readonly port: number },
      done: (error: Error | null, socket?: Socket) => void,
    ) => {
      const socket = connect(proxyPort, "127.0.0.1", () => {
        socket.write(`CONNECT ${host}:${port} HTTP/1.1\r\nhost: ${host}:${port}\r\n\r\n`);
        socket.once("data", () => done(null, socket));
      });
      socket.on("error", done);
    },
  });
  return agent;
}

describe("an agent of the host", () => {
  it("connects through a proxy, and its connections are kept open", async () => {
    const proxy = await openProxy();
    const { wallet, wire } = await openWallet(good, { agent: tunnelAgent(proxy.port) });
    for (let times = 0; times < 3; times += 1) await expectOk(wallet.prepare(account, request, LIMITS));
    expect(proxy.tunnels).toEqual([new URL(wire.url).host]);
    expect(wire.refused).toEqual([]);
  });

  it("sends a refund once if the tunnel breaks after the request", async () => {
    const proxy = await openProxy();
    let refunds = 0;
    const part: WireHandler = (_call, response) => {
      refunds += 1;
      response.socket?.resetAndDestroy();
      return undefined;
    };
    const second = await openWallet(good);
    const first = await openWallet(part);
    const { wallet } = await openWallet(good, {
      agent: tunnelAgent(proxy.port),
      gateways: { DEV: [first.wire.url, second.wire.url] },
    });
    const failure = await expectFailure(wallet.refund(account, refundRequest, LIMITS));
    expect(failure).toMatchObject({ name: "wallet.unknown", cause: "network" });
    expect(refunds).toBe(1);
    expect(second.wire.connections()).toBe(0);
  });
});

describe("a host with several addresses", () => {
  it("is reached at the second address, and each attempt may take two seconds", async () => {
    const looked: string[] = [];
    const lookup: AgentOptions["lookup"] = (hostname, _options, done) => {
      looked.push(hostname);
      const dead = { address: "::1", family: 6 };
      done(null, [dead, { address: "127.0.0.1", family: 4 }]);
    };
    const { wire } = await openWallet(good);
    const { wallet } = await openWallet(good, {
      agent: outgoingAgent(false, { lookup }),
      gateways: { DEV: wire.url.replace("127.0.0.1", "localhost") },
    });
    await expectOk(wallet.prepare(account, request, LIMITS));
    expect(looked).toEqual(["localhost"]);
    const options: unknown = Reflect.get(outgoingAgent(true), "options");
    expect(options).toMatchObject({ keepAlive: true, autoSelectFamilyAttemptTimeout: 2_000 });
  });
});
