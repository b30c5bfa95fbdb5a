import { Agent } from "node:http";
import { connect, type Socket } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { tencentSmsSender } from "./tencent/index.js";
import { openLocalServer } from "./testing/local-server.js";
import { twilioSmsSender } from "./twilio/index.js";

const message = {
  appId: "app_1",
  purpose: "login",
  mobileNo: "+14155550100",
  authCode: "123456",
  ttl: 300_000,
} as const;

/** Creates an agent that connects to a local server, whatever the host of the request is. */
function agentTo(origin: string) {
  const hosts: string[] = [];
  const agent = new Agent();
  Object.assign(agent, {
    createConnection: ({ host }: { readonly host: string }): Socket => {
      hosts.push(host);
      return connect(Number(new URL(origin).port), "127.0.0.1");
    },
  });
  return { agent, hosts };
}

it("the agent of the options is used for every request to Tencent Cloud and Twilio", async () => {
  const server = await openLocalServer(() => ({
    status: 200,
    body: '{"Response":{"SendStatusSet":[{"Code":"Ok"}],"RequestId":"1"},"sid":"SM1","status":"queued"}',
  }));
  onTestFinished(() => server.close());
  const { agent, hosts } = agentTo(server.origin);
  const endpoint = "http://carrier.test";
  const keys = { secretId: "id", secretKey: "key", sdkAppId: "1400006666" };
  const tencent = await tencentSmsSender({ ...keys, endpoint, agent, international: { templateId: "1" } });
  expect((await tencent.send(message)).isOk()).toBe(true);
  const twilio = await twilioSmsSender({
    accountSid: "AC1",
    authToken: "token",
    sender: { from: "+15005550006" },
    text: "{code}",
    endpoint,
    agent,
  });
  expect((await twilio.send(message)).isOk()).toBe(true);
  expect(hosts).toEqual(["carrier.test", "carrier.test"]);
});
