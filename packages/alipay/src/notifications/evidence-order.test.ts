import { orThrow } from "@tillkit/core";
import fc from "fast-check";
import { expect, it } from "vitest";
import { parseAlipayCredentials } from "../credentials/parse-credentials.js";
import { readNotification } from "./read-notification.js";
import { readTrade } from "../orders/read-trade.js";
import { testPairs } from "../testing/keys.js";
import { notificationBody } from "../testing/wire.js";

const [app, wallet] = testPairs;
const credentials = orThrow(
  parseAlipayCredentials({
    appPrivateKey: app.pkcs8,
    alipayPublicKey: wallet.spki,
  }),
);
const facts = {
  notify_id: "n-1",
  app_id: "2014",
  seller_id: "2088",
  out_trade_no: "O-1",
  trade_no: "2026",
  trade_status: "TRADE_SUCCESS",
  total_amount: "6.00",
  gmt_payment: "2026-11-20 20:30:05",
  sign_type: "RSA2",
};

const evidenceOf = (body: string) => {
  const message = { headers: new Headers(), body: new TextEncoder().encode(body) };
  const event = orThrow(readNotification(credentials, message));
  return event.kind === "payment" ? event.order.evidence : event.refund.evidence;
};

it("a notification has the same evidence for any order of its parameters", () => {
  // The signature covers the sorted parameters, so anyone can reorder the parameters.
  const parts = notificationBody(facts, wallet.privatePem).split("&");
  const evidence = evidenceOf(parts.join("&"));
  fc.assert(
    fc.property(fc.shuffledSubarray(parts, { minLength: parts.length }), (shuffled) => {
      expect(evidenceOf(shuffled.join("&"))).toBe(evidence);
    }),
    { numRuns: 20 },
  );
});

it("a trade has the same evidence for any order of the members in a response", () => {
  const stated = Object.entries(facts);
  const evidence = readTrade(Object.fromEntries(stated))?.evidence;
  expect(evidence).toMatch(/^[0-9a-f]{64}$/);
  fc.assert(
    fc.property(fc.shuffledSubarray(stated, { minLength: stated.length }), (shuffled) => {
      expect(readTrade(Object.fromEntries(shuffled))?.evidence).toBe(evidence);
    }),
    { numRuns: 20 },
  );
});
