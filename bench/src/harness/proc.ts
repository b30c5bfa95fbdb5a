import { readFile } from "node:fs/promises";

/** The length of a clock tick in `/proc`, in microseconds: Linux has 100 ticks per second. */
const TICK_US = 10_000;

/** What a process and its children use. */
export interface Usage {
  /** Processor time so far, in microseconds. */
  readonly cpu: number;
  /** Resident memory in megabytes. */
  readonly rss: number;
}

/** Returns the usage of a process and of its children, from `/proc`. Works on Linux only. */
export async function usageOf(pid: number): Promise<Usage> {
  const each = await Promise.all([pid, ...(await childrenOf(pid))].map(usageOfOne));
  return {
    cpu: each.reduce((sum, { cpu }) => sum + cpu, 0),
    rss: each.reduce((sum, { rss }) => sum + rss, 0),
  };
}

async function usageOfOne(pid: number): Promise<Usage> {
  const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
  const [, kilobytes = 0] = /^VmRSS:\s+(\d+) kB$/mu.exec(status) ?? [];
  const { user, system } = await statOf(pid);
  return { cpu: (user + system) * TICK_US, rss: Number(kilobytes) / 1_024 };
}

/**
 * Returns the processor time of a PostgreSQL server with all its processes, in microseconds.
 *
 * @param pid - the server's first process. Its counters include the processor time of its children
 *   that have ended.
 */
export async function serverCpu(pid: number): Promise<number> {
  const { user, system, endedUser, endedSystem } = await statOf(pid);
  const running = await Promise.all((await childrenOf(pid)).map(preciseCpu));
  const ticks = user + system + endedUser + endedSystem;
  return running.reduce((sum, cpu) => sum + cpu, ticks * TICK_US);
}

/** Returns the process that started `pid`. */
export async function parentOf(pid: number): Promise<number> {
  return (await statOf(pid)).parent;
}

async function childrenOf(pid: number): Promise<readonly number[]> {
  const text = await readFile(`/proc/${pid}/task/${pid}/children`, "utf8").catch(() => "");
  return text.split(" ").filter(Boolean).map(Number);
}

/** Returns the processor time of a process with one thread, in microseconds, from `schedstat`. */
async function preciseCpu(pid: number): Promise<number> {
  const [nanoseconds = "0"] = (await readFile(`/proc/${pid}/schedstat`, "utf8").catch(() => "0")).split(" ");
  return Number(nanoseconds) / 1_000;
}

async function statOf(pid: number) {
  const text = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
  // The name of the program, in parentheses, may contain spaces.
  const fields = text
    .slice(text.lastIndexOf(")") + 2)
    .split(" ")
    .map(Number);
  const [parent = 0, user = 0, system = 0, endedUser = 0, endedSystem = 0] = [1, 11, 12, 13, 14].map(
    (index) => fields[index] ?? 0,
  );
  return { parent, user, system, endedUser, endedSystem };
}
