import { createServer, type Server } from "node:http";
import { afterEach, beforeEach, expect, it } from "vitest";
import { PassThrough, Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { systemClock } from "@tillkit/runtime";
import { run } from "../run.js";
import { installedWallets } from "../wallets.js";

const TOKEN = "0123456789abcdef-token";

let server: Server;
let received: string[];
beforeEach(async () => {
  received = [];
  server = createServer((request, response) => {
    received.push(request.url ?? "");
    if (request.url?.startsWith("/slack/") === true) response.end("ok");
    else response.end(JSON.stringify({ code: 19021, msg: "sign match fail" }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
});
afterEach(() => new Promise((resolve) => server.close(resolve)));

function url(path: string): string {
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The server has no port.");
  return `http://127.0.0.1:${address.port}${path}`;
}

async function alertsTest(env: Readonly<Record<string, string>>, ...options: readonly string[]) {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const code = await run(["alerts", "test", ...options], {
    stdin: Readable.from([]),
    stdout,
    stderr,
    env,
    clock: systemClock,
    openWallets: installedWallets,
  });
  stdout.end();
  stderr.end();
  return { code, stdout: await text(stdout), stderr: await text(stderr) };
}

it("prints which services accepted the test message, without a database", async () => {
  const ran = await alertsTest({ TILLKIT_ALERT_SLACK_URL: url(`/slack/${TOKEN}`) });
  expect(ran).toEqual({ code: 0, stdout: "slack: accepted\n", stderr: "" });
  expect(received).toEqual([`/slack/${TOKEN}`]);
});

it("exits with 1 if a service refuses, prints its answer and what to do, and no address", async () => {
  const env = {
    TILLKIT_ALERT_FEISHU_URL: url(`/feishu/${TOKEN}`),
    TILLKIT_ALERT_SLACK_URL: url(`/slack/${TOKEN}`),
  };
  const ran = await alertsTest(env);
  expect(ran).toMatchObject({ code: 1, stderr: "" });
  expect(ran.stdout).toMatch(
    /^feishu: refused \(19021 sign match fail\)\n {2}.*secret.*\nslack: accepted\n$/,
  );
  const document = await alertsTest(env, "--json");
  expect(document.code).toBe(1);
  expect(JSON.parse(document.stdout)).toMatchObject({
    channels: [
      { channel: "feishu", sent: false, reason: "refused", detail: "19021 sign match fail" },
      { channel: "slack", sent: true },
    ],
  });
  expect(ran.stdout + document.stdout).not.toContain(TOKEN);
});

it("names each variable that is not usable, and asks for one if none is set", async () => {
  const none = await alertsTest({});
  expect(none.code).toBe(2);
  expect(none.stderr).toContain("TILLKIT_ALERT_FEISHU_URL");
  const wrong = await alertsTest({
    TILLKIT_ALERT_LANGUAGE: "fr",
    TILLKIT_ALERT_SLACK_URL: `http://hooks.example/${TOKEN}`,
  });
  expect(wrong.code).toBe(2);
  expect(wrong.stderr).toMatch(/TILLKIT_ALERT_LANGUAGE must be en or zh/);
  expect(wrong.stderr).toMatch(/TILLKIT_ALERT_SLACK_URL/);
  expect(wrong.stderr).not.toContain(TOKEN);
});
