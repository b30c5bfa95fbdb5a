import { createServer } from "node:http";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { PayChannel } from "@tillkit/core";
import { afterEach, describe, expect, it } from "vitest";
import {
  type NotificationDispatcher,
  deliverOverHttp,
  type Delivery,
  type DeliveryAnswer,
  createNotificationDispatcher,
} from "./notification-dispatcher.js";
import { createFaultSettings } from "./faults.js";
import { type Journal, openJournal } from "./journal.js";
import { newPendingNotification } from "./pending-notification.js";

const T0 = Date.UTC(2026, 10, 21);
const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const YES = { status: 204, body: "" };
const DECLINED = { status: 500, body: "" };
const payment = (payChannel: PayChannel = "WALLET_A", outTradeNo = "O-1") =>
  newPendingNotification(payChannel, "payment", outTradeNo, { dueAt: T0 });

/** Creates a dispatcher on a clock that only the test moves. No timer fires during a test. */
function openDispatcher(
  answer: (attempt: number) => DeliveryAnswer | "unreachable",
  journal: Journal = openJournal(undefined),
  hasNews: () => boolean = () => true,
) {
  const faults = createFaultSettings();
  const posted: { readonly at: number; readonly body: string }[] = [];
  let now = T0;
  const deliver = ({ body }: Delivery): Promise<DeliveryAnswer> => {
    posted.push({ at: now - T0, body });
    const reported = answer(posted.length);
    return reported === "unreachable" ? Promise.reject(new Error("refused")) : Promise.resolve(reported);
  };
  const dispatcher = createNotificationDispatcher({
    clock: { now: () => now, onAdvance: () => () => undefined },
    journal,
    faults,
    deliver,
    messageOf: ({ payChannel, outTradeNo, about }) => {
      if (!hasNews()) return undefined;
      const body = (as: string | null) => `${outTradeNo} ${as ?? "genuine"}`;
      return {
        payChannel,
        outTradeNo,
        about,
        write: (as) => Promise.resolve({ url: "http://127.0.0.1/", headers: {}, body: body(as) }),
        acknowledged: ({ status }) => status === 204,
      };
    },
  });
  const advance = (ms: number): Promise<void> => {
    now += ms;
    return dispatcher.catchUp();
  };
  return { dispatcher, faults, posted, advance };
}

