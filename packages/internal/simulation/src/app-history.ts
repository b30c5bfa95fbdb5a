import type { App, Ports } from "@tillkit/core";
import { z } from "zod";
import { invariant } from "./violation.js";
import type { Simulation } from "./simulation.js";

/** The app after a change, as the response to the change contains it. */
const changed = z.object({
  value: z.object({
    disabled: z.boolean(),
    secrets: z.array(z.object({ hash: z.string(), expiresAt: z.number().optional() })),
  }),
});
type State = z.output<typeof changed>["value"];

/**
 * How long a process may still accept an app or secret that another process disabled, in
 * milliseconds.
 */
const GRACE = 1_000;

/** When a call began, and the oldest state that its process may still use. */
export interface CallStart {
  readonly at: number;
  readonly least: number;
}

/** The states of an app over time. */
export interface AppHistory {
  /**
   * Records that the process with these ports has learnt that its change was stored.
   *
   * From then on the process must know the current state of the app.
   */
  madeBy(ports: Ports): void;
  /** Records the beginning of a call, in the process with these ports if they are given. */
  beginning(ports?: Ports): CallStart;
  /** Checks that accepting or refusing the secret was correct for a call that ends now. */
  check(begun: CallStart, hash: string, isIn: boolean): void;
}

/** Records the states of the app, starting with `first`, as they take effect in the stores. */
export function appHistory(simulation: Simulation, first: App): AppHistory {
  const states = [{ app: changed.shape.value.parse(first), endedAt: Infinity }];
  const made = new Map<Ports, number>();
  simulation.effects.push(({ port, method, args, at, answer }) => {
    if (port !== "apps" || !["addSecret", "setDisabled"].includes(method) || args[0] !== first.appId) return;
    const after = changed.safeParse(answer);
    const before = states.at(-1);
    if (!after.success || before === undefined) return;
    before.endedAt = at;
    states.push({ app: after.data.value, endedAt: Infinity });
  });

  /** Whether the app accepts the secret at some time of the call, and whether it refuses it. */
  const answers = ({ disabled, secrets }: State, hash: string, begun: number) => {
    const secret = secrets.find((one) => one.hash === hash);
    const end = disabled || secret === undefined ? -Infinity : (secret.expiresAt ?? Infinity);
    return { lets: begun < end, refuses: end <= simulation.now() };
  };

  return {
    madeBy: (ports) => void made.set(ports, states.length - 1),
    beginning: (ports) => ({
      at: simulation.now(),
      least: ports === undefined ? 0 : (made.get(ports) ?? 0),
    }),
    check: ({ at, least }, hash, isIn) => {
      const during = (grace: number) =>
        states.filter(({ endedAt }, index) => index >= least && endedAt >= at - grace);
      const detail = () => `a call that began at ${new Date(at).toISOString()}`;
      invariant(
        "no caller is authenticated by a secret that ended over a second ago, or before a change of the same process",
        !isIn || during(GRACE).some(({ app }) => answers(app, hash, at).lets),
        detail,
      );
      invariant(
        "no caller is refused because of an outdated cache entry",
        isIn || during(0).some(({ app }) => answers(app, hash, at).refuses),
        detail,
      );
    },
  };
}
