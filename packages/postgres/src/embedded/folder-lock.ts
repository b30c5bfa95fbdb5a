import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdir, open, readlink, rename, rm, symlink } from "node:fs/promises";
import { connect, createServer, type Server } from "node:net";
import { hostname } from "node:os";
import { join, resolve } from "node:path";
import { errorCode, isError } from "@tillkit/core/errors";
import { err, ok, ResultAsync } from "neverthrow";

/** An exclusive lock on a folder. The lock ends with `release`, or when the process ends. */
export interface FolderLock {
  release(): Promise<void>;
}

/** The reason why a folder could not be locked. `message` is one line for the operator. */
export type FolderLockFailure =
  | {
      readonly name: "folder.in-use";
      /** The process id of the owner. `host` is its host or container. */
      readonly pid: number;
      readonly host: string;
      readonly message: string;
    }
  | { readonly name: "folder.unusable"; readonly message: string; readonly cause: unknown };

/**
 * A current, former or future owner of the folder.
 *
 * `host` distinguishes containers, because the first process of each container has the id 1.
 */
interface LockOwner {
  readonly id: string;
  readonly pid: number;
  readonly host: string;
}

/** The maximum length of a socket path in bytes, over all operating systems. */
const SOCKET_PATH = 103;

/** The symbolic link that names the first owner of the chain. */
const HEAD = "head";

/**
 * Locks `folder` for this process, and creates the folder if it is missing.
 *
 * If several processes call this function at the same time, exactly one succeeds. A killed process
 * loses its lock immediately. The lock stores its files in `folder/lock`. The folder must be on a
 * local disk.
 *
 * @returns the lock. Fails if another process holds it.
 * @example
 * ```ts
 * import { lockFolder } from "@tillkit/postgres/pglite";
 *
 * const locked = await lockFolder("/var/lib/shop/payments");
 * if (locked.isErr()) throw new Error(locked.error.message);
 * ```
 * @see {@link https://github.com/tillkit/tillkit/blob/main/docs/decisions/embedded-database.md |
 *   The embedded database}
 */
export function lockFolder(folder: string): ResultAsync<FolderLock, FolderLockFailure> {
  const path = resolve(folder);
  return ResultAsync.fromPromise(take(join(path, "lock")), (cause): FolderLockFailure => {
    const why = isError(cause) ? cause.message : String(cause);
    const message = `The folder ${path} cannot be locked (${why}). Choose a folder on a local disk that this user may write to.`;
    return { name: "folder.unusable", message, cause };
  }).andThen((taken) => {
    if ("release" in taken) return ok(taken);
    const { pid, host } = taken;
    const message = `The folder ${path} is in use by process ${pid} on ${host}. Stop that process, or choose another folder.`;
    return err<never, FolderLockFailure>({ name: "folder.in-use", pid, host, message });
  });
}

/**
 * Takes the lock, or returns the living owner.
 *
 * Each owner listens on its own socket in `folder`, with an id that is used once. A connection
 * attempt shows whether the owner lives. A stored process id would be unreliable after a restart
 * and between containers.
 *
 * Symbolic links form the chain of owners, because only one process can create a link. `head` names
 * the first owner. `after-<id>` names the owner that followed the dead owner `<id>`. The last owner
 * of the chain has the lock while it lives. Ids are used once, so it is safe to delete the files of
 * dead owners.
 */
async function take(folder: string): Promise<FolderLock | LockOwner> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const me: LockOwner = { id: randomBytes(8).toString("hex"), pid: process.pid, host: hostname() };
  const sockets = await socketFolder(folder);
  const server = await listen(join(sockets.path, me.id)).catch(async (problem: unknown) => {
    await sockets.close();
    throw problem;
  });
  const release = async () => {
    const closed = once(server, "close");
    server.close();
    await closed;
    await sockets.close();
  };
  try {
    const other = await takeTurn(folder, sockets.path, me);
    if (other === undefined) return { release };
    await release();
    return other;
  } catch (problem) {
    await release();
    throw problem;
  }
}

