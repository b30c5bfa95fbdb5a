import { setTimeout } from "node:timers/promises";
import { errorCode, isError } from "@tillkit/core/errors";

/** One failed attempt to lock the tables that a migration changes. */
export interface LockWait {
  /** The number of the attempt that failed, from 1. */
  readonly attempt: number;
  /** The time since the first attempt began, in milliseconds. */
  readonly waitedMs: number;
  /** What could not be locked, in one line. */
  readonly reason: string;
}

/** The limits of {@link withLockRetries}. */
export interface LockRetryOptions {
  /** The time between two attempts, in milliseconds. */
  readonly pauseMs: number;
  /** No attempt begins after this time, in milliseconds. */
  readonly maxWaitMs: number;
  /** Receives each failed attempt that another attempt follows. Must not throw. */
  readonly onWait?: ((wait: LockWait) => void) | undefined;
}

/** The last attempt, which failed too. */
export interface LockTimeout {
  readonly timedOut: LockWait;
}

/**
 * Repeats `attempt` while it fails because of a lock, and returns its result.
 *
 * The server ends an attempt after `lock_timeout`, or to end a deadlock. Between two attempts, the
 * transactions that waited behind the attempt run.
 */
export async function withLockRetries<T>(
  attempt: () => Promise<T>,
  { pauseMs, maxWaitMs, onWait }: LockRetryOptions,
): Promise<{ readonly value: T } | LockTimeout> {
  const start = performance.now();
  for (let number = 1; ; number += 1) {
    try {
      return { value: await attempt() };
    } catch (error) {
      if (!isLockError(error)) throw error;
      const waitedMs = Math.round(performance.now() - start);
      const wait = { attempt: number, waitedMs, reason: reasonOf(error) };
      if (waitedMs + pauseMs > maxWaitMs) return { timedOut: wait };
      onWait?.(wait);
      await setTimeout(pauseMs);
    }
  }
}

/** Whether the server ended a statement because of `lock_timeout` or of a deadlock. */
function isLockError(error: unknown): boolean {
  const code = errorCode(error);
  if (code === "55P03" || code === "40P01") return true;
  return isError(error) && error.cause !== undefined && isLockError(error.cause);
}

function reasonOf(error: unknown): string {
  return (isError(error) ? error.message : String(error)).replace(/\s+/g, " ");
}
