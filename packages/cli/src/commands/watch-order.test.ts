import { PassThrough, Readable } from "node:stream";
import { orThrow } from "@tillkit/core";
import { systemClock } from "@tillkit/runtime";
import { expect, it } from "vitest";
import { run } from "../run.js";
import { emptiedHost } from "../testing/cli.js";
import { openSandboxShop } from "../testing/sandbox-shop.js";
import { installedWallets } from "../wallets.js";

const openHost = emptiedHost();

it("prints the entries of an order's timeline once each, until it is stopped", async () => {
  const { tillkit, appId, order, sandbox } = await openSandboxShop(openHost);
  const { id } = await order("WALLET_B", "w-1");
  const stopping = new AbortController();
  const stdout = new PassThrough();
  const lines: string[] = [];
  stdout.setEncoding("utf8").on("data", (text: string) => lines.push(...text.trim().split("\n")));
  const watching = tillkit(["orders", "watch", "--app", appId, "w-1", "--every", "1"], {
    stdout,
    stop: stopping.signal,
    clock: systemClock,
  });
  await expect.poll(() => lines.length, { timeout: 30_000 }).toBeGreaterThan(0);
  expect(lines[0]).toMatch(/^\S+Z {2}1 {2}CREATED$/);
  await orThrow(sandbox.simulatorControls.pay(id));
  await expect.poll(() => lines.join("\n"), { timeout: 30_000 }).toMatch(/ PAID$/m);
  stopping.abort();
  expect((await watching).code).toBe(0);
  const places = lines.map((line) => line.split(/ +/)[1]);
  expect(places).toEqual(places.map((_, index) => String(index + 1)));
});

it("prints one JSON object per line with --json", async () => {
  const { env, appId, order } = await openSandboxShop(openHost);
  await order("WALLET_B", "w-2");
  const stopping = new AbortController();
  const stdout = new PassThrough().setEncoding("utf8");
  const first = new Promise<string>((resolve) => stdout.once("data", resolve));
  const code = run(["orders", "watch", "--app", appId, "w-2", "--json"], {
    stdin: Readable.from([]),
    stdout,
    stderr: new PassThrough(),
    env,
    clock: systemClock,
    openWallets: installedWallets,
    stop: stopping.signal,
  });
  const [line = "", rest] = (await first).split("\n", 2);
  expect(JSON.parse(line)).toMatchObject({ seq: 1, type: "CREATED", alarm: false });
  expect(rest).toBe("");
  stopping.abort();
  expect(await code).toBe(0);
});

it("refuses an unknown order, and a pause of 0 seconds", async () => {
  const { tillkit, appId } = await openSandboxShop(openHost);
  const unknown = await tillkit(["orders", "watch", "--app", appId, "none"]);
  expect(unknown).toMatchObject({ code: 1, stdout: "" });
  const busy = await tillkit(["orders", "watch", "--app", appId, "none", "--every", "0"]);
  expect(busy.code).toBe(2);
  expect(busy.stderr).toContain("at least 1 second");
});
