import { type Err, err } from "neverthrow";

/**
 * Why a request about operators fails.
 *
 * - `operator.unknown`: there is no account with this name.
 * - `operator.exists`: the name is taken.
 * - `operator.last-admin`: without this account, no active admin of every app would be left.
 * - `sign-in.wrong`: the name, the password or the code is wrong, or the account is disabled.
 * - `second-factor.exists`: the account has a second factor already.
 * - `second-factor.changed`: the second factor was changed meanwhile, or there is none to remove.
 * - `second-factor.required`: operators must have a second factor, so it cannot be removed.
 */
export type OperatorAccountFailureName =
  | "operator.unknown"
  | "operator.exists"
  | "operator.last-admin"
  | "sign-in.wrong"
  | "second-factor.exists"
  | "second-factor.changed"
  | "second-factor.required";

/** A failure of the functions about operators. */
export interface OperatorAccountFailure<N extends OperatorAccountFailureName = OperatorAccountFailureName> {
  readonly name: N;
}

/** Returns an `Err` with the failure `name`. */
export function failOperator<N extends OperatorAccountFailureName>(
  name: N,
): Err<never, OperatorAccountFailure<N>> {
  return err({ name });
}
