import { applyNotification, authenticateNotification } from "../../operations/receive-notification.js";
import type { Ports } from "../../ports.js";
import { newTraceId } from "../../shared/random.js";
import {
  isReturnPath,
  NOTIFICATION_PATHS,
  type NotificationAddress,
  readNotificationPath,
} from "../../wallets/notification-address.js";
import { endpointNotFound } from "../endpoint-not-found.js";
import {
  type Admission,
  answerAdmission,
  type HttpReply,
  type HttpRequest,
  type LimitableSurface,
} from "../request.js";
import { withoutTrailingSlash } from "../without-trailing-slash.js";
import { returnPage } from "./return-page.js";

/**
 * The paths of wallet notifications, and of the page to which Alipay returns the browser.
 *
 * Mounted under `ports.notificationsUrl`.
 */
export const notificationRoutes = [
  { method: "POST", path: NOTIFICATION_PATHS.notify },
  { method: "GET", path: NOTIFICATION_PATHS.return },
] as const;

/**
 * The endpoints that the wallets call.
 *
 * They need no app headers: the wallet's signature over the raw bytes authenticates the request.
 * The reply has the form that the wallet requires. The surface owns everything below its mount
 * point, so that no other code of the host acknowledges a misrouted notification.
 *
 * @returns the surface, without a limit of concurrent requests.
 * @example
 * ```ts
 * import { notificationsSurface, withConcurrencyLimit } from "@tillkit/core/http";
 *
 * const notifications = withConcurrencyLimit(ports, notificationsSurface(ports));
 * ```
 */
export function notificationsSurface(ports: Ports): LimitableSurface {
  const answered = (reply: HttpReply) => ({ kind: "answered", reply }) as const;
  const refuseTo = (address: NotificationAddress) => (retryAfter: string) => {
    const { headers, body } = answerOf(ports, address, false);
    const more = { "retry-after": retryAfter, "x-trace-id": newTraceId(ports.random) };
    // Both wallets retry after any status other than 2xx. 503 states that the cause is on this
    // side.
    return { status: 503, headers: { ...headers, ...more }, body };
  };
  /** Checks by the signature that the wallet of the pay tool sent the notification. */
  const prove = async (address: NotificationAddress, { headers, body }: HttpRequest) => {
    if (body === "too-large") return answered(answerOf(ports, address, false));
    const verified = await authenticateNotification(ports, address, { headers, body });
    if (verified.isErr()) return answered(answerOf(ports, address, false));
    const answer = async () => {
      const applied = await applyNotification(ports, address, verified.value);
      return answerOf(ports, address, applied.isOk());
    };
    return { kind: "known", sender: address.payToolId, answer, refuse: refuseTo(address) } as const;
  };
  const admit = (request: HttpRequest): Admission => {
    const { method } = request;
    const path = withoutTrailingSlash(request.path);
    const address = method === "POST" ? readNotificationPath(path) : undefined;
    if (address !== undefined)
      return { kind: "unproven", prove: () => prove(address, request), refuse: refuseTo(address) };
    const isReturn = method === "GET" && isReturnPath(path);
    return answered(isReturn ? returnPage() : endpointNotFound(ports, request));
  };
  return {
    name: "notifications",
    maxRequestBytes: ports.policy.maxRequestBytes,
    owns: () => true,
    handle: (request) => answerAdmission(admit(request)),
    admit,
  };
}

function answerOf({ wallets }: Ports, { payChannel }: NotificationAddress, taken: boolean): HttpReply {
  const { status, contentType, body } = wallets[payChannel].answer(taken);
  return { status, headers: { "content-type": contentType }, body };
}
