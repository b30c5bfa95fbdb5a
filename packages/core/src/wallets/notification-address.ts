import { PAY_CHANNELS, type PayChannel } from "../pay-tools/pay-tool.js";
import { base64Url, bytesOfBase64Url } from "../shared/base64-url.js";
import { utf8 } from "../shared/text.js";

/** The paths below `ports.notificationsUrl`, as route tables and metrics name them. */
export const NOTIFICATION_PATHS = {
  notify: "/notify/{payChannel}/{payToolId}/{orderRef}",
  return: "/return/{payChannel}",
} as const;

/** Which notification endpoint was called. The wallet keeps its URL with the order for ever. */
export interface NotificationAddress {
  readonly payChannel: PayChannel;
  readonly payToolId: string;
  /** The order's `bizNo` as base64url, so that storage finds the order in one hop. It proves nothing. */
  readonly orderRef: string;
}

/** The URL at which a wallet reports what happens to the order `bizNo`. */
export function notificationUrl(
  notificationsUrl: string,
  { payChannel, payToolId, bizNo }: Omit<NotificationAddress, "orderRef"> & { readonly bizNo: string },
): string {
  return `${notificationsUrl}/notify/${payChannel}/${payToolId}/${base64Url(utf8(bizNo))}`;
}

/** The URL to which WALLET_B sends the customer's browser after a payment. */
export function returnUrl(notificationsUrl: string, payChannel: PayChannel): string {
  return `${notificationsUrl}/return/${payChannel}`;
}

/** The address in a path below `notificationsUrl`, or `undefined` if the path is no notification endpoint. */
export function readNotificationPath(path: string): NotificationAddress | undefined {
  const match = /^\/notify\/([A-Z_]+)\/([0-9A-Za-z_-]{1,64})\/([0-9A-Za-z_-]+)$/.exec(path);
  const [, name, payToolId, orderRef] = match ?? [];
  const payChannel = PAY_CHANNELS.find((channel) => channel === name);
  if (payChannel === undefined || payToolId === undefined || orderRef === undefined) return undefined;
  return { payChannel, payToolId, orderRef };
}

/** Whether a path below `notificationsUrl` is one to which a wallet sends the customer's browser. */
export function isReturnPath(path: string): boolean {
  return PAY_CHANNELS.some((channel) => path === returnUrl("", channel));
}

/** The `bizNo` of a reference, or `undefined` if no order can have it. */
export function bizNoOf(orderRef: string): string | undefined {
  const bytes = bytesOfBase64Url(orderRef);
  if (bytes === undefined || bytes.some((byte) => byte < 0x21 || byte > 0x7e)) return undefined;
  return new TextDecoder().decode(bytes);
}
