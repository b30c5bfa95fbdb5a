import { BILL_EXCEPTION_KINDS, type BillExceptionKind } from "@tillkit/core";
import type {
  Bill,
  BillException,
  BillExceptionCount,
  BillExceptionFilter,
  BillExceptionPosition,
  BillExceptionState,
  BillExceptionStore,
  FoundException,
  OpenExceptions,
  OrderNumbers,
} from "@tillkit/core/ports";
import { auditChange, type AuditState } from "../audit/audit-log.js";
import { billKey, compareBills } from "./bill-key.js";
import { frozen } from "../state/frozen.js";
import { compareText, type MemoryState } from "../state/memory-state.js";
import { pageOf } from "../state/page-of.js";
import { runAtomically } from "../state/run-atomically.js";

/** Creates a `BillExceptionStore` in memory. */
export function memoryBillExceptionStore(
  state: Pick<MemoryState, "billExceptions" | "billDays"> & AuditState,
): BillExceptionStore {
  const { billExceptions: held, billDays } = state;
  const put = (exception: BillException): BillException => {
    const stored = frozen(exception);
    held.set(stored.id, stored);
    return stored;
  };
  const inState = (wanted: BillExceptionState) =>
    [...held.values()]
      .filter((exception) => exception.state === wanted)
      .sort((left, right) => left.gmtCreate - right.gmtCreate || compareText(left.id, right.id));
  const selected = ({
    state: wanted,
    apps,
    day,
    payChannel,
    kind,
    accountId,
    outTradeNo,
  }: BillExceptionFilter) =>
    inState(wanted)
      .filter(({ order }) => apps === undefined || (order !== undefined && apps.includes(order.appId)))
      .filter((one) => day === undefined || one.day === day)
      .filter((one) => payChannel === undefined || one.payChannel === payChannel)
      .filter((one) => kind === undefined || one.kind === kind)
      .filter((one) => accountId === undefined || one.accountId === accountId)
      .filter((one) => outTradeNo === undefined || one.outTradeNo === outTradeNo)
      .sort(newestFirst);
  return {
    report: (found) =>
      runAtomically(() =>
        found.map((one) => {
          const before = held.get(one.id);
          return before !== undefined && before.asOf > one.asOf ? before : put(reported(before, one));
        }),
      ),
    markListed: (listed) =>
      runAtomically(() => {
        for (const one of listed) {
          const before = held.get(one.id);
          if (before !== undefined && before.state !== "OPEN" && before.state !== "GONE") continue;
          const { at, ...facts } = one;
          const { gmtCreate, openedAt } = before ?? { gmtCreate: at, openedAt: at };
          put({ ...(before ?? facts), day: one.day, state: "LISTED", gmtCreate, openedAt, gmtModified: at });
        }
      }),
    markHealed: (ids, at) =>
      runAtomically(() => {
        const open = ids.flatMap((id) => held.get(id) ?? []).filter((one) => one.state === "OPEN");
        for (const exception of open) put({ ...exception, state: "HEALED", gmtModified: at });
        return open.length;
      }),
    closeUnseen: ({ payChannel, appEnv, accountId, day }, { asOf, at, kinds }, limit) =>
      runAtomically(() => {
        const unseen = inState("OPEN")
          .filter((one) => one.payChannel === payChannel && one.appEnv === appEnv)
          .filter((one) => one.accountId === accountId && one.day === day && one.asOf < asOf)
          .filter((one) => kinds.includes(one.kind))
          .slice(0, limit);
        for (const exception of unseen) put({ ...exception, state: "GONE", asOf, gmtModified: at });
        return unseen.length;
      }),
    resolve: (id, { at, ...resolution }, audit) =>
      runAtomically(() => {
        const before = held.get(id);
        if (before === undefined) return undefined;
        if (before.state !== "OPEN") return { moved: false, exception: before };
        auditChange(state, audit);
        const exception = put({ ...before, ...resolution, state: "RESOLVED", gmtModified: at });
        return { moved: true, exception };
      }),
    find: (id) => runAtomically(() => held.get(id)),
    list: ({ before, limit, ofOrder, ...filter }) =>
      runAtomically(() => {
        const found = selected(filter)
          .filter((exception) => ofOrder === undefined || isOfOrder(exception, ofOrder))
          .filter((exception) => before === undefined || newestFirst(before, exception) < 0);
        return pageOf(found, limit, ({ gmtCreate, id }) => ({ gmtCreate, id }));
      }),
    count: (filter, atMost) =>
      runAtomically(() => {
        const count = selected(filter).length;
        return { count: Math.min(count, atMost), isLeast: count > atMost };
      }),
    openByKind: (atMost) =>
      runAtomically(() => {
        const kinds = new Map<BillExceptionKind, OpenExceptions>();
        for (const { kind, gmtCreate: oldestAt } of inState("OPEN").slice(0, atMost)) {
          const known = kinds.get(kind) ?? { kind, count: 0, oldestAt };
          kinds.set(kind, { ...known, count: known.count + 1 });
        }
        return BILL_EXCEPTION_KINDS.flatMap((kind) => kinds.get(kind) ?? []);
      }),
    recordCompared: (compared) =>
      runAtomically(() => {
        const key = billKey(compared);
        const before = billDays.get(key);
        if (before === undefined || before.asOf <= compared.asOf) billDays.set(key, frozen(compared));
      }),
    listCompared: (from, until) =>
      runAtomically(() => [...billDays.values()].filter(isBetween(from, until)).sort(compareBills)),
    countByBill: (from, until) =>
      runAtomically(() => {
        const counts = new Map<string, BillExceptionCount>();
        for (const exception of [...held.values()].filter(isBetween(from, until))) {
          if (exception.state !== "OPEN" && exception.state !== "RESOLVED") continue;
          const { payChannel, appEnv, accountId, day } = exception;
          const bill = { payChannel, appEnv, accountId, day };
          const { open, resolved } = counts.get(billKey(bill)) ?? { open: 0, resolved: 0 };
          const isOpen = exception.state === "OPEN";
          const added = { open: open + (isOpen ? 1 : 0), resolved: resolved + (isOpen ? 0 : 1) };
          counts.set(billKey(bill), { ...bill, ...added });
        }
        return [...counts.values()].sort(compareBills);
      }),
  };
}

