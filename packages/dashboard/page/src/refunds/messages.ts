import { catalogue } from "../language/catalogue.js";

/** The texts of the list of refunds. */
export const REFUNDS_TEXTS = catalogue(
  {
    title: "Refunds",
    approvals: "Approvals",
    waiting: "Waiting",
    decided: "Decided",
    decidedMine: "Decided, mine",
    notMade: "Approved, not made",
    noNotMade: "Every approved refund was made, or its alarm is acknowledged.",
    noApprovals: "No refund waits for approval.",
    noDecided: "No request is decided yet.",
    asked: (operator: string) => `Requested by ${operator}`,
    mine: "You requested this refund, so another operator must decide.",
    approve: "Approve",
    approveTitle: (money: string) => `Approve the refund of ${money}?`,
    approveHelp:
      "Tillkit sends the refund to the payment channel now. The page of the order shows when it ends.",
    reject: "Reject",
    rejectTitle: (money: string) => `Reject the refund of ${money}?`,
    rejectHelp: "No money moves. The operator who requested the refund sees your reason.",
  },
  {
    title: "退款",
    approvals: "退款审批",
    waiting: "待审批",
    decided: "已审批",
    decidedMine: "我申请的（已审批）",
    notMade: "已批准，未能执行",
    noNotMade: "没有未能执行的退款（已确认告警的除外）。",
    noApprovals: "没有等待审批的退款。",
    noDecided: "尚无已审批的退款申请。",
    asked: (operator: string) => `${operator} 申请`,
    mine: "此退款由您申请，须由其他操作员审批。",
    approve: "批准",
    approveTitle: (money: string) => `批准退款 ${money}？`,
    approveHelp: "将立即向支付渠道提交，订单页面会持续跟踪此退款。",
    reject: "驳回",
    rejectTitle: (money: string) => `驳回退款 ${money}？`,
    rejectHelp: "不涉及资金变动，申请人将看到您填写的原因。",
  },
);
