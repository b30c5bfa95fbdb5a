import type { AuditAction } from "../audit/audit-action.js";
import { type Operator, OPERATOR_ROLES, type OperatorRole } from "./operator.js";

/** The lowest role that may do something. `read` covers every list and page of orders. */
export const PERMISSIONS = {
  read: "viewer",
  "orders.export": "viewer",
  "refunds.export": "viewer",
  "bill-exceptions.export": "viewer",
  "settlements.export": "viewer",
  "downloads.export": "viewer",
  "order.sync": "support",
  "order.close": "support",
  "order.acknowledge": "support",
  "order.report-shipment": "support",
  "refund.request": "support",
  "refund.sync": "support",
  "refund.approve": "finance",
  "refund.reject": "finance",
  "refund.pay-out": "finance",
  "refund.settle": "finance",
  "refund.adopt": "support",
  "refund.withdraw": "finance",
  "bill-day.compare": "finance",
  "bill-exception.resolve": "finance",
  "bill-exception.adopt": "support",
  "bill-exception.assign": "finance",
  "bill-exception.not-ours": "finance",
  "event.replay": "admin",
  "event.skip": "admin",
  "customer.end-sessions": "support",
  "customer.export": "admin",
  "customer.erase": "admin",
  "customer.detach-number": "admin",
  "customer.move-number": "admin",
  "customer.merge": "admin",
  "audit.read": "finance",
  "audit.export": "finance",
  "app.create": "admin",
  "app.rules": "admin",
  "app.rotate-secret": "admin",
  "app.disable": "admin",
  "app.enable": "admin",
  "pay-tool.set": "admin",
  "pay-tool.change": "admin",
  "service-type.create": "admin",
  "service-type.rename": "admin",
  "service-type.retire": "admin",
  "service-type.restore": "admin",
  "downloads-client.create": "admin",
  "downloads-client.limit": "admin",
  "downloads-client.disable": "admin",
  "downloads-client.enable": "admin",
  "downloads-client.rotate": "admin",
  "downloads.set": "admin",
  "downloads.delete": "admin",
  "store.add": "admin",
  "store.alias": "admin",
  "store.rename": "admin",
  "store.merge": "admin",
  "operator.read": "admin",
  "operator.create": "admin",
  "operator.disable": "admin",
  "operator.enable": "admin",
  "operator.reset": "admin",
  "operator.role": "admin",
} as const satisfies Partial<Record<AuditAction | "read" | "audit.read" | "operator.read", OperatorRole>>;
/** Something that a role may or may not do. */
export type Permission = keyof typeof PERMISSIONS;

/**
 * Returns whether the operator's role includes a permission.
 *
 * @returns true if the role is the lowest one of the permission, or a higher one.
 * @example
 * ```ts
 * import { isPermitted } from "@tillkit/core/operators";
 *
 * isPermitted({ role: "support" }, "refund.approve"); // false
 * ```
 */
export function isPermitted({ role }: Pick<Operator, "role">, permission: Permission): boolean {
  return OPERATOR_ROLES.indexOf(role) >= OPERATOR_ROLES.indexOf(PERMISSIONS[permission]);
}

/**
 * Returns everything that the role may do.
 *
 * @returns the permissions, in the order of the table.
 * @example
 * ```ts
 * import { permissionsOf } from "@tillkit/core/operators";
 *
 * permissionsOf({ role: "viewer" }); // ["read", "orders.export", "refunds.export", …]
 * ```
 */
export function permissionsOf(operator: Pick<Operator, "role">): readonly Permission[] {
  return permissionNames().filter((permission) => isPermitted(operator, permission));
}

function permissionNames(): readonly Permission[] {
  return Object.keys(PERMISSIONS).filter(isPermission);
}

function isPermission(name: string): name is Permission {
  return Object.hasOwn(PERMISSIONS, name);
}
