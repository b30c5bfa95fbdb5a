import type { Migration } from "./migration.js";
import { firstSchema } from "./migrations/0001-first-schema.js";
import { bills } from "./migrations/0002-bills.js";
import { refundStates } from "./migrations/0003-refund-states.js";
import { payer } from "./migrations/0004-payer.js";
import { fundFlow } from "./migrations/0005-fund-flow.js";
import { returnUrl } from "./migrations/0006-return-url.js";
import { billClaims } from "./migrations/0007-bill-claims.js";
import { customerOrders } from "./migrations/0008-customer-orders.js";
import { eventDeliveries } from "./migrations/0009-event-deliveries.js";
import { operators } from "./migrations/0010-operators.js";
import { orderSearch } from "./migrations/0011-order-search.js";
import { refundApprovals } from "./migrations/0012-refund-approvals.js";
import { retiredServiceTypes } from "./migrations/0013-retired-service-types.js";
import { billDays } from "./migrations/0014-bill-days.js";
import { smallerRows } from "./migrations/0015-smaller-rows.js";
import { sessionTokens } from "./migrations/0016-session-tokens.js";
import { operatorGrants } from "./migrations/0017-operator-grants.js";
import { operatorChanges } from "./migrations/0018-operator-changes.js";
import { operatorAccess } from "./migrations/0019-operator-access.js";
import { lists } from "./migrations/0020-lists.js";
import { eventDetails } from "./migrations/0021-event-details.js";
import { alerts } from "./migrations/0022-alerts.js";
import { exceptionsOfOrders } from "./migrations/0023-exceptions-of-orders.js";
import { identityChecks } from "./migrations/0024-identity-checks.js";
import { importedOrderIds } from "./migrations/0025-imported-order-ids.js";
import { twoLiveCodes } from "./migrations/0026-two-live-codes.js";
import { erasure } from "./migrations/0027-erasure.js";
import { validCounts } from "./migrations/0028-valid-counts.js";
import { refundSends } from "./migrations/0029-refund-sends.js";
import { openedExceptions } from "./migrations/0030-opened-exceptions.js";
import { requesterKeys } from "./migrations/0031-requester-keys.js";
import { customerNumbers } from "./migrations/0032-customer-numbers.js";
import { endedClients } from "./migrations/0033-ended-clients.js";
import { billRemedies } from "./migrations/0034-bill-remedies.js";
import { walletOptions } from "./migrations/0035-wallet-options.js";
import { figures } from "./migrations/0036-figures.js";
import { exceptionsByKey } from "./migrations/0037-exceptions-by-key.js";
import { accessTokens } from "./migrations/0038-access-tokens.js";
import { storeNames } from "./migrations/0039-store-names.js";
import { keptBills } from "./migrations/0040-kept-bills.js";
import { readiness } from "./migrations/0041-readiness.js";
import { failedEvents } from "./migrations/0042-failed-events.js";

/** The migrations of this version of the package, in the order in which `migrate` applies them. */
export const MIGRATIONS: readonly Migration[] = [
  firstSchema,
  bills,
  refundStates,
  payer,
  fundFlow,
  returnUrl,
  billClaims,
  customerOrders,
  eventDeliveries,
  operators,
  orderSearch,
  refundApprovals,
  retiredServiceTypes,
  billDays,
  smallerRows,
  sessionTokens,
  operatorGrants,
  operatorChanges,
  operatorAccess,
  lists,
  eventDetails,
  alerts,
  exceptionsOfOrders,
  identityChecks,
  importedOrderIds,
  twoLiveCodes,
  erasure,
  validCounts,
  refundSends,
  openedExceptions,
  requesterKeys,
  customerNumbers,
  endedClients,
  billRemedies,
  walletOptions,
  figures,
  exceptionsByKey,
  accessTokens,
  storeNames,
  keptBills,
  readiness,
  failedEvents,
];
