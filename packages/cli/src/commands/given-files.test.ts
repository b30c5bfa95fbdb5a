import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, lstat, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { builtProgram } from "@tillkit/built-program";
import { orThrow } from "@tillkit/core";
import { readKeyring } from "@tillkit/runtime";
import { beforeAll, describe, expect, it } from "vitest";
import { openHost, openPlace, type Place, sharedHost } from "../testing/cli.js";
import { newApp, TOOL, wallets } from "../testing/fixture.js";
import { aLine } from "../testing/import-lines.js";

const shared = sharedHost();
const COUNTS = "appId,store,date,newDownloads,updateDownloads\r\nold,store_01,2026-01-15,3,4\r\n";
const CARD = '{"bankType":"CMB_DEBIT","bankAccount":"6225880137395123","realName":"Li Lei"}';
const PAYOUT = [
  "orders",
  "pay-out-refund",
  "--app",
  "old",
  "b-1",
  "--refund-no",
  "r-1",
  "--operator",
  "kim",
  "--reason",
  "card closed",
  "--to",
  "customer",
  "--card-file",
];

beforeAll(async () => {
  const create = ["apps", "create", "--name", "Old", "--app-id", "old", "--app-secret-stdin"];
  await shared().ask(create, { input: "the-old-secret" });
});

/** Each command that reads a file, with a valid content of the file, and what it prints then. */
const COMMANDS = [
  ["pay-tools set", ["pay-tools", "set", "--app", "old"], TOOL, "WALLET_A"],
  [
    "pay-tools change",
    ["pay-tools", "change", "01JZ0V6T6S5Q7P4N2M8K3H9F1D"],
    '{"appName":"Notes"}',
    "There is no pay tool with the id",
  ],
  ["orders pay-out-refund", PAYOUT, CARD, "Order not found"],
  ["import orders", ["import", "orders", "--operator", "kim"], aLine(1), "Imported orders: 1,"],
  [
    "import customers",
    ["import", "customers", "--operator", "kim"],
    '{"appId":"old","customerId":"u-1","mobileNo":"13800138000","gmtCreate":1767225600000}',
    "Imported customers: 1,",
  ],
  ["downloads import", ["downloads", "import", "--operator", "kim"], COUNTS, "1 count read"],
  ["apps list with a policy", ["apps", "list", "--policy-file"], '{"smsPerDay":7}', "old"],
] as const;

/** Writes a file that only its owner can read. */
async function givenFile({ folder }: Place, name: string, content: string | Uint8Array): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, content, { mode: 0o600 });
  return path;
}

const running = (argv: readonly string[]) => shared().tillkit(argv, { openWallets: wallets });

describe.each(COMMANDS)("the file of %s", (name, argv, content, answer) => {
  const fileName = `${name.replaceAll(" ", "-")}.txt`;
  const isExport = name === "downloads import";

  it("may begin with a byte order mark and have the line ends of Windows", async () => {
    const edited = `\ufeff${content.replaceAll(/\r?\n/g, "\n").replaceAll("\n", "\r\n")}\r\n`;
    const { stdout, stderr } = await running([...argv, await givenFile(shared(), fileName, edited)]);
    expect(stdout + stderr).toContain(answer);
  });

  // Exports of stores are UTF-16 or compressed.
  it.skipIf(isExport).each([
    ["UTF-16", Buffer.from(`\ufeff${content}`, "utf16le"), "is UTF-16: save it as UTF-8"],
    ["UTF-16 without a mark", Buffer.from(content, "utf16le"), "is UTF-16: save it as UTF-8"],
    ["gzip", Buffer.from([0x1f, 0x8b, 8, 0, 0, 0]), "is compressed by gzip: decompress it first"],
  ])("is refused with the name of its encoding if it is %s", async (_encoding, bytes, problem) => {
    const ran = await running([...argv, await givenFile(shared(), fileName, bytes)]);
    expect(ran.code).toBeGreaterThan(1);
    expect(ran.stderr).toContain(problem);
  });

  it("must be a regular file, and a pipe does not block the command", async () => {
    const pipe = join(shared().folder, `${fileName}.pipe`);
    execFileSync("mkfifo", [pipe]);
    for (const [path, kind] of [
      [pipe, "pipe"],
      [shared().folder, "folder"],
      ["/dev/zero", "device"],
    ] as const) {
      const ran = await running([...argv, path]);
      expect(ran.code).toBe(3);
      expect(ran.stderr).toContain(`${path} is a ${kind}: give the path of a regular file.`);
    }
  });
});

