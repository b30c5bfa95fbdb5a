/**
 * The roles of operators. Each role may do what the roles before it may do.
 *
 * - viewer: reads and exports lists, except the audit log and the list of operators.
 * - support: queries wallets, closes orders, handles alarms, ends sessions of customers, and
 *   refunds up to `policy.supportRefundLimit`.
 * - finance: any refund, approvals, bills and their exceptions, and the audit log.
 * - admin: everything else, such as apps, pay tools, service types, personal data, and operators.
 */
export const OPERATOR_ROLES = ["viewer", "support", "finance", "admin"] as const;
/** The role of an operator. */
export type OperatorRole = (typeof OPERATOR_ROLES)[number];

/** A person who operates the service. */
export interface Operator {
  /**
   * 1 to 64 characters, unique if case is ignored. The actor in timelines and in the audit log.
   */
  readonly name: string;
  readonly role: OperatorRole;
  /** The apps that the operator sees and changes. Absent: every app. */
  readonly apps?: readonly string[];
}

/**
 * Returns the name, the role and the apps, without other members such as those of an account.
 *
 * @returns the operator. `apps` is absent if it is absent or `undefined` in the parameter.
 * @example
 * ```ts
 * import { operatorOf } from "@tillkit/core/operators";
 * import type { OperatorAccount } from "@tillkit/core/ports";
 *
 * declare const account: OperatorAccount;
 *
 * const { name, role } = operatorOf(account);
 * ```
 */
export function operatorOf({
  name,
  role,
  apps,
}: Pick<Operator, "name" | "role"> & { readonly apps?: readonly string[] | undefined }): Operator {
  return { name, role, ...(apps === undefined ? {} : { apps }) };
}

/**
 * Returns whether the operator sees the app.
 *
 * @returns true if the operator sees every app, or if the app is one of the operator's apps.
 * @example
 * ```ts
 * import { seesApp } from "@tillkit/core/operators";
 *
 * seesApp({ apps: ["app_1"] }, "app_2"); // false
 * ```
 */
export function seesApp({ apps }: Pick<Operator, "apps">, appId: string): boolean {
  return apps === undefined || apps.includes(appId);
}
