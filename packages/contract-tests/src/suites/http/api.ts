import { describe } from "vitest";
import type { Opened } from "../../support/open-before-each.js";
import type { OpenBinding } from "../../support/http/open-binding.js";
import { accessContract } from "./access.js";
import { resilienceContract } from "./resilience.js";
import { creationContract } from "./creation.js";
import { guessingContract } from "./guessing.js";
import { codesContract } from "./codes.js";
import { embeddingContract } from "./embedding.js";
import { latePaymentsContract } from "./late-payments.js";
import { closingContract } from "./closing.js";
import { operatorLimitsContract } from "./operator-limits.js";
import { operatorsContract } from "./operators.js";
import { ordersContract } from "./orders.js";
import { queriesContract } from "./queries.js";
import { approvedRefundsContract } from "./approved-refunds.js";
import { operatorRefundRequestsContract } from "./operator-refund-requests.js";
import { refundDryRunsContract } from "./refund-dry-runs.js";
import { refundApprovalsContract } from "./refund-approvals.js";
import { unseenActivityContract } from "./unseen-activity.js";
import { refundAdoptionsContract } from "./refund-adoptions.js";
import { refundWithdrawalsContract } from "./refund-withdrawals.js";
import { refundNotificationsContract } from "./refund-notifications.js";
import { refundStatesContract } from "./refund-states.js";
import { refundRepetitionsContract } from "./refund-repetitions.js";
import { refundsContract } from "./refunds.js";
import { servicesContract } from "./services.js";
import type { ReplyCheck } from "../../support/http/checked-surface.js";
import { serviceStarter } from "../../support/http/service.js";
import type { TestHost } from "../../support/http/test-host.js";
import { testMessages } from "./messages.js";
import { walletCallsContract } from "./wallet-calls.js";
import { walletStatementsContract } from "./wallet-statements.js";

/**
 * Tests the whole HTTP interface over real HTTP.
 *
 * The tests cover payments, sessions, downloads and wallet notifications.
 *
 * @param openBinding - Mounts the surfaces. It is called before each test.
 * @param openHost - Returns empty ports. It is called before each test.
 * @param checkReply - Checks each reply of every test, in addition to the response schemas.
 * @example
 * ```ts
 * import { apiContract, listen } from "@tillkit/contract-tests";
 * import { memoryPorts } from "@tillkit/memory";
 * import { nodeListener } from "@tillkit/node";
 *
 * apiContract(
 *   "node, in memory",
 *   ({ payments, metrics, notifications }) =>
 *     listen(nodeListener({ "/pay": payments, "/wallets": notifications, "/": metrics })),
 *   async () => ({ port: memoryPorts(), close: async () => {} }),
 * );
 * ```
 */
export function apiContract(
  name: string,
  openBinding: OpenBinding,
  openHost: () => Promise<Opened<TestHost>>,
  checkReply?: ReplyCheck,
): void {
  const start = serviceStarter(openBinding, openHost, checkReply);
  describe(`API contract: ${name}`, () => {
    testMessages(start, openBinding);
    describe("access", () => accessContract(start));
    describe("guessing", () => guessingContract(start));
    describe("creating orders", () => creationContract(start));
    describe("orders", () => ordersContract(start));
    describe("queries", () => queriesContract(start));
    describe("calls to a wallet", () => walletCallsContract(start));
    describe("statements by a wallet", () => walletStatementsContract(start));
    describe("refunds", () => refundsContract(start));
    describe("refunds", () => refundRepetitionsContract(start));
    describe("refunds by operators", () => operatorRefundRequestsContract(start));
    describe("refunds by operators", () => refundApprovalsContract(start));
    describe("refunds by operators", () => unseenActivityContract(start));
    describe("refunds by operators", () => approvedRefundsContract(start));
    describe("refunds by operators", () => refundDryRunsContract(start));
    describe("refunds of the wallet's console", () => refundAdoptionsContract(start));
    describe("a refund that an operator ends", () => refundWithdrawalsContract(start));
    describe("refund notifications", () => refundNotificationsContract(start));
    describe("refund states", () => refundStatesContract(start));
    describe("closing an order", () => closingContract(start));
    describe("operators", () => operatorsContract(start));
    describe("operators", () => operatorLimitsContract(start));
    describe("services", () => servicesContract(start));
    describe("late payments", () => latePaymentsContract(start));
    describe("embedding", () => embeddingContract(start));
    describe("codes", () => codesContract(start));
    describe("despite failures,", () => resilienceContract(start));
  });
}
