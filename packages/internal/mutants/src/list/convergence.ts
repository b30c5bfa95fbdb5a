import type { Mutant } from "../mutant.js";

/**
 * Mutants of the rules by which Tillkit's orders and refunds follow the wallets.
 *
 * Other suites catch these mutants, too. Only the simulation of a month runs on them, to show that
 * it detects the loss of each rule.
 */
export const CONVERGENCE: readonly Mutant[] = [
  {
    name: "month-without-adoption",
    guards: "a refund of the wallet's console gets into the record",
    file: "packages/core/src/refunds/adopt-refund.ts",
    find: 'if (statement.value === undefined) return refused("absent");',
    replace: 'if (statement.value === undefined || order.amount > 0) return refused("absent");',
    shownTo: "month",
  },
  {
    name: "month-with-a-number-that-is-not-burned",
    guards: "a withdrawn refund is never sent again, so that its customer can be paid in cash",
    file: "packages/core/src/refunds/withdraw-refund.ts",
    find: "const at = ports.clock.now();",
    replace: "if (refund.amount > 0) return ok(refund);\n    const at = ports.clock.now();",
    shownTo: "month",
  },
  {
    name: "month-without-the-query-first",
    guards: "the wallet is queried before a refund is sent again",
    file: "packages/core/src/refunds/process-refund.ts",
    find: `const { ports, order } = one;
    const calledAt = ports.clock.now();
    const statement`,
    replace: `const { ports, order } = one;
    const calledAt = ports.clock.now();
    if (!isAcceptedRefund(refund)) return resend(one, refund);
    const statement`,
    shownTo: "month",
  },
];
