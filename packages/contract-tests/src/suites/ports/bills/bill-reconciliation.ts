import type { Stores } from "@tillkit/core";
import { beforeEach, describe } from "vitest";
import { type Opened, openBeforeEach } from "../../../support/open-before-each.js";
import { type BillFixture, openBillFixture } from "../../../support/stores/bill-fixture.js";
import { fundFlowCases } from "./fund-flow-cases.js";
import { tradeBillCases } from "./trade-bill-cases.js";

/**
 * Tests the comparison of bills with orders and refunds, over the stores of one adapter.
 *
 * `open` returns empty stores over one storage for each test.
 *
 * @example
 * ```ts
 * import { billReconciliationContract } from "@tillkit/contract-tests";
 * import { memoryStores } from "@tillkit/memory";
 *
 * billReconciliationContract("memory", async () => ({
 *   port: memoryStores(),
 *   close: async () => {},
 * }));
 * ```
 */
export function billReconciliationContract(adapter: string, open: () => Promise<Opened<Stores>>): void {
  describe(`Bill reconciliation contract: ${adapter}`, () => {
    const stores = openBeforeEach(open);
    let opened: BillFixture | undefined;
    beforeEach(async () => {
      opened = await openBillFixture(stores());
    });
    const fixture = () => {
      if (opened === undefined) throw new Error("A fixture is open only while a test runs.");
      return opened;
    };
    tradeBillCases(fixture);
    fundFlowCases(fixture);
  });
}
