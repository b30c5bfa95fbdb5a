export type { ControlRefusal } from "./control-refusal.js";
export type { Payload } from "./payload-verifier.js";
export type { SandboxAddresses } from "./control.js";
export {
  type Deliver,
  type Delivery,
  type DeliveryAnswer,
  deliverOverHttp,
  type SentNotification,
} from "./notification-dispatcher.js";
export type {
  CustomerOutcome,
  SimulatorControls,
  KnownOrder,
  NotifiedOutcome,
  NotifyOptions,
  PaidOutcome,
  PresentedPayment,
} from "./simulator-controls.js";
export type { Forgery } from "./faults.js";
export type { PaymentTerms } from "./ledger.js";
export type { PayAttempt } from "./ledger-order.js";
export { newSandboxKeys, type PemPair, type SandboxKeys, type SandboxPublicKeys } from "./keys.js";
export type { SandboxMerchant } from "./merchant.js";
export type { ConsoleRefund, Funds, RefundChange, RefundControls, ShownRefund } from "./refund-controls.js";
export type { MiniProgramControls } from "./mini-program/controls.js";
export type { KnownShipment } from "./mini-program/shipments.js";
export { openSandbox, type Sandbox, type SandboxOptions, type WalletRequest } from "./open-sandbox.js";
export { type HostRefundRequest, refundAsOperator } from "./refund-as-operator.js";
export { setSandboxPayTools } from "./set-sandbox-pay-tools.js";
export { type SandboxClock, sandboxClock } from "./sandbox-clock.js";
export { type RunningSandbox, startSandbox, type StartSandboxOptions } from "./start-sandbox.js";
