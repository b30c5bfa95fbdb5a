import { randomBytes } from "node:crypto";
import { chmod, chown, type FileHandle, link, open, readFile, rename, rm, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { err, errAsync, ok, type Result, ResultAsync } from "neverthrow";
import {
  type Keyring,
  type KeyringFailure,
  type KeyringKey,
  type KeyringList,
  keyringText,
  parseKeyring,
} from "./keyring.js";

/** What everybody else, and anybody's group for writing, may not do with a key file. Reading by the group is how secrets are mounted into containers. */
const EXPOSED = 0o027;

/** Reads the key file at `path`. Refuses one that other users of the machine can read. */
export function readKeyring(path: string): ResultAsync<Keyring, KeyringFailure> {
  return filed(path, async () => {
    const handle = await open(path, "r");
    try {
      const mode = (await handle.stat()).mode & 0o777;
      if (process.platform !== "win32" && (mode & EXPOSED) !== 0) return err(exposed(path, mode));
      const text = await handle.readFile("utf8");
      return parseKeyring(text).mapErr((problems) => invalid(path, problems));
    } finally {
      await handle.close();
    }
  });
}

/**
 * Makes a key file with one fresh key of each kind, readable by its owner alone, and gives the keyring. Never touches a file that is there.
 *
 * The file appears whole or not at all: a process that dies half-way leaves none.
 */
export function createKeyring(path: string): ResultAsync<Keyring, KeyringFailure> {
  const keyring = { peppers: [freshKey(1)], credentialKeys: [freshKey(1)] };
  return filed(path, async () => {
    await appear(path, keyringText(keyring));
    return ok(keyring);
  });
}

/**
 * Reads the key file at `path`, or makes one where there is none or where the first start died while it wrote one.
 *
 * To be called only if nothing is stored under keys yet. What was cut short is kept beside the new file, as `….damaged-…`. Any
 * other file that is no keyring is left as it is and fails with `keyring.invalid`.
 */
export function openFirstKeyring(path: string): ResultAsync<Keyring, KeyringFailure> {
  return readKeyring(path).orElse((failure) => {
    if (failure.name === "keyring.missing") return createKeyring(path);
    if (failure.name !== "keyring.invalid") return errAsync(failure);
    return filed(path, async () => {
      if (!isCutShort(await readFile(path, "utf8"))) return err(failure);
      await rename(path, `${path}.damaged-${randomBytes(4).toString("hex")}`);
      return createKeyring(path);
    });
  });
}

/** Whether `text` is the beginning of a file that `createKeyring` writes, or empty. A crash may leave zero bytes in place of text. */
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

/** What to rotate, and how far. */
export interface RotateKeyring {
  readonly list: KeyringList;
  /** Puts the fresh key last, where it opens and finds but nothing new is stored under it yet; the next rotation makes it current. */
  readonly standby?: boolean;
}

/**
 * Makes the newest key of `list` current, after adding a fresh one if the newest is current already; the other keys stay. Gives the keyring. The file is
 * replaced in one step, by one of the same owner, group and mode, and of two calls at once one fails.
 */
export function rotateKeyring(
  path: string,
  { list, standby = false }: RotateKeyring,
): ResultAsync<Keyring, KeyringFailure> {
  const next = `${path}.new`;
  return filed(next, async () => {
    // Made exclusively, it is also the lock.
    const handle = await open(next, "wx", 0o600);
    const current = await readKeyring(path);
    if (current.isErr()) {
      await handle.close();
      await rm(next);
      return err(current.error);
    }
    const keyring = { ...current.value, [list]: rotated(current.value[list], standby) };
    await write(handle, next, keyringText(keyring));
    await letTheSameRead(path, next);
    await rename(next, path);
    await flushFolder(path);
    return ok(keyring);
  }).mapErr((failure) => (failure.name === "keyring.exists" ? busy(path) : failure));
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

/** Makes the file `path`, which must not be there, with all of `text` in it. */
async function appear(path: string, text: string): Promise<void> {
  const draft = `${path}.${randomBytes(4).toString("hex")}.new`;
  await write(await open(draft, "wx", 0o600), draft, text);
  try {
    // Unlike a rename, a link never replaces a file that another process has made meanwhile.
    await link(draft, path);
  } catch (error) {
    if (!NO_LINKS.has(codeOf(error))) throw error;
    await write(await open(path, "wx", 0o600), path, text);
  } finally {
    await rm(draft);
  }
  await flushFolder(path);
}

/** How file systems without hard links refuse one. */
const NO_LINKS: ReadonlySet<unknown> = new Set(["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS"]);

/** Writes the file that was just made; half a file is not left behind. */
async function write(handle: FileHandle, path: string, text: string): Promise<void> {
  try {
    await handle.writeFile(text);
    await handle.sync();
  } catch (error) {
    await rm(path);
    throw error;
  } finally {
    await handle.close();
  }
}

/** Flushes the folder of `path`, so that the name survives a loss of power. */
async function flushFolder(path: string): Promise<void> {
  // Windows opens no folder, and keeps names without being asked.
  if (process.platform === "win32") return;
  const folder = await open(dirname(path), "r");
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/** Gives the file `next` the owner, the group and the mode of `path`: the host that reads the one must be able to read the other. */
async function letTheSameRead(path: string, next: string): Promise<void> {
  try {
    const { uid, gid, mode } = await stat(path);
    const made = await stat(next);
    if (uid !== made.uid || gid !== made.gid) await chown(next, uid, gid);
    await chmod(next, mode & 0o777);
  } catch (error) {
    await rm(next);
    throw error;
  }
}

/** Works on the file at `path`: the one place where the file system's errors become failures. */
function filed<T>(
  path: string,
  work: () => Promise<Result<T, KeyringFailure>>,
): ResultAsync<T, KeyringFailure> {
  return ResultAsync.fromThrowable(work, (error) => unavailable(path, error))().andThen((result) => result);
}

function unavailable(path: string, error: unknown): KeyringFailure {
  const code = codeOf(error);
  if (code === "ENOENT")
    return {
      name: "keyring.missing",
      message: `There is no key file ${path}: make one with \`tillkit keys create\`.`,
    };
  if (code === "EEXIST")
    return { name: "keyring.exists", message: `The key file ${path} is there already and was not touched.` };
  return {
    name: "keyring.unavailable",
    message: `The key file ${path} cannot be used: ${String(code)}.`,
  };
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : "unknown error";
}

function exposed(path: string, mode: number): KeyringFailure {
  const message = `The key file ${path} has mode ${mode.toString(8)}, so other users of the machine can read or change it: chmod 600 ${path}.`;
  return { name: "keyring.exposed", message };
}

function invalid(path: string, problems: readonly string[]): KeyringFailure {
  return { name: "keyring.invalid", message: `The key file ${path} is not valid: ${problems.join("; ")}.` };
}

function busy(path: string): KeyringFailure {
  const message = `The key file ${path} is being rotated. If nobody is rotating it, a rotation died: delete ${path}.new and repeat.`;
  return { name: "keyring.busy", message };
}
