import type { Incident } from "../incident.js";
import { repeat } from "../repeat.js";

/** Incidents of the code that grants what customers paid for. */
export const EVENT_INCIDENTS: readonly Incident[] = [
  {
    name: "Grant without an answer",
    alerts: ["TillkitEventsFail"],
    cause: { command: "tillkit events list", shows: /grants .*timeout/ },
    prepare: (scenario) => scenario.startGrants("hang"),
    stage: (scenario, signal) => repeat(signal, 500, (nth) => scenario.buy(`no-answer-${nth}`)),
  },
  {
    name: "Event parked",
    alerts: ["TillkitEventParked"],
    cause: {
      command: "tillkit events list --parked",
      shows: /grants .*PARKED .*The shop has no such product/,
    },
    prepare: (scenario) => scenario.startGrants("throw"),
    stage: async (scenario, signal) => {
      await scenario.buy("parked");
      // A rehearsal cannot wait for the last of twelve attempts, which is more than a day later.
      await repeat(signal, 500, () =>
        scenario.asOwner(
          `update tillkit.event_deliveries set tries = 11, due_ms = 0
            where tries > 0 and claim_id is null and parked_ms is null`,
        ),
      );
    },
  },
];
