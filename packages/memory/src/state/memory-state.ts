import type {
  App,
  AuditEvent,
  CustomerService,
  DailyCount,
  Digest,
  Order,
  QuotaKey,
  Refund,
  ServiceType,
  TimelineEvent,
  WalletAccount,
} from "@tillkit/core";
import type {
  BegunChange,
  Bill,
  BillException,
  BillLine,
  ComparedBill,
  CustomerRecord,
  DownloadsClient,
  EventDelivery,
  HeldCodes,
  KeptBill,
  KeptBillLine,
  OperatorAccount,
  OperatorSession,
  RefundApproval,
  ServiceGrant,
  Session,
  Settlement,
  StoredAccessToken,
  StoredReading,
} from "@tillkit/core/ports";
import { exampleDigest } from "./example-digest.js";

/**
 * An order with its timeline and refunds.
 *
 * The stored records are frozen. A change replaces a record.
 */
export interface StoredOrder {
  order: Order;
  readonly timeline: TimelineEvent[];
  /** Refunds by `refundNo`, oldest first. */
  readonly refunds: Map<string, Refund>;
}

/** A service of a customer, with its grants by order id, oldest first. */
export interface StoredService {
  service: CustomerService;
  readonly grants: Map<string, ServiceGrant>;
  /** How many grants were ever made, including those of refunded orders. */
  grantsMade: number;
}

/** The codes of one app and phone number, and the wrong attempts. */
export interface StoredCodes extends HeldCodes {
  /** When all codes have expired and the daily count has ended, epoch milliseconds. */
  readonly endsAt: number;
}

/** The number of units that one subject used on one day. */
export interface StoredQuota extends QuotaKey {
  readonly day: string;
  readonly used: number;
}

/** A staged line of a bill, and the time when it was last staged. */
export interface StoredBillLine {
  readonly line: BillLine;
  readonly at: number;
}

/** A run over a trade bill, and its lines by position. */
export interface StoredBillRun {
  readonly bill: Bill;
  readonly asOf: number;
  /** When the run began, or when another run replaced its bill. */
  at: number;
  readonly lines: Map<number, KeptBillLine>;
  /** The kept bill, if this run provides its lines. */
  kept: KeptBill | undefined;
  /** Whether the lines of the run are being removed. */
  isRemoved: boolean;
}

/** A staged settlement of a bill, and the time when it was first staged. */
export interface StoredSettlement {
  readonly settlement: Settlement;
  readonly at: number;
}

/** The newest reading of the figures, and the claim for the next reading. */
export interface StoredFigures {
  reading: StoredReading | undefined;
  claim: { readonly id: string; readonly until: number } | undefined;
}

/** The last write of the readiness check. */
export interface StoredReadiness {
  /** Epoch milliseconds. */
  writtenAt: number | undefined;
}

/** The stored state of an alert channel, and the claim of the process that is sending. */
export interface StoredAlertChannel {
  readonly state: string;
  readonly dueAt: number;
  readonly claim?: { readonly id: string; readonly until: number };
}

/** The access token of a pay tool, or the claim of the process that requests it. */
export interface HeldAccessToken {
  readonly token?: StoredAccessToken;
  readonly claim?: { readonly id: string; readonly until: number };
}

/** A delivery with the id of its last claim. The id is absent if no claim is live. */
export interface StoredDelivery {
  readonly delivery: EventDelivery;
  readonly claimId?: string;
  /** The time of the last entry in the order's timeline that handlers receive as an event. */
  readonly lastAt: number;
}

/**
 * The data of all stores that {@link memoryStores} creates.
 *
 * The keys of maps that combine several values come from `compositeKey`.
 */
