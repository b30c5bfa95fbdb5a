import type { App, Ports } from "@tillkit/core";
import { z } from "zod";
import { promise } from "./violation.js";
import type { World } from "./world.js";

/** What the answer to a change says of the app after it. */
const changed = z.object({
  value: z.object({
    disabled: z.boolean(),
    secrets: z.array(z.object({ hash: z.string(), expiresAt: z.number().optional() })),
  }),
});
type State = z.output<typeof changed>["value"];

/** How long a process may let in what another has ended, in milliseconds. */
const GRACE = 1_000;

/** When a call began, and the first state that its process may go by because of a change of its own. */
export interface Beginning {
  readonly at: number;
  readonly least: number;
}

/** What an app was like, from its beginning on, and who changed it. */
export interface AppHistory {
  /** Says that the process with these ports has just been told its change was made: from then on it knows what the app is like now. */
  madeBy(ports: Ports): void;
  /** A call begins, in the process with these ports if it is one. */
  beginning(ports?: Ports): Beginning;
  /** Whether letting the secret in, or not, was right for a call that began then and ends now. */
  check(begun: Beginning, hash: string, isIn: boolean): void;
}

/** Writes down what becomes of `first`, as it takes effect in the stores. */
export function appHistory(world: World, first: App): AppHistory {
  const states = [{ app: changed.shape.value.parse(first), endedAt: Infinity }];
  const made = new Map<Ports, number>();
  world.effects.push(({ port, verb, args, at, answer }) => {
    if (port !== "apps" || !["addSecret", "setDisabled"].includes(verb) || args[0] !== first.appId) return;
    const after = changed.safeParse(answer);
    const before = states.at(-1);
    if (!after.success || before === undefined) return;
    before.endedAt = at;
    states.push({ app: after.data.value, endedAt: Infinity });
  });

  /** Whether the app lets the secret in at some moment of a call, and whether it does not. */
  const answers = ({ disabled, secrets }: State, hash: string, begun: number) => {
    const secret = secrets.find((one) => one.hash === hash);
    const end = disabled || secret === undefined ? -Infinity : (secret.expiresAt ?? Infinity);
    return { lets: begun < end, refuses: end <= world.now() };
  };

  return {
    madeBy: (ports) => void made.set(ports, states.length - 1),
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