/** Returns the OPEN exceptions with the number of an order, the most recently found first. */
export function openExceptionsOf(
  { billExceptions }: Pick<MemoryState, "billExceptions">,
  orderId: string,
): BillException[] {
  return [...billExceptions.values()]
    .filter(({ state, outTradeNo }) => state === "OPEN" && outTradeNo === orderId)
    .sort(newestFirst);
}

/** Returns whether the exception has the number of the order, or was assigned to the order. */
export function isOfOrder(
  { outTradeNo, order }: Pick<BillException, "outTradeNo" | "order">,
  { id, appId, bizNo }: OrderNumbers,
): boolean {
  return outTradeNo === id || (order?.appId === appId && order.bizNo === bizNo);
}

function newestFirst(left: BillExceptionPosition, right: BillExceptionPosition): number {
  return right.gmtCreate - left.gmtCreate || compareText(right.id, left.id);
}

function isBetween(from: string, until: string): (bill: Bill) => boolean {
  return ({ day }) => from <= day && day <= until;
}

function reported(before: BillException | undefined, { at, ...facts }: FoundException): BillException {
  const { operator, note, remedy, order } = before ?? {};
  const state = before === undefined ? "OPEN" : stateOf(before, facts);
  const staysAsItIs = before !== undefined && (before.state === "OPEN" || before.state === state);
  return {
    ...(order === undefined ? {} : { order }),
    ...facts,
    ...(operator === undefined ? {} : { operator }),
    ...(note === undefined ? {} : { note }),
    ...(remedy === undefined ? {} : { remedy }),
    state,
    gmtCreate: before?.gmtCreate ?? at,
    openedAt: staysAsItIs ? before.openedAt : at,
    gmtModified: at,
  };
}

function stateOf(
  before: BillException,
  { amountThere, amountHere }: Pick<FoundException, "amountThere" | "amountHere">,
): BillExceptionState {
  const sameAmounts = before.amountThere === amountThere && before.amountHere === amountHere;
  return before.state === "LISTED" || (before.state === "RESOLVED" && sameAmounts) ? before.state : "OPEN";
}
