import { describe } from "vitest";
import type { Opened } from "../../support/open-before-each.js";
import { serviceStarter, type StartService } from "../../support/http/service.js";
import type { TestHost } from "../../support/http/test-host.js";
import { attachDataContract } from "./attach-data.js";
import type { OpenBinding } from "../../support/http/open-binding.js";
import { downloadsContract } from "./downloads.js";
import { downloadsQueryContract } from "./downloads-query.js";
import { errorsContract } from "./errors.js";
import { fairnessContract } from "./fairness.js";
import { identitiesContract } from "./identities.js";
import { injectionContract } from "./injection.js";
import { sendVerbatim } from "../../support/http/send-verbatim.js";
import { negotiationContract } from "./negotiation.js";
import { notificationsContract } from "./notifications.js";
import { payersContract } from "./payers.js";
import { testRequestForms } from "./request-forms.js";
import { sessionsContract } from "./sessions.js";
import { unknownIdsContract } from "./unknown-ids.js";
import { unknownEndpointsContract } from "./unknown-endpoints.js";
import { wireContract } from "./wire.js";

/**
 * Tests everything that depends on the bytes, headers and addresses of messages.
 *
 * This is a part of `apiContract`. Run it for each further binding: the remaining tests of
 * `apiContract` test core, and need only one binding.
 *
 * @param openBinding - Mounts the surfaces. It is called before each test.
 * @param openHost - Returns empty ports. It is called before each test.
 * @example
 * ```ts
 * import { listen, messagesContract } from "@tillkit/contract-tests";
 * import { memoryPorts } from "@tillkit/memory";
 * import { nodeListener } from "@tillkit/node";
 *
 * messagesContract(
 *   "node, in memory",
 *   ({ payments, metrics, notifications }) =>
 *     listen(nodeListener({ "/pay": payments, "/wallets": notifications, "/": metrics })),
 *   async () => ({ port: memoryPorts(), close: async () => {} }),
 * );
 * ```
 */
export function messagesContract(
  name: string,
  openBinding: OpenBinding,
  openHost: () => Promise<Opened<TestHost>>,
): void {
  const start = serviceStarter(openBinding, openHost);
  describe(`Contract of messages: ${name}`, () => testMessages(start, openBinding));
}

/** The tests of {@link messagesContract}. */
export function testMessages(start: StartService, openBinding: OpenBinding): void {
  describe("errors", () => errorsContract(start, openBinding));
  describe("injection", () => injectionContract(start));
  describe("payers and pay sources", () => payersContract(start));
  describe("attachData", () => attachDataContract(start));
  describe("notifications", () => notificationsContract(start));
  describe("identities", () => identitiesContract(start));
  describe("sessions", () => sessionsContract(start));
  describe("downloads", () => downloadsContract(start));
  describe("a downloads query", () => downloadsQueryContract(start));
  describe("unknown ids of downloads clients", () => unknownIdsContract(start));
  describe("negotiation", () => negotiationContract(start, sendVerbatim));
  describe("fairness", () => fairnessContract(start));
  describe("the wire", () => wireContract(start));
  testRequestForms(start);
  describe("an endpoint that does not exist", () => unknownEndpointsContract(start));
}
