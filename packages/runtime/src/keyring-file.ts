import { randomBytes } from "node:crypto";
import { type FileHandle, link, open, readFile, rename, rm } from "node:fs/promises";
import { errorCode } from "@tillkit/core/errors";
import { err, errAsync, ok, type Result, ResultAsync } from "neverthrow";
import {
  type Keyring,
  type KeyringFailure,
  type KeyringKey,
  type KeyringList,
  keyringText,
  parseKeyring,
} from "./keyring.js";
import { flushFolder, followLinks, replaceFile } from "./replace-file.js";
import { type FileFailure, readTextFile } from "./text-file.js";

const FILE = {
  what: "key file",
  ifMissing: "create it with `tillkit keys create`",
  secret: true,
} as const;

/**
 * Reads the key file at `path`.
 *
 * Fails with `keyring.exposed` if other users of the machine can read or change the file. Windows
 * skips this check.
 *
 * @returns the keyring of the file.
 * @example
 * ```ts
 * import { readKeyring } from "@tillkit/runtime";
 *
 * const read = await readKeyring("/etc/shop/keys.json");
 * if (read.isErr()) throw new Error(read.error.message);
 * const { peppers, credentialKeys } = read.value;
 * ```
 */
export function readKeyring(path: string): ResultAsync<Keyring, KeyringFailure> {
  return readTextFile(path, FILE)
    .mapErr(keyringFailure)
    .andThen((text) => parseKeyring(text).mapErr((problems) => invalid(path, problems)));
}

/**
 * Creates a key file with one new key of each kind and returns the keyring.
 *
 * Only the owner can read the file. Fails with `keyring.exists` if `path` exists, and leaves that
 * file unchanged.
 *
 * The file is created in one step: if the process dies while it writes, there is no key file. A
 * file system without hard links does not give this guarantee.
 *
 * @returns the keyring with the new keys.
 * @example
 * ```ts
 * import { createKeyring } from "@tillkit/runtime";
 *
 * const created = await createKeyring("/etc/shop/keys.json");
 * if (created.isErr()) throw new Error(created.error.message);
 * ```
 */
export function createKeyring(path: string): ResultAsync<Keyring, KeyringFailure> {
  const keyring = { peppers: [freshKey(1)], credentialKeys: [freshKey(1)] };
  return withFileFailures(path, async () => {
    await createFile(await followLinks(path), keyringText(keyring));
    return ok(keyring);
  });
}

/**
 * Reads the key file at `path`, and creates it if it is missing or incomplete.
 *
 * A new file has new keys, which cannot read data that was stored with other keys. In production,
 * call {@link readKeyring} instead. A file is incomplete if the process crashed while it wrote the
 * file. The call renames an incomplete file to `….damaged-…` and keeps it beside the new file. Any
 * other invalid file stays unchanged, and the call fails with `keyring.invalid`.
 *
 * @returns the keyring of the file.
 * @example
 * ```ts
 * import { openOrCreateKeyring } from "@tillkit/runtime";
 *
 * const opened = await openOrCreateKeyring("/var/lib/shop/keys.json");
 * if (opened.isErr()) throw new Error(opened.error.message);
 * const { peppers, credentialKeys } = opened.value;
 * ```
 * @see {@link https://github.com/tillkit/tillkit/blob/main/docs/decisions/storage-failures.md |
 *   Failures of the storage}
 */
export function openOrCreateKeyring(path: string): ResultAsync<Keyring, KeyringFailure> {
  return readKeyring(path).orElse((failure) => {
    if (failure.name === "keyring.missing") return createKeyring(path);
    if (failure.name !== "keyring.invalid") return errAsync(failure);
    return withFileFailures(path, async () => {
      const target = await followLinks(path);
      if (!isCutShort(await readFile(target, "utf8"))) return err(failure);
      await rename(target, `${target}.damaged-${randomBytes(4).toString("hex")}`);
      return createKeyring(path);
    });
  });
}

/**
 * Returns whether `text` is empty or the beginning of a file that `createKeyring` writes.
 *
 * A crash may leave zero bytes at the end of the text.
 */
function isCutShort(text: string): boolean {
  const written = text.replace(/\0+$/, "");
  const whole = keyringText({ peppers: [freshKey(1)], credentialKeys: [freshKey(1)] });
  const keysAt = [...whole.matchAll(/(?<="key": ")[^"]+/g)].map(({ index, 0: key }) => [
    index,
    index + key.length,
  ]);
  const isKey = (place: number) => keysAt.some(([from = 0, to = 0]) => from <= place && place < to);
  return (
    written.length < whole.length &&
    [...written].every((character, place) =>
      isKey(place) ? /[A-Za-z0-9+/=]/.test(character) : character === whole[place],
    )
  );
}

/** The list of keys to rotate, and the kind of rotation. */
export interface RotateKeyring {
  readonly list: KeyringList;
  /**
   * Appends a new key to the list as a standby key. Defaults to false.
   *
   * A standby key decrypts and finds stored values, but no new value is stored under it. The next
   * rotation makes it current. If the list has a standby key already, the list stays unchanged.
   */
  readonly standby?: boolean;
}

