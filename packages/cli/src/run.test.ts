import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import { builtProgram } from "@tillkit/built-program";
import { beforeAll, describe, expect, it } from "vitest";
import { commandHelp } from "./command-help.js";
import { EXIT_CODES, EXIT_MEANINGS } from "./failure.js";
import { openPlace, sharedHost } from "./testing/cli.js";
import { programVersion } from "./version.js";

describe("help", () => {
  const leaves = commandHelp().filter(({ help }) => !help.includes("\nCommands:\n"));

  it("is there for every command", () => {
    expect(leaves.map(({ command }) => command)).toContain("tillkit downloads import");
    expect(leaves.length).toBeGreaterThan(15);
  });

  it.each(leaves)("of $command has a description, examples and --json", ({ command, help }) => {
    expect(help).toMatch(/^Usage: tillkit .*\n\n[^]+\.\n\n(Arguments|Options):/);
    expect(help).toMatch(new RegExp(`\\nExamples:\\n {2}\\$ .*${command}`));
    expect(help).toContain("--json");
    expect(help).not.toMatch(/^ {2}--\S+( <\S+>)?$/m);
  });

  it("is printed with 0 for every command that is asked for it", async () => {
    const { tillkit } = await openPlace();
    for (const argv of [[], ["apps"], ["apps", "create"]]) {
      const { code, stdout, stderr } = await tillkit([...argv, "--help"]);
      expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
      expect(stdout).toContain("Usage: tillkit");
    }
  });
});

describe("the terminal", () => {
  const onTerminal = () => Object.assign(new PassThrough(), { isTTY: true });
  const printed = async (env: Readonly<Record<string, string>>, stream: PassThrough) => {
    const { tillkit } = await openPlace();
    const text = buffered(stream);
    await tillkit(["apps", "create"], { env, stderr: stream });
    await tillkit(["--help"], { env, stdout: stream });
    return text();
  };

  it("gets colours, unless NO_COLOR is set", async () => {
    const coloured = await printed({}, onTerminal());
    for (const part of ["\u001b[31merror: required", "\u001b[1mUsage:"]) expect(coloured).toContain(part);
    expect(await printed({ NO_COLOR: "1" }, onTerminal())).not.toContain("\u001b");
    expect(await printed({}, new PassThrough())).not.toContain("\u001b");
  });
});

describe("the version", () => {
  it("is the version of the package", async () => {
    const { tillkit } = await openPlace();
    expect(await tillkit(["--version"])).toMatchObject({ code: 0, stdout: `${programVersion()}\n` });
    expect(programVersion()).toMatch(/^\d+\.\d+\.\d+/);
  });
});

describe("exit codes", () => {
  it("are these numbers, on which scripts rely", () => {
    expect(EXIT_CODES).toEqual({ ok: 0, refused: 1, usage: 2, unavailable: 3, schema: 4, unknown: 5 });
  });

  it("have one text in the help and in the guide", async () => {
    const { tillkit } = await openPlace();
    const { stdout } = await tillkit(["--help"]);
    const guide = readFileSync(new URL("../../../docs/guide/command-line.md", import.meta.url), "utf8");
    for (const meaning of Object.values(EXIT_MEANINGS)) {
      expect(stdout).toContain(meaning);
      expect(guide.replaceAll("`", "")).toContain(meaning);
    }
  });
});

/** Collects what is written to a stream. */
function buffered(stream: PassThrough): () => string {
  const chunks: string[] = [];
  stream.on("data", (chunk: Buffer) => chunks.push(chunk.toString()));
  return () => chunks.join("");
}

describe("a wrong command line", () => {
  it.each([
    [["bogus"], "unknown command 'bogus'"],
    [["apps"], "Usage: tillkit apps"],
    [["apps", "create"], "required option '--name <name>'"],
    [["apps", "create", "--name", "x", "--colour"], "unknown option '--colour'"],
    [["apps", "rotate-secret", "app_1", "--overlap-hours", "2.5"], "must be a whole number"],
    [["keys", "rotate", "everything"], "Allowed choices are peppers, credential-keys"],
    [
      ["orders", "find", "--app", "a", "--customer", "c", "--status", "payed"],
      "Allowed choices are PENDING, PAID, CLOSE, REFUND",
    ],
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
    const result = await tillkit(argv);
    expect({ code: result.code, stdout: result.stdout }).toEqual({ code: 2, stdout: "" });
    expect(result.stderr).toContain(message);
    expect(result.stderr).not.toContain("s3cret");
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
  const shared = sharedHost();
  let main: string;
  beforeAll(async () => {
    main = await builtProgram(new URL("main.ts", import.meta.url));
  });

  it("ends with 0 if its output is not read to the end", async () => {
    const { env } = shared();
    const child = spawn(process.execPath, [main, "apps", "list"], { env: { ...process.env, ...env } });
    const ended = new Promise((resolve) => child.once("exit", resolve));
    child.stdout.destroy();
    expect({ stderr: await text(child.stderr), code: await ended }).toEqual({ stderr: "", code: 0 });
  });

  it("answers with a document and an exit code", async () => {
    const { env } = shared();
    const child = spawn(process.execPath, [main, "apps", "list", "--json"], {
      env: { ...process.env, ...env },
    });
    const ended = new Promise((resolve) => child.once("exit", resolve));
    const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
    expect({ code: await ended, stderr }).toEqual({ code: 0, stderr: "" });
    const document: unknown = JSON.parse(stdout);
    expect(document).toEqual({ apps: [] });
  });
});
