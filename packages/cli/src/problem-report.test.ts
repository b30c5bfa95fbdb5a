import { mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { orThrow } from "@tillkit/core";
import { expect, it, onTestFinished } from "vitest";
import { openProblemReport } from "./problem-report.js";

async function modeOf(path: string): Promise<number> {
  return (await stat(path)).mode & 0o777;
}

it.each([
  ["given", 1],
  ["given", 30],
  ["temporary", 30],
] as const)("writes a %s file for %i wrong lines that only its owner can read", async (kind, count) => {
  const folder = await mkdtemp(join(tmpdir(), "problem-report-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const before = process.umask(0);
  onTestFinished(() => void process.umask(before));
  const report = orThrow(openProblemReport(kind === "given" ? join(folder, "errors.txt") : undefined));
  for (let line = 1; line <= count; line += 1) report.report(line, "wrong");
  const { file = "" } = report.end();
  if (kind === "temporary") {
    onTestFinished(() => rm(dirname(file), { recursive: true }));
    expect(await modeOf(dirname(file))).toBe(0o700);
  }
  expect(await modeOf(file)).toBe(0o600);
  expect((await readFile(file, "utf8")).split("\n")).toHaveLength(count + 1);
});
