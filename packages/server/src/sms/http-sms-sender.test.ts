import { expectFailure, expectOk, smsSenderContract } from "@tillkit/contract-tests";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { httpSmsSender } from "./http-sms-sender.js";
import { type TestSmsGateway, openTestSmsGateway } from "../testing/gateway.js";

const message = {
  appId: "app_1",
  purpose: "login",
  mobileNo: "+8613800138000",
  authCode: "048271",
  ttl: 300_000,
} as const;

smsSenderContract("HTTP gateway", async () => {
  const gateway = await openTestSmsGateway();
  const { url, token } = gateway;
  // These tests do not measure the deadline, so it is long enough for a busy machine.
  const patient = httpSmsSender({ url, token, deadline: 60_000 });
  const hasty = httpSmsSender({ url, token, deadline: 100 });
  let sender = patient;
  const how = { reject: 422, timeout: "hold" } as const;
  return {
    port: {
      send: (sms) => sender.send(sms),
      taken: async () => gateway.messages,
      injectFault: async (fault) => {
        sender = fault === "timeout" ? hasty : patient;
        gateway.answer(fault === null ? 202 : how[fault]);
      },
    },
    close: () => gateway.close(),
  };
});

describe("httpSmsSender", () => {
  let gateway: TestSmsGateway;
  beforeEach(async () => {
    gateway = await openTestSmsGateway();
  });
  afterEach(() => gateway.close());
  const sender = (changes: object = {}) =>
    httpSmsSender({ url: gateway.url, token: gateway.token, deadline: 60_000, ...changes });

  it("sends the gateway the app, the language, and how long the code is valid, in seconds", async () => {
    await expectOk(sender().send(message));
    await expectOk(sender().send({ ...message, language: "en" }));
    const sent = {
      appId: "app_1",
      purpose: "login",
      mobileNo: "+8613800138000",
      authCode: "048271",
      ttlSeconds: 300,
    };
    expect(gateway.messages).toEqual([sent, { ...sent, language: "en" }]);
  });

  it.each([
    [200, undefined],
    [302, "sms.unknown"],
    [303, "sms.unknown"],
    [400, "sms.rejected"],
    [408, "sms.unknown"],
    [429, "sms.rejected"],
    [500, "sms.unknown"],
    [503, "sms.unknown"],
  ])("takes HTTP %i for %s", async (status, name) => {
    gateway.answer(status);
    const sent = await sender().send(message);
    expect(sent.isErr() ? sent.error.name : undefined).toBe(name);
  });

  it("fails with a wrong token, without the token in the failure", async () => {
    const failure = await expectFailure(sender({ token: "another-token" }).send(message));
    expect(failure).toEqual({ name: "sms.rejected", detail: "the gateway answered with HTTP 401" });
  });

  it("reports that no message was sent if it could not connect to the gateway", async () => {
    const gone = await openTestSmsGateway();
    await gone.close();
    const failure = await expectFailure(sender({ url: gone.url }).send(message));
    expect(failure).toEqual({ name: "sms.rejected", detail: "no connection to the gateway: ECONNREFUSED" });
  });
});
