import { createServer } from "node:http";
import { once } from "node:events";
import { afterEach, expect, it } from "vitest";
import { serviceClient } from "./service-client.js";

const order = { id: "1", bizNo: "b-1", amount: 600, paymentStatus: "PAID", attachData: { a: 1 } };
const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  await Promise.all(closers.splice(0).map((close) => close()));
});

/**
 * Starts a service that returns the next answer to each request, with this HTTP status.
 *
 * `"hang-up"` closes the connection. After the last answer the service does not respond.
 */
async function serviceAnswering(answers: readonly string[], { status = 200, timeout = 30_000 } = {}) {
  const requests: string[] = [];
  const addresses: unknown[] = [];
  const server = createServer((request, response) => {
    addresses.push(request.headers["x-payer-client-ip"]);
    const answer = answers[requests.push(request.url ?? "") - 1];
    if (answer === undefined) return;
    if (answer === "hang-up") request.socket.destroy();
    else response.writeHead(status, { "content-type": "application/json" }).end(answer);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  closers.push(async () => {
    server.closeAllConnections();
    await once(server.close(), "close");
  });
  const address = server.address();
  const port = typeof address === "object" ? String(address?.port) : "";
  const options = { baseUrl: `http://127.0.0.1:${port}`, appId: "a", appSecret: "s", timeout };
  return {
    requests,
    addresses,
    service: serviceClient({ ...options, attempts: 3, pause: async () => undefined }),
  };
}

const good = JSON.stringify({ code: 0, msg: "success", data: order });

it("decides by the code and not by the HTTP status", async () => {
  const lying = await serviceAnswering([JSON.stringify({ code: 50001, msg: "Order not found" })]);
  expect(await lying.service.getOrder("b-1", "u")).toEqual({
    ok: false,
    code: 50001,
    msg: "Order not found",
  });
  const odd = await serviceAnswering([good], { status: 500 });
  expect(await odd.service.getOrder("b-1", "u")).toEqual({ ok: true, data: order });
});

it("repeats the request with the same bizNo after a lost response and after an unknown outcome", async () => {
  const unknown = JSON.stringify({ code: 30002, msg: "not answering" });
  const { service, requests } = await serviceAnswering(["hang-up", unknown, good]);
  expect(await service.getOrder("b-1", "u")).toEqual({ ok: true, data: order });
  expect(new Set(requests)).toEqual(new Set(["/detail.json?bizNo=b-1&customerIdentity=u"]));
  expect(requests).toHaveLength(3);
});

it("sends the customer's address with every attempt at a payment in a browser, and no address otherwise", async () => {
  const paid = JSON.stringify({ code: 0, msg: "success", data: { h5_url: "https://wallet.example" } });
  const { service, addresses } = await serviceAnswering(["hang-up", paid, good]);
  const terms = { bizNo: "b-1", amount: 600, goodsTitle: "Tea", customerIdentity: "u", attachData: "{}" };
  const request = { ...terms, payChannel: "WALLET_A", paySource: "H5" } as const;
  expect(await service.createOrder(request, "203.0.113.7")).toMatchObject({ ok: true });
  await service.getOrder("b-1", "u");
  expect(addresses).toEqual(["203.0.113.7", "203.0.113.7", undefined]);
});

it("does not wait for an answer without end", async () => {
  const { service } = await serviceAnswering([], { timeout: 50 });
  expect(await service.getOrder("b-1", "u")).toMatchObject({ ok: false, code: "unreachable" });
});

it("does not repeat what was definitely refused", async () => {
  const { service, requests } = await serviceAnswering([
    JSON.stringify({ code: 50002, msg: "conflict" }),
    good,
  ]);
  expect(await service.getOrder("b-1", "u")).toEqual({ ok: false, code: 50002, msg: "conflict" });
  expect(requests).toHaveLength(1);
});

it("gives up after its attempts, and accepts only envelopes", async () => {
  const { service, requests } = await serviceAnswering([
    "<html>",
    "{}",
    JSON.stringify({ code: 0, data: {} }),
    good,
  ]);
  expect(await service.getOrder("b-1", "u")).toMatchObject({ ok: false, code: "unreachable" });
  expect(requests).toHaveLength(3);
});