/** Appends `me` to the chain and shortens the chain, or returns the living owner. */
async function takeTurn(folder: string, sockets: string, me: LockOwner): Promise<LockOwner | undefined> {
  let claimed: string | undefined;
  for (;;) {
    const row = await readRow(folder);
    const last = row.at(-1);
    if (last?.id === me.id) {
      await shorten(folder, row);
      return undefined;
    }
    if (last !== undefined && (await lives(join(sockets, last.id)))) {
      // `last` may follow an owner that has left the chain meanwhile. Then `last` is not in the
      // chain.
      if ((await readRow(folder)).at(-1)?.id !== last.id) continue;
      // The link of this call may also follow an owner that has left the chain. No process reads
      // this link, so it is deleted.
      if (claimed !== undefined) await rm(join(folder, claimed), { force: true });
      return last;
    }
    const next = last === undefined ? HEAD : followerOf(last);
    if (await linkOnce(join(folder, next), linkText(me))) claimed = next;
  }
}

/** Reads all owners of the chain, from `head` to the last one. */
async function readRow(folder: string): Promise<readonly LockOwner[]> {
  const row: LockOwner[] = [];
  for (let link = HEAD; ;) {
    const owner = await readOwner(join(folder, link));
    if (owner === undefined) return row;
    row.push(owner);
    link = followerOf(owner);
  }
}

/**
 * Makes the last owner the head of the chain, and deletes the files of the dead owners.
 *
 * Only the last owner may call this.
 */
async function shorten(folder: string, row: readonly LockOwner[]): Promise<void> {
  const dead = row.slice(0, -1);
  const [first] = dead;
  const last = row.at(-1);
  if (first === undefined || last === undefined) return;
  const head = join(folder, `head-${last.id}`);
  await symlink(linkText(last), head);
  await rename(head, join(folder, HEAD));
  for (const owner of dead) {
    await rm(join(folder, followerOf(owner)), { force: true });
    await rm(join(folder, owner.id), { force: true });
  }
}

function followerOf({ id }: LockOwner): string {
  return `after-${id}`;
}

function linkText({ id, pid, host }: LockOwner): string {
  return `${id}.${String(pid)}.${host}`;
}

async function readOwner(link: string): Promise<LockOwner | undefined> {
  const text = await readlink(link).catch(unless("ENOENT", undefined));
  if (text === undefined) return undefined;
  const [, id, pid, host] = /^([0-9a-f]{16})\.(\d+)\.(.*)$/.exec(text) ?? [];
  if (id === undefined || pid === undefined || host === undefined)
    throw new Error(`${link} is not a lock link`);
  return { id, pid: Number(pid), host };
}

/** Creates a symbolic link. Returns false if it exists already. */
async function linkOnce(path: string, text: string): Promise<boolean> {
  return symlink(text, path).then(() => true, unless("EEXIST", false));
}

/**
 * Returns whether a process listens on `socket`. A socket without a listener never gets a listener
 * again.
 */
async function lives(socket: string): Promise<boolean> {
  const connection = connect(socket);
  try {
    await once(connection, "connect");
    return true;
  } catch (problem) {
    // A full connection queue means that the owner lives but is busy.
    const code = errorCode(problem);
    if (code === "EAGAIN") return true;
    if (code === "ECONNREFUSED" || code === "ENOENT") return false;
    throw problem;
  } finally {
    connection.destroy();
  }
}

async function listen(socket: string): Promise<Server> {
  const server = createServer((connection) => connection.destroy());
  // Each worker of a cluster is a separate process and must not share the socket.
  server.listen({ path: socket, exclusive: true });
  await once(server, "listening");
  return server.unref();
}

/**
 * Returns a path to `folder` that is short enough for the sockets in it.
 *
 * Node truncates a longer path silently.
 */
async function socketFolder(folder: string): Promise<{ readonly path: string; close(): Promise<void> }> {
  if (Buffer.byteLength(folder) + 1 + 16 <= SOCKET_PATH)
    return { path: folder, close: async () => undefined };
  if (process.platform !== "linux")
    throw new Error("its path is too long for a socket: choose a shorter path");
  const handle = await open(folder);
  return { path: `/proc/self/fd/${String(handle.fd)}`, close: () => handle.close() };
}

/**
 * Returns a rejection handler that returns `value` for this error code and rethrows other errors.
 */
function unless<T>(code: string, value: T): (problem: unknown) => T {
  return (problem) => {
    if (errorCode(problem) === code) return value;
    throw problem;
  };
}
