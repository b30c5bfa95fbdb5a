import { randomBytes } from "node:crypto";
import { chmod, chown, type FileHandle, open, rename, rm, stat } from "node:fs/promises";
import { err, ok, type Result, ResultAsync } from "neverthrow";
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

/** Makes a key file with one fresh key of each kind, readable by its owner alone, and gives the keyring. Never touches a file that is there. */
export function createKeyring(path: string): ResultAsync<Keyring, KeyringFailure> {
  const keyring = { peppers: [freshKey(1)], credentialKeys: [freshKey(1)] };
  return filed(path, async () => {
    await write(await open(path, "wx", 0o600), path, keyring);
    return ok(keyring);
  });
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
    await write(handle, next, keyring);
    await letTheSameRead(path, next);
    await rename(next, path);
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

/** Writes the file that was just made; half a file is not left behind. */
async function write(handle: FileHandle, path: string, keyring: Keyring): Promise<void> {
  try {
    await handle.writeFile(keyringText(keyring));
    await handle.sync();
  } catch (error) {
    await rm(path);
    throw error;
  } finally {
    await handle.close();
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
  const code = error instanceof Error && "code" in error ? error.code : "unknown error";
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