describe("createNotificationDispatcher", () => {
  let open: NotificationDispatcher | undefined;
  afterEach(() => open?.close());
  const start = (...parameters: Parameters<typeof openDispatcher>) => {
    const started = openDispatcher(...parameters);
    open = started.dispatcher;
    return started;
  };

  it("delivers an acknowledged notification once, despite repeated announcements", async () => {
    const { dispatcher, posted, advance } = start(() => YES);
    await Promise.all([dispatcher.announce(payment()), dispatcher.announce(payment())]);
    await dispatcher.announce(payment());
    await advance(48 * HOUR);
    expect(posted).toHaveLength(1);
    expect(dispatcher.progress(payment().id).notified).toBe(true);
  });

  it("makes the first attempt at the time of the last announcement", async () => {
    const { dispatcher, posted, advance } = start(() => YES);
    const at = (ms: number) => dispatcher.announce({ ...payment(), dueAt: T0 + ms });
    await at(HOUR);
    await at(MINUTE);
    await advance(MINUTE);
    await at(2 * MINUTE);
    await advance(2 * HOUR);
    expect(posted).toEqual([{ at: MINUTE, body: "O-1 genuine" }]);
  });

  it("delivers a notification later if it had nothing to report when it was due", async () => {
    let hasNews = false;
    const { dispatcher, posted, advance } = start(
      () => YES,
      openJournal(undefined),
      () => hasNews,
    );
    await dispatcher.announce(payment());
    hasNews = true;
    await advance(HOUR);
    expect(posted).toEqual([]);
    await dispatcher.announce({ ...payment(), dueAt: T0 + 2 * HOUR });
    await advance(HOUR);
    expect(posted).toHaveLength(1);
  });

  const schedules = {
    WALLET_A: [15, 30, 60, 240, 840, 2040, 3840, 5640, 7440, 11040, 21840, 32640, 43440, 65040, 86640],
    WALLET_B: [240, 840, 1440, 5040, 12240, 33840, 87840],
  } as const;
  for (const payChannel of ["WALLET_A", "WALLET_B"] as const) {
    it(`repeats on the schedule of ${payChannel} and then gives up`, async () => {
      const { dispatcher, posted, advance } = start((attempt) =>
        attempt % 2 === 0 ? DECLINED : "unreachable",
      );
      await dispatcher.announce(payment(payChannel));
      let at = 0;
      for (const due of schedules[payChannel]) {
        await advance(due * SECOND - at - 1);
        await advance(1);
        at = due * SECOND;
      }
      await advance(48 * HOUR);
      expect(posted.map((one) => one.at / SECOND)).toEqual([0, ...schedules[payChannel]]);
      expect(dispatcher.progress(payment(payChannel).id).notified).toBe(false);
    });
  }

  it("makes up for every attempt that a jump of the clock skipped, until one is acknowledged", async () => {
    const { dispatcher, posted, advance } = start((attempt) => (attempt < 6 ? DECLINED : YES));
    await dispatcher.announce(payment());
    await advance(24 * HOUR);
    expect(posted).toHaveLength(6);
  });

  it("continues where another process stopped", async () => {
    const folder = mkdtempSync(join(tmpdir(), "courier-"));
    try {
      const file = join(folder, "state.jsonl");
      const first = start(() => DECLINED, openJournal(file));
      await first.dispatcher.announce(payment());
      await first.dispatcher.close();
      const second = start(() => YES, openJournal(file));
      expect(second.posted).toEqual([]);
      await second.advance(15 * SECOND);
      expect(second.posted).toHaveLength(1);
      const third = start(() => YES, openJournal(file));
      await third.dispatcher.announce(payment());
      await third.advance(48 * HOUR);
      expect(third.posted).toEqual([]);
      expect(third.dispatcher.progress(payment().id).notified).toBe(true);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it("makes no attempt after it was closed", async () => {
    const { dispatcher, posted, advance } = start(() => DECLINED);
    await dispatcher.announce(payment());
    await dispatcher.close();
    await advance(24 * HOUR);
    await dispatcher.announce(payment("WALLET_A", "O-2"));
    expect(posted).toHaveLength(1);
  });

  it("records each attempt with its result", async () => {
    const { dispatcher } = start((attempt) => (attempt === 1 ? DECLINED : "unreachable"));
    await dispatcher.announce(payment());
    await dispatcher.announce(payment("WALLET_B", "O-2"));
    const common = { at: T0, about: "payment", as: null, acknowledged: false };
    expect(dispatcher.sent()).toEqual([
      { ...common, payChannel: "WALLET_A", outTradeNo: "O-1", status: 500 },
      { ...common, payChannel: "WALLET_B", outTradeNo: "O-2", status: null },
    ]);
  });

  describe("with faults", () => {
    it("drops a notification permanently", async () => {
      const { dispatcher, faults, posted, advance } = start(() => YES);
      faults.change({ walletA: { notify: { fault: "drop", times: 1 } } });
      await dispatcher.announce(payment());
      await advance(48 * HOUR);
      expect(posted).toEqual([]);
    });

    it("sends a notification twice in sequence", async () => {
      const { dispatcher, faults, posted } = start(() => YES);
      faults.change({ walletA: { notify: "duplicate" } });
      await dispatcher.announce(payment());
      expect(posted).toHaveLength(2);
    });

    it("sends a notification twice concurrently", async () => {
      let inside = 0;
      let most = 0;
      const faults = createFaultSettings();
      faults.change({ walletA: { notify: "concurrent" } });
      const dispatcher = createNotificationDispatcher({
        clock: { now: () => T0, onAdvance: () => () => undefined },
        journal: openJournal(undefined),
        faults,
        deliver: async () => {
          inside += 1;
          most = Math.max(most, inside);
          await new Promise((resolve) => setImmediate(resolve));
          inside -= 1;
          return YES;
        },
        messageOf: ({ payChannel, outTradeNo, about }) => ({
          payChannel,
          outTradeNo,
          about,
          write: () => Promise.resolve({ url: "http://127.0.0.1/", headers: {}, body: "" }),
          acknowledged: () => true,
        }),
      });
      await dispatcher.announce(payment());
      await dispatcher.close();
      expect(most).toBe(2);
    });

    it("delivers the next notification of the same wallet first", async () => {
      const { dispatcher, faults, posted, advance } = start(() => YES);
      faults.change({ walletA: { notify: { fault: "reorder", times: 1 } } });
      await dispatcher.announce(payment("WALLET_A", "first"));
      await dispatcher.announce(payment("WALLET_B", "elsewhere"));
      await dispatcher.announce(payment("WALLET_A", "second"));
      await advance(0);
      expect(posted.map(({ body }) => body)).toEqual([
        "elsewhere genuine",
        "second genuine",
        "first genuine",
      ]);
    });

    it("sends a notification 23 hours late, also while the fault is still set", async () => {
      const { dispatcher, faults, posted, advance } = start(() => YES);
      faults.change({ walletA: { notify: "late" } });
      await dispatcher.announce(payment());
      await advance(23 * HOUR - 1);
      expect(posted).toEqual([]);
      await advance(1);
      expect(posted).toEqual([{ at: 23 * HOUR, body: "O-1 genuine" }]);
      expect(dispatcher.progress(payment().id).notified).toBe(true);
    });

    it("does not accept an answer to a forgery as an acknowledgement, and sends the genuine message next time", async () => {
      const { dispatcher, faults, posted, advance } = start(() => YES);
      faults.change({ walletA: { notify: { fault: "wrong-amount", times: 1 } } });
      await dispatcher.announce(payment());
      expect(dispatcher.progress(payment().id).notified).toBe(false);
      await advance(15 * SECOND);
      expect(posted.map(({ body }) => body)).toEqual(["O-1 wrong-amount", "O-1 genuine"]);
      expect(dispatcher.progress(payment().id).notified).toBe(true);
    });
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

  it("reports why the service has not acknowledged, and when the next attempt is due", async () => {
    const { dispatcher, faults, advance } = start(() => "unreachable");
    const { id } = payment();
    await dispatcher.announce(payment());
    expect(dispatcher.progress(id)).toEqual({ notified: false, why: "refused", nextAttemptInMs: 15_000 });
    await advance(5 * SECOND);
    expect(dispatcher.progress(id)).toMatchObject({ nextAttemptInMs: 10_000 });
    await advance(24 * HOUR);
    for (let step = 0; step < 30; step += 1) await advance(6 * HOUR);
    expect(dispatcher.progress(id)).toEqual({ notified: false, why: "refused" });
    faults.change({ walletB: { notify: "late" } });
    await dispatcher.announce(payment("WALLET_B", "O-2"));
    expect(dispatcher.progress(payment("WALLET_B", "O-2").id)).toEqual({
      notified: false,
      why: "the fault late delays it",
      nextAttemptInMs: 23 * HOUR,
    });
  });

  it("has no reason for an attempt before its start, and still reports when the next one is due", async () => {
    const folder = mkdtempSync(join(tmpdir(), "tillkit-dispatcher-"));
    try {
      const file = join(folder, "state.jsonl");
      const before = start(() => DECLINED, openJournal(file));
      await before.dispatcher.announce(payment());
      await before.dispatcher.close();
      const after = start(() => YES, openJournal(file));
      expect(after.dispatcher.progress(payment().id)).toEqual({
        notified: false,
        why: "an earlier attempt was not acknowledged",
        nextAttemptInMs: 15_000,
      });
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it("rejects with the reason and the address if nobody answers over HTTP", async () => {
    const server = createServer((request) => request.socket.destroy());
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = server.address();
    if (address === null || typeof address === "string") throw new Error("the server has no port");
    const delivery = { url: `http://127.0.0.1:${address.port}/notify`, headers: {}, body: "" };
    await expect(deliverOverHttp(delivery)).rejects.toThrow(
      /^no answer from http:\/\/127\.0\.0\.1:\d+\/notify/,
    );
    await new Promise((resolve) => server.close(resolve));
    await expect(deliverOverHttp(delivery)).rejects.toThrow(`connection refused by ${delivery.url}`);
  });

  it("rejects after five seconds without an answer", { timeout: 30_000 }, async () => {
    const server = createServer(() => undefined);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = server.address();
    if (address === null || typeof address === "string") throw new Error("the server has no port");
    const url = `http://127.0.0.1:${address.port}/notify`;
    const late = deliverOverHttp({ url, headers: {}, body: "" });
    await expect(late).rejects.toThrow(`no answer within 5 s from ${url}`);
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
});
