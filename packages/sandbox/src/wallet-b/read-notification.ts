import type { NotificationRefusal, RawNotification, WalletEvent } from "@tillkit/core";
import { err, ok, type Result } from "neverthrow";
import { verifyBytes } from "../shared/rsa.js";
import type { WalletBKeys } from "./credentials.js";
import { readTrade } from "./facts.js";
import { notificationText, notificationTextWithEmpty, readForm } from "./sign.js";

/**
 * Proves a notification of WALLET_B by its signature, always with SHA-256 whatever it says of itself, and only then reads it. It is
 * never stale: the wallet repeats a message for a day, and what it says is checked against the order.
 */
export function readWalletBNotification(
  { walletKey }: WalletBKeys,
  { body }: RawNotification,
): Result<WalletEvent, NotificationRefusal> {
  const parameters = readForm(body);
  if (parameters === undefined) return refused("malformed");
  const signature = parameters["sign"];
  if (signature === undefined || signature === "") return refused("malformed");
  const proves = (text: string) => verifyBytes(Buffer.from(text, "utf8"), signature, walletKey);
  if (!proves(notificationText(parameters)) && !proves(notificationTextWithEmpty(parameters))) {
    return refused("unverified");
  }
  const order = readTrade(parameters);
  return order === undefined ? refused("malformed") : ok({ kind: "payment", order });
}

function refused(reason: NotificationRefusal["reason"]) {
  return err<never, NotificationRefusal>({ name: "notification.refused", reason });
}
