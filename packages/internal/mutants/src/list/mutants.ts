import type { Mutant } from "../mutant.js";
import { ACCESS } from "./access.js";
import { AUDIT } from "./audit-log.js";
import { BETWEEN_ADAPTERS_AND_CORE } from "./between-adapters-and-core.js";
import { BETWEEN_CORE_AND_CALLERS } from "./between-core-and-callers.js";
import { BETWEEN_CORE_AND_WALLETS } from "./between-core-and-wallets.js";
import { BETWEEN_HOSTS_AND_CORE } from "./between-hosts-and-core.js";
import { BILLS } from "./bills.js";
import { BOUNDARIES } from "./boundaries.js";
import { ERASURE } from "./erasure.js";
import { DOWNLOADS_CLIENTS } from "./downloads-clients.js";
import { PAYMENTS } from "./payments.js";
import { REFUND_APPROVALS } from "./refund-approvals.js";
import { REFUNDS } from "./refunds.js";
import { EVENT_DELIVERIES } from "./event-deliveries.js";
import { FULFILMENT } from "./fulfilment.js";
import { CACHING } from "./caching.js";
import { CONVERGENCE } from "./convergence.js";
import { CLUSTER } from "./cluster.js";
import { NEGOTIATION_MUTANTS } from "./negotiation.js";
import { SMS } from "./sms.js";
import { SOURCES } from "./sources.js";
import { STATEMENTS } from "./statements.js";
import { STORE_ACCESS } from "./store-access.js";
import { STORE_ORDERS } from "./store-orders.js";
import { STORE_RECORDS } from "./store-records.js";
import { TELEMETRY } from "./telemetry.js";
import { WALLET_PROOFS } from "./wallet-proofs.js";
import { WIRE } from "./wire.js";

/** Every mutant that a suite must catch. */
export const MUTANTS: readonly Mutant[] = [
  ...PAYMENTS,
  ...REFUNDS,
  ...CONVERGENCE,
  ...REFUND_APPROVALS,
  ...BILLS,
  ...ACCESS,
  ...ERASURE,
  ...SMS,
  ...DOWNLOADS_CLIENTS,
  ...CACHING,
  ...WALLET_PROOFS,
  ...SOURCES,
  ...STATEMENTS,
  ...STORE_ORDERS,
  ...STORE_ACCESS,
  ...STORE_RECORDS,
  ...AUDIT,
  ...CLUSTER,
  ...EVENT_DELIVERIES,
  ...FULFILMENT,
  ...BETWEEN_CORE_AND_WALLETS,
  ...BETWEEN_CORE_AND_CALLERS,
  ...WIRE,
  ...NEGOTIATION_MUTANTS,
  ...BETWEEN_ADAPTERS_AND_CORE,
  ...BETWEEN_HOSTS_AND_CORE,
  ...BOUNDARIES,
  ...TELEMETRY,
];
