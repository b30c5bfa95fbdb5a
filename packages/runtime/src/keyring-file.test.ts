import { execFileSync } from "node:child_process";
import {
  chmod,
  chown,
  link,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { orThrow } from "@tillkit/core";
import { describe, expect, it, onTestFinished } from "vitest";
import { createKeyring, openOrCreateKeyring, readKeyring, rotateKeyring } from "./keyring-file.js";

const KEY = Buffer.alloc(32, 7).toString("base64");

async function newPath(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "tillkit-keys-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  return join(folder, "keys.json");
}

async function fileOf(content: unknown, mode = 0o600): Promise<string> {
  const path = await newPath();
  await writeFile(path, typeof content === "string" ? content : JSON.stringify(content));
  await chmod(path, mode);
  return path;
}

const versions = (keys: readonly { readonly version: number }[]) => keys.map(({ version }) => version);

describe("readKeyring", () => {
  it("returns the keys as bytes, in the order of the file", async () => {
    const path = await fileOf({
      peppers: [
        { version: 2, key: Buffer.alloc(40, 1).toString("base64") },
        { version: 1, key: KEY },
      ],
      credentialKeys: [{ version: 5, key: KEY }],
    });
    const keyring = await orThrow(readKeyring(path));
    expect(keyring.peppers).toEqual([
      { version: 2, key: new Uint8Array(40).fill(1) },
      { version: 1, key: new Uint8Array(32).fill(7) },
    ]);
    expect(keyring.credentialKeys).toEqual([{ version: 5, key: new Uint8Array(32).fill(7) }]);
  });

  it.each([0o644, 0o604, 0o620, 0o602])("rejects a file with mode %o", async (mode) => {
    const path = await fileOf({ peppers: [], credentialKeys: [] }, mode);
    const { name, message } = (await readKeyring(path))._unsafeUnwrapErr();
    expect(name).toBe("keyring.exposed");
    expect(message).toContain("chmod 600");
  });

  it("accepts a file that its group can read, such as a mounted secret", async () => {
    const keys = [{ version: 1, key: KEY }];
    const path = await fileOf({ peppers: keys, credentialKeys: keys }, 0o440);
    expect((await readKeyring(path)).isOk()).toBe(true);
  });

  it("explains how to create a file that is missing", async () => {
    const { name, message } = (await readKeyring(await newPath()))._unsafeUnwrapErr();
    expect(name).toBe("keyring.missing");
    expect(message).toContain("tillkit keys create");
  });

  it("reports every problem and no key", async () => {
    const path = await fileOf({
      peppers: [{ version: 0, key: "c2hvcnQ=" }, { version: 1.5 }],
      credentialKeys: [
        { version: 1, key: Buffer.alloc(33, 9).toString("base64") },
        { version: 2, key: "not base64!" },
      ],
      other: 1,
    });
    const { name, message } = (await readKeyring(path))._unsafeUnwrapErr();
    expect(name).toBe("keyring.invalid");
    for (const problem of [
      "peppers[0].version must be at least 1",
      "peppers[0].key must be base64 of at least 32 bytes",
      "peppers[1].version must be whole",
      "peppers[1].key must be text",
      "credentialKeys[0].key must be base64 of exactly 32 bytes",
      "credentialKeys[1].key must be base64 of exactly 32 bytes",
      "the file has unknown members",
    ])
      expect(message).toContain(problem);
    expect(message).not.toMatch(/c2hvcnQ|not base64!|CQkJ/);
  });

  it.each([
    ['{ "peppers": s3cret', "the text is not JSON (line 1, column 14)"],
    [
      `{"peppers":[{"version":1,"version":2,"key":"${KEY}"}],"credentialKeys":[],"peppers":[]}`,
      "peppers[0].version occurs twice (line 1, column 26); peppers occurs twice (line 1, column 113)",
    ],
    ["[]", "the file must be an object"],
    ["{}", "peppers must be a list of keys; credentialKeys must be a list of keys"],
    [
      '{"peppers":[],"credentialKeys":[1]}',
      "peppers must contain at least one key; credentialKeys[0] must be an object",
    ],
  ])("rejects %s", async (content, problem) => {
    const { message } = (await readKeyring(await fileOf(content)))._unsafeUnwrapErr();
    expect(message).toContain(`is not valid: ${problem}.`);
    expect(message).not.toContain("s3cret");
  });

  it.each([
    ["a byte order mark", (text: string) => `\ufeff${text}`],
    ["the line ends of Windows", (text: string) => text.replaceAll("\n", "\r\n")],
  ])("reads a file with %s", async (_what, edited) => {
    const path = await newPath();
    const made = await orThrow(createKeyring(path));
    await writeFile(path, edited(await readFile(path, "utf8")));
    expect(await orThrow(readKeyring(path))).toEqual(made);
  });

  it("names the encoding of a file that is not UTF-8, and refuses a pipe at once", async () => {
    const path = await newPath();
    await createKeyring(path);
    await writeFile(path, Buffer.from(`\ufeff${await readFile(path, "utf8")}`, "utf16le"));
    const wide = (await readKeyring(path))._unsafeUnwrapErr();
    expect(wide.name).toBe("keyring.invalid");
    expect(wide.message).toContain(`The key file ${path} is UTF-16: save it as UTF-8`);
    await rm(path);
    execFileSync("mkfifo", ["-m", "600", path]);
    expect((await readKeyring(path))._unsafeUnwrapErr()).toEqual({
      name: "keyring.unavailable",
      message: `The key file ${path} is a pipe: give the path of a regular file.`,
    });
  });

  it("rejects two keys with one version", async () => {
    const twice = [
      { version: 1, key: KEY },
      { version: 1, key: KEY },
    ];
    const path = await fileOf({ peppers: twice, credentialKeys: [{ version: 1, key: KEY }] });
    expect((await readKeyring(path))._unsafeUnwrapErr().message).toContain(
      "peppers has two keys with one version",
    );
  });
});

describe("createKeyring", () => {
  it("creates a private file that is read back unchanged", async () => {
    const path = await newPath();
    const made = await orThrow(createKeyring(path));
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(await orThrow(readKeyring(path))).toEqual(made);
    expect(made.peppers[0]?.key).not.toEqual(made.credentialKeys[0]?.key);
    expect(made.credentialKeys[0]?.key).toHaveLength(32);
  });

  it("leaves no file behind if it cannot be written completely", async () => {
    const path = join(await newPath(), "no-folder", "keys.json");
    expect((await createKeyring(path)).isErr()).toBe(true);
    const made = await newPath();
    await createKeyring(made);
    expect(await readdir(join(made, ".."))).toEqual(["keys.json"]);
  });

  it("creates the file that a symbolic link points to", async () => {
    const path = await newPath();
    await mkdir(join(path, "..", "secrets"));
    await symlink("secrets/real.json", path);
    const made = await orThrow(createKeyring(path));
    expect((await lstat(path)).isSymbolicLink()).toBe(true);
    expect(await orThrow(readKeyring(join(path, "..", "secrets", "real.json")))).toEqual(made);
  });

  it("does not change an existing file", async () => {
    const path = await fileOf("mine");
    expect((await createKeyring(path))._unsafeUnwrapErr().name).toBe("keyring.exists");
    expect(await readFile(path, "utf8")).toBe("mine");
  });
});

describe("openOrCreateKeyring", () => {
  it("creates a missing file, and reads an existing one", async () => {
    const path = await newPath();
    const made = await orThrow(openOrCreateKeyring(path));
    expect(await orThrow(openOrCreateKeyring(path))).toEqual(made);
    expect(await readdir(join(path, ".."))).toEqual(["keys.json"]);
  });

  it("replaces a file that a crash left incomplete, and keeps it beside the new file", async () => {
    const source = await newPath();
    await createKeyring(source);
    const whole = await readFile(source, "utf8");
    for (let length = 0; length < whole.length - 1; length += 7) {
      for (const cut of [whole.slice(0, length), `${whole.slice(0, length)}\0\0\0`]) {
        const path = await fileOf(cut);
        const made = await orThrow(openOrCreateKeyring(path));
        expect(await orThrow(readKeyring(path))).toEqual(made);
        const [aside = "", ...more] = (await readdir(join(path, ".."))).filter(
          (name) => name !== "keys.json",
        );
        expect([aside, more]).toEqual([expect.stringMatching(/^keys\.json\.damaged-[0-9a-f]{8}$/), []]);
        expect(await readFile(join(path, "..", aside), "utf8")).toBe(cut);
      }
    }
  });

  it.each([
    ["a text that is not a keyring", "my keys are in the safe"],
    ["a keyring with a mistake", '{ "peppers": [], "credentialKeys": [] }'],
    ["a keyring that is being edited", `{ "peppers": [{ "version": 1, "key": "${KEY}" }`],
  ])("does not change %s", async (_what, text) => {
    const path = await fileOf(text);
    expect((await openOrCreateKeyring(path))._unsafeUnwrapErr().name).toBe("keyring.invalid");
    expect(await readFile(path, "utf8")).toBe(text);
    expect(await readdir(join(path, ".."))).toEqual(["keys.json"]);
  });

  it("rejects a file that others can read", async () => {
    const path = await fileOf("", 0o644);
    expect((await openOrCreateKeyring(path))._unsafeUnwrapErr().name).toBe("keyring.exposed");
  });

  it("creates one file in concurrent first starts", async () => {
    const path = await newPath();
    const opened = await Promise.all(Array.from({ length: 8 }, () => openOrCreateKeyring(path)));
    const stored = await orThrow(readKeyring(path));
    // A call may fail because the file exists already, but none returns other keys.
    for (const one of opened) {
      if (one.isOk()) expect(one.value).toEqual(stored);
      else expect(one.error.name).toBe("keyring.exists");
    }
  });
});

describe("rotateKeyring", () => {
  it("puts a fresh key first and keeps the others", async () => {
    const path = await newPath();
    const before = await orThrow(createKeyring(path));
    const after = await orThrow(rotateKeyring(path, { list: "credentialKeys" }));
    expect(versions(after.credentialKeys)).toEqual([2, 1]);
    expect(after.credentialKeys[1]).toEqual(before.credentialKeys[0]);
    expect(after.peppers).toEqual(before.peppers);
    expect(await orThrow(readKeyring(path))).toEqual(after);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
  });

  it("adds a key in standby once, and makes it current with the next rotation", async () => {
    const path = await newPath();
    await createKeyring(path);
    const rotate = async (standby: boolean) =>
      versions((await orThrow(rotateKeyring(path, { list: "peppers", standby }))).peppers);
    expect(await rotate(true)).toEqual([1, 2]);
    expect(await rotate(true)).toEqual([1, 2]);
    expect(await rotate(false)).toEqual([2, 1]);
    expect(await rotate(false)).toEqual([3, 2, 1]);
  });

  it("fails during another rotation, and explains how to remove the file of a crashed one", async () => {
    const path = await newPath();
    const before = await orThrow(createKeyring(path));
    await writeFile(`${path}.new`, "");
    const { name, message } = (await rotateKeyring(path, { list: "peppers" }))._unsafeUnwrapErr();
    expect(name).toBe("keyring.busy");
    expect(message).toContain(`delete ${path}.new`);
    expect(await orThrow(readKeyring(path))).toEqual(before);
  });

  it("loses no key to concurrent rotations", async () => {
    const path = await newPath();
    await createKeyring(path);
    const results = await Promise.all(
      [1, 2, 3, 4].map(() => rotateKeyring(path, { list: "credentialKeys" })),
    );
    const rotations = results.filter((result) => result.isOk()).length;
    const { credentialKeys } = await orThrow(readKeyring(path));
    expect(rotations).toBeGreaterThan(0);
    expect(credentialKeys).toHaveLength(1 + rotations);
  });

  it("lets the same users read the file as before", async () => {
    const keys = [{ version: 1, key: KEY }];
    const path = await fileOf({ peppers: keys, credentialKeys: keys }, 0o640);
    // Only root can change the owner of a file. An operator is often root while the host is not.
    if (process.getuid?.() === 0) await chown(path, 65_534, 65_534);
    const before = await stat(path);
    await orThrow(rotateKeyring(path, { list: "peppers" }));
    const { mode, uid, gid } = await stat(path);
    expect({ mode, uid, gid }).toEqual({ mode: before.mode, uid: before.uid, gid: before.gid });
  });

  it("replaces the file that a symbolic link points to, and keeps the links", async () => {
    const link = await newPath();
    const folder = join(link, "..", "secrets");
    await mkdir(folder);
    const real = join(folder, "real.json");
    const before = await orThrow(createKeyring(real));
    await symlink("real.json", join(folder, "second.json"));
    await symlink("secrets/second.json", link);
    const after = await orThrow(rotateKeyring(link, { list: "credentialKeys" }));
    expect(after.credentialKeys).toHaveLength(before.credentialKeys.length + 1);
    for (const path of [real, link]) expect(await orThrow(readKeyring(path))).toEqual(after);
    for (const path of [link, join(folder, "second.json")])
      expect((await lstat(path)).isSymbolicLink()).toBe(true);
    expect((await lstat(real)).isFile()).toBe(true);
    expect((await stat(real)).mode & 0o777).toBe(0o600);
    expect((await readdir(folder)).sort()).toEqual(["real.json", "second.json"]);
  });

  it("loses no key to concurrent rotations of a file and of links to it", async () => {
    const path = await newPath();
    await createKeyring(path);
    await symlink(path, `${path}.link`);
    const results = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        rotateKeyring(index % 2 === 0 ? path : `${path}.link`, { list: "credentialKeys" }),
      ),
    );
    const rotations = results.filter((result) => result.isOk()).length;
    expect(rotations).toBeGreaterThan(0);
    expect((await orThrow(readKeyring(path))).credentialKeys).toHaveLength(1 + rotations);
    for (const result of results) if (result.isErr()) expect(result.error.name).toBe("keyring.busy");
  });

  it("rejects a cycle of links", async () => {
    const path = await newPath();
    await symlink("keys.json", path);
    const { name, message } = (await rotateKeyring(path, { list: "peppers" }))._unsafeUnwrapErr();
    expect(name).toBe("keyring.unavailable");
    expect(message).toContain("ELOOP");
  });

  it("leaves nothing behind if the file cannot be replaced", async () => {
    const path = await newPath();
    // This name is so long that the draft's name exceeds the limit.
    const long = join(path, "..", "k".repeat(252));
    const before = await orThrow(createKeyring(path));
    await link(path, long);
    expect((await rotateKeyring(long, { list: "peppers" }))._unsafeUnwrapErr().name).toBe(
      "keyring.unavailable",
    );
    expect((await readdir(join(path, ".."))).sort()).toEqual(["keys.json", "k".repeat(252)].sort());
    expect(await orThrow(readKeyring(path))).toEqual(before);
  });

  it("leaves nothing behind if there is no file to rotate", async () => {
    const path = await newPath();
    expect((await rotateKeyring(path, { list: "peppers" }))._unsafeUnwrapErr().name).toBe("keyring.missing");
    expect(await readdir(join(path, ".."))).toEqual([]);
  });
});
