/** For adapters: the ports that storages, wallets and SMS carriers implement, and their rules. */
export type { AfterSave, AlertClaim, AlertStore } from "../alerts/alert-store.js";
export type { ReplaceResult } from "../apps/replaced-record.js";
export type { AppSecret } from "../apps/app.js";
export type { AppStore } from "../apps/app-store.js";
export { isSameImport } from "../orders/imported-order.js";
export { serviceLine } from "../services/imported-service.js";
export { MAX_UNKNOWN_APPS_LISTED, unknownApp } from "../apps/unknown-app.js";
export type { Bill, BilledMerchant, Merchant } from "../bills/bill.js";
export { FUND_FLOW_KINDS, TRADE_BILL_KINDS } from "../orders/bill-exception-kind.js";
export {
  BILL_EXCEPTION_STATES,
  type BillException,
  billExceptionId,
  type BillExceptionState,
  CLOSING_REMEDIES,
  type ClosingRemedy,
  type ExceptionIdentity,
  type FoundException,
} from "../bills/bill-exception.js";
export type {
  BillExceptionFilter,
  BillExceptionPosition,
  BillExceptionQuery,
  OrderNumbers,
  BillExceptionsPage,
  BillExceptionStore,
  BillResolution,
  OpenExceptions,
  RunScope,
} from "../bills/bill-exception-store.js";
export type { BillExceptionCount, ComparedBill } from "../bills/compared-bill.js";
export type { BillLineKey, BillLineStore } from "../bills/bill-line-store.js";
export type {
  KeptBill,
  KeptBillExpiry,
  KeptBillLine,
  KeptBillStore,
  KeptBillSums,
} from "../bills/kept-bill-store.js";
export type {
  BillSettlementStore,
  Settlement,
  SettlementEntry,
  SettlementSide,
} from "../bills/bill-settlement-store.js";
export { EMPTY_BILL, isSameTally, tallyLines } from "../bills/bill-tally.js";
export {
  EMPTY_FLOW,
  type FlowEntry,
  type FlowLine,
  type FlowTotals,
  tallyFlow,
} from "../wallets/fund-flow.js";
export type { FundFlowFigures } from "../bills/fund-flow-figures.js";
export type {
  BillEntry,
  BillLine,
  BillTotals,
  LineNumbers,
  LineSettlement,
  StatedLine,
  UnreadableLine,
  UnreadableTotals,
} from "../wallets/wallet-bill.js";
export type { DownloadsClient, DownloadsClientTerms, StoreCounts } from "../downloads/daily-count.js";
export {
  countProblem,
  firstProblem,
  type InvalidCountFailure,
  isCount,
  sumTooLarge,
} from "../downloads/count-problem.js";
export type {
  ChangedDays,
  CountBatches,
  CountChange,
  CountFailure,
  DayCounts,
  DaysFailure,
  DownloadsSource,
  StoreCoverage,
  StoreDays,
  UpsertedCounts,
  UpsertOptions,
} from "../downloads/downloads-source.js";
export {
  type DownloadsStore,
  MAX_STORE_NAMES,
  MAX_UNKNOWN_STORES_LISTED,
  type ResolvedStores,
  resolveStores,
  storeFinder,
  type StoreName,
  type TooManyStoresFailure,
  unknownStores,
  type UnknownStoresFailure,
} from "../downloads/store-name.js";
export {
  type ChangedStores,
  DAYS_IN_BOTH,
  type DaysInBoth,
  type DaysInBothFailure,
  MAX_DAYS_IN_BOTH,
  type PlannedStoreChange,
  plannedStoreChange,
  type StoreChange,
  type StoreChangeFailure,
  type StoreExistsFailure,
} from "../downloads/store-change.js";
export type { DownloadsClientStore } from "../downloads/downloads-client-store.js";
export type { OrderWalletOptions } from "../orders/order-options.js";
export type { PrepaymentClaim } from "../orders/order.js";
export { expireTimeOf, extendedExpireTime, type ServiceGrant } from "../services/service-time.js";
export {
  ACCOUNT_PROBLEM_CODES,
  type AccountProblem,
  type AccountProblemCode,
} from "../pay-tools/account-problem.js";
export type {
  ImportResult,
  TransitionResult,
  OrderListQuery,
  OrderStore,
  OrderTransition,
  AllOrdersQuery,
  PaidOrdersQuery,
} from "../orders/order-store.js";
export { type SealedEntry, sealEntry, timelineText } from "../orders/timeline.js";
export type {
  CustomerDataStore,
  ErasedLogin,
  LoginData,
  LoginErasure,
  LoginSubject,
} from "../customers/customer-data-store.js";
export {
  erasureEntry,
  type ErasureMark,
  IN_FLIGHT_REASONS,
  type InFlightReason,
  type OrderData,
  type OrderErasure,
  planOrderErasure,
} from "../customers/order-erasure.js";
export { isSameAccount } from "../pay-tools/pay-tool.js";
export { withProvider } from "../pay-tools/with-provider.js";
export { storedWalletOptions } from "../pay-tools/stored-wallet-options.js";
export type { PayToolStore } from "../pay-tools/pay-tool-store.js";
export { isSendable } from "../refunds/is-sendable.js";
export { consoleRefundNo, isAcceptedRefund, isOpenRefund, outRefundNo } from "../refunds/refund.js";
export type {
  OpenRefunds,
  ConfirmedRefundsQuery,
  RefundAdoption,
  RefundAdoptOutcome,
  RefundClaimOutcome,
  RefundCount,
  RefundConfirmation,
  RefundPosition,
  RefundTransitionResult,
  RefundProgress,
  RefundRequestOutcome,
  RefundSendClaim,
  RefundSettlement,
  RefundSettleOutcome,
  RefundFilter,
  RefundSearchQuery,
  RefundsPage,
  RefundStore,
  RefundWithdrawal,
  RefundWithdrawOutcome,
  StoredRecord,
} from "../refunds/refund-store.js";
export { blocksOtherRefunds } from "../refunds/blocks-other-refunds.js";
export { type AdoptableAmount, adoptableAmount } from "../refunds/adoptable-amount.js";
export { isRefundedInFull } from "../refunds/refunded-in-full.js";
export { remainingOf } from "../refunds/remaining.js";
export type { AllServicesQuery, ServiceImportResult, ServiceStore } from "../services/service-store.js";
export type { ServiceTypeStore } from "../services/service-type-store.js";
export {
  type AuthCode,
  type CustomerRecord,
  isLiveSession,
  isUseToStore,
  type PhoneMove,
  type Session,
  SESSION_USE_INTERVAL,
} from "../sessions/session.js";
export type { AllCustomersQuery, CustomerImportResult, SessionStore } from "../sessions/session-store.js";
export { sessionsAtLogin } from "../sessions/sessions-at-login.js";
export type { AuthCodeKey, CodeStore } from "../sessions/code-store.js";
export {
  codeAttemptOutcome,
  type HeldCodes,
  isLiveCode,
  triesOfDay,
  type TryLimits,
} from "../sessions/code-tries.js";
export { equalInConstantTime } from "../shared/digest.js";
export type { DueWork } from "../shared/due-work.js";
export { headersIn, type MessageHeaders } from "../shared/message-headers.js";
export { causesEvent, EVENT_CAUSES, eventTypesOf } from "../events/causes-event.js";
export type {
  ClaimedDelivery,
  DeliveriesQuery,
  DeliveryKey,
  EventDelivery,
  EventDeliveryStore,
  FailedDelivery,
} from "../events/event-delivery-store.js";
export { checkedHandlerName } from "../events/event-handler-name.js";
export type { EventPosition } from "../events/order-event.js";
export type { Page } from "../shared/page.js";
export type {
  CallLimits,
  CredentialExpiry,
  FundsRemedy,
  NotificationAnswer,
  NotificationRefusal,
  PaymentRequest,
  PayToolCredentialExpiry,
  RefundPayout,
  WalletEvent,
  WalletOrder,
  WalletRefund,
  WalletRefundRequest,
  WalletRequestText,
  WalletShipments,
} from "../wallets/wallet.js";
export { isReservedStore, reservedStore, type ReservedStoreFailure } from "../downloads/reserved-store.js";
export {
  ERASED_TEXTS,
  type ErasedText,
  type EventDetails,
  eventWith,
  type StatementDifference,
  type StatementSource,
  type TimelineEventType,
} from "../orders/event-details.js";
export type {
  EventEntries,
  EventEntry,
  FoundOrder,
  FoundOrders,
  HourOfOrders,
  OpenAlarm,
  OrderFilter,
  OrderPosition,
  OrderSearch,
  OrderSearchQuery,
  PendingOrders,
  Sales,
  SummaryRange,
} from "../operations/order-search.js";
export { openAlarms } from "../orders/open-alarms.js";
export type { ShipmentPorts } from "../orders/report-shipment.js";
export type {
  AccessToken,
  AccessTokenRefused,
  ShipmentAnswer,
  WalletShipment,
} from "../wallets/shipments.js";
export type {
  AccessTokenClaim,
  AccessTokenStore,
  ClaimedAccessToken,
  StoredAccessToken,
} from "../wallets/access-token-store.js";
export type { AccessTokenPorts } from "../wallets/with-access-token.js";
export type { ClaimedFigures, FiguresClaim, FiguresStore, StoredReading } from "../figures/figures-store.js";
export type { ReadinessFailure, ReadinessNeed, ReadinessStore } from "../shared/readiness-store.js";
export {
  REFUND_APPROVAL_STATES,
  type RefundApproval,
  type RefundApprovalState,
  type RefundKey,
} from "../refund-approvals/refund-approval.js";
export type {
  ApprovalDecision,
  ApprovalDecisionResult,
  ApprovalRequestOutcome,
  RefundApprovalsQuery,
  RefundApprovalStore,
  RefundFacts,
} from "../refund-approvals/refund-approval-store.js";
export { type DecisionContext, refusedDecision } from "../refund-approvals/refused-decision.js";
export { nextQueryAt } from "../orders/query-schedule.js";
export { AUDIT_ACTIONS, type AuditAction } from "../audit/audit-action.js";
export {
  AUDIT_OUTCOMES,
  type AuditEntry,
  auditHash,
  type AuditOutcome,
  auditText,
  type ChangeRef,
  chainedAuditEvent,
  entryWithBefore,
} from "../audit/audit-entry.js";
export {
  type AuditLog,
  type AuditPosition,
  type AuditQuery,
  type BegunChange,
  type ChangeBeginning,
  type ChangeOutcome,
  type FoundEntries,
  subjectName,
} from "../audit/audit-log.js";
export { isSameOperator, operatorNameKey } from "../operators/is-same-operator.js";
export { OPERATOR_ROLES, type OperatorRole } from "../operators/operator.js";
export {
  GRANT_KINDS,
  GRANT_ORIGINS,
  grantsAfter,
  type OperatorGrant,
  raisesRights,
} from "../operators/operator-grant.js";
export { onePersonUntil } from "../operators/one-person-until.js";
export { isActiveAdmin, type OperatorAccount } from "../operators/operator-account.js";
export type {
  LastAdmin,
  OperatorStore,
  PasswordChange,
  SecondFactorChange,
} from "../operators/operator-store.js";
export type {
  AttemptGrant,
  AttemptSubject,
  AttemptTake,
  SignInAttemptStore,
} from "../operators/sign-in-attempt-store.js";
export { countingAttempts, decideAttempt, type CountedAttempts } from "../operators/decide-attempt.js";
export type { OperatorSession, OperatorSessionStore } from "../operators/operator-session-store.js";
export type { Totp } from "../operators/totp.js";
export { isSameMerchant } from "../wallets/is-same-merchant.js";
