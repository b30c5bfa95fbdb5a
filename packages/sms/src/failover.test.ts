import { expectFailure, expectOk } from "@tillkit/contract-tests";
import type { SmsFailure, SmsSender } from "@tillkit/core";
import { errAsync, okAsync } from "neverthrow";
import { expect, it } from "vitest";
import { failover } from "./index.js";

const message = {
  appId: "app_1",
  purpose: "login",
  mobileNo: "+8613800138000",
  authCode: "048271",
  ttl: 300_000,
} as const;

/** Creates carriers that record their calls. */
function carriers(...answers: readonly (SmsFailure["name"] | "accepted" | "throws")[]) {
  const called: number[] = [];
  const senders = answers.map((answer, index): SmsSender => ({
    send: () => {
      called.push(index);
      if (answer === "throws") throw new Error("broken");
      return answer === "accepted" ? okAsync() : errAsync({ name: answer, detail: `carrier ${index}` });
    },
  }));
  return { called, sender: failover(senders) };
}

it("failover goes to the next carrier after a definite rejection", async () => {
  const { called, sender } = carriers("sms.rejected", "accepted", "accepted");
  await expectOk(sender.send(message));
  expect(called).toEqual([0, 1]);
});

it("failover stops after an unknown outcome", async () => {
  const { called, sender } = carriers("sms.rejected", "sms.unknown", "accepted");
  expect(await expectFailure(sender.send(message))).toEqual({ name: "sms.unknown", detail: "carrier 1" });
  expect(called).toEqual([0, 1]);
});

it("failover treats the outcome as unknown if a carrier throws", async () => {
  const { called, sender } = carriers("throws", "accepted");
  expect(await expectFailure(sender.send(message))).toMatchObject({ name: "sms.unknown" });
  expect(called).toEqual([0]);
});

it("failover returns a rejection with all details if every carrier rejects", async () => {
  const { sender } = carriers("sms.rejected", "sms.rejected");
  const failure = await expectFailure(sender.send(message));
  expect(failure).toEqual({ name: "sms.rejected", detail: "carrier 0; carrier 1" });
});

it("failover needs at least one carrier", () => {
  expect(() => failover([])).toThrow(RangeError);
});
