import { catalogue } from "../language/catalogue.js";

/** The texts about what others have started for an order. */
export const ACTIVITY_TEXTS = catalogue(
  {
    title: "Others have started something for this order",
    approval: (money: string, by: string, reason: string) =>
      `A refund of ${money} waits for approval or is approved. Requested by ${by}: ${reason}.`,
    refund: (money: string, by: string, reason: string) =>
      `A refund of ${money} is open. Requested by ${by}: ${reason}.`,
    exception: (day: string, kind: string, there: string, here: string) =>
      `Open bill exception of ${day}: ${kind} (bill: ${there}, expected: ${here}).`,
    alarms: (count: number) => `Open alarms: ${String(count)}. Read the timeline first.`,
    both: (money: string, sum: string) =>
      `With your refund of ${money}, the customer gets ${sum} in total. Is that what you want?`,
    sure: "Yes, refund this amount in addition",
    requests: "Requests for approval",
    WAITING: "Waiting for approval",
    APPROVED: "Approved",
    REJECTED: "Rejected",
    notMade: "Approved, not made",
    failure: (name: string) => `The refund could not be made (${name}). No money moved.`,
    requestedBy: (by: string, reason: string) => `Requested by ${by}: ${reason}`,
    approvedBy: (by: string, note: string) => `Approved by ${by}: ${note}`,
    rejectedBy: (by: string, note: string) => `Rejected by ${by}: ${note}`,
    damaged: "The stored data of this order is damaged",
  },
  {
    title: "其他人已对此订单进行了操作",
    approval: (money: string, by: string, reason: string) =>
      `退款 ${money} 正在等待审批或已获批准，由 ${by} 申请：${reason}。`,
    refund: (money: string, by: string, reason: string) =>
      `退款 ${money} 尚未结束，由 ${by} 申请：${reason}。`,
    exception: (day: string, kind: string, there: string, here: string) =>
      `${day} 账单有待处理差错：${kind}（账单：${there}，应为：${here}）。`,
    alarms: (count: number) => `未确认的告警：${String(count)} 条，请先查看时间线。`,
    both: (money: string, sum: string) => `加上您申请的 ${money}，客户共将收到 ${sum}。请确认是否如此。`,
    sure: "确认，另外再退这笔金额",
    requests: "退款审批",
    WAITING: "等待审批",
    APPROVED: "已批准",
    REJECTED: "已驳回",
    notMade: "已批准，未能执行",
    failure: (name: string) => `退款未能执行（${name}），资金未变动。`,
    requestedBy: (by: string, reason: string) => `${by} 申请：${reason}`,
    approvedBy: (by: string, note: string) => `${by} 批准：${note}`,
    rejectedBy: (by: string, note: string) => `${by} 驳回：${note}`,
    damaged: "此订单数据已损坏",
  },
);
