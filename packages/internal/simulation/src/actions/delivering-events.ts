import {
  deliverDueEvents,
  eventHandler,
  type EventHandler,
  type OrderEvent,
  type StartTimer,
} from "@tillkit/core";
import { replayParkedEvents } from "@tillkit/core/operators";
import { HANDLERS } from "../event-handlers.js";
import type { Process } from "../process.js";
import type { Scenario } from "../scenario.js";

/** Lets a process deliver due events to one of the handlers. */
export function deliver(scenario: Scenario): void {
  const { choices } = scenario.simulation;
  const handler = HANDLERS[choices.next(HANDLERS.length)] ?? HANDLERS[0];
  deliverTo(scenario, handler);
}

/** Lets a process deliver due events to both handlers. */
export function deliverToAll(scenario: Scenario): void {
  for (const handler of HANDLERS) deliverTo(scenario, handler);
}

/** Lets an operator replay all parked events of a handler. */
export function replayParked(scenario: Scenario): void {
  const { choices } = scenario.simulation;
  const { name } = HANDLERS[choices.next(HANDLERS.length)] ?? HANDLERS[0];
  replayParkedOf(scenario, name);
}

/** Lets an operator replay all parked events of the handler with this name. */
export function replayParkedOf(scenario: Scenario, name: string): void {
  scenario.serve(`replay ${name}`, (ports) => replayParkedEvents(ports, name));
}

function deliverTo(scenario: Scenario, { name, types }: (typeof HANDLERS)[number]): void {
  scenario.serve(`deliver to ${name}`, (ports) => {
    const handler = eventHandler({
      name,
      types,
      handle: (event, { signal }) => handle(scenario, ports, { name, event, signal }),
    });
    return deliverDueEvents(ports, handler, {
      limit: scenario.simulation.calm ? 20 : 3,
      startTimer: timersOf(ports),
    });
  });
}

interface Handled {
  readonly name: EventHandler["name"];
  readonly event: OrderEvent;
  readonly signal: AbortSignal;
}

/** Receives an event, with a random fault: it fails before or after its effect, or hangs. */
async function handle(
  { simulation, known }: Scenario,
  { clock }: Process["ports"],
  { name, event, signal }: Handled,
): Promise<void> {
  await clock.sleep(0);
  const fault = simulation.calm ? "none" : FAULTS[simulation.choices.next(FAULTS.length)];
  if (fault !== "none") simulation.log(`  ${String(fault)}: ${name} ${event.id}`);
  if (fault === "fails" || signal.aborted) throw new Error("simulated");
  if (fault === "hangs") await new Promise(() => undefined);
  known.received.push({ handler: name, event });
  await clock.sleep(0);
  if (fault === "fails late") throw new Error("simulated");
}

const FAULTS = ["none", "none", "none", "none", "none", "fails", "fails late", "hangs"] as const;

/** Timers on the virtual clock, which end with their process. */
function timersOf({ clock }: Process["ports"]): StartTimer {
  return (ms, run) => {
    let cancelled = false;
    void clock.sleep(ms).then(() => {
      if (!cancelled) run();
    });
    return () => {
      cancelled = true;
    };
  };
}
