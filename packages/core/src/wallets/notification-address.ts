import { PAY_CHANNELS, type PayChannel } from "../pay-tools/pay-tool.js";
import { base64Url, bytesOfBase64Url } from "../shared/base64-url.js";
import { utf8 } from "../shared/text.js";

/** Paths below `ports.notificationsUrl`, as named in route tables and metrics. */
export const NOTIFICATION_PATHS = {
  notify: "/notify/{payChannel}/{payToolId}/{orderRef}",
  return: "/return/{payChannel}",
} as const;

/**
 * The parts of a notification URL.
 *
 * The wallet keeps the URL with the order, so its form must never change.
 *
 * @see {@link https://github.com/tillkit/tillkit/blob/main/docs/decisions/order-status.md |
 *   The wallet decides whether an order is paid or closed}
 */
export interface NotificationAddress {
  readonly payChannel: PayChannel;
  readonly payToolId: string;
  /** The order's `bizNo` in base64url. It is only a lookup key and is not trusted. */
  readonly orderRef: string;
}

/** Returns the URL for the wallet's notifications about the order `bizNo`. */
export function notificationUrl(
  notificationsUrl: string,
  { payChannel, payToolId, bizNo }: Omit<NotificationAddress, "orderRef"> & { readonly bizNo: string },
): string {
  return `${notificationsUrl}/notify/${payChannel}/${payToolId}/${base64Url(utf8(bizNo))}`;
}

/** Returns the URL to which Alipay sends the customer's browser after a payment. */
export function returnUrl(notificationsUrl: string, payChannel: PayChannel): string {
  return `${notificationsUrl}/return/${payChannel}`;
}

/**
 * Parses a path below `notificationsUrl`. Returns `undefined` if it is not a notification endpoint.
 */
export function readNotificationPath(path: string): NotificationAddress | undefined {
  const match = /^\/notify\/([A-Z_]+)\/([0-9A-Za-z_-]{1,64})\/([0-9A-Za-z_-]+)$/.exec(path);
  const [, name, payToolId, orderRef] = match ?? [];
  const payChannel = PAY_CHANNELS.find((channel) => channel === name);
  if (payChannel === undefined || payToolId === undefined || orderRef === undefined) return undefined;
  return { payChannel, payToolId, orderRef };
}

/**
 * Returns whether a path below `notificationsUrl` is a return endpoint for the customer's browser.
 */
export function isReturnPath(path: string): boolean {
  return PAY_CHANNELS.some((channel) => path === returnUrl("", channel));
}

/** Decodes the `bizNo` of an `orderRef`. Returns `undefined` if no order can have this `bizNo`. */
export function bizNoOf(orderRef: string): string | undefined {
  const bytes = bytesOfBase64Url(orderRef);
  if (bytes === undefined || bytes.some((byte) => byte < 0x21 || byte > 0x7e)) return undefined;
  return new TextDecoder().decode(bytes);
}
