import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { aRefund } from "../testing/stubs.js";
import { REFUND_STATUSES } from "../orders/refund-status.js";
import { isRefundNo } from "./refund-number.js";
import { adoptedRefundNo, isOpenRefund, outRefundNo, refundOrigin } from "./refund.js";
import { isRefundUnknownToWallet } from "../orders/is-refund-unknown-to-wallet.js";

describe("outRefundNo", () => {
  const part = (longest: number) => fc.stringMatching(new RegExp(`^[0-9A-Za-z_-]{1,${longest}}$`));
  const id = fc.stringMatching(/^[0-9A-Za-z]{1,32}$/);

  it("has a format that both wallets accept, for every order and every accepted number", () => {
    fc.assert(
      fc.property(id, part(31), (orderId, refundNo) => {
        expect(outRefundNo({ id: orderId }, { refundNo })).toMatch(/^[0-9A-Za-z_-]{1,64}$/);
      }),
    );
  });

  it("is different for different orders and numbers", () => {
    fc.assert(
      fc.property(id, part(31), id, part(31), (left, leftNo, right, rightNo) => {
        const same =
          outRefundNo({ id: left }, { refundNo: leftNo }) ===
          outRefundNo({ id: right }, { refundNo: rightNo });
        expect(same).toBe(left === right && leftNo === rightNo);
      }),
    );
  });
});

describe("adoptedRefundNo", () => {
  it("returns the caller's number for a refund of Tillkit", () => {
    const number = outRefundNo({ id: "01ORDER" }, { refundNo: "case-7" });
    expect(adoptedRefundNo({ id: "01ORDER" }, number)).toBe("case-7");
  });

  it.each([
    "50300000382026112700001",
    "01ORDER",
    "01ORDER-",
    "01ORDERED-case-7",
    `01ORDER-${"9".repeat(32)}`,
    "01ORDER-a|b",
    "other-case-7",
  ])("returns a number that no caller can choose for %s", (number) => {
    const refundNo = adoptedRefundNo({ id: "01ORDER" }, number);
    expect(isRefundNo(refundNo)).toBe(false);
    expect(refundOrigin({ refundNo })).toBe("console");
    expect(outRefundNo({ id: "01ORDER" }, { refundNo })).toBe(number);
  });
});

describe("the statuses", () => {
  it("define which refunds are open", () => {
    const open = REFUND_STATUSES.filter((status) => isOpenRefund(aRefund({ status })));
    expect(open).toEqual(["REQUESTED", "SENT", "WAITING_FOR_FUNDS", "ABNORMAL"]);
  });

  it("define of which refunds the wallet has no record", () => {
    const unknown = REFUND_STATUSES.filter((status) => isRefundUnknownToWallet(aRefund({ status })));
    expect(unknown).toEqual(["FAILED", "WITHDRAWN", "SETTLED"]);
    expect(isRefundUnknownToWallet(aRefund({ status: "SETTLED", walletRefundNo: "5001" }))).toBe(false);
  });
});
