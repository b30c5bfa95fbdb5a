import type { Stores } from "@tillkit/core";
import { describe } from "vitest";
import { type Opened, openBeforeEach } from "../../../support/open-before-each.js";
import { refundAdoptions } from "./refund-adoptions.js";
import { refundBills } from "./refund-bills.js";
import { refundMoves } from "./refund-moves.js";
import { refundProgress } from "./refund-progress.js";
import { refundRecord } from "./refund-record.js";
import { refundRequests } from "./refund-requests.js";
import { refundSearch } from "./refund-search.js";
import { refundSeen } from "./refund-seen.js";
import { refundServiceTime } from "./refund-service-time.js";
import { refundSettlements } from "./refund-settlements.js";
import { refundWithdrawals } from "./refund-withdrawals.js";
import { refundWork } from "./refund-work.js";

/**
 * Tests every requirement of `RefundStore`, including its changes of orders and services.
 *
 * `open` returns empty stores for each test.
 */
export function refundStoreContract(
  adapter: string,
  open: () => Promise<Opened<Pick<Stores, "orders" | "refunds" | "services">>>,
): void {
  describe(`RefundStore contract: ${adapter}`, () => {
    const stores = openBeforeEach(open);
    refundRequests(stores);
    refundRecord(stores);
    refundSeen(stores);
    refundSearch(stores);
    refundMoves(stores);
    refundProgress(stores);
    refundSettlements(stores);
    refundAdoptions(stores);
    refundWithdrawals(stores);
    refundServiceTime(stores);
    refundWork(stores);
    refundBills(stores);
  });
}