export interface MemoryState {
  readonly digest: Pick<Digest, "sha256">;
  readonly apps: Map<string, App>;
  /** Every pay tool by id, including replaced ones. */
  readonly payTools: Map<string, WalletAccount>;
  /** The id of the current pay tool, by app and channel. */
  readonly currentPayTools: Map<string, string>;
  readonly orders: Map<string, StoredOrder>;
  readonly ordersById: Map<string, StoredOrder>;
  /** Orders by app and customer, in the order in which they were stored. */
  readonly ordersOfCustomer: Map<string, StoredOrder[]>;
  /** Orders that have a `nextQueryAt`, for a query or for the report of their shipment. */
  readonly ordersToQuery: Set<StoredOrder>;
  /** Orders that have an open refund. */
  readonly refundingOrders: Set<StoredOrder>;
  /** Refunds that need a second operator, by app, `bizNo` and `refundNo`. */
  readonly refundApprovals: Map<string, RefundApproval>;
  /** Staged lines by run, then by kind and numbers. */
  readonly billLines: Map<string, Map<string, StoredBillLine>>;
  /** Compared bills by day, channel, environment and account. */
  readonly billDays: Map<string, ComparedBill>;
  /** Staged settlements by run, then by settlement number. */
  readonly billSettlements: Map<string, Map<string, StoredSettlement>>;
  /** Runs over trade bills and their kept lines, by run id. */
  readonly billRuns: Map<string, StoredBillRun>;
  readonly billExceptions: Map<string, BillException>;
  readonly serviceTypes: Map<string, ServiceType>;
  /** Services by app and customer, then by `serviceTypeNo`. */
  readonly services: Map<string, Map<string, StoredService>>;
  readonly codes: Map<string, StoredCodes>;
  /** Customers by app and phone hash. */
  readonly customers: Map<string, CustomerRecord>;
  /** Sessions by app and customer, oldest first. */
  readonly sessions: Map<string, readonly Session[]>;
  /** Customers who ever opened a session, by app and id. */
  readonly sessionOwners: Set<string>;
  /** Customers who were erased, by app and id. No session opens for them. */
  readonly erasedCustomers: Set<string>;
  /** Used units by scope, subject and day. */
  readonly quotas: Map<string, StoredQuota>;
  /** The time of the last grant that had a spacing, by scope and subject. */
  readonly spacings: Map<string, number>;
  /** Counts by app, then by store and date. */
  readonly downloads: Map<string, Map<string, DailyCount>>;
  /** The store of each name in the registry of stores. */
  readonly storeNames: Map<string, string>;
  readonly downloadsClients: Map<string, DownloadsClient>;
  /** The names of the registered handlers, with the times of their registration. */
  readonly eventHandlers: Map<string, number>;
  /** Deliveries by handler, app and `bizNo`. */
  readonly eventDeliveries: Map<string, StoredDelivery>;
  /** Accounts by name. */
  readonly operators: Map<string, OperatorAccount>;
  /** Sessions of operators by the hash of their token. */
  readonly operatorSessions: Map<string, OperatorSession>;
  /** The times of the attempts to sign in that count, by subject, oldest first. */
  readonly signInAttempts: Map<string, readonly number[]>;
  /** The audit log, oldest first. */
  readonly auditLog: AuditEvent[];
  /** The changes that operators have begun, by operator and change id. */
  readonly begunChanges: Map<string, BegunChange>;
  /** The newest reading of the figures, and the claim of the process that reads the next one. */
  readonly figures: StoredFigures;
  /** Channels of alerts by name. */
  readonly alertChannels: Map<string, StoredAlertChannel>;
  /** Access tokens, or the claims of the processes that request them, by pay tool. */
  readonly accessTokens: Map<string, HeldAccessToken>;
  /** The last write of the readiness check. A test freezes it to make the storage read-only. */
  readonly readiness: StoredReadiness;
}

/**
 * Creates empty data for {@link memoryStores}. `digest` computes the hash chain of the timelines.
 *
 * @returns the empty data.
 * @example
 * ```ts
 * import { memoryState, memoryStores } from "@tillkit/memory";
 *
 * const state = memoryState();
 * const stores = memoryStores(state);
 * ```
 */
export function memoryState(digest: Pick<Digest, "sha256"> = exampleDigest): MemoryState {
  return {
    digest,
    apps: new Map(),
    payTools: new Map(),
    currentPayTools: new Map(),
    orders: new Map(),
    ordersById: new Map(),
    ordersOfCustomer: new Map(),
    ordersToQuery: new Set(),
    refundingOrders: new Set(),
    refundApprovals: new Map(),
    billLines: new Map(),
    billDays: new Map(),
    billSettlements: new Map(),
    billRuns: new Map(),
    billExceptions: new Map(),
    serviceTypes: new Map(),
    services: new Map(),
    codes: new Map(),
    customers: new Map(),
    sessions: new Map(),
    sessionOwners: new Set(),
    erasedCustomers: new Set(),
    quotas: new Map(),
    spacings: new Map(),
    downloads: new Map(),
    storeNames: new Map(),
    downloadsClients: new Map(),
    eventHandlers: new Map(),
    eventDeliveries: new Map(),
    operators: new Map(),
    operatorSessions: new Map(),
    signInAttempts: new Map(),
    auditLog: [],
    begunChanges: new Map(),
    figures: { reading: undefined, claim: undefined },
    alertChannels: new Map(),
    accessTokens: new Map(),
    readiness: { writtenAt: undefined },
  };
}

/** Combines several strings into one key. Different lists of strings always give different keys. */
export function compositeKey(...parts: readonly string[]): string {
  return JSON.stringify(parts);
}

/** Returns the value of `key` in `map`. Creates and stores the value if it is missing. */
export function getOrCreate<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}

/** Compares two strings by code unit. The result does not depend on the locale. */
export function compareText(left: string, right: string): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}
