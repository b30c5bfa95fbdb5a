/** What the document says about an endpoint that the endpoint itself does not contain. */
export interface OperationRow {
  /** The name of the operation in generated clients. It never changes. */
  readonly id: string;
  /** What the endpoint does: one sentence in the third person. */
  readonly summary: string;
  /** The type of the answer. Defaults to JSON. */
  readonly contentType?: "text/event-stream" | "text/csv" | "application/octet-stream";
}

/** One row for each endpoint of the operator API, by its method and path. */
export const OPERATIONS: Readonly<Record<string, OperationRow>> = {
  "GET /api/session": {
    id: "getSession",
    summary: "Returns the session, the rights of the operator and the policy.",
  },
  "POST /api/session": { id: "signIn", summary: "Opens a session with a name and a password." },
  "POST /api/session/code": {
    id: "enterCode",
    summary: "Completes a session with a code of the second factor.",
  },
  "POST /api/session/enrolment": { id: "beginEnrolment", summary: "Creates the key of a second factor." },
  "POST /api/session/enrolment/confirm": {
    id: "confirmEnrolment",
    summary: "Stores the second factor if the code is right, and completes the session.",
  },
  "POST /api/session/enrolment/remove": {
    id: "removeSecondFactor",
    summary: "Removes the second factor of the operator.",
  },
  "POST /api/session/password": { id: "changePassword", summary: "Changes the password of the operator." },
  "DELETE /api/session": { id: "signOut", summary: "Ends the session." },
  "GET /api/changes/{changeId}": {
    id: "getChange",
    summary: "Returns what has become of a change of the sender.",
  },
  "GET /api/orders": { id: "listOrders", summary: "Lists orders, newest first." },
  "GET /api/orders/search": {
    id: "searchOrders",
    summary: "Finds orders and refunds by one of their numbers or by the customer.",
  },
  "GET /api/orders.csv": {
    id: "exportOrders",
    summary: "Returns the orders of a list as lines of CSV.",
    contentType: "text/csv",
  },
  "GET /api/orders/{appId}/{bizNo}": {
    id: "getOrder",
    summary: "Returns everything that is known about an order.",
  },
  "GET /api/order-events": {
    id: "watchOrders",
    summary:
      "Sends an event `changed` whenever one of the orders changes, and an event `alive` every 15 seconds.",
    contentType: "text/event-stream",
  },
  "POST /api/orders/{appId}/{bizNo}/sync": {
    id: "syncOrder",
    summary: "Queries the wallet for the state of the order.",
  },
  "POST /api/orders/{appId}/{bizNo}/close": { id: "closeOrder", summary: "Closes the order at the wallet." },
  "POST /api/orders/{appId}/{bizNo}/report-shipment": {
    id: "reportShipment",
    summary: "Makes the report of the order's delivery to its wallet due now.",
  },
  "POST /api/orders/{appId}/{bizNo}/acknowledge": {
    id: "acknowledgeOrder",
    summary: "Acknowledges the alarm of the order.",
  },
  "GET /api/customers/{appId}/{customerIdentity}/export": {
    id: "exportCustomer",
    summary: "Returns what is stored about a customer as a JSON file, with an audit entry.",
    contentType: "application/octet-stream",
  },
  "POST /api/customers/{appId}/{customerIdentity}/sessions/end": {
    id: "endSessions",
    summary: "Ends one session of a customer, or all of them.",
  },
  "POST /api/customers/{appId}/{customerIdentity}/erase": {
    id: "eraseCustomer",
    summary:
      "Erases what is personal about a customer. Orders in flight keep their texts until they have ended.",
  },
  "POST /api/customers/{appId}/{customerIdentity}/numbers/detach": {
    id: "detachNumber",
    summary: "Takes a phone number from a customer. Its next login starts a new customer.",
  },
  "POST /api/customers/{appId}/{customerIdentity}/numbers/move": {
    id: "moveNumber",
    summary: "Gives a customer a new phone number in place of the old one.",
  },
  "POST /api/customers/{appId}/{customerIdentity}/merge": {
    id: "mergeCustomers",
    summary: "Gives the phone numbers of a customer to another one.",
  },
  "GET /api/customers/{appId}/{customerIdentity}": {
    id: "getCustomer",
    summary: "Returns the services, the live sessions and the sums of a customer.",
  },
  "POST /api/orders/{appId}/{bizNo}/refunds/dry-run": {
    id: "dryRunRefund",
    summary: "Returns what a refund would ask the wallet, without asking it.",
  },
  "POST /api/orders/{appId}/{bizNo}/refunds": {
    id: "requestRefund",
    summary: "Refunds an order, or asks for the approval of a second operator.",
  },
  "POST /api/orders/{appId}/{bizNo}/refunds/{refundNo}/sync": {
    id: "syncRefund",
    summary: "Continues an open refund at its wallet now.",
  },
  "POST /api/orders/{appId}/{bizNo}/refunds/{refundNo}/withdraw": {
    id: "withdrawRefund",
    summary: "Ends an open refund that the wallet does not have.",
  },
  "POST /api/orders/{appId}/{bizNo}/refunds/{refundNo}/pay-out": {
    id: "payOutRefund",
    summary: "Pays an ABNORMAL refund out to a bank card or to the merchant's account.",
  },
  "POST /api/orders/{appId}/{bizNo}/refunds/{refundNo}/settle": {
    id: "settleRefund",
    summary: "Records that the customer of a refund was paid by other means.",
  },
  "POST /api/orders/{appId}/{bizNo}/refunds/adopt": {
    id: "adoptRefund",
    summary: "Records a refund that was made at the wallet.",
  },
  "GET /api/refunds": { id: "listRefunds", summary: "Lists refunds, newest first." },
  "GET /api/refunds.csv": {
    id: "exportRefunds",
    summary: "Returns the refunds of a list as lines of CSV.",
    contentType: "text/csv",
  },
  "GET /api/refund-approvals": {
    id: "listRefundApprovals",
    summary: "Lists the refunds that need or needed the approval of a second operator.",
  },
  "POST /api/refund-approvals/{id}/approve": {
    id: "approveRefund",
    summary: "Approves the refund of another operator, and makes it.",
  },
  "POST /api/refund-approvals/{id}/reject": {
    id: "rejectRefund",
    summary: "Rejects the refund of another operator.",
  },
  "GET /api/today": { id: "getToday", summary: "Returns the figures of the business day." },
  "GET /api/status": { id: "getStatus", summary: "Returns the money of today, and what waits." },
  "GET /api/events": {
    id: "listEvents",
    summary: "Lists the events of orders from a time on, oldest first.",
  },
  "GET /api/event-deliveries": {
    id: "listEventDeliveries",
    summary: "Lists the orders with events that a handler has not received yet.",
  },
  "GET /api/orders/{appId}/{bizNo}/explanation": {
    id: "explainOrder",
    summary: "Explains an order in sentences, and names its open differences to bills.",
  },
  "GET /api/bill-exceptions": {
    id: "listBillExceptions",
    summary: "Lists the differences between bills and orders, the last found first.",
  },
  "GET /api/bill-exceptions.csv": {
    id: "exportBillExceptions",
    summary: "Returns the differences of a list as lines of CSV.",
    contentType: "text/csv",
  },
  "POST /api/bill-exceptions/{id}/adopt": {
    id: "adoptBillException",
    summary: "Asks the wallet about the payment or refund of an exception, and records what it signs.",
  },
  "POST /api/bill-exceptions/{id}/assign": {
    id: "assignBillException",
    summary: "Records that the payment or refund of an exception belongs to an order.",
  },
  "POST /api/bill-exceptions/{id}/not-ours": {
    id: "disownBillException",
    summary: "Records that the payment or refund of an exception belongs to no order.",
  },
  "POST /api/bill-exceptions/resolve": {
    id: "resolveBillExceptions",
    summary: "Marks several differences as resolved, with one note.",
  },
  "POST /api/bill-exceptions/{id}/resolve": {
    id: "resolveBillException",
    summary: "Marks a difference as resolved, with a note.",
  },
  "POST /api/bill-days/{day}/{payChannel}/{appEnv}/{accountId}/compare": {
    id: "compareBillDay",
    summary: "Compares the bills of an account and day with the stored orders and refunds.",
  },
  "GET /api/bill-days": { id: "listBillDays", summary: "Lists the comparisons of bills by day." },
  "GET /api/bill-report": {
    id: "getBillReport",
    summary: "Returns what the wallets' bills of a month or day state: payments, refunds, fees and net.",
  },
  "GET /api/bill-report.csv": {
    id: "exportBillReport",
    summary: "Returns the report of a month or day as CSV, with the columns of `tillkit reports`.",
    contentType: "text/csv",
  },
  "GET /api/downloads": { id: "getDownloads", summary: "Returns the download counts of a period." },
  "GET /api/downloads.csv": {
    id: "exportDownloads",
    summary: "Returns the download counts of a period as lines of CSV.",
    contentType: "text/csv",
  },
  "GET /api/downloads/coverage": {
    id: "getDownloadsCoverage",
    summary: "Returns for which days each app and store has data.",
  },
  "GET /api/downloads/coverage.csv": {
    id: "exportDownloadsCoverage",
    summary: "Returns for which days each app and store has data, as lines of CSV.",
    contentType: "text/csv",
  },
  "POST /api/downloads/set": {
    id: "setDownloads",
    summary: "Sets the counts of each day of a range, and returns those before.",
  },
  "POST /api/downloads/delete": {
    id: "deleteDownloads",
    summary: "Deletes the counts of each day of a range, and returns them.",
  },
  "POST /api/apps/{appId}/service-types/{serviceTypeNo}/rename": {
    id: "renameServiceType",
    summary: "Changes the name of a service type.",
  },
  "POST /api/apps/{appId}/service-types/{serviceTypeNo}/retire": {
    id: "retireServiceType",
    summary: "Rejects new orders of a service type.",
  },
  "POST /api/apps/{appId}/service-types/{serviceTypeNo}/restore": {
    id: "restoreServiceType",
    summary: "Accepts new orders of a service type again.",
  },
  "GET /api/setup/apps": { id: "listApps", summary: "Lists the apps." },
  "POST /api/setup/apps": { id: "createApp", summary: "Creates an app and returns its secret once." },
  "POST /api/setup/apps/{appId}/rotate": {
    id: "rotateAppSecret",
    summary: "Gives an app a new secret and returns it once.",
  },
  "POST /api/setup/apps/{appId}/rules": { id: "setAppRules", summary: "Changes the rules of an app." },
  "POST /api/setup/apps/{appId}/disable": { id: "disableApp", summary: "Rejects all requests of an app." },
  "POST /api/setup/apps/{appId}/enable": { id: "enableApp", summary: "Accepts requests of an app again." },
  "GET /api/setup/pay-tools": {
    id: "listPayTools",
    summary: "Lists the pay tools and the ends of their credentials.",
  },
  "POST /api/setup/pay-tools/{id}/change": {
    id: "changePayTool",
    summary: "Changes credentials and labels of a pay tool. What the request does not name stays as it is.",
  },
  "GET /api/setup/service-types": { id: "listServiceTypes", summary: "Lists the service types of an app." },
  "POST /api/setup/service-types": { id: "createServiceType", summary: "Creates a service type." },
  "GET /api/setup/stores": { id: "listStores", summary: "Lists the stores of download counts." },
  "POST /api/setup/stores": { id: "addStore", summary: "Adds a store before its first counts." },
  "POST /api/setup/stores/{store}/alias": { id: "aliasStore", summary: "Gives a store another name." },
  "POST /api/setup/stores/{store}/rename": {
    id: "renameStore",
    summary: "Renames a store in the reports of every app.",
  },
  "GET /api/setup/stores/{store}/merge": {
    id: "previewStoreMerge",
    summary: "Returns what a merge of two stores would do.",
  },
  "POST /api/setup/stores/{store}/merge": {
    id: "mergeStores",
    summary: "Makes the counts of a store counts of another one, in every app.",
  },
  "GET /api/setup/downloads-clients": {
    id: "listDownloadsClients",
    summary: "Lists the clients of the downloads report.",
  },
  "POST /api/setup/downloads-clients": {
    id: "createDownloadsClient",
    summary: "Creates a client of the downloads report.",
  },
  "POST /api/setup/downloads-clients/{clientId}/limit": {
    id: "setDownloadsClientLimit",
    summary: "Changes how many requests a downloads client may send on a day.",
  },
  "POST /api/setup/downloads-clients/{clientId}/disable": {
    id: "disableDownloadsClient",
    summary: "Rejects all requests of a downloads client.",
  },
  "POST /api/setup/downloads-clients/{clientId}/enable": {
    id: "enableDownloadsClient",
    summary: "Accepts requests of a downloads client again.",
  },
  "POST /api/setup/downloads-clients/{clientId}/rotate": {
    id: "rotateDownloadsClient",
    summary: "Replaces the id of a downloads client by a generated one.",
  },
  "GET /api/setup/test-numbers": { id: "listTestNumbers", summary: "Lists the test numbers of the policy." },
  "GET /api/operators": { id: "listOperators", summary: "Lists the accounts of operators." },
  "POST /api/operators": {
    id: "createOperator",
    summary: "Creates an account and returns a generated password once.",
  },
  "POST /api/operators/{name}/role": {
    id: "setOperatorRole",
    summary: "Changes the role and the apps of an operator.",
  },
  "POST /api/operators/{name}/disable": {
    id: "disableOperator",
    summary: "Ends the sessions of an operator and rejects sign-ins.",
  },
  "POST /api/operators/{name}/enable": {
    id: "enableOperator",
    summary: "Accepts sign-ins of an operator again.",
  },
  "POST /api/operators/{name}/reset": {
    id: "resetOperator",
    summary: "Removes the second factor and returns a new password once.",
  },
  "GET /api/audit/check": {
    id: "checkAudit",
    summary: "Checks the hash chain of the whole audit log.",
  },
  "GET /api/audit.csv": {
    id: "exportAudit",
    summary: "Returns entries of the audit log as lines of CSV.",
    contentType: "text/csv",
  },
  "GET /api/audit": { id: "listAudit", summary: "Searches the audit log." },
};
