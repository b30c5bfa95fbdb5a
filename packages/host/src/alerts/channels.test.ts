import { type AlertChannel, type AlertMessage, orThrow } from "@tillkit/core";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { type ChatServer, openChatServer, SECRETS, TOKEN } from "../testing/chat-server.js";
import { alertChannelsFrom } from "./alert-channels-from.js";
import { dingtalkChannel } from "./dingtalk-channel.js";
import { feishuChannel } from "./feishu-channel.js";
import { jsonChannel } from "./json-channel.js";
import { slackChannel } from "./slack-channel.js";
import { wecomChannel } from "./wecom-channel.js";

const MESSAGE: AlertMessage = {
  id: "01ALERT",
  at: 0,
  language: "zh",
  facts: [],
  title: "[Tillkit] 退款余额不足，待充值",
  lines: ["应用 app_1 的订单 01ORDER：商户余额不足，无法退款 ¥1.00。", "a & b"],
  url: "https://ops.example/search?q=01ORDER",
};
const TEXT = [MESSAGE.title, ...MESSAGE.lines, MESSAGE.url].join("\n");

let server: ChatServer;
beforeAll(async () => {
  server = await openChatServer();
});
afterAll(() => server.close());
afterEach(() => vi.useRealTimers());

const CHANNELS = {
  feishu: (secret: string = SECRETS.feishu, token = TOKEN) =>
    feishuChannel({ url: server.url(`/feishu/open-apis/bot/v2/hook/${token}`), secret }),
  dingtalk: (secret: string = SECRETS.dingtalk, token = TOKEN) =>
    dingtalkChannel({ url: server.url(`/dingtalk/robot/send?access_token=${token}`), secret }),
  wecom: (_?: string, token = TOKEN) =>
    wecomChannel({ url: server.url(`/wecom/cgi-bin/webhook/send?key=${token}`) }),
  slack: (_?: string, token = TOKEN) =>
    slackChannel({ url: server.url(`/slack/services/T000/B000/${token}`) }),
  json: (secret: string = SECRETS.json) => jsonChannel({ url: server.url(`/json/${TOKEN}`), secret }),
} satisfies Record<string, (secret?: string, token?: string) => AlertChannel>;

const failureOf = async (channel: AlertChannel, message = MESSAGE) =>
  (await channel.send(message))._unsafeUnwrapErr();

describe.each(Object.keys(CHANNELS))("%s", (name) => {
  const open = Object.entries(CHANNELS).find(([known]) => known === name)?.[1] ?? CHANNELS.json;

  it("sends a message that the service accepts", async () => {
    const sent = await open().send(MESSAGE);
    expect(sent.isOk()).toBe(true);
    const { text = "" } = server.received.at(-1) ?? {};
    if (name === "json") expect(JSON.parse(text)).toEqual(MESSAGE);
    else expect(text).toBe(name === "slack" ? TEXT.replace("&", "&amp;") : TEXT);
  });

  it("keeps every size below the service's limit, and never cuts the link or a character", async () => {
    const long = { ...MESSAGE, lines: Array.from({ length: 12 }, () => "长".repeat(240)) };
    expect((await open().send(long)).isOk()).toBe(true);
    const { text = "" } = server.received.at(-1) ?? {};
    expect(text).toContain(MESSAGE.url);
    expect(text).not.toContain("\uFFFD");
  });

  it("does not show the address or the secret in a failure, and stops reading a long answer", async () => {
    const answers: ((response: Parameters<ChatServer["script"][number]>[0]) => void)[] = [
      (response) => response.writeHead(302, { location: "https://evil.example/" }).end(),
      (response) => response.writeHead(400).end(`no robot ${TOKEN} ${SECRETS.feishu} ${SECRETS.dingtalk}`),
      (response) => response.writeHead(503).end("x".repeat(1_000_000)),
      (response) => response.destroy(),
      (response) => response.writeHead(429, { "retry-after": "120" }).end("slow down"),
    ];
    const reasons: unknown[] = [];
    for (const answer of answers) {
      server.script.push(answer);
      const failure = await failureOf(open());
      reasons.push([failure.reason, failure.retryAfterMs]);
      expect(JSON.stringify(failure)).not.toContain(TOKEN);
      if (name === "feishu") expect(JSON.stringify(failure)).not.toContain(SECRETS.feishu);
      expect(failure.detail.length).toBeLessThanOrEqual(200);
    }
    expect(reasons).toEqual([
      ["refused", undefined],
      ["refused", undefined],
      ["unknown", undefined],
      ["unknown", undefined],
      ["rate-limited", 120_000],
    ]);
  });

  it("reports that nothing was sent if there is no connection", async () => {
    const closed = await openChatServer();
    const url = closed.url(`/${TOKEN}`);
    await closed.close();
    const channel = name === "json" ? jsonChannel({ url, secret: SECRETS.json }) : slackChannel({ url });
    expect(await failureOf(channel)).toMatchObject({
      reason: "unreachable",
      detail: "no connection (ECONNREFUSED)",
    });
  });
});

