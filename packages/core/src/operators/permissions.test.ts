import { expect, it } from "vitest";
import type { OperatorRole } from "./operator.js";
import { isPermitted, permissionsOf } from "./permissions.js";

const READING = [
  "read",
  "orders.export",
  "refunds.export",
  "bill-exceptions.export",
  "settlements.export",
  "downloads.export",
];
const CALLS = [
  "order.sync",
  "order.close",
  "order.acknowledge",
  "order.report-shipment",
  "refund.request",
  "refund.sync",
  "refund.adopt",
  "customer.end-sessions",
  "bill-exception.adopt",
];
const MONEY = [
  "refund.approve",
  "refund.reject",
  "refund.pay-out",
  "refund.settle",
  "refund.withdraw",
  "bill-day.compare",
  "bill-exception.resolve",
  "bill-exception.assign",
  "bill-exception.not-ours",
  "audit.read",
  "audit.export",
];
const SETUP = [
  "customer.export",
  "customer.erase",
  "customer.detach-number",
  "customer.move-number",
  "customer.merge",
  "event.replay",
  "event.skip",
  "app.create",
  "app.rules",
  "app.rotate-secret",
  "app.disable",
  "app.enable",
  "pay-tool.set",
  "pay-tool.change",
  "service-type.create",
  "service-type.rename",
  "service-type.retire",
  "service-type.restore",
  "downloads-client.create",
  "downloads-client.limit",
  "downloads-client.disable",
  "downloads-client.enable",
  "downloads-client.rotate",
  "downloads.set",
  "downloads.delete",
  "store.add",
  "store.alias",
  "store.rename",
  "store.merge",
  "operator.read",
  "operator.create",
  "operator.disable",
  "operator.enable",
  "operator.reset",
  "operator.role",
];

/** What each role may do, written out: the operators' guide has the same rows. */
const RIGHTS = {
  viewer: READING,
  support: [...READING, ...CALLS],
  finance: [...READING, ...CALLS, ...MONEY],
  admin: [...READING, ...CALLS, ...MONEY, ...SETUP],
} as const satisfies Record<OperatorRole, readonly string[]>;

const roles = ["viewer", "support", "finance", "admin"] as const;

it.each(roles)("a role %s has exactly these permissions", (role) => {
  expect(permissionsOf({ role }).toSorted()).toEqual(RIGHTS[role].toSorted());
});

it.each(roles)("isPermitted returns true for exactly these permissions of the role %s", (role) => {
  const every = permissionsOf({ role: "admin" });
  const permitted = every.filter((permission) => isPermitted({ role }, permission));
  expect(permitted.toSorted()).toEqual(RIGHTS[role].toSorted());
});
