import type { NotificationRefusal, RawNotification, WalletEvent } from "@tillkit/core";
import { err, ok, type Result } from "neverthrow";
import type { AlipayCredentials } from "./credentials.js";
import { keysFor } from "./read-answer.js";
import { readForm } from "./read-form.js";
import { verifyBytes } from "./rsa.js";
import { notificationTexts } from "./sign-text.js";
import { tradeOf } from "./trade.js";

/** What differs between the attempts at one notification. */
const PER_ATTEMPT = new Set(["notify_time", "sign", "sign_type"]);

/**
 * Proves a notification by its signature, always with SHA-256 whatever it says of itself, and only then reads it. It is never stale: the
 * wallet repeats a message for a day, and what it says is checked against the order.
 */
export function readNotification(
  { alipayKeys }: AlipayCredentials,
  { body }: RawNotification,
): Result<WalletEvent, NotificationRefusal> {
  const parameters = readForm(body);
  const { sign = "", alipay_cert_sn: sn } = parameters ?? {};
  if (parameters === undefined || sign === "") return refused("malformed");
  const texts = notificationTexts(parameters).map((text) => Buffer.from(text, "utf8"));
  const proven = keysFor(alipayKeys, sn).some(({ key }) =>
    texts.some((text) => verifyBytes(text, sign, key)),
  );
  if (!proven) return refused("unverified");
  const lasting = Object.entries(parameters).filter(([name]) => !PER_ATTEMPT.has(name));
  const order = tradeOf(parameters, Object.fromEntries(lasting));
  return order === undefined ? refused("malformed") : ok({ kind: "payment", order });
}

function refused(reason: NotificationRefusal["reason"]) {
  return err<never, NotificationRefusal>({ name: "notification.refused", reason });
}
