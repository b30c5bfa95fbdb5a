import type { Page } from "playwright-core";
import type { Host } from "./open-host.js";

const HOUR = 3_600_000;

/** Answers the lists of refunds with rows in states that only a real wallet would reach. */
export async function answerRefunds(page: Page, host: Host, appId: string): Promise<void> {
  const now = host.ports.clock.now();
  const refund = {
    ...{ appId, bizNo: "N20261123-0907", refundNo: "r-1", amount: 3_000, reason: "customer asked" },
    ...{ operator: "han", sentence: "", gmtCreate: now - HOUR, gmtModified: now - HOUR + 9_000 },
  };
  const approval = {
    ...{ appId, amount: 19_800, state: "WAITING", requestedAt: now - HOUR },
    reason: "customer paid after the close",
  };
  const answers: Readonly<Record<string, object>> = {
    "/api/refunds": {
      items: [
        { ...refund, status: "CONFIRMED" },
        { ...refund, refundNo: "r-0", bizNo: "N20261122-0412", status: "ABNORMAL", amount: 600 },
        { ...refund, refundNo: "r-9", bizNo: "N20261122-0398", status: "WAITING_FOR_FUNDS", amount: 9_900 },
      ],
    },
    "/api/refund-approvals": {
      items: [
        { ...approval, id: "a-1", bizNo: "N20261123-0901", refundNo: "op-1", requestedBy: "li", mine: false },
        { ...approval, id: "a-2", bizNo: "N20261123-1003", refundNo: "op-2", requestedBy: "han", mine: true },
      ],
    },
  };
  for (const [path, answer] of Object.entries(answers)) {
    await page.route(
      ({ pathname }) => pathname === host.mountPath + path,
      (route) => route.fulfill({ json: answer }),
    );
  }
}
