import { spawnSync } from "node:child_process";
import { manyCases } from "@tillkit/contract-tests";
import { cpSync, existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { copyFile, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { type LocalPostgres, startPostgres } from "@tillkit/local-postgres";
import { afterAll, beforeAll, describe, expect, it, type TestContext } from "vitest";
import { at, listAt, textAt } from "./testing/json.js";
import type { HostFacts } from "../../../cli/src/dev/host-file.js";
import {
  factsOf,
  freshFolder,
  type Program,
  startArguments,
  startProcess,
  startProgram,
} from "./testing/program.js";

// The first start uses the arguments of `npm start` and creates a database, which takes seconds.
// Later starts use a copy of its folder. Tests that do not stop their host use `serving`.
let template: string;
let serving: Program;
let facts: HostFacts;
const cleanUps: (() => Promise<void>)[] = [];
function startForAll(...parameters: Parameters<typeof startProgram>): Program {
  const program = startProgram(...parameters);
  cleanUps.push(() => program.clean());
  return program;
}
beforeAll(async () => {
  // Without this, the first start after a change of the sources builds the host.
  expect(await startProcess([...startArguments(), "--build-only"]).exited).toBe(0);
  const first = startForAll([], freshFolder(), startArguments());
  template = first.dataDir;
  await factsOf(first);
  expect(first.output()).toMatch(/^Creating a database in .* \(first start only\) …\n/);
  await first.kill();
  serving = startForAll([], copyOfTemplate());
  facts = await factsOf(serving);
}, 600_000);
afterAll(async () => {
  for (const cleanUp of cleanUps.reverse()) await cleanUp();
});

function copyOfTemplate(): string {
  const folder = freshFolder();
  cpSync(template, folder, { recursive: true, filter: (path) => !path.endsWith("/lock") });
  return folder;
}

/** Starts a program, which the test of this context ends. */
function start({ onTestFinished }: TestContext, options?: readonly string[], dataDir?: string): Program {
  const program = startProgram(options, dataDir);
  onTestFinished(() => program.clean());
  return program;
}

function bash(line: string) {
  const { status, stdout, stderr } = spawnSync("bash", ["-c", `set -o pipefail; ${line}`], {
    encoding: "utf8",
  });
  return { status, stdout, stderr };
}

describe("the start-up text", { timeout: 300_000 }, () => {
  it("has commands that work one after the other", () => {
    if (bash("curl --version").status !== 0) throw new Error("This test needs curl: please install it.");
    const lines = serving
      .output()
      .split("\n")
      .filter((line) => line.includes("curl "));
    const answers = lines.map((line): unknown => {
      const { status, stdout, stderr } = bash(line);
      expect({ line, status, stderr }).toEqual({ line, status: 0, stderr: "" });
      return JSON.parse(stdout);
    });
    expect(answers).toHaveLength(11);
    const [created, paid, verified, service, refunded, shown, sent, outbox, token, checked, downloads] =
      answers;
    const bizContent: unknown = JSON.parse(textAt(created, "data", "biz_content"));
    const outTradeNo = textAt(bizContent, "out_trade_no");
    expect(created).toMatchObject({ code: 0, msg: "success", message: "success" });
    expect(paid).toEqual({ outTradeNo, state: "PAID", notified: true });
    expect(verified).toMatchObject({ code: 0, data: { id: outTradeNo, paymentStatus: "PAID" } });
    expect(at(verified, "data", "attachData")).toEqual({ product: "month" });
    expect(listAt(service, "data", "customerServiceList")).toHaveLength(1);
    expect(refunded).toMatchObject({ amount: 600, status: "CONFIRMED" });
    expect(shown).toMatchObject({ code: 0, data: { id: outTradeNo, paymentStatus: "REFUND" } });
    expect(sent).toMatchObject({ code: 0, data: "ok" });
    expect(outbox).toMatchObject([{ mobileNo: "+8613800138000" }]);
    expect(textAt(outbox, 0, "authCode")).toMatch(/^\d{6}$/);
    expect(token).toMatchObject({ code: 0 });
    expect(textAt(token, "data", "token")).toContain(textAt(token, "data", "customerId"));
    expect(checked).toMatchObject({ code: 0, data: true });
    expect(downloads).toMatchObject({ data: { result: "success", usage: { usedToday: 1 } } });
    const [, firstStore] = listAt(downloads, "data", "downloadsData", "downloads");
    expect(listAt(firstStore, "downloadsArray")).toHaveLength(7);
  });
});

describe("host.json", { timeout: 300_000 }, () => {
  it("contains the stated text, is complete and is readable only by its owner", () => {
    expect(facts.baseUrl).toBe(`${facts.metricsBaseUrl}/pay`);
    expect(facts.sandbox).toEqual({ control: `${facts.metricsBaseUrl}/sandbox` });
    const named = [facts.baseUrl, facts.metricsBaseUrl, facts.sandbox.control, facts.appId, facts.appSecret];
    for (const fact of [...named, facts.downloadsClientId]) expect(serving.output()).toContain(fact);
    const { user, password, second } = facts.dashboard ?? {};
    expect(serving.output()).toContain(
      `    user                 ${user ?? "?"}\n    password             ${password ?? "?"}`,
    );
    expect(serving.output()).toContain(
      `    second operator      ${second?.user ?? "?"}\n    password             ${second?.password ?? "?"}`,
    );
    const files = [".gitignore", "database", "host.json", "keys.json", "lock", "sandbox.jsonl"];
    expect(readdirSync(template).sort()).toEqual(files);
    for (const file of files.filter((name) => /json/.test(name))) {
      expect(statSync(join(template, file)).mode & 0o077).toBe(0);
    }
  });
});

// These suites are concurrent, because their tests wait for deadlines and for processes.
describe.concurrent("the program", { timeout: 300_000 }, () => {
  it.for(manyCases() ? (["SIGINT", "SIGTERM"] as const) : (["SIGTERM"] as const))(
    "stops on %s with 0 and leaves its files",
    async (signal, context) => {
      const program = start(context, [], copyOfTemplate());
      const served = await factsOf(program);
      // A connection that stays open must not prevent the stop.
      await fetch(served.baseUrl);
      program.child.kill(signal);
      expect(await program.exited).toBe(0);
      expect(JSON.parse(readFileSync(join(program.dataDir, "host.json"), "utf8"))).toEqual(served);
      await expect(fetch(served.baseUrl)).rejects.toThrow();
    },
  );
});

describe.concurrent("a program that cannot start", { tags: "slow", timeout: 300_000 }, () => {
  it("prints in one line that its port is in use, exits with 3 and writes nothing", async (context) => {
    const { port } = new URL(facts.metricsBaseUrl);
    const second = start(context, ["--port", port]);
    expect(await second.exited).toBe(3);
    expect(second.output()).toMatch(new RegExp(`^Port ${port} is in use\\..*\\n$`));
    expect(() => statSync(second.dataDir)).toThrow();
  });

  it.for(["http", "65536", "80.5"])("rejects the port %s and exits with 2", async (port, context) => {
    const program = start(context, ["--port", port]);
    expect(await program.exited).toBe(2);
    expect(program.output()).toMatch(/'--port <port>' .* must be a whole number from 0 to 65535/);
  });

  it("prints its options for npm start -- --help, and refuses other arguments", async () => {
    const help = startProcess([...startArguments(), "--help"]);
    expect(await help.exited).toBe(0);
    expect(help.output()).toMatch(/^Usage: tillkit dev [^]*\n {2}--fresh /);
    for (const argument of ["--prot=80", "shop"]) {
      const unknown = startProcess([...startArguments(), argument]);
      expect(await unknown.exited).toBe(2);
      expect(unknown.output()).toMatch(/^error: (unknown option '--prot=80'|too many arguments)/);
    }
  });

  it("rejects a folder that another process uses, in one line, and exits with 3", async () => {
    // Not in `programs`, because the folder belongs to `serving` and must not be removed.
    const second = startProgram([], serving.dataDir);
    expect(await second.exited).toBe(3);
    const pid = String(serving.child.pid);
    expect(second.output()).toMatch(
      new RegExp(`^Tillkit did not start: The folder .* is in use by process ${pid} on .*\\n$`),
    );
    expect(serving.child.exitCode).toBeNull();
  });

  it("prints that its database cannot be reached, without the password, and exits with 3", async (context) => {
    const program = start(context, ["--postgres-url", "postgres://me:hidden@127.0.0.1:1/shop"]);
    expect(await program.exited).toBe(3);
    expect(program.output()).toMatch(
      /^Tillkit did not start: The database at 127\.0\.0\.1:1\/shop cannot be used: .*ECONNREFUSED.*\n$/,
    );
    expect(program.output()).not.toContain("hidden");
  });

  it("rejects an invalid --postgres-url in one line and exits with 2", async (context) => {
    const program = start(context, ["--postgres-url", "mysql://me:hidden@host/shop"]);
    expect(await program.exited).toBe(2);
    expect(program.output()).toMatch(/^--postgres-url must look like .*\n$/);
    expect(program.output()).not.toContain("hidden");
  });

  it("prints why its folder cannot be created, and exits with 3", async (context) => {
    const program = start(context, ["--data-dir", "/dev/null/tillkit"]);
    expect(await program.exited).toBe(3);
    expect(program.output()).toMatch(
      /^Creating .*\nTillkit did not start: The folder \/dev\/null\/tillkit cannot be locked \(ENOTDIR.*\n$/,
    );
  });
});

describe.concurrent("the program with a frozen database server", { tags: "slow", timeout: 300_000 }, () => {
  let frozen: LocalPostgres;
  /** A program that started before `frozen` was suspended. */
  let stranded: Program;
  let strandedFacts: HostFacts;
  beforeAll(async () => {
    frozen = await startPostgres();
    cleanUps.push(() => frozen.stop());
    const folder = freshFolder();
    await mkdir(folder);
    // Generating the keys of the simulators takes longer than the rest of the start.
    await copyFile(join(template, "sandbox.jsonl"), join(folder, "sandbox.jsonl"));
    stranded = startForAll(["--postgres-url", frozen.url], folder);
    strandedFacts = await factsOf(stranded);
    await frozen.suspend();
  }, 600_000);

  it("answers, and ends on SIGTERM within its deadline", async () => {
    const { baseUrl, appId, appSecret } = strandedFacts;
    const headers = { APP_ID: appId, APP_SECRET: appSecret };
    const ask = () => fetch(`${baseUrl}/payTools.json`, { headers });
    expect(await (await ask()).json()).toMatchObject({ code: 99998 });
    // This request is in progress when the signal arrives.
    const last = ask().catch(() => undefined);
    stranded.child.kill("SIGTERM");
    expect(await stranded.exited).toBe(0);
    await last;
  });

  it("ends on SIGTERM while it waits for the server", async (context) => {
    const program = start(context, ["--postgres-url", frozen.url]);
    // The program locks its folder before it connects to the database.
    await context.expect
      .poll(() => existsSync(join(program.dataDir, "lock")), { timeout: 60_000 })
      .toBe(true);
    program.child.kill("SIGTERM");
    expect(await program.exited).toBe(3);
  });
});
