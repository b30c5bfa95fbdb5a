import type { Language } from "../errors/message.js";
import type { OrderDifference } from "../refunds/order-differences.js";
import type { RefundApproval } from "../refund-approvals/refund-approval.js";
import { moneyText } from "../shared/yuan.js";

interface RecordText {
  readonly members: Readonly<Record<OrderDifference["member"], string>>;
  readonly damaged: (differences: string) => string;
  readonly difference: (member: string, storedText: string, provenText: string) => string;
  readonly approval: (approval: RefundApproval) => string;
}

const en: RecordText = {
  members: {
    paymentStatus: "the status",
    amount: "the amount",
    refundedAmount: "the refunded amount",
    "refund-status": "the state of refund",
    "refund-amount": "the amount of refund",
  },
  damaged: (differences) =>
    `DAMAGED: the stored order contradicts its timeline: ${differences}. Somebody has changed the database. Tillkit refuses to refund or close the order until the row is restored.`,
  difference: (member, stored, proven) => `${member} is ${stored}, but the timeline proves ${proven}`,
  approval: ({ refundNo, amount, requestedBy, reason, state, decidedBy = "", note = "", failure }) => {
    const request = `Request ${refundNo} for a refund of ${moneyText(amount)}, by ${requestedBy}: ${reason}.`;
    if (state === "WAITING") return `${request} It waits for the approval of a second operator.`;
    if (state === "REJECTED") return `${request} Rejected by ${decidedBy}: ${note}.`;
    const refusal = failure === undefined ? "" : ` It was not made: ${failure}.`;
    return `${request} Approved by ${decidedBy}: ${note}.${refusal}`;
  },
};

const zh: RecordText = {
  members: {
    paymentStatus: "状态",
    amount: "金额",
    refundedAmount: "已退款金额",
    "refund-status": "退款状态，退款单号",
    "refund-amount": "退款金额，退款单号",
  },
  damaged: (differences) =>
    `数据已损坏：订单数据与其时间线不一致：${differences}。数据库曾被直接修改。恢复数据之前，Tillkit 拒绝对此订单退款或关单。`,
  difference: (member, stored, proven) => `${member} 为 ${stored}，而时间线证明为 ${proven}`,
  approval: ({ refundNo, amount, requestedBy, reason, state, decidedBy = "", note = "", failure }) => {
    const request = `退款申请 ${refundNo}，${moneyText(amount)}（${requestedBy}：${reason}）。`;
    if (state === "WAITING") return `${request}等待另一位操作员审批。`;
    if (state === "REJECTED") return `${request}已由 ${decidedBy} 驳回：${note}。`;
    const refusal = failure === undefined ? "" : `未能执行：${failure}。`;
    return `${request}已由 ${decidedBy} 批准：${note}。${refusal}`;
  },
};

const TEXT: Readonly<Record<Language, RecordText>> = { en, zh };

const AMOUNTS: ReadonlySet<OrderDifference["member"]> = new Set([
  "amount",
  "refundedAmount",
  "refund-amount",
]);

/**
 * Describes where an order contradicts its timeline, and what follows from that.
 *
 * @returns the sentence. `undefined` without differences.
 * @example
 * ```ts
 * import { damageSentence } from "@tillkit/core/operators";
 *
 * damageSentence([{ member: "paymentStatus", stored: "PAID", proven: "PENDING" }], "en");
 * ```
 */
export function damageSentence(
  differences: readonly OrderDifference[],
  language: Language,
): string | undefined {
  if (differences.length === 0) return undefined;
  const words = TEXT[language];
  const text = (member: OrderDifference["member"], value: string | number) =>
    AMOUNTS.has(member) && typeof value === "number" ? moneyText(value) : String(value);
  const each = differences.map(({ member, refundNo, stored, proven }) =>
    words.difference(
      refundNo === undefined ? words.members[member] : `${words.members[member]} ${refundNo}`,
      text(member, stored),
      text(member, proven),
    ),
  );
  return words.damaged(each.join(language === "zh" ? "；" : "; "));
}

/** Describes who requested a refund, who decided about it, and its state. */
export function approvalSentence(approval: RefundApproval, language: Language): string {
  return TEXT[language].approval(approval);
}
