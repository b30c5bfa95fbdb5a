import { createServer } from "node:http";
import { describe, expect, it } from "vitest";
import { type DeliveryAnswer, deliverOverHttp, type Message, openCourier } from "./courier.js";

const hurried = { sleep: () => Promise.resolve() };
const message: Message = {
  write: () => Promise.resolve({ url: "http://127.0.0.1/", headers: {}, body: "" }),
  acknowledged: ({ status }) => status === 204,
  lost: () => false,
};

function answering(...statuses: number[]) {
  let attempts = 0;
  let reached = () => {};
  const last = new Promise<void>((resolve) => {
    reached = resolve;
  });
  const deliver = (): Promise<DeliveryAnswer> => {
    const status = statuses[attempts] ?? 500;
    attempts += 1;
    if (attempts >= statuses.length) reached();
    return status === 0
      ? Promise.reject(new Error("connection refused"))
      : Promise.resolve({ status, body: "" });
  };
  return { deliver, attempts: () => attempts, last };
}

describe("the courier", () => {
  it("delivers an acknowledged message once", async () => {
    const service = answering(204);
    const courier = openCourier(hurried, service.deliver);
    expect(await courier.announce(message)).toEqual({ delivered: true, acknowledged: true });
    await courier.close();
    expect(service.attempts()).toBe(1);
  });

  it("answers after the first attempt and goes on until it is acknowledged", async () => {
    const service = answering(500, 0, 204);
    const courier = openCourier(hurried, service.deliver);
    expect(await courier.announce(message)).toEqual({ delivered: true, acknowledged: false });
    await service.last;
    await courier.close();
    expect(service.attempts()).toBe(3);
  });

  it("gives up after four attempts", async () => {
    const service = answering(500, 500, 500, 500);
    const courier = openCourier(hurried, service.deliver);
    await courier.announce(message);
    await service.last;
    await courier.close();
    expect(service.attempts()).toBe(4);
  });

  it("starts no attempt after it was closed, though the pause has not ended", async () => {
    const service = answering(500);
    const courier = openCourier({ sleep: () => new Promise(() => {}) }, service.deliver);
    await courier.announce(message);
    courier.announceLater(message, 1_000);
    await courier.close();
    expect(service.attempts()).toBe(1);
  });

  it("sends nothing of a message that is lost", async () => {
    const service = answering(204);
    const courier = openCourier(hurried, service.deliver);
    const lost = { ...message, lost: () => true };
    expect(await courier.announce(lost)).toEqual({ delivered: false, acknowledged: false });
    await courier.close();
    expect(service.attempts()).toBe(0);
  });

  it("tries a message no more once it is lost, though it is found again", async () => {
    let sleeps = 0;
    const asleep = {
      sleep: () => {
        sleeps += 1;
        return Promise.resolve();
      },
    };
    const service = answering(500);
    const courier = openCourier(asleep, service.deliver);
    const answers = [false, true];
    await courier.announce({ ...message, lost: () => answers.shift() ?? false });
    await courier.close();
    expect(sleeps).toBe(1);
    expect(service.attempts()).toBe(1);
  });

  it("posts over HTTP and does not follow a redirect", async () => {
    const seen: string[] = [];
    const server = createServer((request, response) => {
      request.setEncoding("utf8");
      let body = "";
      request.on("data", (chunk: string) => (body += chunk));
      request.on("end", () => {
        seen.push(
          `${request.method ?? ""} ${request.url ?? ""} ${String(request.headers["wechatpay-nonce"])} ${body}`,
        );
        response.writeHead(302, { location: "/elsewhere" }).end("moved");
      });
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = server.address();
    if (address === null || typeof address === "string") throw new Error("the server has no port");
    const url = `http://127.0.0.1:${address.port}/notify?x=1`;
    const answer = await deliverOverHttp({ url, headers: { "wechatpay-nonce": "n" }, body: "会员" });
    expect(seen).toEqual(["POST /notify?x=1 n 会员"]);
    expect(answer).toEqual({ status: 302, body: "moved" });
    await new Promise((resolve) => server.close(resolve));
  });
});
