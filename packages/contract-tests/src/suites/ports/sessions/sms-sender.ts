import type { SmsMessage, SmsSender } from "@tillkit/core";
import { describe, expect, it } from "vitest";
import { MINUTE } from "../../../support/fixtures.js";
import { expectFailure, expectOk, type Opened, openBeforeEach } from "../../../support/open-before-each.js";

/** An SMS sender and its carrier: a simulator in the process or a server on the network. */
export interface SmsHarness extends SmsSender {
  /** Returns the messages that the carrier accepted, oldest first. */
  taken(): Promise<readonly Pick<SmsMessage, "mobileNo" | "authCode">[]>;
  /**
   * Makes the carrier refuse messages, or accept them and lose its response. `null` restores it.
   */
  injectFault(how: "reject" | "timeout" | null): Promise<void>;
}

/**
 * Tests every requirement of `SmsSender`. `open` returns a carrier without messages for each test.
 *
 * @example
 * ```ts
 * import { smsSenderContract } from "@tillkit/contract-tests";
 * import { openMyCarrier } from "./my-adapter.js";
 *
 * smsSenderContract("my carrier", openMyCarrier);
 * ```
 */
export function smsSenderContract(adapter: string, open: () => Promise<Opened<SmsHarness>>): void {
  describe(`SmsSender contract: ${adapter}`, () => {
    const carrier = openBeforeEach(open);
    const message: SmsMessage = {
      appId: "app_1",
      purpose: "login",
      mobileNo: "+8613800138000",
      authCode: "048271",
      ttl: 5 * MINUTE,
    };
    const sent = { mobileNo: message.mobileNo, authCode: message.authCode };

    it("passes the message to the carrier, with the leading zero of the code", async () => {
      await expectOk(carrier().send(message));
      expect(await carrier().taken()).toMatchObject([sent]);
    });

    it("sends every message in the order of the calls", async () => {
      await expectOk(carrier().send(message));
      await expectOk(carrier().send({ ...message, authCode: "111111" }));
      await expectOk(carrier().send(message));
      expect(await carrier().taken()).toMatchObject([sent, { ...sent, authCode: "111111" }, sent]);
    });

    it("sends a message of an unknown app, and in any language", async () => {
      await expectOk(carrier().send({ ...message, appId: "__proto__", language: "en-GB" }));
      await expectOk(carrier().send({ ...message, appId: "app_unknown", language: "xx" }));
      expect(await carrier().taken()).toMatchObject([sent, sent]);
    });

    it("fails with sms.rejected if the carrier did not accept the message", async () => {
      await carrier().injectFault("reject");
      expect(await expectFailure(carrier().send(message))).toMatchObject({ name: "sms.rejected" });
      expect(await carrier().taken()).toEqual([]);
    });

    it("fails with sms.unknown without an answer, and does not repeat the message", async () => {
      await carrier().injectFault("timeout");
      expect(await expectFailure(carrier().send(message))).toMatchObject({ name: "sms.unknown" });
      expect((await carrier().taken()).length).toBeLessThanOrEqual(1);
    });

    it("never includes the number or the code in a failure", async () => {
      for (const how of ["reject", "timeout"] as const) {
        await carrier().injectFault(how);
        const failure = JSON.stringify(await expectFailure(carrier().send(message)));
        expect(failure).not.toContain(message.authCode);
        expect(failure).not.toContain("13800138000");
      }
    });

    it("works again after the carrier has recovered", async () => {
      await carrier().injectFault("reject");
      await expectFailure(carrier().send(message));
      await carrier().injectFault(null);
      await expectOk(carrier().send(message));
      expect(await carrier().taken()).toMatchObject([sent]);
    });
  });
}
