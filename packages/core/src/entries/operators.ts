/** What operators do: for the dashboard, the command line, and back offices of hosts. */
export { pastedNumber, searchedTexts } from "../shared/pasted-number.js";
export { type Cell, CSV_START, csvLine, readable, type Readable } from "../shared/csv.js";
export { spreadsheetText, textOfSpreadsheet } from "../shared/spreadsheet-text.js";
export { orderLine } from "../orders/imported-order.js";
export { customerLine } from "../sessions/imported-customer.js";
export { disableApp, enableApp } from "../apps/disable-app.js";
export { rotateSecret } from "../apps/rotate-secret.js";
export { setAppRules } from "../apps/set-app-rules.js";
export { dailyCountInput, type DailyCountInput } from "../downloads/daily-count.js";
export { storeKey } from "../downloads/store-key.js";
export { storesOf } from "../downloads/store-name.js";
export {
  type CountPeriod,
  countPeriods,
  PERIOD_LENGTHS,
  type PeriodLength,
} from "../downloads/count-periods.js";
export { type AppCoverage, downloadsCoverage } from "../downloads/downloads-coverage.js";
export { changeStores, type ChangeStoresPorts } from "../downloads/change-stores.js";
export { changeCounts, type ChangeCountsPorts, MAX_CHANGED_DAYS } from "../downloads/change-counts.js";
export {
  type CustomerErasure,
  eraseCustomer,
  type EraseCustomerPorts,
  type OrderInFlight,
  previewErasure,
  type PreviewErasurePorts,
} from "../customers/erase-customer.js";
export {
  type CustomerData,
  exportCustomer,
  type ExportCustomerPorts,
  type ExportedAuditEntry,
  type ExportedOrder,
} from "../customers/export-customer.js";
export {
  type ChangedNumbers,
  type ChangeNumbersPorts,
  detachNumber,
  mergeCustomers,
  moveNumber,
  type NumberFailure,
} from "../customers/change-numbers.js";
export {
  type CustomerSession,
  endSessions,
  type EndSessionsPorts,
  listSessions,
} from "../customers/customer-sessions.js";
export type { CustomerRef, FindCustomerPorts } from "../customers/find-customer.js";
export { findErasures, type RecordedErasure } from "../customers/find-erasures.js";
export type { OrderDataPorts } from "../customers/orders-of-customer.js";
export {
  changePayTool,
  type ChangePayToolFailure,
  type ChangePayToolInput,
  changePayToolInput,
  type PayToolNotWorking,
  type UnknownPayTool,
} from "../pay-tools/change-pay-tool.js";
export { listPayTools } from "../pay-tools/list-pay-tools.js";
export { adoptedRefundNo, type RefundOrigin, refundOrigin } from "../refunds/refund.js";
export { remainingForOperator } from "../refunds/remaining.js";
export { renameServiceType, restoreServiceType, retireServiceType } from "../services/change-service-type.js";
export { isDate } from "../shared/date.js";
export { moneyText } from "../shared/yuan.js";
export {
  type ParkedEventSkipped,
  type ReplayFailure,
  replayEvents,
  replayParkedEvents,
  skipParkedEvent,
} from "../events/replay-events.js";
export { EVENT_DELAY, listEvents, type ListedEvent, type ListedEvents } from "../events/list-events.js";
export { peerKey } from "../shared/peer-key.js";
export { newSecret } from "../shared/random.js";
export {
  type ChangeDownloadsClientPorts,
  disableDownloadsClient,
  enableDownloadsClient,
  setDownloadsClientLimit,
  type UnknownDownloadsClient,
} from "../downloads/change-downloads-client.js";
export {
  type DownloadsClientEndedFailure,
  rotateDownloadsClient,
  type RotateDownloadsClientInput,
} from "../downloads/rotate-downloads-client.js";
export {
  type ComparedStore,
  compareDownloads,
  compareDownloadsInput,
  type CompareDownloadsInput,
  type DownloadsComparison,
  type PeriodCounts,
} from "../downloads/compare-downloads.js";
export {
  type BillDay,
  listBillDays,
  listBillDaysInput,
  type ListBillDaysInput,
} from "../operations/list-bill-days.js";
export { billLineReader, type BillReportLine } from "../operations/bill-line-reader.js";
export { type BillReportSums, sumBillRows } from "../operations/bill-report-sums.js";
export { billReportTexts, type BillReportFormat } from "../operations/bill-report-texts.js";
export {
  type CredentialName,
  inspectPayTool,
  type InspectedPayTool,
  type PayToolProblem,
  type PayToolProblemCode,
} from "../operations/inspect-pay-tool.js";
export { type EventFacts, readEvent } from "../orders/read-event.js";
export { type CustomerSummary, readCustomer } from "../operations/read-customer.js";
export { eventSentence } from "../operations/event-sentence.js";
export {
  type ExplanationParts,
  refundSentence,
  type RefundSentenceContext,
} from "../operations/order-explanation.js";
export { walletName } from "../operations/wallet-name.js";
export { syncRefund, type SyncRefundFailure } from "../operations/sync-refund.js";
export { findOrders, findOrdersInput, type FindOrdersInput } from "../operations/find-orders.js";
export {
  billExceptionFilterShape,
  listBillExceptions,
  listBillExceptionsInput,
  type ListBillExceptionsInput,
  type ListedBillExceptions,
} from "../operations/list-bill-exceptions.js";
export {
  assignBillException,
  assignBillExceptionInput,
  type AssignBillExceptionInput,
  type CloseBillExceptionFailure,
  disownBillException,
  resolveBillException,
  resolveBillExceptionInput,
  type ResolveBillExceptionInput,
} from "../operations/close-bill-exception.js";
export { adoptBillException, type AdoptBillExceptionFailure } from "../operations/adopt-bill-exception.js";
export {
  alarmRemedies,
  EXCEPTION_REMEDIES,
  exceptionRemedies,
  type ExceptionRemedies,
  type OfferedRemedy,
  REFUND_REMEDIES,
  refundRemedies,
  REMEDIES,
  type Remedy,
} from "../bills/remedies.js";
export { damageSentence } from "../operations/record-text.js";
export {
  findOrderDifferences,
  type OrderDifference,
  orderDifferences,
  provenState,
  type ProvenState,
} from "../refunds/order-differences.js";
export {
  NOT_REPORTABLE_REASONS,
  requestShipment,
  type RequestShipmentFailure,
  type ShipmentNotReportable,
} from "../operations/request-shipment.js";
export { type Shipment, SHIPMENT_STATES, shipmentOf } from "../orders/shipment.js";
export { acknowledgeAlarm, type AcknowledgeAlarmFailure } from "../operations/acknowledge-alarm.js";
export { MAX_NOT_MADE, readToday, type Today } from "../operations/read-today.js";
export { type Queues, readQueues } from "../operations/read-queues.js";
export { closeOrder, closeOrderInput, type CloseOrderInput } from "../operations/close-order.js";
export type { OperatorFailure } from "../operations/operator-failure.js";
export type { OrderActivity } from "../refund-approvals/order-activity.js";
export type {
  OnePersonFailure,
  UnseenActivityFailure,
  RefundApprovalFailure,
  RefundApprovalFailureName,
} from "../refund-approvals/refund-approval-failure.js";
export {
  decideRefundInput,
  type DecideRefundInput,
  seenInput,
} from "../refund-approvals/decide-refund-input.js";
export {
  approveRefund,
  type ApproveRefundFailure,
  type DecidedRefund,
} from "../refund-approvals/approve-refund.js";
export { rejectRefund, type RejectRefundFailure } from "../refund-approvals/reject-refund.js";
export {
  listRefundApprovals,
  listRefundApprovalsInput,
  type ListRefundApprovalsInput,
} from "../refund-approvals/list-refund-approvals.js";
export {
  dryRunRefund,
  type DryRunRefundFailure,
  dryRunRefundInput,
  type DryRunRefundInput,
  type RefundDryRun,
} from "../refund-approvals/dry-run-refund.js";
export { payOutForOperator } from "../refund-approvals/pay-out-for-operator.js";
export { settleForOperator, type SettlementPorts } from "../refund-approvals/settle-for-operator.js";
export {
  type AdoptPorts,
  adoptRefund,
  type AdoptRefundFailure,
  adoptRefundInput,
  type AdoptRefundInput,
} from "../refunds/adopt-refund.js";
export {
  withdrawRefund,
  type WithdrawRefundFailure,
  withdrawRefundInput,
  type WithdrawRefundInput,
} from "../refunds/withdraw-refund.js";
export {
  detailWithFailure,
  outcomeOfFailure,
  type RecordedFailure,
  recordedFailure,
  type RecordedFailureDetails,
} from "../audit/recorded-failure.js";
export { type AuditCheck, checkAuditLog } from "../audit/check-audit-log.js";
export { operatorOf, seesApp } from "../operators/operator.js";
export type { KnownDevice } from "../operators/known-device.js";
export type { SignInLimited, SignInOrigin } from "../operators/sign-in-attempts.js";
export type { AccountPorts } from "../operators/account-ports.js";
export {
  auditEntryOf,
  type AuditFacts,
  type OperatorCommand,
  type Origin,
} from "../operators/operator-command.js";
export type { OperatorAccountFailure, OperatorAccountFailureName } from "../operators/operator-failure.js";
export { audited, type AuditedPorts } from "../operators/audited.js";
export { isPermitted, type Permission, PERMISSIONS, permissionsOf } from "../operators/permissions.js";
export {
  type AccountWithPassword,
  createOperator,
  createOperatorInput,
  type CreateOperatorInput,
} from "../operators/create-operator.js";
export {
  operatorRoleInput,
  type OperatorRoleInput,
  resetOperator,
  setOperatorDisabled,
  setOperatorRole,
} from "../operators/change-operator.js";
export {
  changePassword,
  changePasswordInput,
  type ChangePasswordInput,
} from "../operators/change-password.js";
export { type SecondFactor, signIn, signInInput, type SignInInput } from "../operators/sign-in.js";
export type { SignInFailure } from "../operators/refuse-sign-in.js";
export {
  beginEnrolment,
  confirmSecondFactor,
  type Enrolment,
  enterCode,
  type PresentedSession,
  removeSecondFactor,
  type SecondFactorProof,
} from "../operators/second-factor.js";
export {
  closeOperatorSession,
  findOperatorSession,
  hasCsrfToken,
  type LiveOperatorSession,
  type OpenedOperatorSession,
  recallCsrfToken,
} from "../operators/operator-sessions.js";
export { LONGEST_KEY } from "../shared/limits.js";
