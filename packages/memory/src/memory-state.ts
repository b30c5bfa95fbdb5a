import type {
  App,
  AuthCode,
  BillException,
  BillLine,
  CustomerService,
  DailyCount,
  Digest,
  DownloadsClient,
  Order,
  Refund,
  ServiceType,
  Session,
  Settlement,
  TimelineEvent,
  WalletAccount,
} from "@tillkit/core";
import { exampleDigest } from "./example-digest.js";

/** An order with what hangs on it. The records in it are frozen; a change puts a new one in their place. */
export interface HeldOrder {
  order: Order;
  readonly timeline: TimelineEvent[];
  /** By `refundNo`, oldest first. */
  readonly refunds: Map<string, Refund>;
}

/** What one paid order added to a customer's service. */
export interface ServiceGrant {
  readonly grantedAt: number;
  readonly durationMs: number;
}

/** A customer's service with the grants it is made of, by the id of their order, oldest first. */
export interface HeldService {
  service: CustomerService;
  readonly grants: Map<string, ServiceGrant>;
}

/** A code with the tries counted against it. */
export interface HeldCode {
  readonly code: AuthCode;
  tries: number;
}

/** The units used on one day. */
export interface HeldQuota {
  readonly day: string;
  readonly used: number;
}

/** A line of a bill, and when it was put aside. */
export interface HeldBillLine {
  readonly line: BillLine;
  readonly at: number;
}

/** A settlement of a bill, and when it was first put aside. */
export interface HeldSettlement {
  readonly settlement: Settlement;
  readonly at: number;
}

/** Everything the stores of one `memoryStores` hold. Maps keyed by several values are keyed by `keyText` of them. */
export interface MemoryState {
  readonly digest: Pick<Digest, "sha256">;
  readonly apps: Map<string, App>;
  /** Every pay tool by its id, kept-aside ones included. */
  readonly payTools: Map<string, WalletAccount>;
  /** The id of the current pay tool, by app and channel. */
  readonly currentPayTools: Map<string, string>;
  readonly orders: Map<string, HeldOrder>;
  readonly ordersById: Map<string, HeldOrder>;
  /** By app and customer, in the order they came. */
  readonly ordersOfCustomer: Map<string, HeldOrder[]>;
  /** Orders that have a `nextQueryAt`. */
  readonly queriedOrders: Set<HeldOrder>;
  /** Orders that have a refund which is not final. */
  readonly refundingOrders: Set<HeldOrder>;
  /** By run, then by kind and numbers. */
  readonly billLines: Map<string, Map<string, HeldBillLine>>;
  /** By run, then by settlement number. */
  readonly billSettlements: Map<string, Map<string, HeldSettlement>>;
  readonly billExceptions: Map<string, BillException>;
  readonly serviceTypes: Map<string, ServiceType>;
  /** By app and customer, then by `serviceTypeNo`. */
  readonly services: Map<string, Map<string, HeldService>>;
  readonly codes: Map<string, HeldCode>;
  /** Customer ids by app and phone hash. */
  readonly customers: Map<string, string>;
  /** By app and customer, oldest first. */
  readonly sessions: Map<string, readonly Session[]>;
  /** By scope, subject and day. */
  readonly quotas: Map<string, HeldQuota>;
  /** When the last spaced unit was granted, by scope and subject. */
  readonly spacings: Map<string, number>;
  /** By app, then by store and date. */
  readonly downloads: Map<string, Map<string, DailyCount>>;
  readonly downloadsClients: Map<string, DownloadsClient>;
}

/** An empty storage. `digest` chains the timelines. */
export function memoryState(digest: Pick<Digest, "sha256"> = exampleDigest): MemoryState {
  return {
    digest,
    apps: new Map(),
    payTools: new Map(),
    currentPayTools: new Map(),
    orders: new Map(),
    ordersById: new Map(),
    ordersOfCustomer: new Map(),
    queriedOrders: new Set(),
    refundingOrders: new Set(),
    billLines: new Map(),
    billSettlements: new Map(),
    billExceptions: new Map(),
    serviceTypes: new Map(),
    services: new Map(),
    codes: new Map(),
    customers: new Map(),
    sessions: new Map(),
    quotas: new Map(),
    spacings: new Map(),
    downloads: new Map(),
    downloadsClients: new Map(),
  };
}

/** One text for several, different whenever one of them is: no separator inside a part can make two keys equal. */
export function keyText(...parts: readonly string[]): string {
  return JSON.stringify(parts);
}

/** What `map` holds under `key`, made first when there is nothing yet. */
export function heldOr<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}

/** Compares by code unit, for sorting: the same on every machine, whatever its language. */
export function byText(left: string, right: string): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}
