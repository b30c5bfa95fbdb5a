import { applyNotification, authenticateNotification } from "../../operations/receive-notification.js";
import type { StorageFailure } from "../../errors/failure.js";
import type { Ports } from "../../ports.js";
import type { NotificationNotAccepted } from "../../wallets/notification-not-accepted.js";
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
import { withTraceId } from "../with-trace-id.js";
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
export function notificationsSurface(ports: Ports): LimitableSurface<string> {
  const answerWith = (reply: HttpReply<string>) => ({ kind: "answered", reply }) as const;
  const admitNotification = (request: HttpRequest, address: NotificationAddress): Admission<string> => {
    const finish = (reply: HttpReply<string>): HttpReply<string> =>
      withTraceId(reply, ports, request, NOTIFICATION_PATHS.notify);
    const acknowledge = (isTaken: boolean) => finish(answerOf(ports, address, isTaken));
    // Both wallets retry after any status other than 2xx. 503 shows that the cause is on the side
    // of the host, not in the notification.
    const unavailable = (more: Readonly<Record<string, string>> = {}): HttpReply<string> => {
      const { headers, body } = answerOf(ports, address, false);
      return finish({ status: 503, headers: { ...headers, ...more }, body });
    };
    const reject = (retryAfter: string): HttpReply<string> => unavailable({ "retry-after": retryAfter });
    const refuse = (failure: NotificationNotAccepted | StorageFailure): HttpReply<string> =>
      failure.name === "notification.refused" ? acknowledge(false) : unavailable();
    /** Checks by the signature that the wallet of the pay tool sent the notification. */
    const authenticate = async () => {
      const { headers, body } = request;
      if (body === "too-large") return answerWith(acknowledge(false));
      const verified = await authenticateNotification(ports, address, { headers, body });
      if (verified.isErr()) return answerWith(refuse(verified.error));
      const answer = async () => {
        const outcome = await applyNotification(ports, address, verified.value);
        return outcome.isOk() ? acknowledge(true) : refuse(outcome.error);
      };
      return { kind: "trusted", sender: address.payToolId, answer, reject } as const;
    };
    return { kind: "untrusted", authenticate, reject };
  };
  const admit = (request: HttpRequest): Admission<string> => {
    const { method } = request;
    const path = withoutTrailingSlash(request.path);
    const address = method === "POST" ? readNotificationPath(path) : undefined;
    if (address !== undefined) return admitNotification(request, address);
    const isReturn = method === "GET" && isReturnPath(path);
    if (!isReturn) return answerWith(endpointNotFound(ports, request));
    return answerWith(withTraceId(returnPage(), ports, request, NOTIFICATION_PATHS.return));
  };
  return {
    name: "notifications",
    maxRequestBytes: ports.policy.maxRequestBytes,
    owns: () => true,
    handle: (request) => answerAdmission(admit(request)),
    admit,
  };
}

function answerOf(
  { wallets }: Ports,
  { payChannel }: NotificationAddress,
  isTaken: boolean,
): HttpReply<string> {
  const { status, contentType, body } = wallets[payChannel].answer(isTaken);
  return { status, headers: { "content-type": contentType }, body };
}
