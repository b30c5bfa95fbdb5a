/** Something that is going to happen once the scheduler picks it. */
export interface Event {
  readonly label: string;
  /** The process it goes on in; it is lost when that dies. Absent for what is on the wire or in nature. */
  readonly process?: number;
  /** It is a message to the outside: it may arrive although its sender is dead. */
  readonly sent?: true;
  /** Not before, epoch milliseconds of the virtual clock. */
  readonly dueAt: number;
  /** What it asks of the stores: those of one process that ask the same verb about different things can be one statement. */
  readonly statement?: { readonly verb: string; readonly about: string };
  readonly run: () => void | Promise<void>;
  /** What follows from it, after everything that happens together with it. */
  readonly follow?: () => void;
}

/** What is going to happen, oldest first. */
export interface Events {
  add(event: Event): void;
  /** What can happen at `now`, in the order it came to be. */
  due(now: number): readonly Event[];
  remove(event: Event): void;
  /** When the first of them is due; `undefined` when nothing is going to happen. */
  nextDueAt(): number | undefined;
  /** Ends a process: what goes on in it is dropped, now and later, except for messages it had sent if `survives` says so. */
  end(process: number, survives: (message: Event) => boolean): void;
}

/** No events yet. */
export function openEvents(): Events {
  const held = new Set<Event>();
  const ended = new Set<number>();
  return {
    add: (event) => {
      if (event.process === undefined || !ended.has(event.process)) held.add(event);
    },
    due: (now) => [...held].filter(({ dueAt }) => dueAt <= now),
    remove: (event) => void held.delete(event),
    nextDueAt: () => (held.size === 0 ? undefined : Math.min(...[...held].map(({ dueAt }) => dueAt))),
    end: (process, survives) => {
      ended.add(process);
      for (const event of held) {
        if (event.process === process && !(event.sent === true && survives(event))) held.delete(event);
      }
    },
  };
}
