import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { at, listAt, textAt } from "./testing/json.js";
import { factsOf, type Program, startProgram } from "./testing/program.js";

const programs: Program[] = [];
afterEach(async () => {
  await Promise.all(programs.splice(0).map((program) => program.clean()));
});

function start(environment: Readonly<Record<string, string>>): Program {
  const program = startProgram(environment);
  programs.push(program);
  return program;
}

function bash(line: string) {
  const { status, stdout, stderr } = spawnSync("bash", ["-c", `set -o pipefail; ${line}`], {
    encoding: "utf8",
  });
  return { status, stdout, stderr };
}

describe("the start-up text", () => {
  it("has lines that work when they are pasted one after the other", async () => {
    if (bash("curl --version").status !== 0) throw new Error("This test needs curl: please install it.");
    const program = start({ PORT: "0" });
    await factsOf(program);
    const lines = program
      .output()
      .split("\n")
      .filter((line) => line.includes("curl "));
    const answers = lines.map((line): unknown => {
      const { status, stdout, stderr } = bash(line);
      expect({ line, status, stderr }).toEqual({ line, status: 0, stderr: "" });
      return JSON.parse(stdout);
    });
    expect(answers).toHaveLength(9);
    const [created, paid, verified, service, sent, outbox, token, checked, downloads] = answers;
    const bizContent: unknown = JSON.parse(textAt(created, "data", "biz_content"));
    const outTradeNo = textAt(bizContent, "out_trade_no");
    expect(created).toMatchObject({ code: 0, msg: "success", message: "success" });
    expect(paid).toEqual({ outTradeNo, state: "PAID", notified: true });
    expect(verified).toMatchObject({ code: 0, data: { id: outTradeNo, paymentStatus: "PAID" } });
    expect(at(verified, "data", "attachData")).toEqual({ product: "month" });
    expect(listAt(service, "data", "customerServiceList")).toHaveLength(1);
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

describe("host.json", () => {
  it("says what the text says, stands alone and is for its owner's eyes only", async () => {
    const program = start({ PORT: "0" });
    const facts = await factsOf(program);
    expect(facts.baseUrl).toBe(`${facts.metricsBaseUrl}/pay`);
    expect(facts.sandbox).toEqual({ control: `${facts.metricsBaseUrl}/sandbox` });
    const named = [facts.baseUrl, facts.metricsBaseUrl, facts.sandbox.control, facts.appId, facts.appSecret];
    for (const fact of [...named, facts.downloadsClientId]) expect(program.output()).toContain(fact);
    expect(readdirSync(program.dataDir)).toEqual(["host.json"]);
    expect(statSync(join(program.dataDir, "host.json")).mode & 0o777).toBe(0o600);
  });
});

describe("the program", () => {
  it.each(["SIGINT", "SIGTERM"] as const)("stops on %s with 0 and leaves its files", async (signal) => {
    const program = start({ PORT: "0" });
    const facts = await factsOf(program);
    // A connection that stays open must not keep it from stopping.
    await fetch(facts.baseUrl);
    program.child.kill(signal);
    expect(await program.exited).toBe(0);
    expect(JSON.parse(readFileSync(join(program.dataDir, "host.json"), "utf8"))).toEqual(facts);
    await expect(fetch(facts.baseUrl)).rejects.toThrow();
  });

  it("says in one line that its port is in use, exits with 1 and writes nothing", async () => {
    const { metricsBaseUrl } = await factsOf(start({ PORT: "0" }));
    const { port } = new URL(metricsBaseUrl);
    const second = start({ PORT: port });
    expect(await second.exited).toBe(1);
    expect(second.output()).toMatch(new RegExp(`^Port ${port} is in use\\..*\\n$`));
    expect(() => statSync(second.dataDir)).toThrow();
  });

  it.each(["http", "65536", "80.5"])("refuses PORT=%s in one line and exits with 1", async (PORT) => {
    const program = start({ PORT });
    expect(await program.exited).toBe(1);
    expect(program.output()).toBe("PORT must be a whole number from 0 to 65535 (0 takes a free port).\n");
  });

  it("says why when its folder cannot be made, and exits with 1", async () => {
    const program = start({ PORT: "0", DATA_DIR: "/dev/null/tillkit" });
    expect(await program.exited).toBe(1);
    expect(program.output()).toMatch(/^Tillkit did not start: ENOTDIR.*\n$/);
  });
});
