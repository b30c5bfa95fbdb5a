import type { Schema } from "../api/routes.js";
import { useTexts } from "../language/catalogue.js";
import type { IconName } from "../ui/icon.js";
import { Status, type Tone } from "../ui/status.js";
import { ORDERS_TEXTS } from "./messages.js";

type PaymentStatus = Schema<"OrderFacts">["paymentStatus"];
type RefundStatus = Schema<"RefundRow">["status"];

const PAYMENT: Readonly<Record<PaymentStatus, readonly [Tone, IconName]>> = {
  PENDING: ["waiting", "clock"],
  PAID: ["good", "check"],
  CLOSE: ["neutral", "cross"],
  REFUND: ["neutral", "undo"],
};
const REFUND: Readonly<Record<RefundStatus, readonly [Tone, IconName]>> = {
  REQUESTED: ["waiting", "clock"],
  SENT: ["waiting", "clock"],
  WAITING_FOR_FUNDS: ["waiting", "clock"],
  ABNORMAL: ["bad", "alert"],
  CONFIRMED: ["good", "check"],
  FAILED: ["bad", "cross"],
  WITHDRAWN: ["bad", "cross"],
  SETTLED: ["good", "check"],
};

type ShipmentState = Schema<"Shipment">["state"];

const SHIPMENT = {
  waiting: ["waiting", "clock", "shipmentWaiting"],
  retrying: ["bad", "alert", "shipmentRetrying"],
  reported: ["good", "check", "shipmentReported"],
  failed: ["bad", "cross", "shipmentFailed"],
  ended: ["neutral", "cross", "shipmentEnded"],
} as const satisfies Readonly<Record<ShipmentState, readonly [Tone, IconName, string]>>;

interface OrderStatusProps {
  readonly status: PaymentStatus;
  /** In cents. A PAID order with a refunded amount is shown as partly refunded. */
  readonly refundedAmount: number;
}

/** The status of an order. */
export function OrderStatus({ status, refundedAmount }: OrderStatusProps) {
  const texts = useTexts(ORDERS_TEXTS);
  if (status === "PAID" && refundedAmount > 0) {
    return (
      <Status tone="good" icon="undo">
        {texts.partlyRefunded}
      </Status>
    );
  }
  const [tone, icon] = PAYMENT[status];
  return (
    <Status tone={tone} icon={icon}>
      {texts[status]}
    </Status>
  );
}

/** The state of the report of a delivery. */
export function ShipmentStatus({ state }: { readonly state: ShipmentState }) {
  const texts = useTexts(ORDERS_TEXTS);
  const [tone, icon, name] = SHIPMENT[state];
  return (
    <Status tone={tone} icon={icon}>
      {texts[name]}
    </Status>
  );
}

/** The status of a refund. */
export function RefundStatus({ status }: { readonly status: RefundStatus }) {
  const texts = useTexts(ORDERS_TEXTS);
  const [tone, icon] = REFUND[status];
  return (
    <Status tone={tone} icon={icon}>
      {texts[status]}
    </Status>
  );
}
