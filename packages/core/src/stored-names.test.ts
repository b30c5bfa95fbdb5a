import { expect, it } from "vitest";
import { ATTENTION_KINDS } from "./alerts/attention.js";
import { AUDIT_ACTIONS } from "./audit/audit-action.js";
import { AUDIT_OUTCOMES } from "./audit/audit-entry.js";
import { FUND_FLOW_KINDS, TRADE_BILL_KINDS } from "./orders/bill-exception-kind.js";
import { BILL_EXCEPTION_STATES } from "./bills/bill-exception.js";
import { ORDER_EVENT_TYPES } from "./events/order-event.js";
import { GRANT_KINDS, GRANT_ORIGINS } from "./operators/operator-grant.js";
import { OPERATOR_ROLES } from "./operators/operator.js";
import {
  ADOPTION_SOURCES,
  EVENT_DETAILS,
  STATEMENT_DIFFERENCES,
  STATEMENT_SOURCES,
} from "./orders/event-details.js";
import { PAYMENT_STATUSES } from "./orders/payment-status-moves.js";
import { REFUND_STATUSES } from "./orders/refund-status.js";
import { PAY_CHANNELS } from "./pay-tools/pay-tool.js";
import { REFUND_APPROVAL_STATES } from "./refund-approvals/refund-approval.js";
import { OPEN_REFUND_STATUSES } from "./refunds/refund.js";
import { OTHER_STORES } from "./source-from.js";
import { PAY_SOURCES } from "./wallets/pay-source.js";
import { FUNDS_REMEDIES } from "./wallets/wallet.js";

const words = (text: string): readonly string[] => text.trim().split(/\s+/);

/**
 * Names that callers send or that rows contain. Add one for each new name, and never change one.
 *
 * The order matters in two lists. A role includes the roles before it. The kinds of alerts are sent
 * in their order.
 */
const NAMES: readonly (readonly [string, readonly string[], string])[] = [
  ["the channels", PAY_CHANNELS, "WALLET_A WALLET_B"],
  ["the sources of a payment", PAY_SOURCES, "APP H5 NATIVE JSAPI PC"],
  ["the source of other stores", [OTHER_STORES], "others"],
  ["the statuses of an order", PAYMENT_STATUSES, "PENDING PAID CLOSE REFUND"],
  [
    "the statuses of a refund",
    REFUND_STATUSES,
    "REQUESTED SENT WAITING_FOR_FUNDS ABNORMAL CONFIRMED FAILED WITHDRAWN SETTLED",
  ],
  [
    "the statuses of a refund that has not ended",
    OPEN_REFUND_STATUSES,
    "REQUESTED SENT WAITING_FOR_FUNDS ABNORMAL",
  ],
  ["the states of an approval", REFUND_APPROVAL_STATES, "WAITING APPROVED REJECTED"],
  [
    "the events of a timeline",
    Object.keys(EVENT_DETAILS),
    `CREATED IMPORTED CONNECTED PAID LATE_PAYMENT SECOND_PAYMENT SECOND_PAYMENT_REFUNDED CLOSED_AFTER_PAYMENT CLOSED PREPAYMENT_REJECTED MISMATCH UNKNOWN_REFUND
     BILL_DIFFERENCE BILL_ASSIGNED REFUND_APPROVAL_REQUESTED REFUND_APPROVED REFUND_REJECTED REFUND_NOT_MADE REFUND_REQUESTED
     REFUND_SENT REFUND_CONFIRMED REFUND_REFUSED REFUND_FAILED REFUND_WAITING_FOR_FUNDS
     REFUND_ABNORMAL REFUND_PROCESSING REFUND_PAYOUT REFUND_PAYOUT_REFUSED REFUND_PAYOUT_PROPOSED REFUND_OVERDUE
     REFUND_SETTLED REFUND_WITHDRAWN REFUND_ADOPTED REFUND_PAID_TWICE REFUNDED
     SHIPMENT_REQUESTED SHIPMENT_REPORTED SHIPMENT_REFUSED SHIPMENT_OVERDUE SHIPMENT_ENDED ALARM_ACKNOWLEDGED
     PERSONAL_DATA_ERASED`,
  ],
  ["the sources of a wallet's statement", STATEMENT_SOURCES, "notification query"],
  [
    "the remedies of a refund that waits",
    FUNDS_REMEDIES,
    "top-up other-account named-account repair-account wait",
  ],
  ["the sources of an adopted refund", ADOPTION_SOURCES, "notification query bill operator"],
  [
    "the differences of a wallet's statement",
    STATEMENT_DIFFERENCES,
    "order-number app-id merchant amount currency",
  ],
  [
    "the events of a handler",
    ORDER_EVENT_TYPES,
    `order.paid order.closed order.refunded refund.confirmed refund.failed order.alarm
     service.changed`,
  ],
  [
    "the kinds of exceptions of a trade bill",
    TRADE_BILL_KINDS,
    `PAYMENT_NOT_HERE PAYMENT_NOT_THERE PAYMENT_AMOUNT REFUND_NOT_HERE REFUND_NOT_THERE
     REFUND_AMOUNT UNREADABLE_LINE LINE_MISSING`,
  ],
  [
    "the kinds of exceptions of a fund-flow bill",
    FUND_FLOW_KINDS,
    `MOVEMENT_MISSING MOVEMENT_UNKNOWN MOVEMENT_AMOUNT MOVEMENT_TOTAL FEE_AMOUNT FEE_TOTAL
     BALANCE UNREADABLE_MOVEMENT`,
  ],
  ["the states of a bill exception", BILL_EXCEPTION_STATES, "OPEN HEALED GONE LISTED RESOLVED"],
  ["the roles, the lowest first", OPERATOR_ROLES, "viewer support finance admin"],
  ["the kinds of grants", GRANT_KINDS, "create reset raise enable"],
  ["the origins of grants", GRANT_ORIGINS, "cli host dashboard"],
  [
    "the actions of the audit log",
    AUDIT_ACTIONS,
    `operator.create operator.disable operator.enable operator.reset operator.role
     operator.password operator.second-factor session.open session.close
     order.sync order.close order.acknowledge
     order.report-shipment orders.import order.replace orders.export refunds.export settlements.export
     refund.request refund.approve refund.reject refund.sync refund.pay-out refund.settle
     refund.adopt refund.withdraw
     bill-day.compare bill-exception.resolve bill-exception.adopt bill-exception.assign bill-exception.not-ours
     bill-exceptions.export
     app.create app.rules app.rotate-secret app.disable app.enable pay-tool.set pay-tool.change
     service-type.create service-type.rename service-type.retire service-type.restore
     downloads-client.create downloads-client.limit
     downloads-client.disable downloads-client.enable downloads-client.rotate downloads.import downloads.set
     downloads.delete downloads.export store.add store.alias store.rename store.merge
     services.import service.replace services.export customers.import customers.export
     customer.export customer.erase customer.end-sessions customer.detach-number customer.move-number
     customer.merge audit.export data.read
     event.replay event.skip event.remove-handler`,
  ],
  ["the outcomes of the audit log", AUDIT_OUTCOMES, "done refused failed unknown"],
  [
    "the kinds of alerts, the most urgent first",
    ATTENTION_KINDS,
    `order-alarm refund-abnormal refund-waiting-for-funds refund-overdue approval-overdue
     bill-exception bill-days-missing event-parked sms-limit-near credential-expiring`,
  ],
];

it.each(NAMES)("keeps the names of %s", (_, names, expected) => {
  expect(names).toEqual(words(expected));
});
