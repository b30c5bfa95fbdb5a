export type { AlertChannel, AlertFact, AlertMessage, AlertNotSent } from "./alerts/alert-channel.js";
export { testAlert } from "./alerts/compose-alert.js";
export {
  ATTENTION_KINDS,
  type AttentionFacts,
  type AttentionItem,
  type AttentionKind,
} from "./alerts/attention.js";
export { type AttentionPorts, readAttention } from "./alerts/read-attention.js";
export { type AlertPorts, sendAlerts, type SendAlertsOptions } from "./alerts/send-alerts.js";
export {
  cachedExpiries,
  type CredentialExpiries,
  readCredentialExpiries,
} from "./operations/read-credential-expiries.js";
export {
  listMissingBillDays,
  type MissingBillDayPorts,
  type MissingBillDays,
} from "./operations/list-missing-bill-days.js";
export type { App, AppRules, IdentityChecks } from "./apps/app.js";
export { authenticateCaller, type Credentials } from "./apps/authenticate-caller.js";
export { type AppWithSecret, createApp, type CreateAppInput } from "./apps/create-app.js";
export { importedOrderInput, type ImportedOrder } from "./orders/imported-order.js";
export { type ImportOrdersOptions, importOrders } from "./operations/import-orders.js";
export { importedServiceInput, type ImportedService } from "./services/imported-service.js";
export { reportMisconfigured } from "./shared/report-misconfigured.js";
export { importServices } from "./operations/import-services.js";
export { importedCustomerInput, type ImportedCustomer } from "./sessions/imported-customer.js";
export { importCustomers } from "./operations/import-customers.js";
export type { ImportConflict, ImportOptions, ImportOutcome } from "./apps/import-outcome.js";
export { type AppExistsFailure, registerApp, type RegisterAppInput } from "./apps/register-app.js";
export type { UnknownAppFailure } from "./apps/unknown-app.js";
export { BILL_EXCEPTION_KINDS, type BillExceptionKind } from "./orders/bill-exception-kind.js";
export { billDay, lastBillDay } from "./bills/bill-day.js";
export type { DailyCount } from "./downloads/daily-count.js";
export {
  addDownloads,
  lastDownloadsDay,
  recordDownloads,
  type RecordDownloadsPorts,
} from "./downloads/record-downloads.js";
export { createOrderInput, type CreateOrderInput } from "./orders/create-order-input.js";
export type { Order, OrderKey, OrderService } from "./orders/order.js";
export { PAYMENT_STATUSES, type PaymentStatus } from "./orders/payment-status-moves.js";
export { PAY_SOURCES, type PaySource } from "./wallets/pay-source.js";
export type { Prepayment } from "./wallets/prepayment.js";
export {
  findTimelineBreak,
  type TimelineEntry,
  type TimelineEvent,
  timelineHash,
} from "./orders/timeline.js";
export { testAccount } from "./operations/test-account.js";
export { checkCredentialExpiry, type CredentialExpiryPorts } from "./operations/check-credential-expiry.js";
export { PAY_CHANNELS, type PayChannel, type PayTool, type WalletAccount } from "./pay-tools/pay-tool.js";
export type {
  WalletGoods,
  WalletOptionName,
  WalletOptions,
  WalletStore,
} from "./pay-tools/wallet-options.js";
export { walletOptions } from "./pay-tools/wallet-options-input.js";
export {
  configurePayTool,
  type ConfiguredPayTool,
  type ConfigurePayToolInput,
} from "./pay-tools/configure-pay-tool.js";
export {
  defaultPolicy,
  type Policy,
  policyProblems,
  policyRange,
  policyWith,
  type TestNumber,
} from "./policy.js";
export type { Ports, Stores } from "./ports.js";
export type { PolicyProblem } from "./policy-rules.js";
export type { PayChannelNames } from "./wire-names.js";
export { OPEN_REFUND_STATUSES, type OpenRefundStatus, type Refund } from "./refunds/refund.js";
export { REFUND_STATUSES, type RefundStatus } from "./orders/refund-status.js";
export {
  createServiceType,
  type CreateServiceTypeInput,
  type ServiceTypeExistsFailure,
} from "./services/create-service-type.js";
export {
  listServices,
  type ListServicesInput,
  listServicesInput,
  type ServiceList,
} from "./services/list-services.js";
export type { CustomerService, ServiceType } from "./services/service-type.js";
export type { SmsFailure, SmsMessage, SmsPurpose, SmsRequest, SmsSender } from "./sessions/sms-sender.js";
export { businessDay, type BusinessDay, isoTime } from "./shared/business-day.js";
export type { Clock } from "./shared/clock.js";
export type { Digest } from "./shared/digest.js";
export { orThrow } from "./errors/or-throw.js";
export { type InputFailure, parseInput } from "./shared/input.js";
export { centsOfYuan, yuanText } from "./shared/yuan.js";
export { isMissingBill } from "./events/is-missing-bill.js";
export type { ServiceEvent, Observer } from "./events/observer.js";
export {
  type DeliveredEvents,
  deliverDueEvents,
  type DeliverDueEventsOptions,
} from "./events/deliver-due-events.js";
export type { DeliveryPorts, EventReadPorts, ReplayPorts } from "./events/delivery-ports.js";
export type { StartTimer } from "./events/within-deadline.js";
export {
  type Advanced,
  type DeliveryAttempt,
  eventHandler,
  type EventHandler,
  type EventHandlerOptions,
  type HandlerContext,
} from "./events/event-handler.js";
export {
  ORDER_EVENT_TYPES,
  type OrderAlarmEvent,
  type OrderClosedEvent,
  type OrderEvent,
  type OrderEventType,
  type OrderPaidEvent,
  type OrderRefundedEvent,
  type RefundConfirmedEvent,
  type RefundFailedEvent,
  type ServiceChangedEvent,
} from "./events/order-event.js";
export {
  QUOTA_SCOPES,
  type QuotaGrant,
  type QuotaKey,
  type QuotaScope,
  type QuotaStore,
  type QuotaTake,
  type QuotaUse,
} from "./shared/quota-store.js";
export { isId, newDigits, newId, newTraceId, type Random } from "./shared/random.js";
export type {
  PayPayload,
  RawNotification,
  Wallet,
  WalletAAppPayload,
  WalletAJsapiPayload,
  WalletBAppPayload,
  WalletBJsapiPayload,
  WalletFailure,
  WalletRejected,
  WalletUnknown,
} from "./wallets/wallet.js";
export type {
  BillFailure,
  BillPorts,
  BillProgress,
  OnBillProgress,
  ReconciledBill,
} from "./bills/reconcile-bill.js";
export type { FundFlowOutcome } from "./bills/reconcile-fund-flow.js";
export {
  type BillOutcome,
  reconcileBills,
  reconcileBillsInput,
  type ReconcileBillsInput,
} from "./bills/reconcile-bills.js";
export {
  createDownloadsClient,
  type CreateDownloadsClientInput,
  type DownloadsClientExistsFailure,
} from "./downloads/create-downloads-client.js";
export {
  getDownloadsReport,
  type DownloadsReportPorts,
  type DownloadsQuery,
} from "./downloads/get-downloads-report.js";
export { ALL_STORES } from "./downloads/all-stores.js";
export type {
  DownloadCounts,
  DownloadsFailure,
  DownloadsReport,
  StoreReport,
  DownloadsUsage,
} from "./downloads/report.js";
export { type BillsToRepeatPorts, listBillsToRepeat } from "./operations/bills-to-repeat.js";
export {
  type BillReport,
  type BillReportDifference,
  billReportInput,
  type BillReportInput,
  type BillReportPorts,
  type BillReportRow,
  openBillReport,
  type OpenedBillReport,
} from "./operations/bill-report.js";
export { explainOrder, type OrderExplanation } from "./operations/explain-order.js";
export { ALARM_REMEDIES } from "./bills/remedies.js";
export {
  readRecordFigures,
  type RecordFigures,
  type RecordFiguresPorts,
} from "./figures/read-record-figures.js";
export {
  readSharedFigures,
  type SharedFigures,
  type SharedFiguresPorts,
} from "./figures/read-shared-figures.js";
export {
  type HousekeepingPorts,
  type HousekeepingResult,
  runHousekeeping,
} from "./operations/run-housekeeping.js";
export { syncOrder } from "./operations/sync-order.js";
export { createOrder, type CreateOrderFailure, type CreateOrderPorts } from "./orders/create-order.js";
export type { Checkout } from "./orders/prepay-order.js";
export { getOrder, getOrderInput, type GetOrderInput } from "./orders/get-order.js";
export { listOrders, listOrdersInput, type ListOrdersInput } from "./orders/list-orders.js";
export {
  applyAbnormalRefund,
  type ApplyAbnormalRefundFailure,
  applyAbnormalRefundInput,
  type ApplyAbnormalRefundInput,
} from "./refunds/apply-abnormal-refund.js";
export {
  knownRefund,
  type MadeRefund,
  refundOrder,
  type RefundOrderFailure,
  refundOrderInput,
  type RefundOrderInput,
} from "./refunds/refund-order.js";
export {
  type RefundApprovalPorts,
  type RequestedRefund,
  requestRefund,
  type RequestRefundFailure,
  requestRefundInput,
  type RequestRefundInput,
} from "./refund-approvals/request-refund.js";
export {
  settleRefund,
  type SettleRefundFailure,
  settleRefundInput,
  type SettleRefundInput,
} from "./refunds/settle-refund.js";
export { checkToken, checkTokenInput, type CheckTokenInput } from "./sessions/check-token.js";
export { revokeAllSessions, revokeSession, revokeSessionById } from "./sessions/revoke-session.js";
export { type LoggedIn, logIn, logInInput, type LogInInput, type LogInOptions } from "./sessions/log-in.js";
export {
  type CodeSent,
  sendCode,
  sendCodeInput,
  type SendCodeInput,
  type SendCodeOptions,
} from "./sessions/send-code.js";
export { type Reconciled, reconcileOrders } from "./operations/reconcile-orders.js";
export type { NotificationAddress } from "./wallets/notification-address.js";
export type { NotificationNotAccepted } from "./wallets/notification-not-accepted.js";
export { receiveNotification } from "./operations/receive-notification.js";
export type { AuditEvent } from "./audit/audit-entry.js";
export type { Operator } from "./operators/operator.js";
export type { PasswordHasher } from "./operators/password-hasher.js";