describe("a JSON file with a member that occurs twice", () => {
  it.each([
    [
      "pay-tools set",
      COMMANDS[0][1],
      TOOL.replace('"privateKey"', '"privateKey":"other-s3cret","privateKey"'),
      "credentials.privateKey occurs twice",
    ],
    ["pay-tools set", COMMANDS[0][1], "{ s3cret", "the text is not JSON (line 1, column 3)"],
    ["orders pay-out-refund", PAYOUT, CARD.replace("{", '{"realName":"s3cret",'), "realName occurs twice"],
    ["apps list", COMMANDS[6][1], '{"smsPerDay":5,"smsPerDay":9}', "smsPerDay occurs twice"],
  ])("is refused by %s, and no value of the file is printed", async (_name, argv, content, problem) => {
    const ran = await running([...argv, await givenFile(shared(), "twice.json", content)]);
    expect(ran.code).toBeGreaterThan(1);
    expect(ran.stderr).toContain(problem);
    expect(ran.stderr).not.toMatch(/s3cret|6225880137395123/u);
  });

  it("is refused on standard input", async () => {
    const input = TOOL.replace("{", '{"appEnv":"PROD",');
    const ran = await shared().tillkit([...COMMANDS[0][1], "-"], { openWallets: wallets, input });
    expect(ran).toMatchObject({ code: 2, stdout: "" });
    expect(ran.stderr).toContain("appEnv occurs twice (line 1, column");
  });

  it("is refused in a line of an import, which names the line", async () => {
    const lines = [aLine(11), aLine(12).replace("{", '{"amount":1,"refundedAmount":0,"refundedAmount":0,')];
    const path = await givenFile(shared(), "twice.jsonl", lines.join("\n"));
    expect(await shared().ask(["import", "orders", "--operator", "kim", path], { code: 1 })).toMatchObject({
      imported: 1,
      problems: {
        total: 1,
        first: [{ line: 2, message: "members that occur twice: refundedAmount, amount" }],
      },
    });
  });
});

describe("a file with secrets", () => {
  it.each([
    ["pay-tools set", COMMANDS[0][1], TOOL],
    ["orders pay-out-refund", PAYOUT, CARD],
  ])("is refused by %s if other users can read it", async (_name, argv, content) => {
    const path = await givenFile(shared(), "exposed.json", content);
    await chmod(path, 0o644);
    const ran = await running([...argv, path]);
    expect(ran.code).toBe(3);
    expect(ran.stderr).toContain(`has mode 644`);
    expect(ran.stderr).toContain(`chmod 600 ${path}`);
  });
});

describe("standard input", () => {
  it.each([
    ["UTF-16", Buffer.from(TOOL, "utf16le"), "Standard input is UTF-16: save it as UTF-8"],
    ["too large", Buffer.alloc(2 ** 20 + 1, " "), "Standard input is larger than 1048576 bytes"],
  ])("is refused if it is %s", async (_what, bytes, problem) => {
    const stdin = Readable.from([bytes]);
    const ran = await shared().tillkit([...COMMANDS[0][1], "-"], { openWallets: wallets, stdin });
    expect(ran).toMatchObject({ code: 2, stdout: "" });
    expect(ran.stderr).toContain(problem);
  });
});

describe("a change through a symbolic link", () => {
  it("rotates the keys of the file that it points to", async () => {
    const { folder, ask, env, file } = await openHost();
    const link = join(folder, "link.json");
    await symlink("keys.json", link);
    const linked = { ...env, TILLKIT_KEYS_FILE: link };
    await ask(["keys", "rotate", "credential-keys"], { env: linked });
    expect((await lstat(link)).isSymbolicLink()).toBe(true);
    const appId = await newApp(ask);
    const set = ["pay-tools", "set", "--app", appId, await file("tool.json", TOOL)];
    await ask(set, { openWallets: wallets, env: linked });
    // The host reads the real file.
    expect(await ask(["pay-tools", "check"], { openWallets: wallets })).toEqual({ checked: 1, findings: [] });
    expect(await readFile(link, "utf8")).toBe(await readFile(env["TILLKIT_KEYS_FILE"] ?? "", "utf8"));
  });

  it("exports to the file that it points to", async () => {
    const { folder, ask, file } = shared();
    const target = await file("target.jsonl", "before");
    const link = join(folder, "link.jsonl");
    await symlink("target.jsonl", link);
    await ask(["export", "customers", link, "--operator", "kim"]);
    expect((await lstat(link)).isSymbolicLink()).toBe(true);
    expect(await readFile(target, "utf8")).not.toBe("before");
  });
});

describe("the program as a process", () => {
  let main: string;
  beforeAll(async () => {
    main = await builtProgram(new URL("../main.ts", import.meta.url));
  });
  const program = async (argv: readonly string[]) => {
    const child = spawn(process.execPath, [main, ...argv], { stdio: ["ignore", "ignore", "pipe"] });
    const ended = once(child, "exit");
    const stderr = await text(child.stderr);
    await ended;
    return { code: child.exitCode, stderr };
  };

  it("loses no key if several processes rotate at once", async () => {
    const { folder, ask, env } = await openPlace();
    await ask(["keys", "create"]);
    const [file, link] = [env["TILLKIT_KEYS_FILE"] ?? "", join(folder, "link.json")];
    await symlink(file, link);
    const ran = await Promise.all(
      [file, link, file, link].map((path) =>
        program(["keys", "rotate", "credential-keys", "--keys-file", path]),
      ),
    );
    const rotations = ran.filter(({ code }) => code === 0).length;
    expect(rotations).toBeGreaterThan(0);
    expect((await orThrow(readKeyring(file))).credentialKeys).toHaveLength(1 + rotations);
  });

  it("refuses a key file that is a pipe, and ends", async () => {
    const { folder } = await openPlace();
    const pipe = join(folder, "pipe");
    execFileSync("mkfifo", ["-m", "600", pipe]);
    const { code, stderr } = await program(["keys", "rotate", "peppers", "--keys-file", pipe]);
    expect({ code, stderr }).toEqual({
      code: 3,
      stderr: `The key file ${pipe} is a pipe: give the path of a regular file.\n`,
    });
  });
});
