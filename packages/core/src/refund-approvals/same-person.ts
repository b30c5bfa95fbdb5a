import { err, ok, type ResultAsync } from "neverthrow";
import type { StorageFailure } from "../errors/failure.js";
import { onePersonUntil } from "../operators/one-person-until.js";
import type { GrantedAccount } from "../operators/operator-grant.js";
import { isSameOperator } from "../operators/is-same-operator.js";
import type { Ports } from "../ports.js";
import { attempt } from "../shared/attempt.js";
import type { RefundApprovalFailure } from "./refund-approval-failure.js";

/**
 * Why an operator must not decide: the operator, or an account of the same person, made the
 * request.
 */
export type SamePersonFailure = RefundApprovalFailure<"refund-approval.own" | "refund-approval.one-person">;

/**
 * Returns why two operators count as one person. `undefined` if they do not.
 *
 * @param coolingOff - `policy.approverCoolingOff`: see {@link onePersonUntil}.
 */
export function samePerson(
  accounts: readonly GrantedAccount[],
  [first, second]: readonly [string, string],
  coolingOff: number,
  now: number,
): SamePersonFailure | undefined {
  if (isSameOperator(first, second)) return { name: "refund-approval.own" };
  const until = onePersonUntil(accounts, [first, second], coolingOff, now);
  return until === undefined ? undefined : { name: "refund-approval.one-person", until };
}

/** Reads the accounts, and returns the result of {@link samePerson}. */
export function whySamePerson(
  { operators, policy, clock }: Pick<Ports, "operators" | "policy" | "clock">,
  first: string,
  second: string,
): ResultAsync<SamePersonFailure | undefined, StorageFailure> {
  return attempt(async () => {
    const accounts = await operators.list();
    if (accounts.isErr()) return err(accounts.error);
    return ok(samePerson(accounts.value, [first, second], policy.approverCoolingOff, clock.now()));
  });
}
