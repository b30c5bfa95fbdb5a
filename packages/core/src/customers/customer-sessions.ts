import { ok, type ResultAsync } from "neverthrow";
import type { FailureOf, StorageFailure } from "../errors/failure.js";
import { audited, type AuditedPorts } from "../operators/audited.js";
import type { OperatorCommand } from "../operators/operator-command.js";
import type { Ports } from "../ports.js";
import { revokeSessionById } from "../sessions/revoke-session.js";
import { isLiveSession, type Session } from "../sessions/session.js";
import { sessionId } from "../sessions/session-of-token.js";
import { attempt } from "../shared/attempt.js";
import { customerSubject } from "./customer-subject.js";
import { type CustomerRef, findCustomer, type FindCustomerPorts } from "./find-customer.js";

/** A live session, without its token and the hash of the token. Times are epoch milliseconds. */
export interface CustomerSession {
  /**
   * Identifies the session among the sessions of its customer. The token cannot be computed from
   * it.
   */
  readonly id: string;
  readonly customerId: string;
  readonly gmtCreate: number;
  readonly expiresAt: number;
  /** The stored time of the last use. It can be up to a day before the actual last use. */
  readonly lastUsedAt: number;
  /** The host's name of the device. Absent if the host set no name at the login. */
  readonly label?: string;
}

/**
 * Returns the live sessions of a customer, newest first.
 *
 * @returns the sessions. Empty for an unknown customer.
 * @example
 * ```ts
 * import { listSessions } from "@tillkit/core/operators";
 *
 * const sessions = await listSessions(ports, "app_1", { customerIdentity: "customer-7" });
 * ```
 */
export function listSessions(
  ports: FindCustomerPorts & Pick<Ports, "clock">,
  appId: string,
  ref: CustomerRef,
): ResultAsync<readonly CustomerSession[], FailureOf<"mobile-no.invalid"> | StorageFailure> {
  return findCustomer(ports, appId, ref).map(({ login }) => {
    const now = ports.clock.now();
    return login.sessions
      .filter((session) => isLiveSession(session, now))
      .map((session) => sessionView(ports, session));
  });
}

function sessionView(
  ports: Pick<Ports, "digest">,
  { customerId, gmtCreate, expiresAt, usedAt = gmtCreate, label, tokenHash }: Session,
): CustomerSession {
  const view = { id: sessionId(ports, { tokenHash }), customerId, gmtCreate, expiresAt, lastUsedAt: usedAt };
  return label === undefined ? view : { ...view, label };
}

/** The ports that {@link endSessions} uses. */
export type EndSessionsPorts = FindCustomerPorts & AuditedPorts & Pick<Ports, "sessions">;

/**
 * Ends one session of a customer, or all of them, for an operator. Appends an audit entry.
 *
 * The next check rejects the token of an ended session, because no host keeps sessions in memory.
 *
 * @param id - the session. Absent: every session.
 * @returns the number of ended sessions.
 * @example
 * ```ts
 * import { endSessions } from "@tillkit/core/operators";
 *
 * const by = { operator: "li", reason: "the phone was stolen", from: "192.0.2.1", traceId: "" };
 * const ended = await endSessions(ports, "app_1", { mobileNo: "13800138000" }, undefined, by);
 * ```
 */
export function endSessions(
  ports: EndSessionsPorts,
  appId: string,
  ref: CustomerRef,
  id: string | undefined,
  by: OperatorCommand,
): ResultAsync<number, FailureOf<"mobile-no.invalid"> | StorageFailure> {
  return attempt(async () => {
    const customer = await findCustomer(ports, appId, ref);
    if (customer.isErr()) return customer;
    const { identities } = customer.value;
    const subject = customerSubject(appId, identities[0] ?? "");
    const facts = { action: "customer.end-sessions", subject, appId } as const;
    const end = (): ResultAsync<number, StorageFailure> =>
      attempt(async () => {
        let count = 0;
        for (const identity of identities) {
          const revocation =
            id === undefined
              ? await ports.sessions.revokeAll(appId, identity)
              : (await revokeSessionById(ports, appId, identity, id)).map(Number);
          if (revocation.isErr()) return revocation;
          count += revocation.value;
        }
        return ok(count);
      });
    return audited(ports, by, facts, end, (sessions) => JSON.stringify({ sessions }));
  });
}