/**
 * Makes the newest key of `list` current, and returns the keyring.
 *
 * If the newest key is current already, the call creates a new key first. The other keys stay in
 * the file.
 *
 * Replaces the file in one step and keeps its owner, group and mode. If `path` is a symbolic link,
 * the file that it points to is replaced. If two rotations run at the same time, one fails with
 * `keyring.busy`.
 *
 * @returns the keyring with the new order of keys.
 * @example
 * ```ts
 * import { rotateKeyring } from "@tillkit/runtime";
 *
 * const rotated = await rotateKeyring("/etc/shop/keys.json", { list: "peppers" });
 * ```
 */
export function rotateKeyring(
  path: string,
  { list, standby = false }: RotateKeyring,
): ResultAsync<Keyring, KeyringFailure> {
  return withFileFailures(path, async () => {
    // All links to the file share one lock.
    const target = await followLinks(path);
    const next = `${target}.new`;
    const draft = await openLock(next);
    if (draft === undefined) return err(busy(path, next));
    const current = await readKeyring(target);
    if (current.isErr()) {
      await draft.close();
      await rm(next);
      return err(current.error);
    }
    const keyring = { ...current.value, [list]: rotated(current.value[list], standby) };
    await write(draft, next, keyringText(keyring));
    await replaceFile({ path: next, handle: draft }, target);
    return ok(keyring);
  });
}

/** Creates the draft file, which is also the lock. Returns `undefined` if the file exists. */
async function openLock(path: string): Promise<FileHandle | undefined> {
  try {
    return await open(path, "wx", 0o600);
  } catch (error) {
    if (errorCode(error) === "EEXIST") return undefined;
    throw error;
  }
}

function rotated(keys: readonly KeyringKey[], standby: boolean): readonly KeyringKey[] {
  const newest = Math.max(...keys.map(({ version }) => version));
  const [current] = keys;
  if (standby) return current?.version === newest ? [...keys, freshKey(newest + 1)] : keys;
  if (current?.version === newest) return [freshKey(newest + 1), ...keys];
  return [
    ...keys.filter(({ version }) => version === newest),
    ...keys.filter(({ version }) => version !== newest),
  ];
}

function freshKey(version: number): KeyringKey {
  return { version, key: Uint8Array.from(randomBytes(32)) };
}

/** Creates the file `path` with the content `text`. Rejects if `path` exists. */
async function createFile(path: string, text: string): Promise<void> {
  const draft = `${path}.${randomBytes(4).toString("hex")}.new`;
  await writeNew(draft, text);
  try {
    // Unlike a rename, a link never replaces a file that another process created meanwhile.
    await link(draft, path);
  } catch (error) {
    if (!NO_LINKS.has(errorCode(error) ?? "")) throw error;
    await writeNew(path, text);
  } finally {
    await rm(draft);
  }
  await flushFolder(path);
}

/** The error codes of file systems that do not support hard links. */
const NO_LINKS: ReadonlySet<string> = new Set(["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS"]);

/** Creates and writes a file that only its owner can access. Deletes the file if writing fails. */
async function writeNew(path: string, text: string): Promise<void> {
  const handle = await open(path, "wx", 0o600);
  await write(handle, path, text);
  await handle.close();
}

/** Writes `text` to a new file. Closes and deletes the file if writing fails. */
async function write(handle: FileHandle, path: string, text: string): Promise<void> {
  try {
    await handle.writeFile(text);
    await handle.sync();
  } catch (error) {
    await handle.close();
    await rm(path);
    throw error;
  }
}

/** Runs `work` on the file at `path`, and turns the errors of the file system into failures. */
function withFileFailures<T>(
  path: string,
  work: () => Promise<Result<T, KeyringFailure>>,
): ResultAsync<T, KeyringFailure> {
  return ResultAsync.fromThrowable(work, (error) => unavailable(path, error))().andThen((result) => result);
}

/** The failure of a key file that cannot be read. */
function keyringFailure({ name, message }: FileFailure): KeyringFailure {
  switch (name) {
    case "file.missing":
      return { name: "keyring.missing", message };
    case "file.exposed":
      return { name: "keyring.exposed", message };
    case "file.invalid":
      return { name: "keyring.invalid", message };
    case "file.unavailable":
      return { name: "keyring.unavailable", message };
  }
}

function unavailable(path: string, error: unknown): KeyringFailure {
  const code = errorCode(error) ?? "unknown error";
  if (code === "EEXIST")
    return {
      name: "keyring.exists",
      message: `The key file ${path} exists already and was not changed. Choose another path, or add a key with \`tillkit keys rotate\`.`,
    };
  // A container may mount a single file. A rename cannot replace a mounted file.
  if (code === "EBUSY")
    return {
      name: "keyring.unavailable",
      message: `The key file ${path} cannot be replaced, because it is mounted by itself. Mount its folder, or rotate the file where it is stored.`,
    };
  return {
    name: "keyring.unavailable",
    message: `The key file ${path} cannot be read or written (${code}). Check the path and its permissions.`,
  };
}

function invalid(path: string, problems: readonly string[]): KeyringFailure {
  return {
    name: "keyring.invalid",
    message: `The key file ${path} is not valid: ${problems.join("; ")}. Correct it, or restore it from a copy.`,
  };
}

function busy(path: string, lock: string): KeyringFailure {
  const message = `The key file ${path} is being rotated. If no rotation is running, an earlier one was interrupted: delete ${lock} and try again.`;
  return { name: "keyring.busy", message };
}
