import type { App, Ports } from "@tillkit/core";
import { promise } from "./violation.js";
import type { World } from "./world.js";

/** How long a process may let in what another has ended, in milliseconds. */
const GRACE = 1_000;

/** When a call began, and what its process had changed itself by then. */
export interface Beginning {
  readonly at: number;
  readonly least: number;
}

/** What an app was like, from its beginning on, and who changed it. */
export interface AppHistory {
  /** Says that the process with these ports was told its change was made. */
  madeBy(ports: Ports, after: App): void;
  /** A call begins, in the process with these ports if it is one. */
  beginning(ports?: Ports): Beginning;
  /** Whether letting the secret in, or not, was right for a call that began then and ends now. */
  check(begun: Beginning, hash: string, isIn: boolean): void;
}

/** Writes down what becomes of `first`, as it takes effect in the stores. */
export function appHistory(world: World, first: App): AppHistory {
  const states: { readonly app: App; endedAt: number }[] = [{ app: first, endedAt: Infinity }];
  const made = new Map<Ports, number>();
  world.effects.push(({ port, verb, args, at }) => {
    if (port !== "apps" || !["addSecret", "setDisabled"].includes(verb) || args[0] !== first.appId) return;
    const app = world.stores.apps.recall(first.appId);
    const before = states.at(-1);
    if (app === undefined || before === undefined) throw new Error("The app is gone.");
    before.endedAt = at;
    states.push({ app, endedAt: Infinity });
  });

  /** Whether the app lets the secret in at some moment of a call, and whether it does not. */
  const answers = ({ disabled, secrets }: App, hash: string, begun: number) => {
    const secret = secrets.find((one) => one.hash === hash);
    const end = disabled || secret === undefined ? -Infinity : (secret.expiresAt ?? Infinity);
    return { lets: begun < end, refuses: end <= world.now() };
  };

  return {
    madeBy: (ports, after) => {
      const at = states.findIndex(({ app }) => app === after);
      made.set(ports, Math.max(at, made.get(ports) ?? 0));
    },
    beginning: (ports) => ({
      at: world.now(),
      least: ports === undefined ? 0 : (made.get(ports) ?? 0),
    }),
    check: ({ at, least }, hash, isIn) => {
      const during = (grace: number) =>
        states.filter(({ endedAt }, index) => index >= least && endedAt >= at - grace);
      const detail = () => `a call that began at ${new Date(at).toISOString()}`;
      promise(
        "nobody is let in by what was over a second ago, or before a change of the same process",
        !isIn || during(GRACE).some(({ app }) => answers(app, hash, at).lets),
        detail,
      );
      promise(
        "nobody is refused by what was over",
        isIn || during(0).some(({ app }) => answers(app, hash, at).refuses),
        detail,
      );
    },
  };
}
