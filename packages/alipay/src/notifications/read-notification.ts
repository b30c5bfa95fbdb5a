import type { RawNotification, WalletAccount } from "@tillkit/core";
import type { NotificationRefusal, WalletEvent } from "@tillkit/core/ports";
import { abortAfter, verifySignature } from "@tillkit/wallet-kit";
import { err, ok, type Result, ResultAsync } from "neverthrow";
import type { PlatformCertificates } from "../certificates/platform-certificates.js";
import type { AlipayCredentials } from "../credentials/parse-credentials.js";
import { keysFor } from "../gateway/read-response.js";
import { textOf } from "../gateway/text-of.js";
import { readForm } from "./read-form.js";
import { notificationTexts, type SignedParameters } from "../signing/signed-texts.js";
import { TRADE_FACTS, readTrade } from "../orders/read-trade.js";
import { signingAccount } from "../credentials/sub-merchant.js";

/** Parameters that differ between attempts to deliver one notification. */
const PER_ATTEMPT = new Set(["notify_time", "alipay_cert_sn"]);

/** Maximum time to download the certificate of a notification, in milliseconds. */
const DOWNLOAD_DEADLINE = 5_000;

/** Verifies and reads a notification. Downloads its certificate if it is unknown. */
export function readVerifiedNotification(
  certificates: PlatformCertificates,
  merchant: WalletAccount,
  credentials: AlipayCredentials,
  notification: RawNotification,
): ResultAsync<WalletEvent, NotificationRefusal> {
  const account = signingAccount(merchant);
  const read = () =>
    readNotification({ alipayKeys: certificates.keys(account, credentials) }, notification, merchant);
  const attempt = async () => {
    const event = read();
    if (event.isOk() || event.error.reason !== "unverified") return event;
    const { app_id: appId, seller_id: sellerId, alipay_cert_sn: sn } = readForm(notification.body) ?? {};
    if (appId !== account.walletAppId || sellerId !== merchant.accountId) return event;
    const signal = abortAfter(DOWNLOAD_DEADLINE);
    const newKeys = await certificates.downloadMissing(account, credentials, sn, "notification", signal);
    return newKeys ? read() : event;
  };
  return new ResultAsync(attempt());
}

/**
 * Verifies the signature of a notification and then reads it.
 *
 * The algorithm is always SHA-256. A notification never expires: Alipay repeats it for a day, and
 * the caller compares its facts with the order.
 *
 * The facts and the evidence come from the signed text, not from the form. A form can contain
 * unsigned parameters, or split the same text at other positions.
 */
export function readNotification(
  { alipayKeys }: Pick<AlipayCredentials, "alipayKeys">,
  { body }: RawNotification,
  merchant: Pick<WalletAccount, "provider"> = {},
): Result<WalletEvent, NotificationRefusal> {
  const parameters = readForm(body);
  const { sign = "", alipay_cert_sn: sn } = parameters ?? {};
  if (parameters === undefined || sign === "") return refused("malformed");
  const signed = signedText(parameters, sign, keysFor(alipayKeys, sn));
  if (signed === undefined) return refused("unverified");
  const members = membersOf(signed);
  const facts = factsIn(members);
  if (facts === undefined) return refused("malformed");
  const lasting = members.filter(([name]) => !PER_ATTEMPT.has(name));
  const order = readTrade(facts, merchant, { signed: JSON.stringify(lasting) });
  return order === undefined ? refused("malformed") : ok({ kind: "payment", order });
}

/**
 * Returns the text of the notification that one of the keys has signed, a character per byte.
 *
 * Tries the texts of `notificationTexts`: without `sign` and `sign_type`, and first without empty
 * values, then with them.
 */
function signedText(
  parameters: SignedParameters,
  sign: string,
  keys: AlipayCredentials["alipayKeys"],
): string | undefined {
  for (const text of notificationTexts(parameters)) {
    const bytes = Buffer.from(text, "latin1");
    if (keys.some(({ key }) => verifySignature(bytes, sign, key))) return text;
  }
  return undefined;
}

type Member = readonly [name: string, value: string];

/**
 * Decodes a signed text by the charset that it states, and then splits it.
 *
 * `&` and `=` never occur inside a multi-byte character, so text and bytes have the same parts.
 */
function membersOf(signed: string): readonly Member[] {
  const [, charset = "utf-8"] = /(?:^|&)charset=([^&]*)/.exec(signed) ?? [];
  return textOf(Buffer.from(signed, "latin1"), charset).split("&").map(memberOf);
}

function memberOf(part: string): Member {
  const mark = part.indexOf("=");
  return mark < 0 ? [part, ""] : [part.slice(0, mark), part.slice(mark + 1)];
}

/**
 * Returns the facts that have a value, or `undefined` if a fact occurs twice.
 *
 * A text that the customer chose could contain the first occurrence.
 */
function factsIn(members: readonly Member[]): Readonly<Record<string, string>> | undefined {
  const facts = members.filter(([name]) => TRADE_FACTS.has(name));
  if (new Set(facts.map(([name]) => name)).size !== facts.length) return undefined;
  return Object.fromEntries(facts.filter(([, value]) => value !== ""));
}

function refused(reason: NotificationRefusal["reason"]) {
  return err<never, NotificationRefusal>({ name: "notification.refused", reason });
}
