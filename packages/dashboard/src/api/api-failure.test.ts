import { expect, it } from "vitest";
import { OPERATOR_API_FAILURES } from "./api-failure.js";

/** The page depends on these names and statuses. Add a row for each new failure. */
const PINNED = {
  "session.missing": 401,
  "session.incomplete": 401,
  "password.must-change": 403,
  "csrf.invalid": 403,
  "origin.forbidden": 403,
  "permission.denied": 403,
  "sign-in.wrong": 401,
  "sign-in.limited": 429,
  "second-factor.exists": 409,
  "second-factor.changed": 409,
  "second-factor.required": 409,
  "operator.unknown": 404,
  "operator.exists": 409,
  "operator.last-admin": 409,
  "streams.limited": 429,
  "exports.limited": 429,
  "bill-exception.not-found": 404,
  "bill-exception.not-open": 409,
  "bill-exception.not-offered": 409,
  "bill-exception.not-confirmed": 409,
  "alarm.not-open": 409,
  "shipment.not-reportable": 409,
  "downloads-client.unknown": 404,
  "refund.over-support-limit": 403,
  "refund.unseen-activity": 409,
  "refund-approval.not-found": 404,
  "refund-approval.own": 403,
  "refund-approval.one-person": 403,
  "refund-approval.decided": 409,
  "refund-approval.rejected": 409,
  "service-type.exists": 409,
  "downloads-client.exists": 409,
  "downloads-client.ended": 409,
  "change-id.missing": 400,
  "change.running": 409,
  "change.conflict": 409,
  "change.failed": 409,
  "number.unassigned": 409,
  "number.taken": 409,
  "customer.without-number": 409,
  "number.changed": 409,
  "pay-tool.unknown": 404,
  "pay-tool.not-working": 409,
  "app.unknown": 404,
} as const satisfies Record<keyof typeof OPERATOR_API_FAILURES, number>;

it("has exactly these failures and statuses", () => {
  const actual = Object.entries(OPERATOR_API_FAILURES).map(([name, { status }]) => [name, status] as const);
  expect(Object.fromEntries(actual)).toEqual(PINNED);
});
