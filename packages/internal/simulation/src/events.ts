/** A step that happens when the scheduler selects it. */
export interface Event {
  readonly label: string;
  /** The process whose end drops the step. Absent for steps outside the processes. */
  readonly process?: number;
  /** Marks a message to the outside, which may arrive although its sender has died. */
  readonly sent?: true;
  /** The earliest time, in epoch milliseconds of the virtual clock. */
  readonly dueAt: number;
  /** The store method and its subject. Calls of one process to one method can share a statement. */
  readonly statement?: { readonly method: string; readonly about: string };
  readonly run: () => void | Promise<void>;
  /** Runs after all steps that happen together with this one. */
  readonly follow?: () => void;
}

/** The pending steps, oldest first. */
export interface Events {
  add(event: Event): void;
  /** Returns the steps that can happen at `now`, in the order in which they were added. */
  due(now: number): readonly Event[];
  remove(event: Event): void;
  /** Returns the due time of the earliest step, or `undefined` if there is none. */
  nextDueAt(): number | undefined;
  /**
   * Ends a process and drops its steps, now and later.
   *
   * Messages that it sent before stay if `survives` returns true.
   */
  end(process: number, survives: (message: Event) => boolean): void;
}

/** Creates an empty list of steps. */
export function openEvents(): Events {
  const stored = new Set<Event>();
  const ended = new Set<number>();
  return {
    add: (event) => {
      if (event.process === undefined || !ended.has(event.process)) stored.add(event);
    },
    due: (now) => [...stored].filter(({ dueAt }) => dueAt <= now),
    remove: (event) => void stored.delete(event),
    nextDueAt: () => (stored.size === 0 ? undefined : Math.min(...[...stored].map(({ dueAt }) => dueAt))),
    end: (process, survives) => {
      ended.add(process);
      for (const event of stored) {
        if (event.process === process && !(event.sent === true && survives(event))) stored.delete(event);
      }
    },
  };
}
