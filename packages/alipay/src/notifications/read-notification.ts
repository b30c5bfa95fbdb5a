import type { NotificationRefusal, RawNotification, WalletAccount, WalletEvent } from "@tillkit/core";
import { abortAfter } from "@tillkit/wallet-kit";
import { err, ok, type Result, ResultAsync } from "neverthrow";
import type { PlatformCertificates } from "../certificates/platform-certificates.js";
import type { AlipayCredentials } from "../credentials/parse-credentials.js";
import { keysFor } from "../gateway/read-answer.js";
import { readForm } from "./read-form.js";
import { verifyBytes } from "../signing/rsa.js";
import { notificationTexts } from "../signing/texts.js";
import { TRADE_FACTS, readTrade } from "../orders/read-trade.js";

/** What differs between the attempts at one notification. */
const PER_ATTEMPT = new Set(["notify_time", "alipay_cert_sn"]);

/** How long a notification waits for the certificate that signed it, in milliseconds. */
const LEARN_DEADLINE = 5_000;

/** Reads a notification; if a new certificate signed it, that is downloaded first. */
export function readProvenNotification(
  certificates: PlatformCertificates,
  account: WalletAccount,
  credentials: AlipayCredentials,
  notification: RawNotification,
): ResultAsync<WalletEvent, NotificationRefusal> {
  const read = () => readNotification({ alipayKeys: certificates.keys(account, credentials) }, notification);
  const attempt = async () => {
    const event = read();
    if (event.isOk() || event.error.reason !== "unverified") return event;
    const { app_id: appId, seller_id: sellerId, alipay_cert_sn: sn } = readForm(notification.body) ?? {};
    if (appId !== account.walletAppId || sellerId !== account.accountId) return event;
    const signal = abortAfter(LEARN_DEADLINE);
    const learned = await certificates.learn(account, credentials, sn, "notification", signal);
    return learned ? read() : event;
  };
  return new ResultAsync(attempt());
}

/**
 * Proves a notification by its signature, always with SHA-256 whatever it says of itself, and only then reads it. It is never stale: the
 * wallet repeats a message for a day, and what it says is checked against the order.
 *
 * Facts and evidence come from the text that was signed, not from the form: a form can hold more than that, and
 * can divide the same text at other places.
 */
export function readNotification(
  { alipayKeys }: Pick<AlipayCredentials, "alipayKeys">,
  { body }: RawNotification,
): Result<WalletEvent, NotificationRefusal> {
  const parameters = readForm(body);
  const { sign = "", alipay_cert_sn: sn } = parameters ?? {};
  if (parameters === undefined || sign === "") return refused("malformed");
  const keys = keysFor(alipayKeys, sn);
  const signed = notificationTexts(parameters).find((text) => {
    const bytes = Buffer.from(text, "utf8");
    return keys.some(({ key }) => verifyBytes(bytes, sign, key));
  });
  if (signed === undefined) return refused("unverified");
  const members = signed.split("&").map(memberOf);
  const facts = factsIn(members);
  if (facts === undefined) return refused("malformed");
  const lasting = members.filter(([name]) => !PER_ATTEMPT.has(name));
  const order = readTrade(facts, { signed: JSON.stringify(lasting) });
  return order === undefined ? refused("malformed") : ok({ kind: "payment", order });
}

type Member = readonly [name: string, value: string];

function memberOf(part: string): Member {
  const mark = part.indexOf("=");
  return mark < 0 ? [part, ""] : [part.slice(0, mark), part.slice(mark + 1)];
}

/**
 * The facts that have a value, or `undefined` if one stands twice: a text that the customer chose
 * could hold the first.
 */
function factsIn(members: readonly Member[]): Readonly<Record<string, string>> | undefined {
  const facts = members.filter(([name]) => TRADE_FACTS.has(name));
  if (new Set(facts.map(([name]) => name)).size !== facts.length) return undefined;
  return Object.fromEntries(facts.filter(([, value]) => value !== ""));
}

function refused(reason: NotificationRefusal["reason"]) {
  return err<never, NotificationRefusal>({ name: "notification.refused", reason });
}
