import { err, ok, type Result, type ResultAsync } from "neverthrow";
import {
  type FailureOf,
  isStorageFailure,
  type StorageFailure,
  type StorageFailureName,
} from "../errors/failure.js";
import { findOrderAccount } from "../pay-tools/find-order-account.js";
import type { Ports } from "../ports.js";
import { attempt } from "../shared/attempt.js";
import { aboutOrder, callWallet } from "../wallets/call-wallet.js";
import type { AccessTokenRefused } from "../wallets/shipments.js";
import type { WalletFailure } from "../wallets/wallet.js";
import { type AccessTokenPorts, withAccessToken } from "../wallets/with-access-token.js";
import { eventWith } from "./event-details.js";
import { keyOf, type Order } from "./order.js";
import { emitAlarm } from "./order-alarm.js";
import { lastShipmentRound, nextShipmentAt, type ShipmentRound, shipmentsOf } from "./shipment.js";
import type { TimelineEntry } from "./timeline.js";

/** Ports of `reportShipment`. */
export type ShipmentPorts = AccessTokenPorts & Pick<Ports, "orders" | "payTools" | "digest">;

/**
 * If a report has no result after this time, Tillkit raises an alarm and continues to repeat the
 * report.
 */
const OVERDUE_AFTER_MS = 3_600_000;
/** If the wallet still does not know the payment after this time, its refusal is final. */
const KNOWN_AFTER_MS = 24 * 3_600_000;

/**
 * Reports to the wallet that the customer has got the goods of a due PAID order.
 *
 * If the process dies after the report, the order stays due. The next process repeats the report,
 * and the wallet recognizes the repetition by the time in it. If the wallet refuses the report and
 * a repetition cannot help, an alarm is raised, and the reports end. After any other failure, the
 * next report follows later.
 *
 * @returns nothing. Fails only if the storage fails or the pay tool does not exist; the order is
 *   due again after `policy.workLease`.
 */
export function reportShipment(
  ports: ShipmentPorts,
  order: Order,
): ResultAsync<void, FailureOf<"pay-tool.not-configured" | StorageFailureName>> {
  return attempt(async () => {
    const timeline = await ports.orders.timeline(keyOf(order));
    if (timeline.isErr()) return err(timeline.error);
    const round = lastShipmentRound(timeline.value);
    if (round === undefined || round.end !== undefined)
      return ports.orders.scheduleShipment(keyOf(order), undefined);
    const account = await findOrderAccount(ports, order);
    if (account.isErr()) return err(account.error);
    const shipments = shipmentsOf(ports, order, account.value);
    const { payerId, walletTradeNo } = order;
    if (shipments === undefined || payerId === undefined)
      return end(ports, order, round, eventWith("SHIPMENT_ENDED", { because: "switched-off" }));
    const shipment = {
      outTradeNo: order.id,
      ...(walletTradeNo === undefined ? {} : { walletTradeNo }),
      payerId,
      goodsTitle: order.goodsTitle,
      paidAt: order.pmtDt ?? round.since,
    };
    const answer = await withAccessToken(ports, account.value, shipments, (token, limits) =>
      callWallet(ports, aboutOrder(order), "reportShipment", () =>
        shipments.report(account.value, shipment, token, limits),
      ),
    );
    if (answer.isErr()) return afterFailure(ports, order, round, answer.error);
    return end(
      ports,
      order,
      round,
      answer.value === "refunded"
        ? eventWith("SHIPMENT_ENDED", { because: "refunded" })
        : eventWith("SHIPMENT_REPORTED", answer.value === "reported" ? {} : { before: true }),
    );
  });
}

async function afterFailure(
  ports: ShipmentPorts,
  order: Order,
  round: ShipmentRound,
  failure: WalletFailure | AccessTokenRefused | StorageFailure,
): Promise<Result<void, StorageFailure>> {
  if (isStorageFailure(failure)) return err(failure);
  const now = ports.clock.now();
  const age = now - round.since;
  const refusal = failure.name === "access-token.refused" ? TOKEN_REFUSED : failure.detail;
  const isRefused = failure.name === "wallet.rejected";
  const isTooEarly = isRefused && (failure.reason === "absent" || failure.reason === "not-ready");
  const isWrong = isRefused && failure.reason === "configuration";
  const isOver = isTooEarly ? age >= KNOWN_AFTER_MS : isRefused && !isWrong;
  if (isOver) return end(ports, order, round, eventWith("SHIPMENT_REFUSED", { refusal, isRepeated: false }));
  const nextAt = nextShipmentAt(round, now);
  if (isWrong) {
    const event = eventWith("SHIPMENT_REFUSED", { refusal, isRepeated: true });
    return record(ports, order, { ...event, evidence: evidenceOf(ports, round, refusal) }, nextAt);
  }
  if (age < OVERDUE_AFTER_MS) return ports.orders.scheduleShipment(keyOf(order), nextAt);
  const event = eventWith("SHIPMENT_OVERDUE", { refusal });
  return record(ports, order, { ...event, evidence: String(round.seq) }, nextAt);
}

const TOKEN_REFUSED = "the access token is refused, also after another one was requested";

/** Returns the evidence of a refusal, so that the same refusal raises one alarm per round. */
function evidenceOf({ digest }: Pick<Ports, "digest">, { seq }: ShipmentRound, refusal: string): string {
  return digest.sha256(`${String(seq)}\n${refusal}`);
}

type ShipmentEvent = Pick<TimelineEntry, "type" | "reason" | "details">;

function end(
  ports: ShipmentPorts,
  order: Order,
  { seq }: ShipmentRound,
  event: ShipmentEvent,
): Promise<Result<void, StorageFailure>> {
  return record(ports, order, { ...event, evidence: `end-${String(seq)}` }, undefined);
}

/** Records an event, once per evidence, with the time of the next report. */
async function record(
  ports: ShipmentPorts,
  order: Order,
  event: ShipmentEvent & Pick<TimelineEntry, "evidence">,
  nextAt: number | undefined,
): Promise<Result<void, StorageFailure>> {
  const alarm = event.type === "SHIPMENT_REFUSED" || event.type === "SHIPMENT_OVERDUE";
  const entry = { ...event, at: ports.clock.now(), actor: "wallet", alarm };
  const recorded = await ports.orders.recordShipment(keyOf(order), entry, nextAt);
  if (recorded.isErr()) return err(recorded.error);
  if (!recorded.value) return ports.orders.scheduleShipment(keyOf(order), nextAt);
  if (alarm) emitAlarm(ports, order, entry);
  return ok(undefined);
}
