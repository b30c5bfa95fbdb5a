import { ok, type ResultAsync } from "neverthrow";
import { fail, type FailureOf, type StorageFailureName } from "../errors/failure.js";
import type { Language } from "../errors/message.js";
import type { Order } from "../orders/order.js";
import { type OrderDifference, orderDifferences } from "../refunds/order-differences.js";
import type { RefundApproval } from "../refund-approvals/refund-approval.js";
import { findTimelineBreak, type TimelineEvent } from "../orders/timeline.js";
import type { Ports } from "../ports.js";
import type { Refund } from "../refunds/refund.js";
import { attempt } from "../shared/attempt.js";
import { approvalSentence, damageSentence } from "./record-text.js";
import { explainInParts, type ExplanationParts, sentencesOf } from "./order-explanation.js";

/** An order with everything that is stored about it, as data and in sentences. */
export interface OrderExplanation {
  readonly order: Order;
  /** Oldest first. */
  readonly refunds: readonly Refund[];
  readonly timeline: readonly TimelineEvent[];
  /**
   * Whether the timeline is intact: it has events, and each hash follows from the previous event.
   */
  readonly chainHolds: boolean;
  /** The requests for refunds that need a second operator, oldest first. */
  readonly approvals: readonly RefundApproval[];
  /** Where the order contradicts its timeline. Empty if it does not. */
  readonly differences: readonly OrderDifference[];
  /** The sentences of the explanation, grouped by subject. */
  readonly parts: ExplanationParts;
  /** The explanation, one sentence per item, without the customer's identity and name. */
  readonly sentences: readonly string[];
}

/**
 * Explains an order to an operator.
 *
 * The sentences state what happened, when, by whom and why, what is known now, and when Tillkit
 * queries the wallet next. Calls no wallet and changes nothing. Times are in `policy.timeZone`.
 * Reasons keep their original language.
 *
 * @returns the sentences, and the order with its refunds and its timeline.
 * @example
 * ```ts
 * import { explainOrder } from "@tillkit/core";
 *
 * const explained = await explainOrder(ports, "app_1", "biz-1");
 * if (explained.isOk()) console.log(explained.value.sentences.join("\n"));
 * ```
 */
export function explainOrder(
  ports: Pick<Ports, "refunds" | "refundApprovals" | "digest" | "clock" | "policy">,
  appId: string,
  bizNo: string,
  language: Language = "en",
): ResultAsync<OrderExplanation, FailureOf<"order.not-found" | StorageFailureName>> {
  return attempt(async () => {
    const key = { appId, bizNo };
    const record = await ports.refunds.readRecord(key);
    if (record.isErr()) return record;
    if (record.value === undefined) return fail("order.not-found");
    const { order, refunds, timeline } = record.value;
    const approvals = await ports.refundApprovals.listOfOrder(key);
    if (approvals.isErr()) return approvals;
    const differences = orderDifferences(order, refunds, timeline);
    const brokenAt = findTimelineBreak(ports.digest, order.id, timeline);
    const facts = { order, refunds, timeline, brokenAt, now: ports.clock.now() };
    const parts = explainInParts(facts, ports.policy, language);
    const damage = damageSentence(differences, language);
    return ok({
      approvals: approvals.value,
      differences,
      order,
      refunds,
      timeline,
      chainHolds: timeline.length > 0 && brokenAt === undefined,
      parts,
      sentences: [
        ...(damage === undefined ? [] : [damage]),
        ...sentencesOf(parts),
        ...approvals.value.map((approval) => approvalSentence(approval, language)),
      ],
    });
  });
}
