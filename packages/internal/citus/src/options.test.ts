import { expect, it } from "vitest";
import { readOptions } from "./options.js";

const URL_GIVEN = "postgres://postgres@127.0.0.1:5432/test";

it("a run has every step at 4 and 32 shards by default", () => {
  expect(readOptions([URL_GIVEN])).toMatchObject({
    url: URL_GIVEN,
    shards: [4, 32],
    kills: 10,
    only: [
      "suites",
      "coordinator-suites",
      "plans",
      "two-hosts",
      "simulation",
      "worker-loss",
      "coordinator-loss",
      "commit-loss",
      "costs",
    ],
  });
});

it("a run has only the named steps, in their order", () => {
  const read = readOptions(["--local", "--only", "costs", "--only", "suites"]);
  expect(read).toMatchObject({ url: undefined, only: ["suites", "costs"] });
});

it.each([
  ["neither a URL nor --local", [], "Give either one URL or --local"],
  ["both", [URL_GIVEN, "--local"], "Give either one URL or --local"],
  ["an unknown step", ["--local", "--only", "all"], "--only takes suites"],
  ["a count of 0", ["--local", "--kills", "0"], "A count is a whole number from 1 on"],
  ["a kill without a start", [URL_GIVEN, "--kill-worker", "true"], "Set both --kill-worker"],
] as const)("readOptions rejects %s", (_name, args, problem) => {
  expect(readOptions(args)).toEqual(expect.stringContaining(problem));
});

it("readOptions returns `help` for --help", () => {
  expect(readOptions(["--help"])).toBe("help");
});
