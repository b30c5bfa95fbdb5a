import { err, type Err } from "neverthrow";
import type { StorageFailure } from "../errors/failure.js";
import type { AccountPorts } from "./account-ports.js";
import { auditEntryOf, type Origin } from "./operator-command.js";
import { failOperator, type OperatorAccountFailure } from "./operator-failure.js";
import type { SignInLimited } from "./sign-in-attempts.js";

/** Why an attempt to sign in fails. */
export type SignInFailure = OperatorAccountFailure<"sign-in.wrong"> | SignInLimited | StorageFailure;

/**
 * Records a wrong attempt in the audit log, and returns its failure.
 *
 * Attempts above the limit are not recorded, so that they cannot fill the log. A wrong attempt in a
 * change, such as a change of the password, is the outcome of the change and gets no separate
 * entry.
 *
 * @param operator - the name of the account, or the empty text.
 */
export async function refuseSignIn(
  ports: Pick<AccountPorts, "auditLog" | "clock">,
  operator: string,
  origin: Origin,
): Promise<Err<never, SignInFailure>> {
  const failure = failOperator("sign-in.wrong");
  // The caller of a change records its outcome, which is this failure.
  if (origin.change !== undefined) return failure;
  const facts = {
    action: "session.open",
    outcome: "refused",
    subject: `operator:${operator}`,
    detail: JSON.stringify({ failure: failure.error.name }),
  } as const;
  const by = { operator: "", reason: "", ...origin };
  const appended = await ports.auditLog.append(auditEntryOf(ports, by, facts));
  return appended.isErr() ? err(appended.error) : failure;
}