describe.each([
  ["in its path", (token: string) => `/any/${token}`],
  ["in its query", (token: string) => `/any?key=${token}`],
  ["in the second part of its query", (token: string) => `/any?a=1&key=${token}&b=2`],
  ["as a name in its query", (token: string) => `/any?${token}`],
] as const)("an address with a token %s", (_, pathOf) => {
  const token = "to ken+0123/456";

  it.each([
    ["as the address contains it", encodeURIComponent(token)],
    ["decoded", token],
    ["encoded as in a form", new URLSearchParams({ token }).toString().slice("token=".length)],
  ])("is not shown by a failure whose text has the token %s", async (_how, shown) => {
    for (const open of [feishuChannel, dingtalkChannel, wecomChannel, slackChannel]) {
      server.script.push((response) => response.writeHead(400).end(`no robot has ${shown}`));
      const failure = await failureOf(open({ url: server.url(pathOf(encodeURIComponent(token))) }));
      expect(failure.detail).toBe("HTTP 400 no robot has ***");
    }
  });

  it.each([
    ["of lower case", "to%20ken%2b0123%2f456", [token, encodeURIComponent(token)]],
    [
      "of every character",
      Buffer.from(token).toString("hex").replaceAll(/../g, "%$&"),
      [token, encodeURIComponent(token)],
    ],
    ["that are incomplete", "token-0123%2", []],
  ])("is not shown by a failure if the address has escapes %s", async (_how, written, others) => {
    const channel = slackChannel({ url: server.url(pathOf(written)) });
    for (const shown of [written, ...others]) {
      server.script.push((response) => response.writeHead(400).end(`no robot has ${shown}`));
      expect((await failureOf(channel)).detail).toBe("HTTP 400 no robot has ***");
    }
  });
});

it.each([
  ["feishu", 19021, /secret|clock/],
  ["dingtalk", 310000, /secret/],
] as const)(
  "%s refuses a wrong secret with %i, and the advice says what to do",
  async (name, code, advice) => {
    const failure = await failureOf(CHANNELS[name]("another-secret"));
    expect(failure).toMatchObject({ reason: "refused" });
    expect(failure.detail).toContain(String(code));
    expect(failure.advice).toMatch(advice);
  },
);

it("refuses a JSON message with another secret", async () => {
  const other = `whsec_${Buffer.alloc(32, 8).toString("base64")}`;
  expect(await failureOf(CHANNELS.json(other))).toMatchObject({
    reason: "refused",
    detail: "HTTP 401 bad signature",
  });
});

it.each([
  ["feishu", "19001"],
  ["dingtalk", "300001"],
  ["wecom", "93000"],
  ["slack", "no_service"],
] as const)("%s refuses an unknown robot with %s", async (name, code) => {
  const failure = await failureOf(CHANNELS[name](undefined, "another-token"));
  expect(failure.reason).toBe("refused");
  expect(failure.detail).toContain(code);
  expect(failure.advice).toMatch(/address/);
});

it.each([
  ["feishu", { code: 11232, msg: "frequency limited psm" }, 60_000],
  ["dingtalk", { errcode: 130101, errmsg: "send too fast, exceed 20 times per minute" }, 600_000],
  ["dingtalk", { errcode: 410100, errmsg: "too fast" }, 600_000],
  ["dingtalk", { errcode: 90030, errmsg: "webhook over limit" }, 3_600_000],
  ["dingtalk", { errcode: -1, errmsg: "system busy" }, 60_000],
  ["wecom", { errcode: 45009, errmsg: "api freq out of limit" }, 60_000],
  ["wecom", { errcode: -1, errmsg: "system busy" }, 60_000],
] as const)("%s is limited by %j in an answer with status 200", async (name, body, retryAfterMs) => {
  server.script.push((response) => response.end(JSON.stringify(body)));
  expect(await failureOf(CHANNELS[name]())).toMatchObject({ reason: "rate-limited", retryAfterMs });
});

