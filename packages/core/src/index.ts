export { pastedNumber } from "./shared/pasted-number.js";
export { type Cell, CSV_START, csvLine, readable, type Readable } from "./shared/csv.js";
export { spreadsheetText, textOfSpreadsheet } from "./shared/spreadsheet-text.js";
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
export type { AfterSave, AlertClaim, AlertStore } from "./alerts/alert-store.js";
export type { ReplaceResult } from "./apps/replaced-record.js";
export type { App, AppRules, AppSecret, IdentityChecks } from "./apps/app.js";
export type { AppStore } from "./apps/app-store.js";
export { authenticateCaller, type Credentials } from "./apps/authenticate-caller.js";
export { type AppWithSecret, createApp, type CreateAppInput } from "./apps/create-app.js";
export { importedOrderInput, type ImportedOrder, isSameImport, orderLine } from "./orders/imported-order.js";
export { type ImportOrdersOptions, importOrders } from "./operations/import-orders.js";
export { importedServiceInput, type ImportedService, serviceLine } from "./services/imported-service.js";
export { reportMisconfigured } from "./shared/report-misconfigured.js";
export { importServices } from "./operations/import-services.js";
export { customerLine, importedCustomerInput, type ImportedCustomer } from "./sessions/imported-customer.js";
export { importCustomers } from "./operations/import-customers.js";
export type { ImportConflict, ImportOptions, ImportOutcome } from "./apps/import-outcome.js";
export { disableApp, enableApp } from "./apps/disable-app.js";
export { type AppExistsFailure, registerApp, type RegisterAppInput } from "./apps/register-app.js";
export { rotateSecret } from "./apps/rotate-secret.js";
export { setAppRules } from "./apps/set-app-rules.js";
export { MAX_UNKNOWN_APPS_LISTED, unknownApp, type UnknownAppFailure } from "./apps/unknown-app.js";
export type { Bill, BilledMerchant, Merchant } from "./bills/bill.js";
export {
  BILL_EXCEPTION_KINDS,
  type BillExceptionKind,
  FUND_FLOW_KINDS,
  TRADE_BILL_KINDS,
} from "./orders/bill-exception-kind.js";
export {
  BILL_EXCEPTION_STATES,
  type BillException,
  billExceptionId,
  type BillExceptionState,
  CLOSING_REMEDIES,
  type ClosingRemedy,
  type ExceptionIdentity,
  type FoundException,
} from "./bills/bill-exception.js";
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
} from "./bills/bill-exception-store.js";
export type { BillExceptionCount, ComparedBill } from "./bills/compared-bill.js";
export type { BillLineKey, BillLineStore } from "./bills/bill-line-store.js";
export type {
  KeptBill,
  KeptBillExpiry,
  KeptBillLine,
  KeptBillStore,
  KeptBillSums,
} from "./bills/kept-bill-store.js";
export type {
  BillSettlementStore,
  Settlement,
  SettlementEntry,
  SettlementSide,
} from "./bills/bill-settlement-store.js";
export { billDay, lastBillDay } from "./bills/bill-day.js";
export { EMPTY_BILL, isSameTally, tallyLines } from "./bills/bill-tally.js";
export {
  EMPTY_FLOW,
  type FlowEntry,
  type FlowLine,
  type FlowTotals,
  tallyFlow,
} from "./wallets/fund-flow.js";
export type { FundFlowFigures } from "./bills/fund-flow-figures.js";
export type {
  BillEntry,
  BillLine,
  BillTotals,
  LineNumbers,
  LineSettlement,
  StatedLine,
  UnreadableLine,
  UnreadableTotals,
} from "./wallets/wallet-bill.js";
export {
  type DailyCount,
  dailyCountInput,
  type DailyCountInput,
  type DownloadsClient,
  type DownloadsClientTerms,
  type StoreCounts,
} from "./downloads/daily-count.js";
export {
  countProblem,
  firstProblem,
  type InvalidCountFailure,
  isCount,
  sumTooLarge,
} from "./downloads/count-problem.js";
export {
  addDownloads,
  lastDownloadsDay,
  recordDownloads,
  type RecordDownloadsPorts,
} from "./downloads/record-downloads.js";
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
} from "./downloads/downloads-source.js";
export {
  type DownloadsStore,
  MAX_STORE_NAMES,
  MAX_UNKNOWN_STORES_LISTED,
  type ResolvedStores,
  resolveStores,
  storeFinder,
  storeKey,
  type StoreName,
  storesOf,
  type TooManyStoresFailure,
  unknownStores,
  type UnknownStoresFailure,
} from "./downloads/store-name.js";
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
} from "./downloads/store-change.js";
export {
  type CountPeriod,
  countPeriods,
  PERIOD_LENGTHS,
  type PeriodLength,
} from "./downloads/count-periods.js";
export { type AppCoverage, downloadsCoverage } from "./downloads/downloads-coverage.js";
export { changeStores, type ChangeStoresPorts } from "./downloads/change-stores.js";
export { changeCounts, type ChangeCountsPorts, MAX_CHANGED_DAYS } from "./downloads/change-counts.js";
export type { DownloadsClientStore } from "./downloads/downloads-client-store.js";
export { createOrderInput, type CreateOrderInput } from "./orders/create-order-input.js";
export type { OrderWalletOptions } from "./orders/order-options.js";
export { type Order, type OrderKey, type OrderService, type PrepaymentClaim } from "./orders/order.js";
export { PAYMENT_STATUSES, type PaymentStatus } from "./orders/payment-status.js";
export { expireTimeOf, extendedExpireTime, type ServiceGrant } from "./services/service-time.js";
export {
  ACCOUNT_PROBLEM_CODES,
  type AccountProblem,
  type AccountProblemCode,
} from "./pay-tools/account-problem.js";
export { PAY_SOURCES, type PaySource } from "./wallets/pay-source.js";
export type { Prepayment } from "./wallets/prepayment.js";
export type {
  ImportResult,
  TransitionResult,
  OrderListQuery,
  OrderStore,
  OrderTransition,
  AllOrdersQuery,
  PaidOrdersQuery,
} from "./orders/order-store.js";
export {
  findTimelineBreak,
  type SealedEntry,
  sealEntry,
  type TimelineEntry,
  type TimelineEvent,
  timelineHash,
  timelineText,
} from "./orders/timeline.js";
export type {
  CustomerDataStore,
  ErasedLogin,
  LoginData,
  LoginErasure,
  LoginSubject,
} from "./customers/customer-data-store.js";
export {
  type CustomerErasure,
  eraseCustomer,
  type EraseCustomerPorts,
  type OrderInFlight,
  previewErasure,
  type PreviewErasurePorts,
} from "./customers/erase-customer.js";
export {
  type CustomerData,
  exportCustomer,
  type ExportCustomerPorts,
  type ExportedAuditEntry,
  type ExportedOrder,
} from "./customers/export-customer.js";
export {
  type ChangedNumbers,
  type ChangeNumbersPorts,
  detachNumber,
  mergeCustomers,
  moveNumber,
  type NumberFailure,
} from "./customers/change-numbers.js";
export {
  type CustomerSession,
  endSessions,
  type EndSessionsPorts,
  listSessions,
} from "./customers/customer-sessions.js";
export type { CustomerRef, FindCustomerPorts } from "./customers/find-customer.js";
export { findErasures, type RecordedErasure } from "./customers/find-erasures.js";
export type { OrderDataPorts } from "./customers/orders-of-customer.js";
export {
  erasureEntry,
  type ErasureMark,
  IN_FLIGHT_REASONS,
  type InFlightReason,
  type OrderData,
  type OrderErasure,
  planOrderErasure,
} from "./customers/order-erasure.js";
export { testAccount } from "./operations/test-account.js";
export { checkCredentialExpiry, type CredentialExpiryPorts } from "./operations/check-credential-expiry.js";
export {
  isSameAccount,
  PAY_CHANNELS,
  type PayChannel,
  type PayTool,
  type WalletAccount,
} from "./pay-tools/pay-tool.js";
export { withProvider } from "./pay-tools/with-provider.js";
export { storedWalletOptions } from "./pay-tools/stored-wallet-options.js";
export type {
  WalletGoods,
  WalletOptionName,
  WalletOptions,
  WalletStore,
} from "./pay-tools/wallet-options.js";
export { walletOptions } from "./pay-tools/wallet-options-input.js";
export type { PayToolStore } from "./pay-tools/pay-tool-store.js";
export {
  configurePayTool,
  type ConfiguredPayTool,
  type ConfigurePayToolInput,
} from "./pay-tools/configure-pay-tool.js";
export {
  changePayTool,
  type ChangePayToolFailure,
  type ChangePayToolInput,
  changePayToolInput,
  type PayToolNotWorking,
  type UnknownPayTool,
} from "./pay-tools/change-pay-tool.js";
export { listPayTools } from "./pay-tools/list-pay-tools.js";
export {
  defaultPolicy,
  type Policy,
  policyProblems,
  policyRange,
  policyWith,
  type TestNumber,
} from "./policy.js";
export type { Ports, Stores } from "./ports.js";
export type { PolicyProblem } from "./policy-values.js";
export type { PayChannelNames } from "./wire-names.js";
export { isRefundedInFull } from "./orders/payment-status.js";
export {
  adoptedRefundNo,
  consoleRefundNo,
  isAcceptedRefund,
  isOpenRefund,
  OPEN_REFUND_STATUSES,
  type OpenRefundStatus,
  outRefundNo,
  type Refund,
  type RefundOrigin,
  refundOrigin,
} from "./refunds/refund.js";
export { REFUND_STATUSES, type RefundStatus } from "./orders/refund-status.js";
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
} from "./refunds/refund-store.js";
export { renameServiceType, restoreServiceType, retireServiceType } from "./services/change-service-type.js";
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
export type { AllServicesQuery, ServiceImportResult, ServiceStore } from "./services/service-store.js";
export type { ServiceTypeStore } from "./services/service-type-store.js";
export {
  type AuthCode,
  type CustomerRecord,
  isLiveSession,
  isUseToStore,
  type PhoneMove,
  type Session,
  SESSION_USE_INTERVAL,
  sessionsAtLogin,
} from "./sessions/session.js";
export type { AllCustomersQuery, CustomerImportResult, SessionStore } from "./sessions/session-store.js";
export type { AuthCodeKey, CodeStore, TryLimits } from "./sessions/code-store.js";
export type { SmsFailure, SmsMessage, SmsPurpose, SmsRequest, SmsSender } from "./sessions/sms-sender.js";
export { businessDay, type BusinessDay, isoTime } from "./shared/business-day.js";
export type { Clock } from "./shared/clock.js";
export { type Digest, equalInConstantTime } from "./shared/digest.js";
export type { DueWork } from "./shared/due-work.js";
export { type InputFailure, parseInput } from "./shared/input.js";
export { headersIn, type MessageHeaders } from "./shared/message-headers.js";
export { centsOfYuan, moneyText, yuanText } from "./shared/yuan.js";
export type { ServiceEvent, Observer } from "./events/observer.js";
export { causesEvent, EVENT_CAUSES, eventTypesOf } from "./events/causes-event.js";
export type {
  ClaimedDelivery,
  DeliveriesQuery,
  DeliveryKey,
  EventDelivery,
  EventDeliveryStore,
  FailedAttempt,
} from "./events/event-delivery-store.js";
export {
  type DeliveredEvents,
  deliverDueEvents,
  type DeliverDueEventsOptions,
} from "./events/deliver-due-events.js";
export type { DeliveryPorts, EventReadPorts, ReplayPorts } from "./events/delivery-ports.js";
export {
  type ParkedEventSkipped,
  type ReplayFailure,
  replayEvents,
  replayParkedEvents,
  skipParkedEvent,
} from "./events/replay-events.js";
export type { StartTimer } from "./events/within-deadline.js";
export {
  type Advanced,
  type DeliveryAttempt,
  eventHandler,
  type EventHandler,
  type EventHandlerOptions,
  type HandlerContext,
} from "./events/event-handler.js";
export { checkedHandlerName } from "./events/event-handler-name.js";
export {
  type EventPosition,
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
export type { Page } from "./shared/page.js";
export { peerKey } from "./shared/peer-key.js";
export {
  QUOTA_SCOPES,
  type QuotaGrant,
  type QuotaKey,
  type QuotaScope,
  type QuotaStore,
  type QuotaTake,
  type QuotaUse,
} from "./shared/quota-store.js";
export { newDigits, newId, newSecret, newTraceId, type Random } from "./shared/random.js";
export type {
  CallLimits,
  CredentialExpiry,
  FundsRemedy,
  NotificationAnswer,
  NotificationRefusal,
  PaymentRequest,
  PayPayload,
  PayToolCredentialExpiry,
  RawNotification,
  RefundPayout,
  Wallet,
  WalletAAppPayload,
  WalletAJsapiPayload,
  WalletBAppPayload,
  WalletBJsapiPayload,
  WalletEvent,
  WalletFailure,
  WalletOrder,
  WalletRefund,
  WalletRefundRequest,
  WalletRejected,
  WalletRequestText,
  WalletUnknown,
  WalletShipments,
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
  type ChangeDownloadsClientPorts,
  disableDownloadsClient,
  enableDownloadsClient,
  setDownloadsClientLimit,
  type UnknownDownloadsClient,
} from "./downloads/change-downloads-client.js";
export {
  type DownloadsClientEndedFailure,
  rotateDownloadsClient,
  type RotateDownloadsClientInput,
} from "./downloads/rotate-downloads-client.js";
export {
  getDownloadsReport,
  type DownloadsReportPorts,
  type DownloadsQuery,
} from "./downloads/get-downloads-report.js";
export {
  type ComparedStore,
  compareDownloads,
  compareDownloadsInput,
  type CompareDownloadsInput,
  type DownloadsComparison,
  type PeriodCounts,
} from "./downloads/compare-downloads.js";
export { isReservedStore, reservedStore, type ReservedStoreFailure } from "./downloads/reserved-store.js";
export {
  ALL_STORES,
  type DownloadCounts,
  type DownloadsFailure,
  type DownloadsReport,
  type StoreReport,
  type DownloadsUsage,
} from "./downloads/report.js";
export {
  type BillDay,
  listBillDays,
  listBillDaysInput,
  type ListBillDaysInput,
} from "./operations/list-bill-days.js";
export { billLineReader, type BillReportLine } from "./operations/bill-line-reader.js";
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
export { type BillReportSums, sumBillRows } from "./operations/bill-report-sums.js";
export { billReportTexts, type BillReportFormat } from "./operations/bill-report-texts.js";
export {
  type CredentialName,
  inspectPayTool,
  type InspectedPayTool,
  type PayToolProblem,
  type PayToolProblemCode,
} from "./operations/inspect-pay-tool.js";
export {
  ERASED_TEXTS,
  type ErasedText,
  type EventDetails,
  eventWith,
  type StatementDifference,
  type StatementSource,
  type TimelineEventType,
} from "./orders/event-details.js";
export { type EventFacts, readEvent } from "./orders/read-event.js";
export { type CustomerSummary, readCustomer } from "./operations/read-customer.js";
export { eventSentence } from "./operations/event-sentence.js";
export { explainOrder, type OrderExplanation } from "./operations/explain-order.js";
export {
  type ExplanationParts,
  refundSentence,
  type RefundSentenceContext,
} from "./operations/order-explanation.js";
export { walletName } from "./operations/wallet-name.js";
export { syncRefund, type SyncRefundFailure } from "./operations/sync-refund.js";
export { findOrders, findOrdersInput, type FindOrdersInput } from "./operations/find-orders.js";
export {
  billExceptionFilterShape,
  listBillExceptions,
  listBillExceptionsInput,
  type ListBillExceptionsInput,
  type ListedBillExceptions,
} from "./operations/list-bill-exceptions.js";
export {
  assignBillException,
  assignBillExceptionInput,
  type AssignBillExceptionInput,
  type CloseBillExceptionFailure,
  disownBillException,
  resolveBillException,
  resolveBillExceptionInput,
  type ResolveBillExceptionInput,
} from "./operations/close-bill-exception.js";
export { adoptBillException, type AdoptBillExceptionFailure } from "./operations/adopt-bill-exception.js";
export {
  ALARM_REMEDIES,
  alarmRemedies,
  EXCEPTION_REMEDIES,
  exceptionRemedies,
  type ExceptionRemedies,
  type OfferedRemedy,
  REFUND_REMEDIES,
  refundRemedies,
  REMEDIES,
  type Remedy,
} from "./bills/remedies.js";
export type {
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
} from "./operations/order-search.js";
export { damageSentence } from "./operations/record-text.js";
export {
  findOrderDifferences,
  type OrderDifference,
  orderDifferences,
  provenState,
  type ProvenState,
} from "./refunds/order-differences.js";
export { openAlarms } from "./orders/open-alarms.js";
export {
  NOT_REPORTABLE_REASONS,
  requestShipment,
  type RequestShipmentFailure,
  type ShipmentNotReportable,
} from "./operations/request-shipment.js";
export { type Shipment, SHIPMENT_STATES, shipmentOf } from "./orders/shipment.js";
export type { ShipmentPorts } from "./orders/report-shipment.js";
export type { AccessToken, AccessTokenRefused, ShipmentAnswer, WalletShipment } from "./wallets/shipments.js";
export type {
  AccessTokenClaim,
  AccessTokenStore,
  ClaimedAccessToken,
  StoredAccessToken,
} from "./wallets/access-token-store.js";
export type { AccessTokenPorts } from "./wallets/with-access-token.js";
export { acknowledgeAlarm, type AcknowledgeAlarmFailure } from "./operations/acknowledge-alarm.js";
export { readToday, type Today } from "./operations/read-today.js";
export { type Queues, readQueues } from "./operations/read-queues.js";
export type { ClaimedFigures, FiguresClaim, FiguresStore, StoredReading } from "./figures/figures-store.js";
export type { ReadinessFailure, ReadinessNeed, ReadinessStore } from "./shared/readiness-store.js";
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
export { closeOrder, closeOrderInput, type CloseOrderInput } from "./operations/close-order.js";
export { syncOrder } from "./operations/sync-order.js";
export type { OperatorFailure } from "./operations/operator-failure.js";
export {
  type Checkout,
  createOrder,
  type CreateOrderFailure,
  type CreateOrderPorts,
} from "./orders/create-order.js";
export { getOrder, getOrderInput, type GetOrderInput } from "./orders/get-order.js";
export { listOrders, listOrdersInput, type ListOrdersInput } from "./orders/list-orders.js";
export {
  applyAbnormalRefund,
  type ApplyAbnormalRefundFailure,
  applyAbnormalRefundInput,
  type ApplyAbnormalRefundInput,
} from "./refunds/apply-abnormal-refund.js";
export {
  refundOrder,
  type RefundOrderFailure,
  refundOrderInput,
  type RefundOrderInput,
} from "./refunds/refund-order.js";
export {
  REFUND_APPROVAL_STATES,
  type RefundApproval,
  type RefundApprovalState,
  type RefundKey,
} from "./refund-approvals/refund-approval.js";
export type {
  ApprovalDecision,
  ApprovalDecisionResult,
  ApprovalRequestOutcome,
  RefundApprovalsQuery,
  RefundApprovalStore,
} from "./refund-approvals/refund-approval-store.js";
export { type OrderActivity } from "./refund-approvals/order-activity.js";
export { type DecisionContext, refusedDecision } from "./refund-approvals/refused-decision.js";
export type {
  OnePersonFailure,
  UnseenActivityFailure,
  RefundApprovalFailure,
  RefundApprovalFailureName,
} from "./refund-approvals/refund-approval-failure.js";
export { knownRefund, type MadeRefund } from "./refund-approvals/made-refund.js";
export {
  type RefundApprovalPorts,
  type RequestedRefund,
  requestRefund,
  type RequestRefundFailure,
  requestRefundInput,
  type RequestRefundInput,
} from "./refund-approvals/request-refund.js";
export {
  decideRefundInput,
  type DecideRefundInput,
  seenInput,
} from "./refund-approvals/decide-refund-input.js";
export {
  approveRefund,
  type ApproveRefundFailure,
  type DecidedRefund,
} from "./refund-approvals/approve-refund.js";
export { rejectRefund, type RejectRefundFailure } from "./refund-approvals/reject-refund.js";
export {
  listRefundApprovals,
  listRefundApprovalsInput,
  type ListRefundApprovalsInput,
} from "./refund-approvals/list-refund-approvals.js";
export {
  dryRunRefund,
  type DryRunRefundFailure,
  dryRunRefundInput,
  type DryRunRefundInput,
  type RefundDryRun,
} from "./refund-approvals/dry-run-refund.js";
export { payOutForOperator } from "./refund-approvals/pay-out-for-operator.js";
export { settleForOperator, type SettlementPorts } from "./refund-approvals/settle-for-operator.js";
export {
  type AdoptPorts,
  adoptRefund,
  type AdoptRefundFailure,
  adoptRefundInput,
  type AdoptRefundInput,
} from "./refunds/adopt-refund.js";
export {
  withdrawRefund,
  type WithdrawRefundFailure,
  withdrawRefundInput,
  type WithdrawRefundInput,
} from "./refunds/withdraw-refund.js";
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
export { nextQueryAt } from "./orders/poll-order.js";
export { type Reconciled, reconcileOrders } from "./operations/reconcile-orders.js";
export type { NotificationAddress } from "./wallets/notification-address.js";
export type { NotificationNotAccepted } from "./wallets/notification-not-accepted.js";
export { receiveNotification } from "./operations/receive-notification.js";
export { AUDIT_ACTIONS, type AuditAction } from "./audit/audit-action.js";
export {
  AUDIT_OUTCOMES,
  type AuditEntry,
  type AuditEvent,
  auditHash,
  type AuditOutcome,
  auditText,
  type ChangeRef,
  chainedAuditEvent,
  entryWithBefore,
} from "./audit/audit-entry.js";
export {
  detailWithFailure,
  outcomeOfFailure,
  type RecordedFailure,
  recordedFailure,
  type RecordedFailureDetails,
} from "./audit/recorded-failure.js";
export {
  type AuditLog,
  type AuditPosition,
  type AuditQuery,
  type BegunChange,
  type ChangeBeginning,
  type ChangeOutcome,
  type FoundEntries,
  subjectName,
} from "./audit/audit-log.js";
export { type AuditCheck, checkAuditLog } from "./audit/check-audit-log.js";
export {
  isSameOperator,
  type Operator,
  OPERATOR_ROLES,
  operatorNameKey,
  operatorOf,
  type OperatorRole,
  seesApp,
} from "./operators/operator.js";
export {
  GRANT_KINDS,
  GRANT_ORIGINS,
  grantsAfter,
  onePersonUntil,
  type OperatorGrant,
  raisesRights,
} from "./operators/operator-grant.js";
export { isActiveAdmin, type OperatorAccount } from "./operators/operator-account.js";
export type {
  LastAdmin,
  OperatorStore,
  PasswordChange,
  SecondFactorChange,
} from "./operators/operator-store.js";
export type { KnownDevice } from "./operators/known-device.js";
export type { SignInLimited, SignInOrigin } from "./operators/sign-in-attempts.js";
export type {
  AttemptGrant,
  AttemptSubject,
  AttemptTake,
  SignInAttemptStore,
} from "./operators/sign-in-attempt-store.js";
export { countingAttempts, decideAttempt, type CountedAttempts } from "./operators/decide-attempt.js";
export type { OperatorSession, OperatorSessionStore } from "./operators/operator-session-store.js";
export type { PasswordHasher } from "./operators/password-hasher.js";
export type { Totp } from "./operators/totp.js";
export type { AccountPorts } from "./operators/account-ports.js";
export {
  auditEntryOf,
  type AuditFacts,
  type OperatorCommand,
  type Origin,
} from "./operators/operator-command.js";
export type { OperatorAccountFailure, OperatorAccountFailureName } from "./operators/operator-failure.js";
export { audited, type AuditedPorts } from "./operators/audited.js";
export { isPermitted, type Permission, PERMISSIONS, permissionsOf } from "./operators/permissions.js";
export {
  type AccountWithPassword,
  createOperator,
  createOperatorInput,
  type CreateOperatorInput,
} from "./operators/create-operator.js";
export {
  operatorRoleInput,
  type OperatorRoleInput,
  resetOperator,
  setOperatorDisabled,
  setOperatorRole,
} from "./operators/change-operator.js";
export {
  changePassword,
  changePasswordInput,
  type ChangePasswordInput,
} from "./operators/change-password.js";
export { type SecondFactor, signIn, signInInput, type SignInInput } from "./operators/sign-in.js";
export type { SignInFailure } from "./operators/refuse-sign-in.js";
export {
  beginEnrolment,
  confirmSecondFactor,
  type Enrolment,
  enterCode,
  type PresentedSession,
  removeSecondFactor,
  type SecondFactorProof,
} from "./operators/second-factor.js";
export {
  closeOperatorSession,
  findOperatorSession,
  hasCsrfToken,
  type LiveOperatorSession,
  type OpenedOperatorSession,
  recallCsrfToken,
} from "./operators/operator-sessions.js";
export { LONGEST_KEY } from "./shared/limits.js";
export { isSameMerchant } from "./wallets/is-same-merchant.js";
