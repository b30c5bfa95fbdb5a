import { execFileSync } from "node:child_process";
import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { orThrow } from "@tillkit/core";
import { describe, expect, it, onTestFinished } from "vitest";
import { openFile, readTextFile } from "./text-file.js";

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "tillkit-files-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

async function fileOf(content: string | Uint8Array, mode = 0o644): Promise<string> {
  const path = join(await newFolder(), "settings.json");
  await writeFile(path, content);
  await chmod(path, mode);
  return path;
}

const utf16 = (text: string) => Buffer.from(`\ufeff${text}`, "utf16le");
const failureOf = async (read: ReturnType<typeof readTextFile>) => (await read)._unsafeUnwrapErr();

describe("readTextFile", () => {
  it.each([
    ["UTF-8", "{}\n"],
    ["a byte order mark", "\ufeff{}\n"],
  ])("reads %s", async (_what, content) => {
    expect(await orThrow(readTextFile(await fileOf(content)))).toBe("{}\n");
  });

  it("keeps the line ends, and reads an empty file", async () => {
    expect(await orThrow(readTextFile(await fileOf("a\r\nb\r\n")))).toBe("a\r\nb\r\n");
    expect(await orThrow(readTextFile(await fileOf("")))).toBe("");
  });

  it("names the encoding of a file that is not UTF-8, and explains how to convert it", async () => {
    const path = await fileOf(utf16('{"secret":1}'));
    expect(await failureOf(readTextFile(path, { what: "policy file" }))).toEqual({
      name: "file.invalid",
      message: `The policy file ${path} is UTF-16: save it as UTF-8, for example with \`iconv -f UTF-16 -t UTF-8\`.`,
    });
    const latin = await failureOf(readTextFile(await fileOf(Buffer.from("caf\u00e9", "latin1"))));
    expect(latin.message).toContain("is not UTF-8: save it as UTF-8.");
  });

  it("reads files up to the limit", async () => {
    const path = await fileOf("12345");
    expect((await readTextFile(path, { maxBytes: 5 })).isOk()).toBe(true);
    const { name, message } = await failureOf(readTextFile(path, { maxBytes: 4 }));
    expect(name).toBe("file.invalid");
    expect(message).toContain("is larger than 4 bytes");
    expect((await readTextFile(await fileOf("x".repeat(2 ** 20)))).isOk()).toBe(true);
    expect((await readTextFile(await fileOf("x".repeat(2 ** 20 + 1)))).isErr()).toBe(true);
  });

  it("reads a file whose size the system reports as 0", async () => {
    expect(await orThrow(readTextFile("/proc/self/status"))).toContain("Name:");
  });

  it("follows symbolic links", async () => {
    const path = await fileOf("{}");
    await symlink(path, `${path}.link`);
    expect(await orThrow(readTextFile(`${path}.link`))).toBe("{}");
  });

  it("explains what to do about a missing file", async () => {
    const path = join(await newFolder(), "none.json");
    const failure = await failureOf(readTextFile(path, { what: "key file", ifMissing: "create it" }));
    expect(failure).toEqual({
      name: "file.missing",
      message: `The key file ${path} does not exist: create it.`,
    });
  });

  it("refuses a folder, a pipe, a socket and a device without waiting", async () => {
    const folder = await newFolder();
    const [pipe, socket, inner] = [join(folder, "pipe"), join(folder, "socket"), join(folder, "folder")];
    execFileSync("mkfifo", [pipe]);
    await mkdir(inner);
    const server = createServer();
    await new Promise<void>((listening) => server.listen(socket, listening));
    onTestFinished(() => void server.close());
    await symlink(pipe, join(folder, "link"));
    const expected = [
      [pipe, "is a pipe"],
      [join(folder, "link"), "is a pipe"],
      [socket, "is a socket"],
      [inner, "is a folder"],
      ["/dev/zero", "is a device"],
    ] as const;
    for (const [path, problem] of expected) {
      const { name, message } = await failureOf(readTextFile(path));
      expect([path, name]).toEqual([path, "file.unavailable"]);
      expect(message).toContain(`${path} ${problem}`);
      expect(message).toContain("give the path of a regular file");
    }
  });

  it.each([0o644, 0o604, 0o620, 0o602, 0o640 | 0o001])(
    "refuses a file with secrets and mode %o",
    async (mode) => {
      const path = await fileOf("{}", mode);
      const { name, message } = await failureOf(readTextFile(path, { secret: true }));
      expect(name).toBe("file.exposed");
      expect(message).toContain(`has mode ${mode.toString(8)}`);
      expect(message).toContain(`chmod 600 ${path}`);
      expect((await readTextFile(path)).isOk()).toBe(true);
    },
  );

  it.each([0o600, 0o400, 0o640, 0o440])("reads a file with secrets and mode %o", async (mode) => {
    expect((await readTextFile(await fileOf("{}", mode), { secret: true })).isOk()).toBe(true);
  });

  it("checks the mode of the file that a link points to", async () => {
    const path = await fileOf("{}", 0o644);
    await symlink(path, `${path}.link`);
    expect((await failureOf(readTextFile(`${path}.link`, { secret: true }))).name).toBe("file.exposed");
  });
});

describe("openFile", () => {
  it("returns the content as a stream, and the size", async () => {
    const { content, size } = await orThrow(openFile(await fileOf("a,b\n1,2\n")));
    expect(size).toBe(8);
    expect((await buffer(content)).toString()).toBe("a,b\n1,2\n");
  });

  it("refuses a pipe without waiting", async () => {
    const pipe = join(await newFolder(), "pipe");
    execFileSync("mkfifo", [pipe]);
    expect((await openFile(pipe))._unsafeUnwrapErr().message).toBe(
      `The file ${pipe} is a pipe: give the path of a regular file.`,
    );
  });
});