it("waits for the time that the header of feishu's gateway contains", async () => {
  const headers = { "x-ogw-ratelimit-limit": "100", "x-ogw-ratelimit-reset": "52" };
  for (const [status, code] of [
    [429, 99991400],
    [400, 99991400],
    [429, 1],
  ] as const) {
    server.script.push((response) =>
      response.writeHead(status, headers).end(JSON.stringify({ code, msg: "" })),
    );
    expect(await failureOf(CHANNELS.feishu())).toMatchObject({
      reason: "rate-limited",
      retryAfterMs: 52_000,
    });
  }
});

it.each([
  [400, "invalid_payload", "refused", /incoming webhook/],
  [404, "channel_not_found", "refused", /another channel/],
  [410, "channel_is_archived", "refused", /archived/],
  [403, "action_prohibited", "refused", /administrator/],
  [429, "rate_limited", "rate-limited", /later/],
  [500, "rollup_error", "unknown", /tries again/],
] as const)("slack answers %i %s: %s", async (status, body, reason, advice) => {
  server.script.push((response) => response.writeHead(status).end(body));
  const failure = await failureOf(CHANNELS.slack());
  expect(failure).toMatchObject({ reason, detail: `HTTP ${status} ${body}` });
  expect(failure.advice).toMatch(advice);
});

it.each([
  ["feishu", { code: 19024, msg: "Key Words Not Found" }, /keyword Tillkit/],
  ["feishu", { code: 19022, msg: "Ip Not Allowed" }, /IP addresses/],
  [
    "dingtalk",
    { errcode: 310000, errmsg: "keywords not in content, more: [https://ding-doc]" },
    /keyword Tillkit/,
  ],
  ["dingtalk", { errcode: 310000, errmsg: "ip 192.0.2.1 not in whitelist" }, /IP addresses/],
  ["dingtalk", { errcode: 310000, errmsg: "invalid timestamp" }, /clock/],
] as const)("%s: the advice for %j", async (name, body, advice) => {
  server.script.push((response) => response.end(JSON.stringify(body)));
  expect((await failureOf(CHANNELS[name]())).advice).toMatch(advice);
});

it("stops waiting for a service that does not answer in time", async () => {
  server.script.push(() => undefined);
  const channel = slackChannel({ url: server.url(`/slack/${TOKEN}`), timeoutMs: 50 });
  expect(await failureOf(channel)).toMatchObject({ reason: "unknown" });
});

it.each([
  "http://ops.example/x",
  "ftp://127.0.0.1/x",
  "https://user:pass@ops.example/x",
  "not an address",
  "",
])("rejects the address %j without showing it", (url) => {
  expect(() => slackChannel({ url })).toThrow(/must be an https address/);
  if (url !== "") expect(() => slackChannel({ url })).not.toThrow(url);
});

it.each<[object, RegExp]>([
  [{ language: "fr" }, /language of the alert channel "slack" must be en or zh/],
  [{ language: "ZH" }, /language of the alert channel "slack" must be en or zh/],
  [{ language: null }, /language of the alert channel "slack" must be en or zh/],
  [{ kinds: ["alarms"] }, /kinds of the alert channel "slack" must be of order-alarm, /],
])("rejects the options %j of code without types", (options, message) => {
  const url = server.url(`/slack/${TOKEN}`);
  expect(() => slackChannel(Object.assign({ url }, options))).toThrow(message);
});

it("creates the channels of the environment, and names every problem without a value", async () => {
  const url = "https://hooks.example/0123456789";
  const channels = orThrow(
    alertChannelsFrom({
      TILLKIT_ALERT_FEISHU_URL: url,
      TILLKIT_ALERT_SLACK_URL: url,
      TILLKIT_ALERT_WECOM_URL: "",
      TILLKIT_ALERT_LANGUAGE: "en",
    }),
  );
  expect(channels.map(({ name, language }) => [name, language])).toEqual([
    ["feishu", "en"],
    ["slack", "en"],
  ]);
  const problems = alertChannelsFrom({
    TILLKIT_ALERT_LANGUAGE: "fr",
    TILLKIT_ALERT_DINGTALK_SECRET: "SECsecret",
    TILLKIT_ALERT_WECOM_URL: "http://hooks.example/0123456789",
    TILLKIT_ALERT_JSON_URL: url,
  })._unsafeUnwrapErr();
  expect(problems).toHaveLength(4);
  expect(problems.join()).not.toMatch(/hooks\.example|SECsecret|fr\b/);
});
