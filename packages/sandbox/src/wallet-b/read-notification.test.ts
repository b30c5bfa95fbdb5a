import { generateKeyPairSync } from "node:crypto";
import { describe, expect, it } from "vitest";
import { signText } from "../shared/rsa.js";
import { readWalletBNotification } from "./read-notification.js";
import {
  formText,
  notificationText,
  notificationTextWithEmpty,
  type Parameters,
  requestText,
} from "./sign.js";

const pair = generateKeyPairSync("rsa", { modulusLength: 2048 });
const keys = { appKey: pair.privateKey, walletKey: pair.publicKey };
const facts = {
  notify_time: "2026-11-20 20:30:06",
  notify_id: "n-1",
  app_id: "2014",
  seller_id: "2088",
  out_trade_no: "O-1",
  trade_no: "2026",
  trade_status: "TRADE_SUCCESS",
  subject: "100% 会员 😀+1",
  total_amount: "6.00",
  gmt_payment: "2026-11-20 20:30:05",
  sign_type: "RSA2",
};

function read(body: string) {
  return readWalletBNotification(keys, { headers: {}, body: new TextEncoder().encode(body) });
}

async function signed(parameters: Parameters, textOf = notificationText): Promise<string> {
  return formText({ ...parameters, sign: await signText(textOf(parameters), pair.privateKey) });
}

describe("a notification of WALLET_B", () => {
  it("states the order in cents and epoch milliseconds", async () => {
    expect(read(await signed(facts))._unsafeUnwrap()).toMatchObject({
      kind: "payment",
      order: {
        state: "PAID",
        outTradeNo: "O-1",
        walletAppId: "2014",
        merchantId: "2088",
        amount: 600,
        currency: "CNY",
        paidAt: Date.UTC(2026, 10, 20, 12, 30, 5),
      },
    });
  });

  it("is believed when values without text are signed with it or without", async () => {
    const sparse = { ...facts, passback_params: "" };
    expect(read(await signed(sparse)).isOk()).toBe(true);
    expect(read(await signed(sparse, notificationTextWithEmpty)).isOk()).toBe(true);
  });

  it("is unverified when it is signed like a request, with sign_type", async () => {
    expect(read(await signed(facts, requestText))._unsafeUnwrapErr().reason).toBe("unverified");
  });

  it("is verified with SHA-256 whatever it says of itself", async () => {
    expect(read(await signed({ ...facts, sign_type: "RSA" })).isOk()).toBe(true);
  });

  it("is malformed when it names a parameter twice, even if both are the same", async () => {
    const body = await signed(facts);
    expect(read(`${body}&total_amount=6.00`)._unsafeUnwrapErr().reason).toBe("malformed");
    expect(read(`${body}&sign=x`)._unsafeUnwrapErr().reason).toBe("malformed");
  });

  it("is malformed when it has no signature or signed nonsense", async () => {
    expect(read(formText(facts))._unsafeUnwrapErr().reason).toBe("malformed");
    for (const odd of [{ total_amount: "six" }, { total_amount: "6.001" }, { trade_status: "PAID" }]) {
      expect(read(await signed({ ...facts, ...odd }))._unsafeUnwrapErr().reason).toBe("malformed");
    }
  });

  it("tells closed from refunded, which have one word", async () => {
    const stateOf = async (changes: Parameters) => {
      const event = read(await signed({ ...facts, ...changes }))._unsafeUnwrap();
      return event.kind === "payment" ? event.order.state : event.kind;
    };
    expect(await stateOf({ trade_status: "TRADE_CLOSED" })).toBe("CLOSED");
    expect(await stateOf({ trade_status: "TRADE_CLOSED", refund_fee: "0.00" })).toBe("CLOSED");
    expect(await stateOf({ trade_status: "TRADE_CLOSED", refund_fee: "6.00" })).toBe("REFUNDED");
    expect(await stateOf({ trade_status: "TRADE_SUCCESS", refund_fee: "1.00" })).toBe("PAID");
    expect(await stateOf({ trade_status: "TRADE_FINISHED" })).toBe("PAID");
    expect(await stateOf({ trade_status: "WAIT_BUYER_PAY" })).toBe("OPEN");
  });

  it("has equal evidence for its repetitions, which differ in time and signature only", async () => {
    const evidence = async (changes: Parameters) => {
      const event = read(await signed({ ...facts, ...changes }))._unsafeUnwrap();
      return event.kind === "payment" ? event.order.evidence : "";
    };
    expect(await evidence({ notify_time: "2026-11-20 20:40:00" })).toBe(await evidence({}));
    expect(await evidence({ total_amount: "7.00" })).not.toBe(await evidence({}));
  });
});
