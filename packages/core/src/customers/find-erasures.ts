import { ok, type ResultAsync } from "neverthrow";
import * as z from "zod";
import type { AuditEvent } from "../audit/audit-entry.js";
import { type AuditPosition, subjectName } from "../audit/audit-log.js";
import type { FailureOf, StorageFailure } from "../errors/failure.js";
import type { Ports } from "../ports.js";
import { phoneHashes, readMobileNo } from "../sessions/phone-hash.js";
import { attempt } from "../shared/attempt.js";
import type { Digest } from "../shared/digest.js";
import { lazySchema } from "../shared/input.js";
import type { CustomerRef } from "./find-customer.js";

const PAGE_SIZE = 100;

/** An erasure that the audit log contains. */
export interface RecordedErasure {
  /** Epoch milliseconds. */
  readonly at: number;
  readonly appId: string;
  /** Empty if the phone number had codes or counters only, and no customer. */
  readonly customerIdentity: string;
  readonly operator: string;
  readonly reason: string;
}

/**
 * Returns the completed erasures that the audit log contains, newest first.
 *
 * After a restore from a backup, erase these customers again. The entry of an erasure does not
 * contain the phone number. It contains a keyed digest, which can only be computed from the number
 * and the pepper. So an operator who has the number can check whether the number was erased.
 *
 * @param ref - absent: the erasures of all customers of the app.
 * @returns the erasures. Empty if the log contains none.
 * @example
 * ```ts
 * import { findErasures } from "@tillkit/core/operators";
 *
 * const erasures = await findErasures(ports, "app_1", { mobileNo: "13800138000" });
 * ```
 */
export function findErasures(
  ports: Pick<Ports, "auditLog" | "digest" | "policy">,
  appId: string,
  ref?: CustomerRef,
): ResultAsync<readonly RecordedErasure[], FailureOf<"mobile-no.invalid"> | StorageFailure> {
  return attempt(async () => {
    const matches = matcherOf(ports, appId, ref);
    if (matches.isErr()) return matches;
    const erasures: RecordedErasure[] = [];
    let before: AuditPosition | undefined;
    do {
      const query = { action: "customer.erase", outcome: "done", apps: [appId] } as const;
      const page = await ports.auditLog.search({ ...query, before, limit: PAGE_SIZE });
      if (page.isErr()) return page;
      for (const event of page.value.items) {
        const { at, operator, reason, subject } = event;
        // One erasure by phone number may concern several customers.
        for (const customerIdentity of [subjectName(subject), ...detailOf(event).others]) {
          const erasure = { at, appId, customerIdentity, operator, reason };
          if (matches.value(erasure, event)) erasures.push(erasure);
        }
      }
      before = page.value.next;
    } while (before !== undefined);
    return ok(erasures);
  });
}

type Matcher = (erasure: RecordedErasure, event: AuditEvent) => boolean;

function matcherOf(
  { digest, policy }: Pick<Ports, "digest" | "policy">,
  appId: string,
  ref: CustomerRef | undefined,
) {
  if (ref === undefined) return ok<Matcher>(() => true);
  if ("customerIdentity" in ref)
    return ok<Matcher>(({ customerIdentity }) => customerIdentity === ref.customerIdentity);
  return readMobileNo(ref.mobileNo, policy).map((mobileNo): Matcher => {
    const proofs = new Set(
      phoneHashes(digest, appId, mobileNo).flatMap((hash) => [...proofsOf(digest, hash)]),
    );
    return (_erasure, event) => detailOf(event).proofs.some((proof) => proofs.has(proof));
  });
}

/**
 * Returns the digests that prove the erasure of a hash of a phone number, one per pepper.
 *
 * An audit entry contains the first one. The hash itself is erased.
 */
export function proofsOf(digest: Pick<Digest, "keyed">, phoneHash: string) {
  return digest.keyed(`erasure\n${phoneHash}`);
}

const detailSchema = lazySchema(() =>
  z.object({ proofs: z.array(z.string()).default([]), others: z.array(z.string()).default([]) }),
);

function detailOf({ detail = "{}" }: Pick<AuditEvent, "detail">) {
  return detailSchema().safeParse(JSON.parse(detail)).data ?? { proofs: [], others: [] };
}
