export type { Payload } from "./cashier.js";
export type { SandboxAddresses } from "./control.js";
export type { HostRefund, HostRefundAnswer, HostRefundRequest } from "./control-refunds.js";
export {
  type Deliver,
  type Delivery,
  type DeliveryAnswer,
  deliverOverHttp,
  type SentNotification,
} from "./courier.js";
export type {
  CustomerOutcome,
  Desk,
  DeskRefusal,
  KnownOrder,
  NotifiedOutcome,
  NotifyOptions,
  PaidOutcome,
  Shown,
} from "./desk.js";
export type { Falsity } from "./faults.js";
export { newSandboxKeys, type PemPair, type SandboxKeys, type SandboxPublicKeys } from "./keys.js";
export type { SandboxMerchant } from "./merchant.js";
export type { Funds, RefundChange, RefundDesk, ShownRefund } from "./refund-desk.js";
export { openSandbox, type Sandbox, type SandboxOptions } from "./open-sandbox.js";
export { type SandboxClock, sandboxClock } from "./sandbox-clock.js";
export { type RunningSandbox, startSandbox, type StartSandboxOptions } from "./start-sandbox.js";
