import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { createProgram } from "./program.js";
import { everyCommand } from "./every-command.js";
import { systemClock } from "@tillkit/runtime";
import { PassThrough, Readable } from "node:stream";
import { openHost, openPlace } from "./testing/cli.js";
import { installedWallets } from "./wallets.js";

const program = createProgram({
  io: {
    stdin: Readable.from([]),
    stdout: new PassThrough(),
    stderr: new PassThrough(),
    env: {},
    clock: systemClock,
    openWallets: installedWallets,
  },
  report: async () => undefined,
});

describe("help", () => {
  it.each(everyCommand(program).filter(({ commands }) => commands.length === 0))(
    "of $name has a description, examples and --json",
    (command) => {
      let help = "";
      command.configureOutput({ writeOut: (part) => (help += part) }).outputHelp();
      expect(command.description()).toMatch(/\.$/);
      expect(help).toMatch(/\nExamples:\n {2}\$ .*tillkit /);
      expect(help).toContain("--json");
      for (const { description } of command.options) expect(description).not.toBe("");
    },
  );

  it("is printed with 0 for every command that is asked for it", async () => {
    const { tillkit } = await openPlace();
    for (const argv of [[], ["apps"], ["apps", "create"]]) {
      const { code, stdout, stderr } = await tillkit([...argv, "--help"]);
      expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
      expect(stdout).toContain("Usage: tillkit");
    }
  });
});

describe("a wrong command line", () => {
  it.each([
    [["bogus"], "unknown command 'bogus'"],
    [["apps"], "Usage: tillkit apps"],
    [["apps", "create"], "required option '--name <name>'"],
    [["apps", "create", "--name", "x", "--colour"], "unknown option '--colour'"],
    [["apps", "rotate-secret", "app_1", "--overlap-hours", "2.5"], "must be a whole number"],
    [["keys", "rotate", "everything"], "Allowed choices are peppers, credential-keys"],
    [["migrate", "--data-dir", "x", "--database-url", "postgres://h/d"], "not both"],
    [["migrate", "--database-url", "mysql://kim:s3cret@h/d"], "must look like postgres://"],
    [["migrate", "--schema", ""], "1 to 63 bytes"],
    [["plan", "--owner", "o".repeat(64)], "1 to 63 bytes"],
    [
      ["orders", "refund", "--app", "a", "b", "--reason", "r", "--operator", "o"],
      "either --amount in cents, or --all",
    ],
  ])("%j ends with 2 and says what is wrong", async (argv, message) => {
    const { tillkit } = await openPlace();
    const told = await tillkit(argv);
    expect({ code: told.code, stdout: told.stdout }).toEqual({ code: 2, stdout: "" });
    expect(told.stderr).toContain(message);
    expect(told.stderr).not.toContain("s3cret");
    const { code, json, stderr } = await tillkit([...argv, "--json"]);
    expect({ code, stderr }).toEqual({ code: 2, stderr: "" });
    expect(json).toMatchObject({ error: { name: "usage.invalid", exitCode: 2 } });
  });

  it("names what is missing from the environment", async () => {
    const { tillkit } = await openPlace();
    const env = {};
    expect((await tillkit(["migrate"], { env })).stderr).toContain("Set DATABASE_URL");
    expect((await tillkit(["keys", "create"], { env })).stderr).toContain("Set TILLKIT_KEYS_FILE");
  });
});

describe("the program", () => {
  it("answers with a document and an exit code", async () => {
    const { env } = await openHost();
    const main = fileURLToPath(new URL("main.ts", import.meta.url));
    const child = spawn(
      process.execPath,
      ["--conditions=@tillkit/source", "--import", "tsx", main, "apps", "list", "--json"],
      { env: { ...process.env, ...env } },
    );
    const ended = new Promise((resolve) => child.once("exit", resolve));
    const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
    expect({ code: await ended, stderr }).toEqual({ code: 0, stderr: "" });
    const document: unknown = JSON.parse(stdout);
    expect(document).toEqual({ apps: [] });
  });
});
