import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdir, open, readlink, rename, rm, symlink } from "node:fs/promises";
import { connect, createServer, type Server } from "node:net";
import { hostname } from "node:os";
import { join, resolve } from "node:path";
import { err, ok, ResultAsync } from "neverthrow";

/** A folder that is this process's alone until it is released, or until the process ends in whatever way. */
export interface FolderLock {
  release(): Promise<void>;
}

/** Why a folder is not ours; `message` is one line for the person who starts the program. */
export type FolderLockFailure =
  | {
      readonly name: "folder.in-use";
      /** The process that has it, and the host or container it runs on. */
      readonly pid: number;
      readonly host: string;
      readonly message: string;
    }
  | { readonly name: "folder.unusable"; readonly message: string; readonly cause: unknown };

/** A process that owns the folder, or owned it, or will own it. `host` tells containers apart, whose first process is always number 1. */
interface LockOwner {
  readonly id: string;
  readonly pid: number;
  readonly host: string;
}

/** What operating systems allow for the path of a socket, in bytes; the smallest of them. */
const SOCKET_PATH = 103;

/** The symbolic link that the search for the owner begins at. */
const HEAD = "head";

/**
 * Makes `folder` this process's alone, and makes it first when it is missing. Of any number of processes that try at once, one succeeds; a process that
 * was killed holds nothing. What the lock needs is kept in `folder/lock`. The folder belongs on a local disk.
 */
export function lockFolder(folder: string): ResultAsync<FolderLock, FolderLockFailure> {
  const path = resolve(folder);
  return ResultAsync.fromPromise(take(join(path, "lock")), (cause): FolderLockFailure => {
    const why = cause instanceof Error ? cause.message : String(cause);
    const message = `The folder ${path} cannot be locked (${why}). Choose one on a local disk that this user may write to.`;
    return { name: "folder.unusable", message, cause };
  }).andThen((taken) => {
    if ("release" in taken) return ok(taken);
    const { pid, host } = taken;
    const message = `The folder ${path} is in use by process ${pid} on ${host}. Stop that process, or choose another folder.`;
    return err<never, FolderLockFailure>({ name: "folder.in-use", pid, host, message });
  });
}

/**
 * An owner listens on a socket of its own in `folder`, named with an id nobody else ever has. The operating system answers whether somebody still
 * listens there: that holds after `kill -9`, for reused process ids and between containers on one machine, where a stored process id would mislead.
 * Who owns the folder is said by symbolic links, which only one process can make: `head` names the first owner, `after-<id>` who followed the dead
 * owner `<id>`. The last of the row, if it lives, has the folder. Ids are used once, so that removing what the dead left behind harms nobody.
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

/** Makes `me` the last of the row and the row short, or returns the living owner. */
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
      // It may have been another claim behind an owner that had just left the row.
      if ((await readRow(folder)).at(-1)?.id !== last.id) continue;
      // Ours is such a claim too: nobody will ever look at it.
      if (claimed !== undefined) await rm(join(folder, claimed), { force: true });
      return last;
    }
    const next = last === undefined ? HEAD : followerOf(last);
    if (await linkOnce(join(folder, next), linkText(me))) claimed = next;
  }
}

/** Every owner from the first that is still mentioned to the last. */
async function readRow(folder: string): Promise<readonly LockOwner[]> {
  const row: LockOwner[] = [];
  for (let link = HEAD; ;) {
    const owner = await readOwner(join(folder, link));
    if (owner === undefined) return row;
    row.push(owner);
    link = followerOf(owner);
  }
}

/** Lets the row begin with its last owner, who alone may do that, and then removes what the others left. */
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
  if (id === undefined || pid === undefined || host === undefined) throw new Error(`${link} is no lock`);
  return { id, pid: Number(pid), host };
}

/** Whether this call made the link; `false` when there is one already. */
async function linkOnce(path: string, text: string): Promise<boolean> {
  return symlink(text, path).then(() => true, unless("EEXIST", false));
}

/** Whether a process listens on `socket`. Once nobody does, nobody ever will. */
async function lives(socket: string): Promise<boolean> {
  const connection = connect(socket);
  try {
    await once(connection, "connect");
    return true;
  } catch (problem) {
    // A queue that is full has an owner, who is busy.
    const code = codeOf(problem);
    if (code === "EAGAIN") return true;
    if (code === "ECONNREFUSED" || code === "ENOENT") return false;
    throw problem;
  } finally {
    connection.destroy();
  }
}

async function listen(socket: string): Promise<Server> {
  const server = createServer((connection) => connection.destroy());
  // Not shared with other workers of a cluster: each of them is a process of its own.
  server.listen({ path: socket, exclusive: true });
  await once(server, "listening");
  return server.unref();
}

/** A path to `folder` short enough for sockets in it. Node.js would cut a longer one off without a word. */
async function socketFolder(folder: string): Promise<{ readonly path: string; close(): Promise<void> }> {
  if (Buffer.byteLength(folder) + 1 + 16 <= SOCKET_PATH)
    return { path: folder, close: async () => undefined };
  if (process.platform !== "linux")
    throw new Error("its path is too long for a socket; choose a shorter one");
  const handle = await open(folder);
  return { path: `/proc/self/fd/${String(handle.fd)}`, close: () => handle.close() };
}

/** Handles a rejection with this code by a value, and no other. */
function unless<T>(code: string, value: T): (problem: unknown) => T {
  return (problem) => {
    if (codeOf(problem) === code) return value;
    throw problem;
  };
}

function codeOf(problem: unknown): unknown {
  return problem instanceof Error && "code" in problem ? problem.code : undefined;
}
