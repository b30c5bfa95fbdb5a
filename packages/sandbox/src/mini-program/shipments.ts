import * as z from "zod";
import type { Journal } from "../journal.js";
import type { Ledger } from "../ledger.js";
import { type LedgerOrder, refundedAmount } from "../ledger-order.js";

/** The kinds of delivery: by a parcel service, in the same city, virtual, and pick-up. */
export const LOGISTICS_TYPES = [1, 2, 3, 4] as const;

const report = z
  .object({
    outTradeNo: z.string(),
    logisticsType: z.int(),
    itemDesc: z.string(),
    /**
     * The time in the report. A report without a later time than the stored one changes nothing.
     */
    uploadedAt: z.int(),
  })
  .readonly();
/** A report of a delivery, as WeChat has stored it. */
export type ShipmentReport = z.infer<typeof report>;

/** The delivery of one paid order of a mini-program, for people and tests. */
export interface KnownShipment {
  readonly outTradeNo: string;
  readonly walletAppId: string;
  /** `frozen`: WeChat keeps the money until it has a report. */
  readonly state: "frozen" | "reported" | "refunded";
  /** How many reports WeChat has accepted: the first one, and at most one correction. */
  readonly reports: number;
  readonly logisticsType?: number;
  readonly itemDesc?: string;
}

/** What WeChat does with a report. */
export type ReportOutcome = "stored" | "unchanged" | "no-chance-left";

/** The deliveries of paid orders of mini-programs. */
export interface Shipments {
  /** Returns the paid order, if WeChat lists it for this mini-program. */
  find(appid: string, key: OrderName): LedgerOrder | undefined;
  stateOf(order: LedgerOrder): KnownShipment["state"];
  store(given: ShipmentReport): ReportOutcome;
  all(): readonly KnownShipment[];
}

/** How a request names an order. */
export type OrderName = { readonly transactionId: string } | MerchantOrderName;

/** The number of the merchant that placed the order, and the merchant's number of the order. */
export interface MerchantOrderName {
  readonly mchid: string;
  readonly outTradeNo: string;
}

/** Creates the deliveries over the ledger of WeChat Pay. They survive in the journal. */
export function openShipments({
  ledger,
  journal,
  clock,
}: {
  readonly ledger: Ledger;
  readonly journal: Journal;
  readonly clock: { now(): number };
}): Shipments {
  const reports = new Map<string, readonly ShipmentReport[]>();
  const of = (outTradeNo: string) => reports.get(outTradeNo) ?? [];
  const add = (given: ShipmentReport) => reports.set(given.outTradeNo, [...of(given.outTradeNo), given]);
  for (const given of journal.read("shipment", report)) add(given);

  const isListed = ({ terms: { paySource }, paidAt }: LedgerOrder) =>
    paySource === "JSAPI" && paidAt !== null;

  function stateOf(order: LedgerOrder): KnownShipment["state"] {
    if (refundedAmount(order, clock.now()) === order.terms.amount) return "refunded";
    return of(order.terms.outTradeNo).length > 0 ? "reported" : "frozen";
  }

  return {
    find: (appid, key) => {
      const outTradeNo = "transactionId" in key ? ledger.numberOf(key.transactionId) : key.outTradeNo;
      const order = outTradeNo === undefined ? undefined : ledger.find(outTradeNo);
      if (order?.terms.walletAppId !== appid || !isListed(order)) return undefined;
      const placedBy = order.terms.provider?.id ?? order.terms.merchantId;
      return "transactionId" in key || key.mchid === placedBy ? order : undefined;
    },
    stateOf,
    store: (given) => {
      const before = of(given.outTradeNo);
      const last = before.at(-1);
      if (last !== undefined && given.uploadedAt <= last.uploadedAt) return "unchanged";
      if (before.length > 1) return "no-chance-left";
      journal.write("shipment", given);
      add(given);
      return "stored";
    },
    all: () =>
      [...ledger.all()].filter(isListed).map((order) => {
        const { outTradeNo, walletAppId } = order.terms;
        const given = of(outTradeNo);
        const last = given.at(-1);
        return {
          outTradeNo,
          walletAppId,
          state: stateOf(order),
          reports: given.length,
          ...(last === undefined ? {} : { logisticsType: last.logisticsType, itemDesc: last.itemDesc }),
        };
      }),
  };
}
