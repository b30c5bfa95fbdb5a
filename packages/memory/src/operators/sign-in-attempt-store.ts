import { countingAttempts, decideAttempt, type SignInAttemptStore } from "@tillkit/core/ports";
import type { MemoryState } from "../state/memory-state.js";
import { runAtomically } from "../state/run-atomically.js";

/** Creates a `SignInAttemptStore` in memory. */
export function memorySignInAttemptStore({
  signInAttempts,
}: Pick<MemoryState, "signInAttempts">): SignInAttemptStore {
  return {
    take: (subjects, attempt) =>
      runAtomically(() => {
        const counted = subjects.map(({ subject, limit }) => ({
          subject,
          limit,
          times: countingAttempts(signInAttempts.get(subject) ?? [], attempt),
        }));
        const decided = decideAttempt(counted, attempt);
        if (decided.granted)
          for (const { subject, times } of counted)
            signInAttempts.set(
              subject,
              [...times, attempt.at].sort((left, right) => left - right),
            );
        return decided;
      }),
    giveBack: (subjects, at) =>
      runAtomically(() => {
        for (const subject of subjects) {
          const times = signInAttempts.get(subject) ?? [];
          const found = times.indexOf(at);
          if (found >= 0) signInAttempts.set(subject, times.toSpliced(found, 1));
        }
      }),
    removeBefore: (before, limit) =>
      runAtomically(() => {
        const past = [...signInAttempts].filter(([, times]) => (times.at(-1) ?? 0) < before).slice(0, limit);
        for (const [subject] of past) signInAttempts.delete(subject);
        return past.length;
      }),
  };
}
